"""What a kernel of two operands has besides as a ufunc: `reduce`, `accumulate`, `reduceat`, `outer`, `at`, and where they begin."""

from __future__ import annotations

import functools
from typing import Any

import fastops
import kernel_shapes as k
import numpy as np
import pytest

#: Our kernels by NumPy's functions, and dtypes that both have.
TWINS: list[tuple[Any, np.ufunc, str]] = [
    (fastops.math.hypot, np.hypot, "efd"),
    (fastops.math.fmax, np.fmax, "efd"),
    (fastops.math.fmin, np.fmin, "efd"),
    (fastops.math.copysign, np.copysign, "efd"),
    (fastops.math.fmod, np.fmod, "efd"),
    (fastops.math.atan2, np.arctan2, "efd"),
    (fastops.math.pow, np.power, "efd"),
    (k.log_add, np.logaddexp, "efd"),
    (k.both, np.logical_and, "?"),
    (k.meet, np.bitwise_and, "bhilBHIL"),
    (k.larger, np.maximum, "fdi"),
    (k.less, np.subtract, "fd"),
]
each = pytest.mark.parametrize(("kernel", "twin", "dtypes"), TWINS, ids=lambda x: getattr(x, "__name__", ""))


def outcome(call: Any, ufunc: np.ufunc) -> Any:
    """A result with its dtype, or the kind of error and NumPy's text without the ufunc's name."""
    try:
        # Kernels raise no floating-point warnings.
        with np.errstate(all="ignore"):
            result = np.asarray(call(ufunc))
    except Exception as error:  # what NumPy raises is compared
        return type(error), str(error).replace(ufunc.__name__, "f")
    return result.dtype, result


def same(a: Any, b: Any) -> bool:
    if a[0] != b[0] or not isinstance(a[0], np.dtype):
        return bool(a == b)
    return a[1].shape == b[1].shape and np.allclose(a[1], b[1], rtol=2e-3 if a[0].char == "e" else 1e-6, equal_nan=True)


@each
def test_identities_are_numpy_s(kernel: Any, twin: np.ufunc, dtypes: str) -> None:
    assert kernel.ufunc.identity == twin.identity and type(kernel.ufunc.identity) is type(twin.identity)


#: NumPy 2.4's own `reduce` of these is wrong along the last axis: not what `functools.reduce` gives, and ours does.
WRONG_IN_NUMPY = {np.arctan2, np.power}


@pytest.mark.parametrize(
    ("kernel", "twin", "dtypes"), [row for row in TWINS if row[1] not in WRONG_IN_NUMPY], ids=lambda x: getattr(x, "__name__", "")
)
def test_methods(kernel: Any, twin: np.ufunc, dtypes: str, rng: np.random.Generator) -> None:
    for char in dtypes:
        x = rng.integers(1, 7, (4, 5, 6)).astype(char)
        empty = x[:, :0]
        calls = [
            lambda f, x=x: f.reduce(x),
            lambda f, x=x: f.reduce(x, axis=-1, keepdims=True),
            lambda f, x=x: f.reduce(x, axis=(0, 2)),
            lambda f, x=x: f.reduce(x, axis=None),
            lambda f, x=x: f.reduce(x[::2, ::-1, 1::3], axis=1),
            lambda f, x=x: f.reduce(x, initial=x[0, 0, 0]),
            lambda f, x=x: f.reduce(x, where=x > 3, initial=x[0, 0, 0]),
            lambda f, x=x: f.reduce(x, where=x > 3),
            lambda f, x=empty: f.reduce(x, axis=1),
            lambda f, x=empty: f.reduce(x, axis=2),
            lambda f, x=empty: f.reduce(x, axis=None),
            lambda f, x=x: f.accumulate(x, axis=1),
            lambda f, x=x: f.reduceat(x, [0, 2, 1], axis=0),
            lambda f, x=x: f.outer(x[0, 0], x[1, :2]),
        ]
        for at, call in enumerate(calls):
            ours, numpy_s = outcome(call, kernel.ufunc), outcome(call, twin)
            assert same(ours, numpy_s), (char, at, ours, numpy_s)
        ours_at, numpy_at = x[0].copy(), x[0].copy()
        with np.errstate(all="ignore"):
            kernel.ufunc.at(ours_at, [0, 1, 0], x[1, :3])
            twin.at(numpy_at, [0, 1, 0], x[1, :3])
        assert same((ours_at.dtype, ours_at), (numpy_at.dtype, numpy_at))


@pytest.mark.parametrize("kernel", [fastops.math.atan2, k.less, k.log_add], ids=repr)
def test_the_order_is_from_the_first_to_the_last(kernel: Any, rng: np.random.Generator) -> None:
    x = rng.random((5, 40)).astype(np.float32)
    want = [functools.reduce(kernel, row) for row in x]
    assert np.allclose(kernel.ufunc.reduce(x, axis=-1), want, rtol=1e-5)
    assert np.allclose(kernel.ufunc.accumulate(x, axis=-1)[:, -1], want, rtol=1e-5)


def test_large_and_in_place(rng: np.random.Generator) -> None:
    x = rng.random((700, 3000))
    assert np.allclose(k.log_add.ufunc.reduce(x, axis=0), np.logaddexp.reduce(x, axis=0))
    assert np.allclose(fastops.math.hypot.ufunc.reduce(x, axis=None), np.sqrt((x * x).sum()))
    out = np.empty(3000)
    assert k.larger.ufunc.reduce(x, axis=0, out=out) is out and np.array_equal(out, x.max(axis=0))


@pytest.mark.parametrize("negate", [True, False])
def test_kernels_with_parameters(negate: bool) -> None:
    ufunc = k.times.ufuncs[(negate,)]
    assert ufunc.identity == 1.0 and ufunc.reduce(np.ones(0)) == 1.0
    assert ufunc.reduce(np.array([2.0, 3.0, 4.0])) == (24.0 if not negate else -24.0)


def test_bfloat16() -> None:
    dtype = pytest.importorskip("ml_dtypes").bfloat16
    x = np.array([3, 4], dtype)
    assert fastops.math.hypot.ufunc.reduce(x) == 5 and fastops.math.hypot.ufunc.reduce(x[:0]) == 0
