"""fastops.math: values against NumPy's own validation tables and SciPy, and what a submodule is in Python."""

from __future__ import annotations

import csv
import importlib
import inspect
import math
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import fastops
import fastops.math
import ml_dtypes
import numpy as np
import pytest

#: NumPy's names, where they differ.
NAMES = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh"}
#: The functions that NumPy has a table for.
TABLES = [*NAMES, "cbrt", "cos", "cosh", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "sin", "sinh", "tan", "tanh"]
FOLDER = Path(np.__file__).parent / "_core/tests/data"
#: On plain SSE2 a fused multiply-add is rounded twice; docs/accuracy.md has its bounds, none of these above 3.
PLAIN_SSE2 = 3.0


def bound(name: str, dtype: str) -> float:
    """What the function's documentation promises."""
    doc = getattr(fastops.math, name).__doc__
    found = re.search(r"Within ([\d.]+)\s+ULP(?: \(float32\), ([\d.]+)\s+ULP\s+\(float64\))?\.", doc)
    assert found, doc
    single, double = found.groups()
    promised = float(double if dtype == "float64" and double else single)
    return max(promised, PLAIN_SSE2) if fastops.isa() == "sse2" else promised


def table(name: str, dtype: str) -> tuple[Any, Any]:
    """Inputs and correctly rounded outputs."""
    path = FOLDER / f"umath-validation-set-{NAMES.get(name, name)}.csv"
    lines = [line for line in path.read_text().splitlines() if line.startswith(f"np.{dtype},")]
    rows = [(int(row[1], 16), int(row[2], 16)) for row in csv.reader(lines)]
    bits = np.array(rows, np.uint64).astype(np.uint32 if dtype == "float32" else np.uint64)
    return bits[:, 0].copy().view(dtype), bits[:, 1].copy().view(dtype)


def ulps(a: Any, b: Any) -> Any:
    """Numbers of the dtype from one to the other; infinity is the one beyond the largest."""
    ints = np.int32 if a.dtype == np.float32 else np.int64

    def ordered(x: Any) -> Any:
        bits = x.view(ints).astype(object)
        return np.where(bits < 0, np.iinfo(ints).min - bits, bits)

    return np.abs(ordered(a) - ordered(b))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", TABLES)
def test_validation_table(name: str, dtype: str) -> None:
    """NumPy's tables have the values rounded, which may add half a unit to an error within our bound."""
    inputs, outputs = table(name, dtype)
    assert len(inputs) > 100
    got = getattr(fastops.math, name)(inputs)
    assert got.dtype == dtype
    np.testing.assert_array_equal(np.isnan(got), np.isnan(outputs))
    number = ~np.isnan(outputs)
    errors = ulps(got[number], outputs[number])
    worst = int(np.argmax(errors))
    assert errors[worst] <= bound(name, dtype) + 0.5, f"{name}({inputs[number][worst]!r})"
    zero = number & (outputs == 0)
    np.testing.assert_array_equal(np.signbit(got[zero]), np.signbit(outputs[zero]))


@pytest.mark.any_level
def test_every_table_is_used() -> None:
    """But those of functions that we do not have."""
    ours = {NAMES.get(name, name) for name in TABLES}
    assert {path.stem.rsplit("-", 1)[1] for path in FOLDER.glob("umath-validation-set-*.csv")} == ours


#: In float64, and how many arguments.
REFERENCES: dict[str, tuple[Any, int]] = {
    **{name: (getattr(np, NAMES.get(name, name)), 1) for name in TABLES},
    "abs": (np.abs, 1),
    "atan2": (np.arctan2, 2),
    "ceil": (np.ceil, 1),
    "clamp": (lambda x, lo, hi: np.fmin(np.fmax(x, lo), hi), 3),
    "copysign": (np.copysign, 2),
    "erf": (np.vectorize(math.erf, otypes=[float]), 1),
    "erfc": (np.vectorize(math.erfc, otypes=[float]), 1),
    "floor": (np.floor, 1),
    "fma": (lambda x, y, z: x * y + z, 3),
    "fmax": (np.fmax, 2),
    "fmin": (np.fmin, 2),
    "fmod": (np.fmod, 2),
    "hypot": (np.hypot, 2),
    "pow": (np.power, 2),
    "rint": (np.rint, 1),
    "round": (lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), 1),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 1),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), 1),
    "sqrt": (np.sqrt, 1),
    "trunc": (np.trunc, 1),
}


@pytest.mark.any_level
def test_every_function_has_a_reference() -> None:
    assert {*REFERENCES, "powi"} == set(fastops.math.__all__)


def promised(name: str) -> float:
    """The error of a float32 result, where it is rounded: half a unit for what is exact but for that."""
    if name == "powi":
        return 6.0
    exact = "ULP" not in getattr(fastops.math, name).__doc__
    if fastops.isa() == "sse2":
        return math.inf if name == "fma" else 0.5 if exact else 4.5
    return 0.5 if exact else bound(name, "float32")


def called(name: str, arguments: list[Any], n: Any) -> tuple[Any, Any]:
    """The result, and what it should be, in float64. `n`: the exponents of `powi`."""
    wide = [x.astype(float) for x in arguments]
    if name == "powi":
        return fastops.math.powi(arguments[0], n), np.power(wide[0], n)
    return getattr(fastops.math, name)(*arguments), REFERENCES[name][0](*wide)


