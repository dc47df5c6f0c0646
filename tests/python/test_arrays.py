"""Every way in which an array can come: the result is that of contiguous copies, to the bit."""

from __future__ import annotations

import os
from typing import Any

import fastops
import kernel_shapes
import numpy as np
import pytest
from kernels import CASES, Case, same_bits, values
from numpy.lib.stride_tricks import as_strided

each_case = pytest.mark.parametrize("case", CASES, ids=str)


def contiguous(case: Case, arguments: list[Any]) -> Any:
    """What the kernel gives element by element, each one a call of its own on contiguous arrays."""
    broadcast = np.broadcast_arrays(*arguments)
    flat = [np.ascontiguousarray(x).ravel() for x in broadcast]
    out = np.empty(flat[0].size, case.output)
    for k in range(flat[0].size):
        out[k : k + 1] = case.kernel(*[x[k : k + 1] for x in flat])
    return out.reshape(broadcast[0].shape)


@each_case
def test_lengths(case: Case, rng: np.random.Generator) -> None:
    arguments = case.arguments(rng, 67)
    want = contiguous(case, arguments)
    for n in range(68):
        assert same_bits(case.kernel(*[x[:n] for x in arguments]), want[:n]), n


@each_case
def test_offsets_and_no_write_past_the_end(case: Case, rng: np.random.Generator) -> None:
    arguments = case.arguments(rng, 96)
    want = contiguous(case, arguments)
    for start in range(17):
        for n in (1, 15, 16, 17, 33, 64):
            out = np.full(96, 77, case.output)
            case.kernel(*[x[start : start + n] for x in arguments], out=out[start : start + n])
            assert same_bits(out[start : start + n], want[start : start + n])
            assert (out[:start] == 77).all() and (out[start + n :] == 77).all()


@each_case
@pytest.mark.parametrize("step", [2, 3, -1, -2])
def test_strides(case: Case, step: int, rng: np.random.Generator) -> None:
    arguments = case.arguments(rng, 200)
    want = contiguous(case, [x[::step] for x in arguments])
    assert same_bits(case.kernel(*[x[::step] for x in arguments]), want)
    out = np.zeros(200, case.output)[::step]
    assert case.kernel(*arguments, out=np.zeros(200, case.output)) is not out
    case.kernel(*[x[::step] for x in arguments], out=out)
    assert same_bits(out, want)


@each_case
def test_axes_in_any_order(case: Case, rng: np.random.Generator) -> None:
    arguments = case.arguments(rng, (5, 7, 19))
    for axes in [(0, 1, 2), (2, 1, 0), (1, 2, 0)]:
        turned = [x.transpose(axes) for x in arguments]
        assert same_bits(case.kernel(*turned), contiguous(case, turned))
        assert same_bits(case.kernel(*turned, order="C"), contiguous(case, turned))


@each_case
def test_broadcast(case: Case, rng: np.random.Generator) -> None:
    shapes = [(3, 1, 20), (4, 1), (20,), ()]
    arguments = [values(rng, shapes[k], dtype) for k, dtype in enumerate(case.inputs)]
    assert same_bits(case.kernel(*arguments), contiguous(case, arguments))


@each_case
def test_in_place(case: Case, rng: np.random.Generator) -> None:
    if case.inputs[0] != case.output:
        pytest.skip("the dtypes differ")
    arguments = case.arguments(rng, 133)
    want = contiguous(case, arguments)
    for k in range(len(arguments)):
        mine = [y.copy() for y in arguments]
        result = case.kernel(*mine, out=mine[k])
        assert result is mine[k]
        assert same_bits(result, want)
        assert all(same_bits(mine[j], arguments[j]) for j in range(len(mine)) if j != k)
    if len(arguments) == 1:
        x = arguments[0].copy()
        assert same_bits(case.kernel(x, x), want)


@pytest.mark.parametrize("shift", [-17, -1, 1, 5, 16, 40])
def test_overlapping_out(shift: int, rng: np.random.Generator) -> None:
    """NumPy makes a copy where the output overlaps an input other than element by element."""
    base = values(rng, 300, "float32")
    x, out = base[50:250], base[50 + shift : 250 + shift]
    want = fastops.axpy(2, x.copy(), x.copy())
    fastops.axpy(2, x, x, out=out)
    assert same_bits(out, want)


@each_case
def test_byte_order(case: Case, rng: np.random.Generator) -> None:
    arguments = case.arguments(rng, 50)
    swapped = [x.astype(x.dtype.newbyteorder()) for x in arguments]
    result = case.kernel(*swapped)
    assert result.dtype == case.output and result.dtype.isnative
    assert same_bits(result, contiguous(case, arguments))


