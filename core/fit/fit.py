#!/usr/bin/env python3
"""Fit the polynomials of Lanecraft's elementary functions.

Usage: python3 fit.py [NAME ...]      (needs `sollya` 8, e.g. `apt-get install sollya`)

Every entry of FITS is one polynomial. Sollya's `fpminimax` finds coefficients
which are already f32 or f64 values, so nothing is lost by rounding afterwards;
its result is deterministic. Printed for each: the coefficients in ascending
order, as Rust constants, and the error on the interval (relative unless the
entry says absolute) as sollya's `dirtyinfnorm` finds it.
"""

import itertools
import struct
import subprocess
import sys
from fractions import Fraction

# 1/ln 2 as a sum of two f32.
LOG2E_F32 = "round(1/log(2),24,RN)"
LOG2E_LO_F32 = f"round(1/log(2)-{LOG2E_F32},24,RN)"

# name: (function, monomials, bits per coefficient or a list of them, interval, fixed part, mode)
# `fixed part` holds the leading terms that are kept exact.
FITS = {
    "exp_f32": ("exp(x)", range(2, 7), 24, "[-0.3468;0.3468]", "1+x", "relative"),
    "exp_f64": ("exp(x)", range(2, 12), 53, "[-0.34660;0.34660]", "1+x", "relative"),
    "exp2_f32": ("2^x", range(1, 7), 24, "[-0.5001;0.5001]", "1", "relative"),
    "exp2_f64": ("2^x", range(1, 12), 53, "[-0.5001;0.5001]", "1", "relative"),
    "expm1_f32": ("expm1(x)", range(2, 8), 24, "[-0.3468;0.3468]", "x", "relative"),
    "expm1_f64": ("expm1(x)", range(2, 13), 53, "[-0.3467;0.3467]", "x", "relative"),
    "ln_f32": ("log1p(x)", range(2, 11), 24, "[-0.29291;0.41423]", "x", "relative"),
    "ln_f64": ("log1p(x)", range(2, 23), 53, "[-0.29290;0.41422]", "x", "relative"),
    # The leading coefficient of log2 and log10 has two parts: the first one is fixed, c1 is the rest.
    "log2_f32": ("log2(1+x)", range(1, 11), 24, "[-0.29291;0.41423]", "x*round(1/log(2),24,RN)", "relative"),
    "log2_f64": ("log2(1+x)", range(1, 23), 53, "[-0.29290;0.41422]", "x*round(1/log(2),53,RN)", "relative"),
    "log10_f32": ("log10(1+x)", range(1, 11), 24, "[-0.29291;0.41423]", "x*round(1/log(10),24,RN)", "relative"),
    "log10_f64": ("log10(1+x)", range(1, 23), 53, "[-0.29290;0.41422]", "x*round(1/log(10),53,RN)", "relative"),
    "sigmoid_f32": ("exp(x)", range(2, 7), 24, "[-0.3468;0.3468]", "1+x", "relative"),
    "sigmoid_f64": ("exp(x)", range(2, 12), 53, "[-0.34660;0.34660]", "1+x", "relative"),
    "tanh_f64": ("expm1(2*x)", range(2, 13), 53, "[-0.1733;0.1733]", "2*x", "relative"),
    "sinh_f32": ("sinh(x)", range(3, 10, 2), 24, "[2^-40;1.04]", "x", "relative"),
    "sinh_f64": ("sinh(x)", range(3, 18, 2), 53, "[2^-40;1.04]", "x", "relative"),
    "cosh_f32": ("cosh(x)", range(2, 7, 2), 24, "[2^-40;0.3468]", "1", "relative"),
    "cosh_f64": ("cosh(x)", range(2, 11, 2), 53, "[2^-40;0.3467]", "1", "relative"),
    "cbrt_f32": ("((1-x)^(-1/3)-1)/x", range(3), 24, "[-0.105;0.105]", "0", "absolute"),
    "cbrt_f64": ("x^(-1/3)", range(7), 53, "[1;2]", "0", "relative"),
    "atan_f32": ("atan(x)", range(3, 20, 2), 24, "[2^-40;1]", "x", "relative"),
    "atan_f64": ("atan(x)", range(3, 42, 2), 53, "[2^-40;1]", "x", "relative"),
    "asin_f32": ("asin(x)", range(3, 12, 2), 24, "[2^-40;0.5]", "x", "relative"),
    "asin_f64": ("asin(x)", range(3, 26, 2), 53, "[2^-40;0.5]", "x", "relative"),
    "asinh_f32": ("asinh(x)", range(3, 12, 2), 24, "[2^-40;0.5]", "x", "relative"),
    "asinh_f64": ("asinh(x)", range(3, 26, 2), 53, "[2^-40;0.5]", "x", "relative"),
    "atanh_f32": ("atanh(x)", range(3, 14, 2), 24, "[2^-40;0.5]", "x", "relative"),
    "atanh_f64": ("atanh(x)", range(3, 30, 2), 53, "[2^-40;0.5]", "x", "relative"),
    "erf_f32": ("erf(x)", range(1, 14, 2), 24, "[2^-40;1]", "x", "relative"),
    "erf_f64": ("erf(x)", range(1, 28, 2), 53, "[2^-40;1]", "x", "relative"),
    "erf_tail_f32": ("log2(erfc(x))", range(9), 24, "[0.99;4]", "0", "absolute"),
    "erfc_exp_f32": ("exp(x)", range(2, 7), 24, "[-0.3468;0.3468]", "1+x", "relative"),
    "erfc_exp_f64": ("exp(x)", range(2, 12), 53, "[-0.34660;0.34660]", "1+x", "relative"),
    "erf_exp2_f32": ("2^x", range(6), 24, "[-0.5001;0.5001]", "0", "relative"),
    "sin_f32": ("sin(x)", range(3, 10, 2), 24, "[2^-40;0.792]", "x", "relative"),
    "sin_f64": ("sin(x)", range(3, 18, 2), 53, "[2^-40;0.7855]", "x", "relative"),
    "cos_f32": ("cos(x)", range(2, 9, 2), 24, "[2^-40;0.792]", "1", "relative"),
    "cos_f64": ("cos(x)", range(2, 15, 2), 53, "[2^-40;0.7855]", "1", "relative"),
    "tan_f32": ("tan(x)", range(3, 16, 2), 24, "[2^-40;0.792]", "x", "relative"),
    "tan_f64": ("tan(x)", range(3, 32, 2), 53, "[2^-40;0.7855]", "x", "relative"),
    # ln((1 + x)/(1 - x)) / 2, x = f/(2 + f); the first two terms are exact, in two parts each.
    "pow_log_f64": ("log((1+x)/(1-x))/2", range(5, 20, 2), 53, "[2^-40;0.171574]", "x+x^3/3", "relative"),
    "pow_exp2_f64": ("2^x", range(1, 12), 53, "[-0.5001;0.5001]", "1", "relative"),
    "pow_log_f32": ("log2(1+x)", range(3, 7), 24, "[-0.0372;0.0626]", f"x*({LOG2E_F32}+{LOG2E_LO_F32})-x^2*{LOG2E_F32}/2", "relative"),
    "pow_exp2_f32": ("2^x", range(1, 8), 24, "[-0.67;0.67]", "1", "relative"),
}

