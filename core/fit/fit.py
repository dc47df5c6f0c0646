#!/usr/bin/env python3
"""Fit the polynomials of Lanecraft's elementary functions.

Usage: python3 fit.py [NAME ...]      (needs `sollya` 8, e.g. `apt-get install sollya`)

Every entry of FITS is one polynomial. Sollya's `fpminimax` finds coefficients
which are already f32 or f64 values, so nothing is lost by rounding afterwards;
its result is deterministic. Printed for each: the coefficients in ascending
order, as Rust constants, and the error on the interval (relative unless the
entry says absolute) as sollya's `dirtyinfnorm` finds it.
"""

import struct
import subprocess
import sys
from fractions import Fraction

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
    "tanh_f32": ("expm1(2*x)", range(2, 8), 24, "[-0.1734;0.1734]", "2*x", "relative"),
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
    # powf of f32: the terms that matter most are computed in f64.
    "pow_log2_f32": ("log2(1+x)", range(1, 13), [53] * 5 + [24] * 7, "[-0.29290;0.41422]", "0", "relative"),
}

# Least squares at Chebyshev nodes (close to minimax), for what sollya is slow at. name: (k, least a, greatest a, degree, bits)
# of Q with erfc(a) = exp(-a^2) t Q(t - t0) for t = 1/(a + k). Needs mpmath.
LEAST_SQUARES = {
    "erfc_f32": (2.5, 0.46, 10.1, 9, 24),
    "erfc_f64": (2.5, 0.46, 27.3, 22, 53),
}


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
    for name in sys.argv[1:] or [*FITS, *LEAST_SQUARES]:
        least_squares(name) if name in LEAST_SQUARES else fit(name)
