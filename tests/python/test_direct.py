"""The direct way into map kernels, in front of the ufunc: the same bits, layouts and errors as the ufunc's, for arrays of any layout."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import fastops
import kernel_shapes as k
import lanecraft
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

Array = np.ndarray[Any, Any]
settings.register_profile("direct", max_examples=300, deadline=None, database=None, derandomize=True)

#: Short, of whole gangs, of more than a tile.
SIZES = [1, 2, 3, 8, 16, 17, 33, 64, 70, 130]


def random(dtype: str, shape: tuple[int, ...], seed: int) -> Array:
    rng = np.random.default_rng(seed)
    return (rng.normal(0, 3, shape) if np.dtype(dtype).kind == "f" else rng.integers(0, 100, shape)).astype(dtype)


@st.composite
def shapes(draw: st.DrawFn) -> tuple[int, ...]:
    shape = [draw(st.sampled_from(SIZES)) for _ in range(draw(st.integers(1, 4)))]
    while np.prod(shape) > 100_000:
        shape[int(np.argmax(shape))] = 3
    return tuple(shape)


@st.composite
def laid_out(draw: st.DrawFn, dtype: str, shape: tuple[int, ...]) -> Array:
    """An array with its axes in any order in memory, perhaps with gaps, or backwards."""
    order = draw(st.permutations(range(len(shape))))
    gaps = [draw(st.sampled_from([1, 1, 1, 2])) for _ in shape]
    memory = random(dtype, tuple(shape[axis] * gaps[axis] for axis in order), draw(st.integers(0, 99)))
    view = memory.transpose(np.argsort(order))[(..., *(slice(None, None, gap) for gap in gaps))]
    return view[(..., *(slice(None, None, draw(st.sampled_from([1, 1, 1, -1]))) for _ in shape))]


@st.composite
def operand(draw: st.DrawFn, dtype: str, shape: tuple[int, ...]) -> Any:
    """Such an array, which may broadcast; a scalar of NumPy's, or a number."""
    kind = draw(st.sampled_from(["array"] * 6 + ["broadcast", "scalar", "0-d", "number"]))
    if kind == "array":
        own = tuple(draw(st.sampled_from([n, n, n, 1])) for n in shape)
        return draw(laid_out(dtype, own[draw(st.sampled_from([0, 0, len(own) - 1])) :]))
    if kind == "broadcast":
        return np.broadcast_to(draw(laid_out(dtype, shape[-1:])), shape)
    if kind == "number":
        return draw(st.sampled_from([2, 0.75] if np.dtype(dtype).kind == "f" else [2, 3]))
    return np.dtype(dtype).type(3) if kind == "scalar" else np.array(3, dtype)


def described(result: Any) -> list[Any]:
    """The bits of results, and how they lie: the step on an axis of one element means nothing."""
    several = result if isinstance(result, tuple) else (result,)
    return [
        (np.array(x).tobytes(), type(x), x.dtype, x.shape, [s for s, n in zip(x.strides, x.shape, strict=True) if n > 1]) for x in several
    ]


KERNELS: list[tuple[Any, list[str], str]] = [
    (fastops.gelu, ["f4"], "f4"),
    (fastops.axpy, ["f4"] * 3, "f4"),
    (fastops.axpy, ["f8"] * 3, "f8"),
    (fastops.axpy, ["f2"] * 3, "f2"),
    (fastops.leaky_relu, ["i4"] * 2, "i4"),
    (fastops.normalize_u8, ["u1", "f4", "f4"], "f4"),
    (fastops.quantize, ["f4", "f4"], "i1"),
    (k.same, ["u2"], "u2"),
    (k.is_below, ["i8"] * 2, "?"),
    (k.ends, ["f4", "f4"], "f4"),
]


@settings(settings.get_profile("direct"))
@given(st.data())
def test_results_are_those_of_the_ufunc(data: st.DataObject) -> None:
    kernel, dtypes, out_dtype = data.draw(st.sampled_from(KERNELS))
    shape = data.draw(shapes())
    args = [data.draw(operand(dtype, shape)) for dtype in dtypes]
    given = [data.draw(laid_out(out_dtype, np.broadcast_shapes(*map(np.shape, args)))) for _ in range(kernel.nout)]
    out: Any = data.draw(st.sampled_from([None, tuple(given), (*given[:-1], None)]))
    if data.draw(st.booleans()) and out is not None and kernel.nout == 1:
        out = out[0]
    before = [array.copy() for array in given]
    wanted: Any = refused(kernel.ufunc, args, out)
    bits = None if isinstance(wanted, type) else described(wanted)
    for array, old in zip(given, before, strict=True):
        array[...] = old
    result = refused(kernel, args, out)
    if bits is None:
        assert result is wanted
        return
    assert described(result) == bits
    several = result if isinstance(result, tuple) else (result,)
    for array, x in zip(out if isinstance(out, tuple) else [out] * len(several), several, strict=True):
        assert array is None or x is array


