"""Kernels with compile-time parameters: values, choice of the ufunc, errors, what Python's tools see."""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import kernel_shapes
import numpy as np
import pytest
from kernel_shapes import looked_up, place, powers, shifted

X = np.linspace(-2, 2, 37)


def powers_reference(x: Any, degree: int, negate: bool) -> Any:
    total, p = np.zeros_like(x), np.ones_like(x)
    for _ in range(degree):
        p = p * x
        total = total + p
    return -total if negate else total


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("negate", [True, False])
@pytest.mark.parametrize("degree", [1, 2, 4, 3, 0, 7, -5, np.int64(2), np.uint8(5)])
def test_powers(degree: Any, negate: bool, dtype: str) -> None:
    """Listed values, and others through the run-time variant."""
    x = X.astype(dtype)
    result = powers(x, degree=degree, negate=negate)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, powers_reference(x, int(degree), negate))


def test_place() -> None:
    x = np.arange(-40, 40, dtype=np.int32)
    for mode, step in itertools.product(("Clamp", "Wrap"), (1, 2, 4)):
        at = x * step
        want = np.clip(at, 0, 8) if mode == "Clamp" else np.mod(at, 9)
        np.testing.assert_array_equal(place(x, 9, mode=mode, lambda_=step), want)


def test_looked_up() -> None:
    """A const generic is a parameter as any other."""
    table = 2.0 ** np.arange(6)
    for n in (1, 2, 4):
        k = np.arange(7 - n, dtype=np.int32)
        np.testing.assert_array_equal(looked_up(k, N=n), [table[i : i + n].sum() for i in k])


@pytest.mark.parametrize("by", [0, 1, 255])
def test_results_and_dtypes_are_those_of_every_choice(by: int) -> None:
    """Python numbers do not take the dtype of the run-time value."""
    a = np.arange(-20, 20)
    for dtype in ("int32", "int64"):
        quotient, rest = shifted(a.astype(dtype), 7, by=by)
        assert quotient.dtype == rest.dtype == dtype
        np.testing.assert_array_equal(quotient * 7 + rest, a + by)
    assert [type(result) for result in shifted(9, 2, by=by)] == [np.int64, np.int64]
    assert [type(result) for result in shifted(np.int32(9), 2, by=by)] == [np.int32, np.int32]
    assert type(powers(2.0, degree=2 + by, negate=True)) is np.float64
    assert type(powers(np.float32(2), degree=2 + by, negate=True)) is np.float32