# Least squares at Chebyshev nodes (close to minimax), for what sollya is slow at. name: (k, least a, greatest a, degree, bits)
# of Q with erfc(a) = exp(-a^2) t Q(t - t0) for t = 1/(a + k). Needs mpmath.
LEAST_SQUARES = {
    "erfc_f32": (2.5, 0.46, 10.1, 9, 24),
    "erfc_f64": (2.5, 0.46, 27.3, 22, 53),
}


# Tables of f32 by the low bits of `bits >> 22` or `>> 19` of the argument. Need mpmath.
TABLES = ("tanh_f32", "pow_table_f32")


def f32(x):
    return struct.unpack("<f", struct.pack("<f", float(x)))[0]


def bits_of(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def of_bits(u):
    return struct.unpack("<f", struct.pack("<I", u))[0]


def near_float(middle, value):
    """(m, c): m within 3000 floats of `middle` so that value(m) is as near as can be to an f32, which is c."""
    import mpmath as mp

    def miss(m):
        c = f32(value(m))
        return abs(value(m) - mp.mpf(c)) / mp.mpf(2) ** (mp.floor(mp.log(abs(c), 2)) - 23)

    m = min((of_bits(bits_of(f32(middle)) + k) for k in range(-3000, 3000)), key=miss)
    return m, f32(value(m))


def numbers(text):
    lines = (line.strip() for line in sollya(text + " quit;")[0])
    return [line for line in lines if line and line[0] in "-0123456789"]


def tanh_f32():
    """tanh(m + d), two intervals a binade: m, and the coefficients of d to the powers 0 to 6."""
    import mpmath as mp

    mp.mp.prec = 200
    rows = [[0.0] * 8 for _ in range(16)]
    setup = "prec = 300!; verbosity = 0!; display = hexadecimal!;"
    first = numbers(
        setup + "p = fpminimax(tanh(x), [|3,5|], [|24,24|], [2^-40;0.09375], relative, floating, x); print(coeff(p,3)); print(coeff(p,5));"
    )
    rows[of_index(0.0625)] = [0.0, 0.0, 1.0, 0.0, float.fromhex(first[0]), 0.0, float.fromhex(first[1]), 0.0]
    worst = 0.0
    edges = [0.09375, 0.125, 0.1875, 0.25, 0.375, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 9.2]
    for low, high in itertools.pairwise(edges):
        middle = f32((low + high) / 2)
        ideal = numbers(
            f"prec = 300!; verbosity = 0!; display = decimal!; f = tanh(x+round({middle!r},24,RN));"
            f"print(coeff(remez(1, 6, [{low - middle!r};{high - middle!r}], 1/f), 0));"
        )[0]
        shift = mp.mpf(ideal) - mp.tanh(mp.mpf(middle))
        m, c = near_float(middle, lambda m, shift=shift: mp.tanh(mp.mpf(m)) + shift)
        inside = f"[{low - m!r};{high - m!r}]"
        out = numbers(
            f"{setup} f = tanh(x+round({m!r},24,RN)); p = fpminimax(f, [|1,2,3,4,5,6|], [|24,24,24,24,24,24|], {inside}, relative,"
            f"floating, round({c!r},24,RN));"
            f"for i from 1 to 6 do print(coeff(p,i)); display = decimal!; print(dirtyinfnorm(p/f-1, {inside}));"
        )
        rows[of_index(low)] = [m, c, *map(float.fromhex, out[:6])]
        worst = max(worst, float(out[6]))
    print(f"// tanh_f32: tanh(m + d) in 16 intervals, relative error {worst:.2e} = 2^{log2(worst):.1f}")
    for k, part in enumerate(["MID", *map(str, range(7))]):
        print_table(f"TANH_F32_{part}", [row[k] for row in rows])


def of_index(x):
    return bits_of(x) >> 22 & 15


def pow_table_f32():
    """c near 1/m in 16 intervals of m from 1 to 2, so short that c m - 1 is an f32; log2(1/c) - 127 in two parts."""
    import mpmath as mp

    mp.mp.prec = 200
    inverses = [1.0, *(round(2 / (2 + (2 * i + 1) / 16) * 32) / 32 for i in range(1, 15)), 0.5]
    logs = [-mp.log(mp.mpf(c), 2) for c in inverses]
    heads = [float(mp.nint(log * 2**15) / 2**15) for log in logs]
    print_table("INVERSE", inverses)
    print_table("LOG2_HI", [head - 127 for head in heads])
    print_table("LOG2_LO", [f32(log - head) for log, head in zip(logs, heads, strict=True)])


def print_table(name, values):
    print(f"const {name}: [f32; 16] = [{', '.join(map(f32_text, values))}];")


def least_squares(name):
    import mpmath as mp

    mp.mp.prec = 200
    k, least, greatest, degree, bits = LEAST_SQUARES[name]
    k = mp.mpf(k)
    lo, hi = 1 / (mp.mpf(greatest) + k), 1 / (mp.mpf(least) + k)
    mid, half = (lo + hi) / 2, (hi - lo) / 2

    def q(t):
        a = 1 / t - k
        return mp.erfc(a) * mp.exp(a * a) / t

    count = 3 * degree
    angles = [mp.pi * (2 * j + 1) / (2 * count) for j in range(count)]
    values = [q(mid + half * mp.cos(v)) for v in angles]
    to = (lambda v: struct.unpack("<f", struct.pack("<f", float(v)))[0]) if bits == 24 else float
    t0 = mp.mpf(to(mid))
    us = [mid + half * mp.cos(v) - t0 for v in angles]
    # Round one coefficient, fit the others anew to what is left, and so on.
    rest, coeffs = values, []
    for k0 in range(degree + 1):
        rows = mp.matrix([[u**i / f for i in range(k0, degree + 1)] for u, f in zip(us, values, strict=True)])
        best = mp.qr_solve(rows, mp.matrix([r / f for r, f in zip(rest, values, strict=True)]))[0][0]
        coeffs.append(to(best))
        taken = mp.mpf(coeffs[-1])
        if k0 == 0:
            low = to(best - taken)
            taken += mp.mpf(low)
        rest = [r - taken * u**k0 for r, u in zip(rest, us, strict=True)]
    err = mp.mpf(0)
    for j in range(2000):
        t = mid + half * mp.cos(mp.pi * (2 * j + 1) / 4000)
        got = mp.polyval([mp.mpf(c) for c in coeffs[:0:-1]] + [mp.mpf(coeffs[0]) + mp.mpf(low)], t - t0)
        err = max(err, abs(got / q(t) - 1))
    ty, show = ("f32", f32_text) if bits == 24 else ("f64", repr)
    print(f"// {name}: Q on {least} <= a <= {greatest}, relative error {float(err):.2e} = 2^{log2(err):.1f}")
    print(f"const {name.upper()}_MID: {ty} = {show(float(t0))};")
    print(f"const {name.upper()}_LOW: {ty} = {show(low)};")
    for j, c in enumerate(coeffs):
        print(f"const {name.upper()}_{j}: {ty} = {show(c)};")


def f32_text(q):
    """Shortest decimal that reads back as the same f32."""
    x = float(q)
    for digits in range(1, 18):
        s = f"{x:.{digits}g}"
        if struct.pack("<f", float(s)) == struct.pack("<f", x):
            return repr(float(s))
    raise ValueError(q)


def sollya(text):
    run = subprocess.run(["sollya"], input=text, capture_output=True, text=True, check=True)
    if "rror" in run.stdout or "arning: an error" in run.stderr:
        raise SystemExit(run.stdout + run.stderr)
    return run.stdout.split("\n"), run.stderr


def fit(name):
    f, monomials, bits, interval, fixed, mode = FITS[name]
    monomials = list(monomials)
    bits = bits if isinstance(bits, list) else [bits] * len(monomials)
    formats = "[|" + ",".join(map(str, bits)) + "|]"
    ms = "[|" + ",".join(map(str, monomials)) + "|]"
    script = f"""
prec = 300!; verbosity = 0!; display = dyadic!;
f = {f}; I = {interval};
p = fpminimax(f, {ms}, {formats}, I, {mode}, {fixed});
print("BEGIN");
q = p - ({fixed});
for k in {ms} do print(coeff(q, k));
display = decimal!;
print(dirtyinfnorm({"p/f-1" if mode == "relative" else "p-f"}, I));
quit;
"""
    out, err = sollya(script)
    if "BEGIN" not in out:
        raise SystemExit(name + "\n" + "\n".join(out) + err)
    lines = [line for line in out[out.index("BEGIN") + 1 :] if line.strip()]
    coeffs = []
    for line in lines[: len(monomials)]:
        m, _, e = line.partition("b")
        coeffs.append(Fraction(int(m)) * Fraction(2) ** int(e or 0))
    err = float(lines[len(monomials)])
    print(f"// {name}: {f} on {interval}, fixed {fixed or 0}, {mode} error {err:.2e} = 2^{log2(err):.1f}")
    for k, c, n in zip(monomials, coeffs, bits, strict=True):
        ty = "f32" if n == 24 else "f64"
        text = f32_text(c) if n == 24 else repr(float(c))
        assert n == 24 or Fraction(float(text)) == c
        if abs(c - Fraction(0.6931471805599453)) < Fraction(1, 10**6):
            # clippy takes a decimal ln 2 for a mistake
            raw = struct.pack(">f" if n == 24 else ">d", float(c)).hex()
            text = f"{ty}::from_bits(0x" + "_".join(raw[i : i + 4] for i in range(0, len(raw), 4)) + ")"
        print(f"const {name.upper()}_{k}: {ty} = {text};")


def log2(x):
    import math

    return math.log2(abs(x)) if x else float("-inf")


if __name__ == "__main__":
    for name in sys.argv[1:] or [*FITS, *LEAST_SQUARES, *TABLES]:
        if name in TABLES:
            globals()[name]()
        elif name in LEAST_SQUARES:
            least_squares(name)
        else:
            fit(name)
