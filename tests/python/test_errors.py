"""Messages: the function, the argument, what came, what is accepted."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import fastops
import kernel_shapes
import numpy as np
import pytest

X = np.arange(4, dtype=np.float32)
I = np.arange(4, dtype=np.int32)
U = np.arange(4, dtype=np.uint8)
FROZEN = np.frombuffer(bytes(16), np.float32)
FLOATS = "float16, bfloat16, float32 or float64, and what casts to one of them safely"

CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: fastops.gelu(X, subok=5), TypeError, "gelu(): argument 'subok' is 5; accepted: True or False"),
    (
        lambda: kernel_shapes.half(X, signature="d->d"),
        TypeError,
        "half(): argument 'signature' is 'd->d'; accepted: 'f->f', or the dtypes as a tuple",
    ),
    (
        lambda: kernel_shapes.half(X, signature="zz"),
        ValueError,
        "half(): argument 'signature' is 'zz'; accepted: 'f->f', or the dtypes as a tuple",
    ),
    # The dtype of an input.
    (lambda: fastops.gelu(X.astype("c16")), TypeError, f"gelu(): argument 'x' is an array of dtype complex128; accepted: {FLOATS}"),
    (
        lambda: fastops.gelu(np.array([object()])),
        TypeError,
        f"gelu(): argument 'x' is an array of dtype object (Python objects); accepted: {FLOATS}",
    ),
    (lambda: fastops.gelu(np.array(["a"])), TypeError, f"gelu(): argument 'x' is an array of dtype <U1 (strings); accepted: {FLOATS}"),
    (
        lambda: fastops.gelu(np.array(["2020-02-02"], "M8[D]")),
        TypeError,
        f"gelu(): argument 'x' is an array of dtype datetime64[D] (dates); accepted: {FLOATS}",
    ),
    (
        lambda: fastops.gelu(np.zeros(2, "f4,i4")),
        TypeError,
        f"gelu(): argument 'x' is an array of dtype [('f0', '<f4'), ('f1', '<i4')] (records); accepted: {FLOATS}",
    ),
    (
        lambda: fastops.gelu(X.astype(np.longdouble)),
        TypeError,
        f"gelu(): argument 'x' is an array of dtype {np.dtype(np.longdouble)}; accepted: {FLOATS}",
    ),
    (lambda: fastops.gelu(np.complex64(1)), TypeError, f"gelu(): argument 'x' is a NumPy scalar of dtype complex64; accepted: {FLOATS}"),
    (lambda: fastops.gelu("abc"), TypeError, f"gelu(): argument 'x' is a Python str; accepted: {FLOATS}"),
    (lambda: fastops.gelu(1j), TypeError, f"gelu(): argument 'x' is a Python complex; accepted: {FLOATS}"),
    (lambda: fastops.gelu(None), TypeError, f"gelu(): argument 'x' is None; accepted: {FLOATS}"),
    (
        lambda: fastops.gelu([1, None]),
        TypeError,
        f"gelu(): argument 'x' is a list (as an array, of dtype object (Python objects)); accepted: {FLOATS}",
    ),
    (
        lambda: fastops.gelu(datetime.date(2020, 2, 2)),
        TypeError,
        f"gelu(): argument 'x' is a date (as an array, of dtype object (Python objects)); accepted: {FLOATS}",
    ),
    (lambda: fastops.axpy(1, X, X.astype("c8")), TypeError, f"axpy(): argument 'y' is an array of dtype complex64; accepted: {FLOATS}"),
    (
        lambda: fastops.normalize_u8(I, 0.5, 0.5),
        TypeError,
        "normalize_u8(): argument 'x' is an array of dtype int32; accepted: uint8, and what casts to it safely",
    ),
    (
        lambda: fastops.normalize_u8(U, np.float64(0.5), 0.5),
        TypeError,
        "normalize_u8(): argument 'mean' is a NumPy scalar of dtype float64; accepted: float32, and what casts to it safely",
    ),
    (
        lambda: fastops.normalize_u8(0.5, X, X),
        TypeError,
        "normalize_u8(): argument 'x' is a Python float; accepted: uint8, and what casts to it safely",
    ),
    (
        lambda: fastops.normalize_u8(3, 0.5, 0.5),
        TypeError,
        "normalize_u8(): argument 'x' is a Python int (int64, as no argument is an array); accepted: uint8, and what casts to it safely",
    ),
    (
        lambda: kernel_shapes.is_below(np.int8([1]), np.uint64([1])),
        TypeError,
        "is_below(): argument 'limit' is an array of dtype uint64; accepted: int8, int64 or uint8, and what casts to one of them safely",
    ),
    (
        lambda: kernel_shapes.quotient(np.int32([1]), np.int64(1)),
        TypeError,
        "quotient(): argument 'b' is a NumPy scalar of dtype int64; accepted: int32 or uint8, and what casts to one of them safely",
    ),
    (
        lambda: kernel_shapes.mixed(np.float64([1]), np.int64(1)),
        TypeError,
        "mixed(): argument 'lambda_' is an array of dtype float64; accepted: int16, uint8 or float32, and what casts to one of them safely",
    ),
    # A number that does not fit.
    (
        lambda: fastops.leaky_relu(I, 3_000_000_000),
        OverflowError,
        "leaky_relu(): argument 'slope' is 3000000000, which int32 does not hold; accepted: -2147483648 to 2147483647",
    ),
    (
        lambda: fastops.normalize_u8(256, X, X),
        OverflowError,
        "normalize_u8(): argument 'x' is 256, which uint8 does not hold; accepted: 0 to 255",
    ),
    # The form of the call.
    (lambda: fastops.axpy(1, X), TypeError, "axpy(): 2 arguments came; accepted: 3 inputs (a, x, y), and after them the output"),
    (lambda: fastops.gelu(), TypeError, "gelu(): 0 arguments came; accepted: 1 input (x), and after them the output"),
    (lambda: fastops.gelu(X, X, X), TypeError, "gelu(): 3 arguments came; accepted: 1 input (x), and after them the output"),
    (
        lambda: kernel_shapes.split(X, X, X, X),
        TypeError,
        "split(): 4 arguments came; accepted: 1 input (x), and after them up to 2 outputs",
    ),
    (
        lambda: fastops.axpy(1, X, y=X),
        TypeError,
        "axpy(): argument 'y' came as a keyword; accepted by position only: axpy(a, x, y, out=...)",
    ),
    (
        lambda: fastops.gelu(X, slop=1),
        TypeError,
        "gelu(): keyword 'slop' came; accepted: out, where, casting, order, dtype, subok, signature, threads",
    ),
    (
        lambda: fastops.gelu(X, axis=0),
        TypeError,
        "gelu(): keyword 'axis' came; accepted: out, where, casting, order, dtype, subok, signature, threads",
    ),
    (lambda: fastops.gelu(X, X, out=X), TypeError, "gelu(): an output came twice, as argument 2 and as 'out'; accepted: one of the two"),
    (
        lambda: fastops.gelu(X, casting="bad"),
        ValueError,
        "gelu(): argument 'casting' is 'bad'; accepted: 'no', 'equiv', 'safe', 'same_kind' or 'unsafe'",
    ),
    (lambda: fastops.gelu(X, order="Z"), ValueError, "gelu(): argument 'order' is 'Z'; accepted: 'C', 'F', 'A' or 'K'"),
    (
        lambda: fastops.gelu(X, dtype=np.int32),
        TypeError,
        "gelu(): argument 'dtype' is int32; accepted: float16, bfloat16, float32 or float64",
    ),
    (
        lambda: fastops.gelu(X, dtype="nonsense"),
        TypeError,
        "gelu(): argument 'dtype' is nonsense; accepted: float16, bfloat16, float32 or float64",
    ),
    (
        lambda: fastops.gelu(X.astype("f8"), dtype="f4", casting="safe"),
        TypeError,
        "gelu(): argument 'x' is an array of dtype float64; accepted: float32, and what casts to it safely",
    ),
    # The output.
    (lambda: fastops.gelu(X, out=FROZEN), ValueError, "gelu(): argument 'out' is read-only; accepted: a writable array"),
    (lambda: fastops.gelu(X, FROZEN), ValueError, "gelu(): argument 2 (output) is read-only; accepted: a writable array"),
    (
        lambda: fastops.gelu(X, out=np.broadcast_to(np.float32(0), (4,))),
        ValueError,
        "gelu(): argument 'out' is read-only; accepted: a writable array",
    ),
    (
        lambda: fastops.gelu(X, out=[0.0] * 4),
        TypeError,
        "gelu(): argument 'out' is a list (as an array, of dtype float64); accepted: a NumPy array or None",
    ),
    (
        lambda: fastops.gelu(X, out=I),
        TypeError,
        "gelu(): argument 'out' is an array of dtype int32, the result is float32; accepted: what float32 casts to under casting='same_kind'",
    ),
    (
        lambda: fastops.gelu(X.astype("f8"), out=X, casting="safe"),
        TypeError,
        "gelu(): argument 'out' is an array of dtype float32, the result is float64; accepted: what float64 casts to under casting='safe'",
    ),
    (
        lambda: fastops.gelu(X, out=np.zeros(3, np.float32)),
        ValueError,
        "gelu(): argument 'out' has shape (3,), the inputs broadcast to (4,); accepted: (4,), or a shape that it broadcasts to",
    ),
    (lambda: fastops.gelu(X, out=(X, X)), ValueError, "gelu(): argument 'out' is a tuple of 2; accepted: a tuple of 1 array"),
    (
        lambda: kernel_shapes.split(X, out=X),
        TypeError,
        "split(): argument 'out' is an array of dtype float32; accepted: a tuple of 2 arrays or Nones",
    ),
    (lambda: kernel_shapes.split(X, out=(None, FROZEN)), ValueError, "split(): argument 'out[1]' is read-only; accepted: a writable array"),
    # Shapes.
    (
        lambda: fastops.axpy(1, X, X[:3]),
        ValueError,
        "axpy(): argument 'y' has shape (3,), which does not broadcast with (4,), the shape of 'x'; accepted: axes that are equal or 1, from the last one back",
    ),
    (
        lambda: fastops.axpy(np.ones((2, 1)), np.ones((1, 3)), np.ones((4, 3))),
        ValueError,
        "axpy(): argument 'y' has shape (4, 3), which does not broadcast with (2, 1), the shape of 'a'; accepted: axes that are equal or 1, from the last one back",
    ),
    (
        lambda: fastops.gelu(X, out=X.copy(), where=np.array([True, False])),
        ValueError,
        "gelu(): argument 'where' has shape (2,), which does not broadcast with (4,), the shape of 'x'; accepted: axes that are equal or 1, from the last one back",
    ),
    (
        lambda: fastops.gelu(X, out=X.copy(), where=X),
        TypeError,
        "gelu(): argument 'where' is an array of dtype float32; accepted: a bool array or a bool",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), CASES, ids=[message[:60] for _, _, message in CASES])
def test_message(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
    # NumPy's own error is the cause, of the same kind.
    assert isinstance(caught.value.__cause__, kind)


def test_lists_of_several_lengths() -> None:
    text = r"gelu\(\): argument 'x' is a list that is no array; accepted: numbers, or lists of one length of them \(setting an array"
    with pytest.raises(ValueError, match=text):
        fastops.gelu([[1.0], [1.0, 2.0]])


def test_errors_of_others_keep_their_text() -> None:
    class Broken:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            raise ValueError("mine")

    with pytest.raises(ValueError) as caught:
        fastops.axpy(1, Broken(), X)
    assert str(caught.value) == "mine"
    assert caught.value.__notes__ == ["while calling fastops.axpy(a, x, y)"]

    class Refuses:
        __array_ufunc__ = None

    with pytest.raises(TypeError, match="does not support ufuncs"):
        fastops.gelu(Refuses())


def test_other_exceptions_pass_through() -> None:
    class Interrupts:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fastops.gelu(Interrupts())


def _ones(shape: Any) -> np.ndarray[Any, Any]:
    return np.ones(shape, np.int32)


def test_division_by_zero_names_the_element() -> None:
    a, b = _ones((4, 5, 6)), _ones((4, 5, 6))
    b[2, 3, 1] = 0
    for view in (np.s_[:], np.s_[::-1, :, ::-1], np.s_[::2, 1::2]):
        index = [int(k) for k in np.argwhere(b[view] == 0)[0]]
        with pytest.raises(ZeroDivisionError) as caught:
            kernel_shapes.quotient(a[view], b[view])
        assert str(caught.value) == f"quotient(): integer division by zero at index {index} of shape {list(b[view].shape)}"
    with pytest.raises(ZeroDivisionError, match=r"at index \[0, 2\] of shape \[4, 5\]$"):
        kernel_shapes.quotient(_ones((4, 5)), np.int32([1, 1, 0, 1, 1]))
    with pytest.raises(ZeroDivisionError, match=r"at index \[0\] of shape \[100000\]$"):
        kernel_shapes.quotient(_ones(100_000), 0)
    with pytest.raises(ZeroDivisionError, match=r"at index \[1\] of shape \[2\]$"):
        kernel_shapes.quotient(np.int16([1, 2]), np.array([1, 0], ">i4"))
    with pytest.raises(ZeroDivisionError, match=r"at index \[\] of shape \[\]$"):
        kernel_shapes.quotient(np.int32(1), 0)
    # Elements that `where` leaves out are not divided.
    b, mask = np.int32([0, 1, 0, 0]), np.array([False, True, True, True])
    with pytest.raises(ZeroDivisionError, match=r"at index \[2\] of shape \[4\]$"):
        kernel_shapes.quotient(_ones(4), b, out=_ones(4), where=mask)
    # Where an input has been overwritten, and from the ufunc itself, the place in NumPy's strip is all there is to tell.
    with pytest.raises(ZeroDivisionError, match=r"at element 2 of a strip of 3$"):
        kernel_shapes.quotient(_ones(3), x := np.int32([1, 1, 0]), out=x)
    with pytest.raises(ZeroDivisionError, match=r"at element 1 of a strip of 2$"):
        kernel_shapes.quotient.ufunc(_ones(2), np.int32([1, 0]))


def test_division_by_zero_in_a_thread() -> None:
    a, b = _ones((1 << 20) + 100), _ones((1 << 20) + 100)
    b[[700_000, 1_000_000]] = 0
    with pytest.raises(ZeroDivisionError, match=r"at index \[700000\] of shape \[1048676\]$"):
        kernel_shapes.quotient(a, b)
    # Nothing is left behind.
    b[:] = 2
    assert (kernel_shapes.quotient(b, b) == 1).all()


@pytest.mark.parametrize("n", [1, 8, 10_000, 3_000_000])
def test_panic(n: int, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An ordinary exception (pyo3#3918: not PanicException), through the fast, the buffered, and the threaded path."""
    monkeypatch.setenv("RUST_BACKTRACE", "0")
    for x in (np.ones(n), np.ones(n, np.float32)):
        with pytest.raises(RuntimeError) as caught:
            kernel_shapes.panicking(x)
        assert str(caught.value) == "panicking(): the kernel panicked: as it should"
    capfd.readouterr()
