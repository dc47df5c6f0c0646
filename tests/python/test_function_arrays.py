"""Arrays of ordinary functions: seen where they are, copied where they cannot be, never written behind someone's back."""

from __future__ import annotations

import threading
import time
from typing import Any

import functions as f
import ml_dtypes
import numpy as np
import pytest
from conftest import run_python
from test_functions import refused

pytestmark = pytest.mark.any_level
F8 = np.arange(12, dtype=np.float64).reshape(3, 4)


def misaligned(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    view = np.zeros(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


def packed(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A field of records: its strides are no multiples of an element."""
    records = np.zeros(x.shape, np.dtype([("mark", "u1"), ("value", x.dtype)]))
    records["value"] = x
    return records["value"]


def test_nothing_is_copied() -> None:
    x = np.ones(5, np.float32)
    assert f.place_of_slice(x) == (x.ctypes.data, 5)
    for view in (F8, F8.T, F8[::-1], F8[:, ::2], F8[1:, 1:]):
        at, steps = f.place_of_view(view)
        assert at == view.ctypes.data and steps == [step // 8 for step in view.strides]
    zeros, at = f.zeros(3, 4)
    assert zeros.ctypes.data == at and zeros.shape == (3, 4) and zeros.dtype == np.float32
    zeros[1, 2] = 5  # and it is the caller's
    assert zeros.sum() == 5


@pytest.mark.parametrize(
    "form", [misaligned, packed, lambda x: x.astype(x.dtype.newbyteorder()), lambda x: x[::-1][::-1], np.asfortranarray]
)
def test_every_layout_gives_the_numbers_of_a_copy(form: Any) -> None:
    x = form(F8)
    rows, columns = f.sums(x)
    assert np.array_equal(rows, F8.sum(1)) and np.array_equal(columns, F8.sum(0))
    assert np.array_equal(x, F8)
    line = form(F8[0].copy())
    assert f.weighted(line, line) == float(F8[0] @ F8[0])
    cube = form(np.arange(24, dtype=np.int32).reshape(2, 3, 4))
    assert f.sum3(cube) == f.sum3(cube[::-1, :, ::2]) * 0 + 276


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (0, 0)])
def test_no_elements(shape: tuple[int, int]) -> None:
    """rust-numpy#527: such arrays, to be written, have panicked."""
    x = np.zeros(shape, np.uint16)
    f.double(x)
    f.double(x[::-1])
    rows, columns = f.sums(np.zeros(shape))
    assert (rows.shape, columns.shape) == (shape[:1], shape[1:])
    assert f.place_of_slice(np.zeros(0, np.float32))[1] == 0


def test_written_in_place() -> None:
    x = np.arange(12, dtype=np.uint16).reshape(3, 4)
    f.double(x[::-1, ::2])
    want = np.arange(12).reshape(3, 4)
    want[:, ::2] *= 2
    assert np.array_equal(x, want)
    a, b = np.ones(4), np.arange(4.0)
    f.add_to(a, b)
    assert np.array_equal(a, 1 + np.arange(4.0))
    refused(ValueError, "add_to(): x has 4 elements, and y 3", f.add_to, a, b[:3])


F8_1 = "array of dtype float64 with 1 axis"


@pytest.mark.parametrize(
    ("x", "why"),
    [
        (np.frombuffer(bytes(32)), "is read-only"),
        (np.broadcast_to(np.ones(1), 4), "is read-only"),
        (np.ones(8)[::2], "is not contiguous"),
        (misaligned(np.ones(4)), "is not aligned"),
        (packed(np.ones(4)), "is not aligned"),
        (np.ones(4, ">f8"), "has its bytes in the other order"),
    ],
)
def test_refused_to_write(x: Any, why: str) -> None:
    refused(ValueError, f"add_to(): argument 'x' {why}; accepted: writable, contiguous {F8_1}", f.add_to, x, np.ones(4))


def test_refused_arrays() -> None:
    refused(TypeError, f"weighted(): argument 'x' is a list; accepted: {F8_1}", f.weighted, [1.0])
    refused(
        TypeError, f"weighted(): argument 'x' is an array of dtype float32 and shape (2,); accepted: {F8_1}", f.weighted, np.ones(2, "f4")
    )
    refused(TypeError, f"weighted(): argument 'x' is an array of dtype float64 and shape (3, 4); accepted: {F8_1}", f.weighted, F8)
    refused(TypeError, f"weighted(): argument 'weights' is an int; accepted: {F8_1} or None", f.weighted, F8[0], 3)
    masked = np.ma.masked_array(np.ones(3), [0, 1, 0])
    refused(ValueError, f"weighted(): argument 'x' is a masked array, whose mask would be lost; accepted: {F8_1}", f.weighted, masked)
    strange = np.array([0, 2], np.uint8).view(np.bool_)
    text = (
        "count_true(): argument 'mask' is an array of bool with bytes that are neither 0 nor 1; accepted: array of dtype bool with 1 axis"
    )
    refused(ValueError, text, f.count_true, strange)
    assert f.count_true(np.array([True, False, True])[::-1]) == 2


def test_one_array_as_two_arguments() -> None:
    """rust-numpy#559, #433: an ordinary error. Reading the same array twice is none."""
    x = np.ones(6)
    assert f.weighted(x, x) == 6
    for y in (x, x[1:5]):
        with pytest.raises(
            ValueError, match=r"add_to\(\): argument 'y' is written to, by way of another argument or by another call; accepted: "
        ):
            f.add_to(x, y)
    f.add_to(x[:3], x[3:])
    assert np.array_equal(x, [2, 2, 2, 1, 1, 1])
    # Copied first, because a slice's elements lie side by side.
    f.add_to(x, x[::-1])
    assert np.array_equal(x, [3] * 6)


def test_an_array_that_a_call_writes_is_not_lent_again() -> None:
    x = np.zeros(4, np.int64)
    thread = threading.Thread(target=f.busy, args=(x, 0.4))
    thread.start()
    time.sleep(0.1)
    with pytest.raises(ValueError, match=r"busy\(\): argument 'x' is in use, by way of another argument or by another call; accepted: "):
        f.busy(x, 0)
    thread.join()
    assert x.tolist() == [1, 1, 1, 1]
    f.busy(x, 0)


def test_float16_and_bfloat16() -> None:
    x = np.array([1, -0.5, 2.25], np.float16)
    assert f.sum_of_halves(x) == 2.75 == f.sum_of_halves(x[::-1]) == f.sum_of_halves(x.astype(">f2"))
    refused(
        TypeError,
        "sum_of_halves(): argument 'x' is an array of dtype int16 and shape (3,); accepted: array of dtype float16 with 1 axis",
        f.sum_of_halves,
        x.view(np.int16),
    )
    bf = x.astype(ml_dtypes.bfloat16)
    y = bf.copy()
    minus = f.negated(bf, y)
    assert minus.dtype == bf.dtype and minus.tolist() == y.tolist() == [-1, 0.5, -2.25] and bf.tolist() == [1, -0.5, 2.25]
    text = "negated(): argument 'x' is an array of dtype {} and shape (3,); accepted: array of dtype bfloat16 with 1 axis"
    for other in (x, x.view("V2")):
        refused(TypeError, text.format(other.dtype), f.negated, other, y)


def test_bfloat16_without_its_package() -> None:
    code = """
import sys
sys.modules["ml_dtypes"] = None
import numpy as np, functions as f
try:
    f.negated(np.ones(3, np.float16), np.ones(3, np.float16))
except TypeError as error:
    print(error)
"""
    accepted = "array of dtype bfloat16 (of the package `ml_dtypes`, which is not installed) with 1 axis"
    assert run_python(code) == f"negated(): argument 'x' is an array of dtype float16 and shape (3,); accepted: {accepted}"
