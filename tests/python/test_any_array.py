"""Any array that NumPy can make, against NumPy on contiguous copies: shapes, strides, offsets, alignment, byte order, overlap."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import kernel_shapes as k
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

Array = np.ndarray[Any, Any]
BYTES = 4096
settings.register_profile(
    "lanecraft",
    max_examples=20_000 if os.environ.get("LANECRAFT_FULL") == "1" else 200,
    deadline=None,
    database=None,
    derandomize=os.environ.get("LANECRAFT_FULL") != "1",
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("lanecraft")

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
FLOATS = ["f4", "f8"]


def filled(dtype: np.dtype[Any], seed: int) -> Array:
    """A buffer of values of every kind: bits as they come, and for bool and float what compares."""
    rng = np.random.default_rng(seed)
    buffer = rng.integers(0, 256, BYTES + 64, dtype=np.uint8)
    return buffer & 1 if dtype.kind == "b" else buffer


@st.composite
def shapes(draw: st.DrawFn) -> tuple[int, ...]:
    rank = draw(st.sampled_from([1, 2, 3, 0]))
    return tuple(draw(st.sampled_from([3, 17, 2, 5, 33, 16, 1, 0])) for _ in range(rank))


@st.composite
def views(draw: st.DrawFn, dtype: np.dtype[Any], shape: tuple[int, ...], buffer: Array | None = None) -> Array:
    """A view into a buffer: any offset, any strides that stay within it, either byte order, perhaps read-only."""
    if buffer is None:
        buffer = filled(dtype, draw(st.integers(0, 2**16)))
    size = dtype.itemsize
    # Broadcast, contiguous, with gaps, backwards, or nothing that has to do with the size of an element.
    steps, width = [], size
    for n in reversed(shape):
        kind = draw(st.sampled_from(["side by side", "side by side", "gap", "back", "none", "odd"]))
        step = {"side by side": width, "gap": 2 * width, "back": -width, "none": 0, "odd": width + 1}[kind]
        if (n - 1) * abs(step) + size > BYTES // 4:
            step = 0
        steps.append(step)
        width = max(width, n * abs(step))
    steps.reverse()
    low = sum(min(0, (n - 1) * step) for n, step in zip(shape, steps, strict=True) if n)
    high = sum(max(0, (n - 1) * step) for n, step in zip(shape, steps, strict=True) if n) + size
    offset = draw(st.integers(-low, max(-low, BYTES - high))) if draw(st.booleans()) else -low + draw(st.integers(0, 3)) * 16
    start = buffer[offset : offset + size]
    view = as_strided(start.view(dtype), shape, steps)
    if draw(st.booleans()) and dtype.itemsize > 1:
        view = view.view(dtype.newbyteorder())
    if draw(st.booleans()):
        view = view.view()
        view.flags.writeable = False
    return view


@st.composite
def operands(draw: st.DrawFn, dtypes: list[str], count: int) -> list[Array]:
    """Arrays that broadcast together, on one dtype or on several."""
    whole = draw(shapes())
    same = draw(st.booleans())
    first = np.dtype(draw(st.sampled_from(dtypes)))
    arrays = []
    for _ in range(count):
        dtype = first if same else np.dtype(draw(st.sampled_from(dtypes)))
        shape = tuple(draw(st.sampled_from([n, n, 1])) for n in whole)[draw(st.sampled_from([0, 0, len(whole)])) :]
        arrays.append(draw(views(dtype, shape)))
    return arrays


@st.composite
def outputs(draw: st.DrawFn, dtype: np.dtype[Any], shape: tuple[int, ...], inputs: list[Array]) -> Array | None:
    """Somewhere to write: no two elements in one place, but perhaps on an input."""
    kind = draw(st.sampled_from(["fresh", "fresh", "C", "F", "gap", "back", "odd", "swapped", "wide", "input"]))
    n = int(np.prod(shape))
    if kind == "fresh":
        return None
    if kind == "F":
        return np.zeros(shape, dtype, order="F")
    if kind == "gap":
        return np.zeros((*shape, 2), dtype)[..., 1:].squeeze(-1)
    if kind == "back" and shape:
        return np.zeros(shape, dtype)[tuple(slice(None, None, -1) for _ in shape)]
    if kind == "odd":
        return np.zeros(n * dtype.itemsize + 1, np.uint8)[1:].view(dtype).reshape(shape)
    if kind == "swapped":
        return np.zeros(shape, dtype.newbyteorder())
    if kind == "wide" and dtype.kind == "f":
        return np.zeros(shape, np.float64)
    if kind == "input":
        for array in inputs:
            base = array.base
            while base is not None and base.base is not None:
                base = base.base
            if base is not None and n * dtype.itemsize <= BYTES // 2 and base.flags.writeable:
                at = draw(st.integers(0, BYTES // 2))
                return base[at : at + n * dtype.itemsize].view(dtype).reshape(shape)
    return np.zeros(shape, dtype)


def plain(array: Array) -> Array:
    """A contiguous, aligned, native copy."""
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C", copy=True, subok=False)


def check(
    data: st.DataObject, kernel: Callable[..., Any], arrays: list[Array], reference: Callable[..., Array], dtype: Callable[..., Any]
) -> None:
    copies = [plain(array) for array in arrays]
    with np.errstate(all="ignore"):
        want = np.asarray(reference(*copies)).astype(dtype(*copies), copy=False)
    out = data.draw(outputs(want.dtype, want.shape, arrays))
    where = data.draw(st.booleans()) and out is not None
    mask = np.random.default_rng(5).random(want.shape) < 0.5 if where else True
    if out is None:
        result = kernel(*arrays)
        assert np.shape(result) == want.shape and result.dtype == want.dtype
    else:
        before = plain(out)
        with np.errstate(all="ignore"):
            want = np.where(mask, want.astype(out.dtype.newbyteorder("=")), before)
        result = kernel(*arrays, out=out, where=mask)
        assert result is out
    np.testing.assert_array_equal(plain(np.asarray(result)), want)
    if out is None:
        # Inputs are read and no more.
        for array, copy in zip(arrays, copies, strict=True):
            np.testing.assert_array_equal(plain(array), copy)


@given(st.data())
def test_every_dtype(data: st.DataObject) -> None:
    arrays = data.draw(operands(DTYPES, 1))
    check(data, k.same, arrays, lambda x: x, lambda x: x.dtype)


@given(st.data())
def test_two_operands(data: st.DataObject) -> None:
    """Rust's `min` is NumPy's `fmin`: of a number and a NaN it takes the number."""
    arrays = data.draw(operands(FLOATS, 2))
    check(data, lambda *a, out=None, **kw: k.ends(*a, out=(out, None), **kw)[0], arrays, np.fmin, np.result_type)


@given(st.data())
def test_comparison(data: st.DataObject) -> None:
    arrays = data.draw(operands(["i1", "u1", "i8"], 2))

    def below(a: Array, b: Array) -> Array:
        return np.asarray(a.astype("i8") < b.astype("i8"))

    check(data, k.is_below, arrays, below, lambda *_: np.dtype(bool))


@given(st.data())
def test_operands_of_different_dtypes(data: st.DataObject) -> None:
    arrays = data.draw(operands(FLOATS, 2))
    check(data, k.scaled, arrays, lambda x, factor: x * factor.astype(x.dtype), lambda x, _: x.dtype)


@given(st.data())
def test_block_kernels(data: st.DataObject) -> None:
    """The same of gufuncs: items of any strides, outer axes that broadcast."""
    whole = (*data.draw(shapes()), data.draw(st.sampled_from([0, 1, 2, 5, 17, 40])))
    outer = data.draw(st.sampled_from([0, len(whole) - 1]))
    dtype = np.dtype("i4")
    a, b = data.draw(views(dtype, whole)), data.draw(views(dtype, whole[outer:]))
    dividend, divisor = plain(a).astype("i8"), plain(b).astype("i8")
    if (divisor == 0).any() and dividend.size:
        with pytest.raises(ZeroDivisionError):
            k.quotients(a, b)
        return
    # Rust's division truncates.
    divisor[divisor == 0] = 1
    want = (np.sign(dividend) * np.sign(divisor) * (np.abs(dividend) // np.abs(divisor))).astype("i4")
    quotients, total = k.quotients(a, b)
    np.testing.assert_array_equal(quotients, want)
    np.testing.assert_array_equal(total, want.sum(-1, dtype="i8").astype("i4"))


@pytest.mark.any_level
def test_the_suite_meets_what_it_says() -> None:
    """Of the arrays that are drawn, some are of each kind."""
    met: dict[str, int] = {}

    @given(operands(DTYPES, 1))
    def count(arrays: list[Array]) -> None:
        (x,) = arrays
        kinds = {
            "misaligned": not x.flags.aligned,
            "swapped": not x.dtype.isnative,
            "read-only": not x.flags.writeable,
            "0-d": x.ndim == 0,
            "empty": x.size == 0,
            "negative": any(step < 0 for step in x.strides),
            "broadcast": any(step == 0 and n > 1 for step, n in zip(x.strides, x.shape, strict=True)),
            "contiguous": x.flags.c_contiguous and x.size > 15,
        }
        for kind, is_it in kinds.items():
            met[kind] = met.get(kind, 0) + is_it

    count()
    assert min(met.values()) >= 3, met