@pytest.mark.parametrize("degree", [2, 3])
def test_keywords_of_ufuncs(degree: int) -> None:
    x = X.astype(np.float32)
    call = functools.partial(powers, degree=degree, negate=np.False_)
    want = powers_reference(x, degree, False)
    for out in (np.zeros_like(x), np.zeros(37)):
        assert call(x, out=out) is out and (out == want).all()
        assert call(x, out) is out
    assert call(x, dtype=np.float64).dtype == call(x, signature="d->d").dtype == call(x, signature=(None, "d")).dtype == np.float64
    mask, out = X > 0, np.full(37, 5, np.float32)
    np.testing.assert_array_equal(call(x, out=out, where=mask), np.where(mask, want, 5))
    np.testing.assert_array_equal(call(x[:, None]), want[:, None])
    np.testing.assert_array_equal(shifted(np.arange(6), 4, np.zeros(6, int), None, by=degree)[0], (np.arange(6) + degree) // 4)


CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: place(X, 9, mode="Wrap", lambda_=3),
        ValueError,
        "kernel_shapes.place: parameter `lambda_` came as 3; accepted are 1, 2, 4",
    ),
    (
        lambda: place(X, 9, mode="Wrap", lambda_=10**50),
        ValueError,
        f"kernel_shapes.place: parameter `lambda_` came as {10**50}; accepted are 1, 2, 4",
    ),
    (
        lambda: place(X, 9, mode="wrap", lambda_=1),
        ValueError,
        "kernel_shapes.place: parameter `mode` came as 'wrap'; accepted are 'Clamp', 'Wrap'",
    ),
    (
        lambda: place(X, 9, mode=0, lambda_=1),
        TypeError,
        "kernel_shapes.place: parameter `mode` came as 0 of type int; accepted are 'Clamp', 'Wrap'",
    ),
    (
        lambda: place(X, 9, mode="Wrap", lambda_=True),
        TypeError,
        "kernel_shapes.place: parameter `lambda_` came as True of type bool; accepted are 1, 2, 4",
    ),
    (
        lambda: place(X, 9, mode="Wrap", lambda_=np.True_),
        TypeError,
        "kernel_shapes.place: parameter `lambda_` came as np.True_ of type bool; accepted are 1, 2, 4",
    ),
    (
        lambda: powers(X, degree=2.0, negate=True),
        TypeError,
        "kernel_shapes.powers: parameter `degree` came as 2.0 of type float; accepted are 1, 2, 4 or any int32",
    ),
    (
        lambda: powers(X, degree=None, negate=True),
        TypeError,
        "kernel_shapes.powers: parameter `degree` came as None of type NoneType; accepted are 1, 2, 4 or any int32",
    ),
    (
        lambda: powers(X, degree=2, negate=1),
        TypeError,
        "kernel_shapes.powers: parameter `negate` came as 1 of type int; accepted are True, False",
    ),
    (
        lambda: powers(X, degree=1 << 31, negate=True),
        ValueError,
        "kernel_shapes.powers: parameter `degree` came as 2147483648; accepted are 1, 2, 4 or any int32",
    ),
    (lambda: shifted(1, 1, by=-1), ValueError, "kernel_shapes.shifted: parameter `by` came as -1; accepted are 0 or any uint8"),
    (
        lambda: powers(X, negate=True),
        TypeError,
        "kernel_shapes.powers: parameter `degree` is missing; accepted are 1, 2, 4 or any int32",
    ),
    (lambda: place(X, 9, lambda_=1), TypeError, "kernel_shapes.place: parameter `mode` is missing; accepted are 'Clamp', 'Wrap'"),
    (lambda: powers(), TypeError, "kernel_shapes.powers: parameter `degree` is missing; accepted are 1, 2, 4 or any int32"),
    # What NumPy refuses, with and without a run-time value.
    (
        lambda: powers(X, degree=2, negate=True, degre=2),
        TypeError,
        "powers(): keyword 'degre' came; accepted: degree, negate, out, where, casting, order, dtype, subok, signature, threads",
    ),
    (
        lambda: powers(x=X, degree=3, negate=True),
        TypeError,
        "powers(): argument 'x' came as a keyword; accepted by position only: powers(x, degree=..., negate=..., out=...)",
    ),
    (lambda: powers(degree=3, negate=True), TypeError, "powers(): 0 arguments came; accepted: 1 input (x), and after them the output"),
    (
        lambda: powers(X, X, X, degree=3, negate=True),
        TypeError,
        "powers(): 3 arguments came; accepted: 1 input (x), and after them the output",
    ),
    (
        lambda: powers(X, X, out=X, degree=3, negate=True),
        TypeError,
        "powers(): an output came twice, as argument 2 and as 'out'; accepted: one of the two",
    ),
    (
        lambda: powers("x", degree=3, negate=True),
        TypeError,
        "powers(): argument 'x' is a Python str; accepted: float16, bfloat16, float32 or float64, and what casts to one of them safely",
    ),
    (
        lambda: powers(X, np.zeros(3), degree=3, negate=True),
        ValueError,
        "powers(): argument 2 (output) has shape (3,), the inputs broadcast to (37,); accepted: (37,), or a shape that it broadcasts to",
    ),
    (
        lambda: powers(X, X.astype(int), degree=3, negate=True),
        TypeError,
        "powers(): argument 2 (output) is an array of dtype int64, the result is float64; accepted: what float64 casts to under casting='same_kind'",
    ),
    (
        lambda: shifted(np.arange(3), np.arange(4), by=3),
        ValueError,
        "shifted(): argument 'b' has shape (4,), which does not broadcast with (3,), the shape of 'a'; accepted: axes that are equal or 1, from the last one back",
    ),
    (
        lambda: shifted(np.int32([9]), 3_000_000_000, by=3),
        OverflowError,
        "shifted(): argument 'b' is 3000000000, which int32 does not hold; accepted: -2147483648 to 2147483647",
    ),
    (
        lambda: shifted(np.ones((2, 3), int), np.int64([1, 0, 1]), by=0),
        ZeroDivisionError,
        "shifted(): integer division by zero at index [0, 1] of shape [2, 3]",
    ),
    (
        lambda: shifted(np.ones((2, 3), int), np.int64([1, 0, 1]), by=3),
        ZeroDivisionError,
        "shifted(): integer division by zero at index [0, 1] of shape [2, 3]",
    ),
    (
        lambda: looked_up(np.int32([[0, 3], [5, -1]]), N=2),
        IndexError,
        "looked_up(): index 6 is out of range for an array of length 6 at index [1, 0] of shape [2, 2]",
    ),
    (
        lambda: looked_up(np.int32(-1), N=1),
        IndexError,
        "looked_up(): index 18446744073709551615 is out of range for an array of length 6 at index [] of shape []",
    ),
    (
        lambda: place(np.int32(1), 3, mode="\ud800", lambda_=1),
        ValueError,
        "kernel_shapes.place: parameter `mode` came as '\\ud800'; accepted are 'Clamp', 'Wrap'",
    ),
    (lambda: looked_up(1, N=3), ValueError, "kernel_shapes.looked_up: parameter `N` came as 3; accepted are 1, 2, 4"),
    (lambda: shifted(1, 0, by=3), ZeroDivisionError, "shifted(): integer division by zero at index [] of shape []"),
]