@each_case
def test_misaligned(case: Case, rng: np.random.Generator) -> None:
    """rust-numpy#523: a view one byte into a buffer."""
    arguments = case.arguments(rng, 41)
    moved = []
    for x in arguments:
        buffer = np.zeros(x.nbytes + 1, np.uint8)
        view = buffer[1:].view(x.dtype)
        view[:] = x
        moved.append(view)
    want = contiguous(case, arguments)
    assert same_bits(case.kernel(*moved), want)
    out = np.zeros(41 * want.itemsize + 1, np.uint8)[1:].view(case.output)
    case.kernel(*moved, out=out)
    assert same_bits(out, want)


@each_case
def test_field_of_records(case: Case, rng: np.random.Generator) -> None:
    arguments = case.arguments(rng, 40)
    records = np.zeros(40, [("pad", "u1"), *((f"f{k}", x.dtype) for k, x in enumerate(arguments))])
    for k, x in enumerate(arguments):
        records[f"f{k}"] = x
    assert same_bits(case.kernel(*[records[f"f{k}"] for k in range(len(arguments))]), contiguous(case, arguments))


@each_case
def test_zero_dimensions_and_zero_size(case: Case, rng: np.random.Generator) -> None:
    scalars = case.arguments(rng, ())
    result = case.kernel(*scalars)
    assert isinstance(result, np.generic) and result.dtype == case.output
    for shape in [(0,), (2, 0), (0, 3), (2, 0, 5)]:
        result = case.kernel(*[np.zeros(shape, dtype) for dtype in case.inputs])
        assert result.shape == shape and result.dtype == case.output


def test_zero_stride_and_read_only_inputs() -> None:
    x = as_strided(np.float32([3]), (40,), (0,))
    assert same_bits(fastops.axpy(2, x, x), np.full(40, 9, np.float32))
    frozen = np.frombuffer(np.arange(6, dtype=np.float32).tobytes(), np.float32)
    assert same_bits(fastops.axpy(2, frozen, frozen), np.arange(6, dtype=np.float32) * 3)


def test_where(rng: np.random.Generator) -> None:
    x, mask = values(rng, 1000, "float32"), rng.random(1000) < 0.5
    out = np.full(1000, 5, np.float32)
    fastops.exp(x, out=out, where=mask)
    assert same_bits(out[mask], fastops.exp(x)[mask])
    assert (out[~mask] == 5).all()


def test_out_of_other_dtype(rng: np.random.Generator) -> None:
    x = values(rng, 100, "float32")
    out = np.zeros(100)
    assert fastops.exp(x, out=out) is out
    assert same_bits(out, fastops.exp(x).astype(np.float64))
    half = np.zeros(100, np.float16)
    fastops.sigmoid(x, half)
    assert same_bits(half, fastops.sigmoid(x).astype(np.float16))


def test_dtype_and_casting() -> None:
    x = np.arange(5, dtype=np.float32)
    assert fastops.exp(x, dtype=np.float64).dtype == np.float64
    assert same_bits(fastops.exp(x, dtype="f8"), fastops.exp(x.astype(np.float64)))
    assert fastops.exp(x.astype(np.float64), dtype=np.float32).dtype == np.float32
    assert fastops.exp(x, signature="d->d").dtype == np.float64
    assert fastops.leaky_relu(np.array([-3.7, 2.9]), 2, dtype="i4", casting="unsafe").tolist() == [-6, 2]


#: NumPy's safe casts: the first dtype of the kernel that holds every value of the argument's.
PROMOTIONS = {
    "gelu": {"bool": "float16", "int8": "float16", "uint8": "float16", "int16": "float32", "uint16": "float32", "float16": "float16"}
    | {"int32": "float64", "uint32": "float64", "int64": "float64", "uint64": "float64", "float32": "float32", "float64": "float64"},
    "same": {
        name: name for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 longlong ulonglong".split()
    },
}


@pytest.mark.parametrize(("kernel", "came", "used"), [(k, a, b) for k, table in PROMOTIONS.items() for a, b in table.items()])
def test_promotion(kernel: str, came: str, used: str) -> None:
    """The order of loops is semantics: numba#2934 is what a wrong one looks like."""
    function = getattr(fastops, kernel, None) or getattr(kernel_shapes, kernel)
    assert function(np.ones(3, came)).dtype == np.dtype(used)


def test_promotion_of_several() -> None:
    f4, f8 = np.ones(3, np.float32), np.ones(3)
    i4, i8, u1 = (np.ones(3, d) for d in (np.int32, np.int64, np.uint8))
    assert fastops.axpy(f4, f8, f4).dtype == np.float64
    assert fastops.leaky_relu(i4, u1).dtype == np.int32
    assert fastops.leaky_relu(i4, i8).dtype == np.float64
    assert fastops.leaky_relu(f4, i4).dtype == np.float64
    assert fastops.axpy(np.float64(2), f4, f4).dtype == np.float64


