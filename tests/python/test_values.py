"""The values, against NumPy in higher precision."""

from __future__ import annotations

import fastops
import numpy as np
import pytest
from kernels import CASES, Case, values


@pytest.mark.parametrize("case", CASES, ids=str)
def test_reference(case: Case, rng: np.random.Generator) -> None:
    """Within the case's bound of the same expression in longdouble (80 bits on x86; elsewhere float64 has to do)."""
    arguments = case.arguments(rng, 5000)
    got = case.kernel(*arguments)
    assert got.dtype == case.output
    wide = [x.astype(np.longdouble if x.dtype.kind == "f" else x.dtype) for x in arguments]
    want = case.reference(*wide)
    if case.ulp == 0:
        np.testing.assert_array_equal(got, want)
        return
    # Where terms cancel, an error is measured against the largest of them.
    scale = np.maximum(np.abs(want), 1 if case.name in ("axpy", "gelu", "normalize_u8") else 0).astype(case.output)
    error = np.abs(got - want) / np.spacing(scale)
    # Without a fused multiply-add the bounds do not hold: the documented exception.
    assert error.max() <= case.ulp * (16 if fastops.isa() == "sse2" else 1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(dtype: str) -> None:
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0], dtype)
    one = np.ones_like(x)
    np.testing.assert_array_equal(fastops.exp(x)[:5], np.array([np.inf, 0, np.nan, 1, 1], dtype))
    np.testing.assert_array_equal(fastops.sigmoid(x)[:5], np.array([1, 0, np.nan, 0.5, 0.5], dtype))
    np.testing.assert_array_equal(fastops.hypot3(x, one, one)[:3], np.array([np.inf, np.inf, np.nan], dtype))
    # As in the expression k * x.max(lo).min(hi), where a NaN loses.
    np.testing.assert_array_equal(fastops.clip_scale(x, -1, 2, 10)[:5], np.array([20, -10, -10, 0, 0], dtype))
    assert np.signbit(fastops.leaky_relu(x, dtype_scalar(dtype, 0.5)))[4]


def dtype_scalar(dtype: str, value: float) -> np.generic:
    return np.dtype(dtype).type(value)


def test_exp_overflow_and_underflow() -> None:
    assert fastops.exp(np.float32(89)) == np.inf
    assert fastops.exp(np.float32(-104)) == 0
    assert fastops.exp(np.float64(710)) == np.inf
    assert fastops.exp(np.float64(-746)) == 0
    # The smallest subnormal and its neighbours.
    assert fastops.exp(np.float32(-103)) == np.float32(np.exp(np.float64(-103)))


def test_integers_wrap() -> None:
    x = np.array([-(2**31), -1, 0, 7], np.int32)
    np.testing.assert_array_equal(fastops.leaky_relu(x, np.int32(3)), np.array([-(2**31), -3, 0, 7], np.int32))


def test_no_floating_point_warnings() -> None:
    """NumPy would warn, and errors would be raised under errstate; kernels raise neither."""
    big = np.full(5, 1e30, np.float32)
    with np.errstate(all="raise"):
        assert np.isinf(fastops.hypot3(big, big, big)).all()
        assert np.isinf(fastops.exp(big)).all()
        assert np.isnan(fastops.axpy(np.float32(0), np.full(3, np.inf, np.float32), big[:3])).all()
    # NumPy's own warnings are still there afterwards.
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        np.multiply(big, big)


def test_large_arrays_use_threads_and_give_the_same_bits(rng: np.random.Generator) -> None:
    """Above 2^20 elements the work is split."""
    x = values(rng, (1 << 20) + 12345, "float32")
    whole = fastops.gelu(x)
    parts = np.concatenate([fastops.gelu(part) for part in np.array_split(x, 7)])
    assert whole.tobytes() == parts.tobytes()