@pytest.mark.any_level
@pytest.mark.parametrize(("call", "kind", "message"), CASES, ids=[message[:60] for _, _, message in CASES])
def test_message(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
    assert type(caught.value) is kind


@pytest.mark.any_level
def test_ufuncs() -> None:
    with pytest.raises(AttributeError) as caught:
        powers.ufunc  # noqa: B018
    assert str(caught.value) == (
        "kernel_shapes.powers has no attribute 'ufunc', because it has a ufunc for each choice of parameter values; use `powers.ufuncs`"
    )
    assert list(powers.ufuncs) == list(itertools.product((1, 2, 4, None), (True, False)))
    assert list(place.ufuncs) == list(itertools.product(("Clamp", "Wrap"), (1, 2, 4)))
    assert all(type(ufunc) is np.ufunc for ufunc in (*powers.ufuncs.values(), *place.ufuncs.values()))
    np.testing.assert_array_equal(powers.ufuncs[2, True](X), -(X + X * X))
    # The run-time variant takes the value after the inputs, and broadcasts it too.
    run_time = powers.ufuncs[None, False]
    assert (run_time.nin, run_time.types) == (2, ["ei->e", "fi->f", "di->d"])
    np.testing.assert_array_equal(run_time(2.0, np.arange(5, dtype=np.int32)), [0, 2, 6, 14, 30])
    degrees = np.repeat(np.arange(20_000, dtype=np.int16) % 7, 3)
    np.testing.assert_array_equal(run_time(2.0, degrees), 2.0 ** (degrees + 1) - 2)
    np.testing.assert_array_equal(run_time(2.0, degrees[::-5]), 2.0 ** (degrees[::-5] + 1) - 2)
    with pytest.raises(ZeroDivisionError, match=r"at element 3 of a strip of 5$"):
        shifted.ufuncs[None,](np.ones(5, np.int64), np.int64([1, 1, 1, 0, 0]), np.uint8([1, 1, 2, 2, 2]))
    assert place.parameters == {"mode": ("Clamp", "Wrap"), "lambda_": (1, 2, 4)}
    assert powers.parameters == {"degree": (1, 2, 4), "negate": (True, False)}
    assert [type(value) for value in powers.parameters["negate"]] == [bool, bool]
    assert (powers.nin, powers.nout, powers.nargs, powers.types, powers.signature) == (1, 1, 2, ["e->e", "f->f", "d->d"], None)


@pytest.mark.any_level
def test_signature_and_docstring() -> None:
    signature = inspect.signature(powers)
    keywords = "where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None, threads=None"
    assert str(signature) == powers.__text_signature__ == f"(x, /, out=None, *, degree, negate, {keywords})"
    assert powers.__doc__ == (
        f"powers{signature}\n"
        "\n"
        "A sum of powers: parameters of an integer, with a run-time variant, and of a bool.\n"
        "\n"
        "Parameters:\n"
        "    degree: 1, 2, 4 or any int32\n"
        "    negate: True, False\n"
        "\n"
        "Variants:\n"
        "    float16 -> float16\n"
        "    bfloat16 -> bfloat16\n"
        "    float32 -> float32\n"
        "    float64 -> float64\n"
    )
    assert str(inspect.signature(place)) == f"(x, n, /, out=None, *, mode, lambda_, {keywords})"
    assert "For any degree, negate=True.\n" in (powers.ufuncs[None, True].__doc__ or "")


@pytest.mark.any_level
def test_variants() -> None:
    rows = [row for row in powers.variants if row["level"] == powers.variants[0]["level"]]
    assert rows == [row for row in kernel_shapes.variants() if row["kernel"] == "powers" and row["level"] == rows[0]["level"]]
    values = [(row["parameters"]["degree"], row["parameters"]["negate"], row["inputs"], row["outputs"]) for row in rows]
    dtypes = [("float16",), ("bfloat16",), ("float32",), ("float64",)]
    assert values == [(d, n, dtype, dtype) for d, n in itertools.product((1, 2, 4, None), (True, False)) for dtype in dtypes]
    assert kernel_shapes.half.variants[0]["parameters"] == {}


@pytest.mark.any_level
@pytest.mark.parametrize("kernel", [place, powers, shifted], ids=repr)
def test_pickle_and_copy(kernel: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(kernel, protocol)) is kernel
    assert copy.copy(kernel) is kernel and copy.deepcopy(kernel) is kernel
    fixed = pickle.loads(pickle.dumps(functools.partial(powers, degree=3, negate=False)))
    np.testing.assert_array_equal(fixed(X), powers(X, degree=3, negate=False))


def test_other_libraries() -> None:
    """Objects with `__array_ufunc__` get the chosen ufunc, and a run-time value as a 0-d array."""

    class Recorder:
        def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
            return ufunc, method, inputs, kwargs

    x = Recorder()
    assert powers(x, degree=2, negate=False, dtype="f4") == (powers.ufuncs[2, False], "__call__", (x,), {"dtype": "f4"})
    ufunc, method, (first, value), kwargs = powers(x, degree=3, negate=False)
    assert (ufunc, method, first, kwargs) == (powers.ufuncs[None, False], "__call__", x, {})
    assert (value.shape, value.dtype, value) == ((), np.int32, 3)
    masked = np.ma.masked_array(X, X < 0)
    assert (powers(masked, degree=3, negate=False).mask == (X < 0)).all()