def test_python_numbers_take_the_dtype_of_the_arrays() -> None:
    f4, i4, u1 = np.ones(3, np.float32), np.ones(3, np.int32), np.ones(3, np.uint8)
    assert fastops.axpy(2.0, f4, 1).dtype == np.float32
    assert fastops.leaky_relu(i4, 2).dtype == np.int32
    assert fastops.leaky_relu(i4, 2.5).dtype == np.float64
    assert type(fastops.axpy(1, 2, 3)) is np.float64
    # There is only one dtype that they can be meant to be, although NumPy's default for a float is float64.
    assert fastops.normalize_u8(u1, 0.5, 0.25).dtype == np.float32
    assert fastops.normalize_u8(u1, 0, True).dtype == np.float32
    assert same_bits(fastops.normalize_u8(u1, 0.5, 0.25), fastops.normalize_u8(u1, np.float32(0.5), np.float32(0.25)))
    assert fastops.normalize_u8.ufunc(u1, 0.5, 0.25, dtype=np.float32).dtype == np.float32
    # Of block kernels too.
    image = np.arange(300, dtype=np.float32).reshape(15, 20)
    assert same_bits(fastops.gaussian_blur(image, 2)[1], fastops.gaussian_blur(image, np.uint32(2))[1])


class Tagged(np.ndarray[Any, Any]):
    """A subclass with an attribute that views keep."""

    tag: str | None = None

    def __array_finalize__(self, source: Any) -> None:
        self.tag = getattr(source, "tag", None)


def test_subclasses_and_masked_arrays() -> None:
    x = np.arange(4.0).view(Tagged)
    x.tag = "kept"
    assert type(fastops.exp(x)) is Tagged and fastops.exp(x).tag == "kept"
    assert type(fastops.exp(x, subok=False)) is np.ndarray
    masked = np.ma.masked_array([0.0, 1.0, 2.0], [False, True, False])
    result = fastops.exp(masked)
    assert isinstance(result, np.ma.MaskedArray) and result.mask.tolist() == [False, True, False]


def test_duck_arrays() -> None:
    """Objects with `__array_ufunc__` (dask, xarray, pandas) get the ufunc itself."""

    class Duck:
        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
            return ufunc, method, len(inputs), kwargs

    assert fastops.axpy(1, Duck(), np.ones(2), dtype="f4") == (fastops.axpy.ufunc, "__call__", 3, {"dtype": "f4"})


def test_lists_and_ufunc_methods() -> None:
    assert fastops.leaky_relu([-1, 2], [3, 4]).dtype == np.float64
    assert fastops.leaky_relu.ufunc.outer(np.int32([-1, 1]), np.int32([1, 2])).tolist() == [[-1, -2], [1, 1]]


def test_several_outputs(rng: np.random.Generator) -> None:
    x = values(rng, 100, "float32")
    whole, negative = kernel_shapes.split(x)
    assert same_bits(whole, np.floor(x)) and same_bits(negative, x < 0)
    a, b = np.zeros(100, np.float32), np.zeros(100, bool)
    got = kernel_shapes.split(x, out=(a, b))
    assert got[0] is a and got[1] is b and same_bits(a, whole) and same_bits(b, negative)
    got = kernel_shapes.split(x[::-2], None, b[:50])
    assert same_bits(got[0], whole[::-2]) and same_bits(b[:50], negative[::-2])
    lo, hi = kernel_shapes.ends(x, x[::-1])
    assert same_bits(lo, np.minimum(x, x[::-1])) and same_bits(hi, np.maximum(x, x[::-1]))


def test_several_type_parameters() -> None:
    assert kernel_shapes.scaled(np.float32([1, 2]), np.float64([3, 4])).dtype == np.float32
    assert kernel_shapes.scaled(np.float64([1, 2]), np.float32([3, 4])).dtype == np.float64
    assert kernel_shapes.mixed(np.float32([1.9, -1.9]), np.int64([10, 20])).tolist() == [11, 19]
    assert kernel_shapes.mixed(np.int8([-5]), np.int32([10])).dtype == np.int32


@pytest.mark.any_level
@pytest.mark.skipif(os.environ.get("LANECRAFT_FULL") != "1", reason="needs 4 GiB; runs with LANECRAFT_FULL=1")
def test_more_than_2_31_elements() -> None:
    """numpy#20921: no 32-bit index, of elements or of bytes. Zeros that were never written take no memory, nor does a zero stride."""
    x = np.zeros((2, 2**31 + 3), np.uint8)
    x[0, -1], x[1, 0], x[1, -1] = 5, 7, 9
    y = kernel_shapes.same(x)
    assert (y[0, -1], y[1, 0], y[1, -1]) == (5, 7, 9) and np.count_nonzero(y) == 3
    del y
    x[1, -2] = 3
    assert (kernel_shapes.same(x[1, ::-1])[:2] == [9, 3]).all() and kernel_shapes.same(x[:, -2:]).tolist() == [[0, 5], [3, 9]]
    ones = as_strided(np.array([7], np.int8), (2**31 + 3,), (0,))
    result = kernel_shapes.is_below(ones, np.int8(8))
    assert result.shape == (2**31 + 3,) and result[-1] and result[0]
