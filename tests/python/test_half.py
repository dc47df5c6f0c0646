"""float16 and bfloat16: stored in 16 bits, computed in float32, rounded once. References are NumPy's casts and float32 results."""

from __future__ import annotations

from typing import Any

import fastops
import kernel_shapes
import ml_dtypes
import numpy as np
import pytest
from conftest import run_python

DTYPES = [np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)]
UNARY = ["exp", "gelu", "sigmoid"]


def same(a: Any, b: Any) -> bool:
    """Equal to the bit, but for which NaN."""
    a, b = np.asarray(a), np.asarray(b)
    nan = np.isnan(a.astype(np.float32))
    equal = a.view(np.uint16) == b.view(np.uint16)
    return bool(a.dtype == b.dtype and a.shape == b.shape and (equal | (nan & np.isnan(b.astype(np.float32)))).all())


def rounded(x: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    with np.errstate(all="ignore"):
        return x.astype(dtype)


def every(dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    return np.arange(1 << 16, dtype=np.uint16).view(dtype)


@pytest.fixture(params=DTYPES, ids=str)
def dtype(request: pytest.FixtureRequest) -> np.dtype[Any]:
    return request.param


@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, dtype: np.dtype[Any]) -> None:
    """On every value, by the float32 kernel."""
    kernel, x = getattr(fastops, name), every(dtype)
    got = kernel(x)
    assert got.dtype == dtype
    assert same(got, rounded(kernel(x.astype(np.float32)), dtype))


def test_against_numpy(dtype: np.dtype[Any], rng: np.random.Generator) -> None:
    """Expressions that NumPy computes in float32 to the bit."""
    a, x, y, k = (rng.permutation(every(dtype)) for _ in range(4))
    wide = [v.astype(np.float32) for v in (a, x, y, k)]
    with np.errstate(all="ignore"):
        wa, wx, wy, wk = wide
        assert same(fastops.axpy(a, x, y), rounded(wa * wx + wy, dtype))
        assert same(fastops.hypot3(a, x, y), rounded(np.sqrt(wa * wa + wx * wx + wy * wy), dtype))
        assert same(fastops.leaky_relu(a, x), rounded(np.where(wa < 0, wx * wa, wa), dtype))
        # Where `fmax` and `fmin` leave open which of two zeros they give.
        clipped = np.where((wa > wx) | np.isnan(wx), wa, wx)
        clipped = np.where((clipped < wy) | np.isnan(wy), clipped, wy)
        assert same(fastops.clip_scale(a, x, y, k), rounded(wk * clipped, dtype))
        # Rounding at each step would give other values.
        steps = rounded(rounded(wa * wx, dtype).astype(np.float32) + wy, dtype)
    assert not same(fastops.axpy(a, x, y), steps)


def test_strides_and_outputs(dtype: np.dtype[Any]) -> None:
    x = every(dtype)
    whole = fastops.sigmoid(x)
    for view in (np.s_[::3], np.s_[::-1], np.s_[5:999:7]):
        assert same(fastops.sigmoid(x[view]), whole[view])
    out = np.zeros(1 << 16, dtype)
    assert fastops.sigmoid(x, out=out) is out
    assert same(out, whole)
    in_place = x.copy()
    fastops.sigmoid(in_place, in_place)
    assert same(in_place, whole)
    assert same(fastops.sigmoid.ufunc(x), whole)


def test_byte_swapped() -> None:
    x = every(np.dtype(np.float16))
    assert same(fastops.exp(x.astype(">f2")), fastops.exp(x))


def test_promotion() -> None:
    f2, f4 = np.ones(3, np.float16), np.ones(3, np.float32)
    bf = np.ones(3, ml_dtypes.bfloat16)
    assert fastops.axpy(f2, 2.0, 3).dtype == np.float16
    assert fastops.axpy(f2, f4, f2).dtype == np.float32
    assert fastops.axpy(bf, bf, ml_dtypes.bfloat16(2)).dtype == bf.dtype
    assert fastops.axpy(bf, f4, bf).dtype == np.float32
    assert fastops.axpy(bf, 2.0, bf).dtype == bf.dtype
    assert type(fastops.gelu(np.float16(1))) is np.float16
    assert fastops.gelu(f4, dtype=np.float16).dtype == np.float16


def test_mixed_storage() -> None:
    x, k = np.array([1, -3, 0.1], ml_dtypes.bfloat16), np.array([2, 0.3, 65504], np.float16)
    want = (x.astype(np.float32) * k.astype(np.float32)).astype(ml_dtypes.bfloat16)
    assert same(kernel_shapes.brain(x, k), want)


def test_messages() -> None:
    with pytest.raises(TypeError, match=r"argument 'x' is an array of dtype float64; accepted: bfloat16, and what casts to it safely"):
        kernel_shapes.brain(np.ones(3), np.ones(3, np.float16))
    with pytest.raises(TypeError, match=r"argument 'x' is an array of dtype float8_e5m2; accepted: uint8"):
        fastops.normalize_u8(np.ones(3, ml_dtypes.float8_e5m2), 1, 1)


@pytest.mark.any_level
def test_without_ml_dtypes() -> None:
    """Modules work without it, and messages do not offer its dtype."""
    code = """
import sys
sys.modules["ml_dtypes"] = None
import numpy as np, fastops, kernel_shapes
print(fastops.gelu(np.ones(3, np.float16)).dtype)
try:
    fastops.gelu(np.ones(3, complex))
except TypeError as error:
    print(error)
"""
    text = "argument 'x' is an array of dtype complex128; accepted: float16, float32 or float64, and what casts to one of them safely"
    assert run_python(code).splitlines() == ["float16", f"gelu(): {text}"]