def refused(call: Callable[..., Any], args: list[Any], out: Any) -> Any:
    """The results, or the class of the error."""
    try:
        return call(*args) if out is None else call(*args, out=out)
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        return type(error)


@settings(settings.get_profile("direct"))
@given(st.data())
def test_in_place_and_overlap(data: st.DataObject) -> None:
    """An output that is an input, or a part of one that lies elsewhere."""
    shape = data.draw(shapes())
    memory = data.draw(laid_out("f4", (shape[0] + 3, *shape[1:])))
    at = data.draw(st.sampled_from([0, 0, 1, 3]))
    slope = data.draw(operand("f4", shape))
    x, out = memory[: shape[0]], memory[at : at + shape[0]]
    if np.broadcast_shapes(np.shape(slope), x.shape) != x.shape:
        return
    before = memory.copy()
    wanted = np.array(fastops.leaky_relu.ufunc(x.copy(), slope))
    assert fastops.leaky_relu(x, slope, out=out) is out
    np.testing.assert_array_equal(out, wanted)
    rest = np.delete(np.arange(len(memory)), np.arange(at, at + shape[0]))
    np.testing.assert_array_equal(memory[rest], before[rest])


@pytest.mark.any_level
def test_what_goes_the_direct_way() -> None:
    """Of a ufunc NumPy would copy these operands through buffers, and call the loop for each row."""
    row, column, image = np.ones(300, np.float32), np.ones((40, 1), np.float32), np.ones((50, 60, 3), np.uint8)
    for call in [
        (fastops.axpy, np.float32(0.5), row, column),
        (fastops.axpy, 0.5, row, column),
        (fastops.normalize_u8, image, row[:3], row[:3]),
        (fastops.gelu, np.ones((90, 80), np.float32).T[::-1]),
    ]:
        explanation = lanecraft.explain(*call)
        assert explanation.loops == 1 and not explanation.copies, explanation
    # These are the ufunc's.
    assert lanecraft.explain(fastops.gelu, np.ones(9, ">f4")).copies
    assert lanecraft.explain(fastops.leaky_relu, np.ones(9, np.float32), np.ones(9)).copies


@pytest.mark.any_level
def test_arrays_that_were_pickled() -> None:
    """Their dtype is another object, of the same meaning."""
    x = np.linspace(-3, 3, 20, dtype=np.float32)
    y = pickle.loads(pickle.dumps(x))
    assert y.dtype is not x.dtype
    assert described(fastops.gelu(y)) == described(fastops.gelu(x))


@pytest.mark.any_level
def test_outputs_that_may_not_be_written() -> None:
    x = np.ones((4, 8), np.float32)
    frozen = np.zeros((4, 8), np.float32)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        fastops.gelu(x, out=frozen)
    with pytest.raises(ValueError):
        fastops.gelu(x, out=np.zeros((3, 8), np.float32))
    with pytest.raises(ValueError):
        fastops.gelu(x, out=np.broadcast_to(np.zeros(8, np.float32), (4, 8)))
    with pytest.raises(TypeError):
        fastops.gelu(x, out=np.zeros((4, 8), np.int32))
    # Larger than the inputs, as NumPy has it.
    out = np.zeros((2, 4, 8), np.float32)
    assert fastops.gelu(x, out=out) is out
    assert (out == fastops.gelu(x)).all() and out[0, 0, 0] > 0


@pytest.mark.any_level
def test_faults_in_place() -> None:
    x = np.full((30, 3), 12, np.int32)
    divisor = np.array([3, 4, 0], np.int32)
    with pytest.raises(ZeroDivisionError, match=r"index \[0, 2\] of shape \[30, 3\]"):
        k.quotient(x, divisor)
    # The inputs are no longer what they were: the place is that of the memory.
    with pytest.raises(ZeroDivisionError, match="element 2 of a strip of 90"):
        k.quotient(x, divisor, out=x)


@pytest.mark.any_level
def test_numbers_that_a_dtype_does_not_hold() -> None:
    x = np.ones(4, np.float32)
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert np.isinf(fastops.leaky_relu(-x, 1e300)).all()
    with pytest.raises(OverflowError):
        fastops.leaky_relu(np.ones(4, np.int32), 2**40)


@pytest.mark.any_level
def test_more_elements_than_memory_has() -> None:
    """The shape that inputs broadcast to can be larger than any array. NumPy has words for that."""
    for n in [2**32 + 1, 2**40]:
        x = np.broadcast_to(np.float32(1), (n, 1))
        with pytest.raises(ValueError, match="iterator is too large"):
            fastops.leaky_relu(x, x.T)
