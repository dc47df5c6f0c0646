"""Kernels of fastops with loops, branches and conversions, against NumPy and plain Python."""

from __future__ import annotations

from typing import Any

import fastops
import ml_dtypes
import numpy as np
import pytest
from kernels import classify, collatz, quantize, same_bits, srgb_to_linear


def mandelbrot(cx: Any, cy: Any, max_iter: int) -> Any:
    """With NumPy's operations in the kernel's order: each rounds as Rust's."""
    cx, cy = np.broadcast_arrays(cx, cy)
    x, y = np.zeros_like(cx), np.zeros_like(cy)
    count = np.full(cx.shape, max(max_iter, 0), np.int32)
    inside = np.ones(cx.shape, np.bool_)
    two, four = cx.dtype.type(2), cx.dtype.type(4)
    with np.errstate(all="ignore"):
        for n in range(max_iter):
            xx, yy = x * x, y * y
            leaves = inside & (xx + yy > four)
            count[leaves] = n
            inside &= ~leaves
            x, y = np.where(inside, xx - yy + cx, x), np.where(inside, two * x * y + cy, y)
    return count


def plane(dtype: str) -> tuple[Any, Any]:
    cx = np.linspace(-2.2, 0.8, 143).astype(dtype)
    cy = np.linspace(-1.3, 1.3, 61).astype(dtype)
    return np.broadcast_to(cx, (61, 143)), np.broadcast_to(cy[:, None], (61, 143))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("max_iter", [64, 256, 1000, 100, 1, 0])
def test_mandelbrot(dtype: str, max_iter: int) -> None:
    """Values that there is a variant for, and others."""
    cx, cy = plane(dtype)
    result = fastops.mandelbrot(cx, cy, max_iter=max_iter)
    assert same_bits(result, mandelbrot(cx, cy, max_iter))
    if max_iter >= 64:
        assert len(np.unique(result)) > 20 and result.max() == max_iter


def test_mandelbrot_takes_what_numpy_ufuncs_take() -> None:
    cx, _ = plane("float32")
    out = np.zeros(cx.shape, np.int32)
    where = cx < 0
    assert fastops.mandelbrot(cx, 0.5, max_iter=64, out=out, where=where) is out
    assert same_bits(out, np.where(where, mandelbrot(cx, np.full_like(cx, 0.5), 64), 0))
    assert list(fastops.mandelbrot.ufuncs) == [(64,), (256,), (1000,), (None,)]
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 1e30], np.float32)
    # Infinity leaves after a step; a NaN is never outside.
    assert fastops.mandelbrot(special, np.float32(0), max_iter=64).tolist() == [64, 1, 1, 64, 1]
    assert same_bits(fastops.mandelbrot(special, special, max_iter=64), mandelbrot(special, special, 64))


@pytest.mark.parametrize("dtype", ["uint32", "uint64"])
def test_collatz(dtype: str) -> None:
    n = np.arange(3000, dtype=dtype)
    assert same_bits(fastops.collatz(n), collatz(n))
    assert fastops.collatz(np.uint32(27)) == 111  # OEIS A006577
    # A number on the way needs more than 32 bits; of 64 bits, more than 64.
    assert fastops.collatz(np.uint32(159_487)) == 183
    big = np.array([2**63, 2**64 - 1, 2**64 - 2, 6148914691236517204, 6148914691236517205, 0], np.uint64)
    assert same_bits(fastops.collatz(big), collatz(big))
    assert fastops.collatz(big)[0] == 63 and fastops.collatz(big)[1] == 2**32 - 1


def test_srgb_to_linear() -> None:
    """All 256 pixels, in two dtypes."""
    x = np.arange(256, dtype=np.uint8)
    exact = srgb_to_linear(x)
    got = fastops.srgb_to_linear(x)
    assert got.dtype == np.float32 and fastops.srgb_to_linear_f16(x).dtype == np.float16
    assert np.max(np.abs(got - exact) / np.spacing(exact.astype(np.float32))) <= 0.5001
    half = fastops.srgb_to_linear_f16(x)
    # One rounding more.
    assert same_bits(half, got.astype(np.float16))
    assert (got[0], got[255]) == (0, 1) and np.all(np.diff(got) > 0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_quantize(dtype: str) -> None:
    x = np.arange(-1400, 1400).astype(dtype) / np.dtype(dtype).type(8)
    one = np.dtype(dtype).type(1)
    got = fastops.quantize(x, one)
    assert got.dtype == np.int8
    # Ties go to the even number: Python's own rounding; then the ends.
    assert got.tolist() == [min(max(round(float(v)), -128), 127) for v in x]
    special = np.array([np.nan, np.inf, -np.inf, 1e4, -1e4, -0.0, 127.5, -128.5], dtype)
    assert fastops.quantize(special, one).tolist() == [0, 127, -128, 127, -128, 0, 127, -128]
    assert fastops.quantize(special, np.dtype(dtype).type(0)).tolist() == [0, 127, -128, 127, -128, 0, 127, -128]
    if dtype != "float16":
        scale = np.dtype(dtype).type(0.37)
        assert same_bits(fastops.quantize(x, scale), quantize(x, scale).astype(np.int8))


def test_quantize_bfloat16() -> None:
    x = np.arange(-300, 300).astype(np.float32) / 2
    x = x.astype(ml_dtypes.bfloat16)
    expected = [min(max(round(float(v)), -128), 127) for v in x]
    assert fastops.quantize(x, ml_dtypes.bfloat16(1)).tolist() == expected


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_classify(dtype: str) -> None:
    info = np.finfo(dtype)
    tiny, smallest = info.tiny, info.smallest_subnormal
    x = np.array([-np.inf, info.min, -tiny, -smallest, -0.0, 0.0, smallest, tiny, info.max, np.inf, np.nan, -np.nan], dtype)
    assert fastops.classify(x).tolist() == [0, 1, 1, 2, 3, 4, 5, 6, 6, 7, 8, 8]
    below = np.nextafter(np.dtype(dtype).type(tiny), np.dtype(dtype).type(0))
    assert fastops.classify(np.array([below, -below])).tolist() == [5, 2]
    bits = np.random.default_rng(5).integers(0, 256, 4096 * x.itemsize, dtype=np.uint8).view(dtype)
    assert same_bits(fastops.classify(bits), classify(bits).astype(np.uint8))


def test_wrong_dtypes_are_named() -> None:
    with pytest.raises(TypeError, match="argument 'n' is an array of dtype int64; accepted: uint32 or uint64"):
        fastops.collatz(np.arange(3))
    with pytest.raises(TypeError, match="argument 'x' is an array of dtype int32"):
        fastops.srgb_to_linear(np.arange(3, dtype=np.int32))
    with pytest.raises(TypeError, match="max_iter"):
        fastops.mandelbrot(1.0, 1.0)