@np.errstate(all="ignore")
@pytest.mark.parametrize("name", [*REFERENCES, "powi"])
def test_float32_against_float64(name: str, rng: np.random.Generator) -> None:
    """NumPy and C in float64 are exact to float32: the error is ours, and within what is promised."""
    count = REFERENCES.get(name, (None, 1))[1]
    arguments = [rng.normal(0, 3, 20_000).astype(np.float32) for _ in range(count)]
    got, want = called(name, arguments, rng.integers(-5, 6, 20_000, dtype=np.int32))
    most = promised(name)
    if name == "fma":
        # float64 rounds too, where the sum cancels.
        most += 1e-4
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    number = np.isfinite(want)
    error = np.abs(got[number] - want[number]) / np.spacing(np.abs(want[number]).astype(np.float32)).astype(float)
    # The spacing above a power of two is twice the one below it.
    assert error.max() <= most * 1.001, name
    np.testing.assert_array_equal(got[~number], want[~number])


#: Digits, the exponents of the smallest normal number and of the largest.
STORAGE = {np.dtype(np.float16): (11, -14, 15), np.dtype(ml_dtypes.bfloat16): (8, -126, 127)}


@np.errstate(all="ignore")
@pytest.mark.parametrize("dtype", STORAGE, ids=str)
@pytest.mark.parametrize("name", [*REFERENCES, "powi"])
def test_float16_and_bfloat16(name: str, dtype: np.dtype[Any], rng: np.random.Generator) -> None:
    """On every value, against float64 rounded once: what float32 adds to half a unit is its own error, in units of theirs."""
    digits, smallest, largest = STORAGE[dtype]
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    count = REFERENCES.get(name, (None, 1))[1]
    arguments = [every, *(rng.permutation(every) for _ in range(count - 1))]
    # Of a negative one the inverse of the power is taken, which may overflow before.
    n = rng.integers(0, 6, 1 << 16, dtype=np.int32)
    result, want = called(name, arguments, n)
    # It is float32's result, rounded.
    single, _ = called(name, [x.astype(np.float32) for x in arguments], n)
    assert result.dtype == dtype and single.dtype == np.float32
    np.testing.assert_array_equal(result.astype(np.float32), single.astype(dtype).astype(np.float32))
    if name == "fma" and fastops.isa() == "sse2":
        # A product that overflows, or loses its last digits, and a sum that makes up for it.
        return
    got = result.astype(float)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    unit = 2.0 ** (np.maximum(np.frexp(want)[1] - 1, smallest) - digits + 1)
    # Infinity is the number after the largest: what is beyond the middle between them rounds to it.
    infinity = 2.0 ** (largest + 1)
    got, want = (np.clip(values, -infinity, infinity) for values in (got, want))
    unit = np.minimum(unit, 2.0 ** (largest - digits + 1))
    number = ~np.isnan(want)
    error = np.abs(got - want)[number] / unit[number]
    most = 0.5 + promised(name) * 2.0 ** (digits - 24) * 1.001
    worst = int(np.argmax(error))
    assert error[worst] <= most, [x[number][worst] for x in arguments]


@pytest.mark.any_level
def test_submodule() -> None:
    assert importlib.import_module("fastops.math") is fastops.math is sys.modules["fastops.math"]
    assert fastops.math.__name__ == "fastops.math" and "math" in fastops.__all__
    kernel = fastops.math.sin
    assert repr(kernel) == "<kernel 'fastops.math.sin'>" and kernel.__module__ == "fastops.math"
    assert kernel is not getattr(fastops, "sin", None)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(kernel, protocol)) is kernel
    rows = [row for row in fastops.variants() if row["kernel"] == "math.sin"]
    assert [{**row, "kernel": "sin"} for row in rows] == kernel.variants != []
    code = "from fastops.math import sin; import fastops.math as m; print(m.sin is sin, sin(0.0))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert done.stdout == "True 0.0\n", done.stderr


@pytest.mark.any_level
@pytest.mark.parametrize("name", sorted(fastops.math.__all__))
def test_documented(name: str) -> None:
    """What it is, then its bound where it has one."""
    doc = inspect.getdoc(getattr(fastops.math, name)) or ""
    assert len(doc.splitlines()[2]) > 15, doc
    if name in TABLES:
        assert bound(name, "float32") <= 4 and bound(name, "float64") <= 4


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_random_numbers(dtype: str) -> None:
    """Philox-4x32-10 of NumPy's kind of test: known words, and moments."""
    index = np.arange(100_000, dtype=dtype)
    uniform, normal = fastops.random_uniform(42, index), fastops.random_normal(42, index)
    assert uniform.dtype == normal.dtype == np.float64
    # Random123's known answer for counter 0, key 0: words 6627e8d5 and e169c58d.
    first = ((0x6627E8D5 >> 5) * 2**26 + (0xE169C58D >> 6)) / 2**53
    assert fastops.random_uniform(np.dtype(dtype).type(0), index[:1])[0] == first
    assert uniform.min() >= 0 and uniform.max() < 1 and len(np.unique(uniform)) == len(index)
    assert abs(uniform.mean() - 0.5) < 5 * (1 / 12 / len(index)) ** 0.5
    assert abs(normal.mean()) < 5 / len(index) ** 0.5 and abs(normal.std() - 1) < 5 / (2 * len(index)) ** 0.5
    np.testing.assert_array_equal(fastops.random_uniform(42, index[::-1]), uniform[::-1])
    assert not np.array_equal(fastops.random_uniform(43, index), uniform)
