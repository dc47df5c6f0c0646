"""Block kernels: gufuncs over rows, images and matrices, against NumPy in float64."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import fastops
import kernel_shapes
import numpy as np
import pytest
from conftest import run_python
from numpy.typing import NDArray

Array = NDArray[np.floating]

SIZES = [1, 15, 16, 17, 4095, 4096, 4097]
FLOATS = ["float16", "float32", "float64"]


def wide(x: Array) -> Array:
    return x.astype(np.float64)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def log_softmax(x: Array) -> Array:
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def close(got: Array, want: Array, dtype: str, scale: float = 1.0) -> None:
    """Within a few units of the result's dtype; what is summed up is allowed `scale` more."""
    assert got.dtype == dtype
    bound = {"float16": 2e-3, "float32": 4e-6, "float64": 4e-14}[dtype] * scale
    np.testing.assert_allclose(wide(got), want, rtol=bound, atol=bound)


ROWS: list[tuple[Callable[..., Array], Callable[[Array], Array], float]] = [
    (fastops.softmax, softmax, 1),
    (fastops.log_softmax, log_softmax, 2),
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", SIZES)
def test_rows(dtype: str, n: int, rng: np.random.Generator) -> None:
    x = rng.standard_normal((3, n)).astype(dtype)
    for kernel, reference, scale in ROWS:
        want = reference(wide(x))
        close(kernel(x), want, dtype, scale)
        # Other strides: columns, backwards, every other element, one element for all.
        close(kernel(x.T, axis=0).T, want, dtype, scale)
        np.testing.assert_array_equal(kernel(x[:, ::-1].copy()), kernel(x[:, ::-1]))
        np.testing.assert_array_equal(kernel(x[:, ::2].copy()), kernel(x[:, ::2]))
        same = np.broadcast_to(x[:, :1], x.shape)
        np.testing.assert_array_equal(kernel(same.copy()), kernel(same))
        # In place, and into other strides.
        y = x.copy()
        assert kernel(y, out=y) is y
        np.testing.assert_array_equal(y, kernel(x))
        y = np.zeros((n, 3), dtype)
        kernel(x, out=y.T)
        np.testing.assert_array_equal(y.T, kernel(x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", SIZES)
def test_norms(dtype: str, n: int, rng: np.random.Generator) -> None:
    x, gamma, beta = (rng.standard_normal(shape).astype(dtype) for shape in ((3, n), n, n))
    mean, var = wide(x).mean(axis=-1), wide(x).var(axis=-1)
    eps = np.dtype(dtype).type(1e-3)
    want = (wide(x) - mean[:, None]) / np.sqrt(var[:, None] + 1e-3) * wide(gamma) + wide(beta)
    close(fastops.layernorm(x, gamma, beta, eps), want, dtype, 20)
    square = (wide(x) ** 2).mean(axis=-1, keepdims=True)
    close(fastops.rmsnorm(x, gamma, eps), wide(x) / np.sqrt(square + 1e-3) * wide(gamma), dtype, 5)
    got_mean, got_var = fastops.mean_var(x)
    close(got_mean, mean, dtype, 5)
    close(got_var, var, dtype, 5)


@pytest.mark.parametrize("n", [0, *SIZES])
def test_sum_and_argmax(n: int, rng: np.random.Generator) -> None:
    x = rng.integers(-(2**31), 2**31, (4, n), dtype=np.int32)
    # Integers wrap in their own dtype, where NumPy's sum is wider.
    np.testing.assert_array_equal(fastops.sum(x), x.sum(axis=-1, dtype=np.int32))
    y = rng.standard_normal((4, n)).astype(np.float32)
    close(fastops.sum(y), wide(y).sum(axis=-1), "float32", 200)
    if n > 0:
        # Of equal values the first counts.
        ties = rng.integers(0, 3, (4, n)).astype(np.float32)
        np.testing.assert_array_equal(fastops.argmax(ties), ties.argmax(axis=-1))
        np.testing.assert_array_equal(fastops.argmax(x), x.argmax(axis=-1))
        assert fastops.sum(y, axis=0, keepdims=True).shape == (1, n)
        np.testing.assert_array_equal(fastops.sum(y.T, axis=0), fastops.sum(y))


def test_empty_rows() -> None:
    assert fastops.softmax(np.zeros((2, 0), np.float32)).shape == (2, 0)
    assert fastops.softmax(np.zeros((0, 5), np.float32)).shape == (0, 5)
    np.testing.assert_array_equal(fastops.sum(np.zeros((2, 0))), [0.0, 0.0])


GRIDS = [(1, 1), (1, 7), (7, 1), (2, 15), (3, 16), (17, 17), (5, 100), (33, 64)]


@pytest.mark.parametrize("shape", GRIDS)
def test_grids(shape: tuple[int, int], rng: np.random.Generator) -> None:
    x = rng.standard_normal((2, *shape)).astype(np.float32)
    p = np.pad(wide(x), ((0, 0), (1, 1), (1, 1)), mode="edge")
    want = 0.25 * (p[:, :-2, 1:-1] + p[:, 2:, 1:-1] + p[:, 1:-1, :-2] + p[:, 1:-1, 2:])
    close(fastops.jacobi(x), want, "float32")
    close(fastops.jacobi(x.transpose(0, 2, 1)), want.transpose(0, 2, 1), "float32")
    np.testing.assert_array_equal(fastops.transpose(x), x.transpose(0, 2, 1))
    np.testing.assert_array_equal(fastops.transpose(x[:, ::-1, ::-1]), x[:, ::-1, ::-1].transpose(0, 2, 1))


@pytest.mark.parametrize("radius", [0, 1, 3])
def test_blur(radius: int, rng: np.random.Generator) -> None:
    x = rng.standard_normal((20, 37)).astype(np.float64)
    _, got = fastops.gaussian_blur(x, np.uint32(radius))
    d = np.arange(-radius, radius + 1)
    sigma = 0.5 * radius + 1e-6
    weights = np.exp(-0.5 * d * d / sigma**2)
    weights /= weights.sum()
    p = np.pad(x, radius, mode="reflect")
    rows = sum(w * p[:, k : k + 37] for k, w in enumerate(weights))
    want = sum(w * rows[k : k + 20] for k, w in enumerate(weights))
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


def test_pixels(rng: np.random.Generator) -> None:
    image = rng.integers(0, 256, (2, 20, 37, 3), dtype=np.uint8)
    mean, std = np.array([0.4, 0.5, 0.6], np.float32), np.array([0.2, 0.3, 0.4], np.float32)
    want = ((image / 255.0 - wide(mean)) / wide(std)).transpose(0, 3, 1, 2)
    close(fastops.hwc_u8_to_chw_f32(image, mean, std), want, "float32", 3)


@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (3, 5, 7), (4, 4, 16), (9, 130, 33), (0, 3, 4), (5, 0, 6), (2, 3, 0)])
def test_matrices(m: int, k: int, n: int, rng: np.random.Generator) -> None:
    a, b = rng.standard_normal((2, m, k)).astype(np.float32), rng.standard_normal((k, n)).astype(np.float32)
    close(fastops.matmul(a, b), wide(a) @ wide(b), "float32", 10)
    close(fastops.matmul(a[:, ::-1], b[:, ::-1]), wide(a[:, ::-1]) @ wide(b[:, ::-1]), "float32", 10)
    square = ((wide(a)[:, :, None] - wide(b.T)) ** 2).sum(axis=-1)
    close(fastops.pairwise_sqdist(a, b.T), square, "float32", 20)


def test_it_is_a_gufunc() -> None:
    assert isinstance(fastops.softmax.ufunc, np.ufunc)
    assert fastops.softmax.ufunc.signature == fastops.softmax.signature == "(n)->(n)"
    assert (fastops.layernorm.nin, fastops.layernorm.nout, fastops.layernorm.nargs) == (4, 1, 5)
    assert str(inspect.signature(fastops.layernorm)) == "(x, gamma, beta, eps, /, out=None, **kwargs)"
    assert "signature (n)->(n)" in (fastops.softmax.__doc__ or "")
    assert pickle.loads(pickle.dumps(fastops.softmax)) is fastops.softmax
    assert {row["kernel"] for row in fastops.softmax.variants} == {"softmax"}


def test_errors() -> None:
    x = np.zeros((3, 40), np.float32)
    with pytest.raises(ValueError, match=r"softmax\(\): argument 'x' does not have enough dimensions"):
        fastops.softmax(np.float32(1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"layernorm\(\): argument 'gamma' has a mismatch .*size 3 is different from 40"):
        fastops.layernorm(x, x[0, :3], x[0], np.float32(0))
    with pytest.raises(TypeError, match=r"softmax\(\): no variant takes 'x' of complex128; the variants are float16 -> float16;"):
        fastops.softmax(np.zeros(3, complex))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"softmax\(\): takes from 1 to 2 .* 0 were given; the inputs are x, by position; the signature is"):
        fastops.softmax()  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"only an output says how large it is, so pass `out=\(values, indices\)`"):
        fastops.top_k(x)
    with pytest.raises(OverflowError, match=r"gaussian_blur\(\): Python integer -1 out of bounds for uint32; the signature is"):
        fastops.gaussian_blur(x, -1)
    with pytest.raises(TypeError, match=r"gaussian_blur\(\): no variant takes 'img' of int64, 'radius' of Python's float; "):
        fastops.gaussian_blur(np.zeros((3, 4), int), 1.5)  # type: ignore[arg-type]


KEYWORDS = "out, axis, axes, keepdims, casting, order, dtype, subok, signature, threads"


@pytest.mark.parametrize(
    ("args", "kwargs", "kind", "message"),
    [
        ([3, 3], {"where": True}, TypeError, f"keyword 'where' came; accepted: {KEYWORDS}"),
        ([3], {"b": np.ones(3)}, TypeError, f"keyword 'b' came; accepted: {KEYWORDS}"),
        ([3, 3], {"axis": "last"}, TypeError, "argument 'axis' is 'last'; accepted: an integer"),
        ([3, 3], {"axis": 0.0}, TypeError, "argument 'axis' is 0.0; accepted: an integer"),
        ([3, 3], {"keepdims": 5}, TypeError, "argument 'keepdims' is 5; accepted: True or False"),
        ([3, 3], {"subok": None}, TypeError, "argument 'subok' is None; accepted: True or False"),
        ([3, 3], {"casting": "x"}, ValueError, "argument 'casting' is 'x'; accepted: 'no', 'equiv', 'safe', 'same_kind' or 'unsafe'"),
        ([3, 3], {"out": [0.0] * 3}, TypeError, "argument 'out' is a list; accepted: a NumPy array or None"),
        ([3, 3], {"out": (5,)}, TypeError, "argument 'out[0]' is an int; accepted: a NumPy array or None"),
        ([3, 3], {"out": np.broadcast_to(0.0, 3)}, ValueError, "argument 'out' is read-only; accepted: a writable array"),
        ([3, 3, np.broadcast_to(0.0, 3)], {}, ValueError, "an output is read-only; accepted: a writable array"),
        (
            [3, 3],
            {"dtype": complex},
            TypeError,
            "no variant fits `dtype=` or `signature=`, or what they ask for cannot be cast to; the variants are "
            "float64, float64 -> float64",
        ),
    ],
    ids=str,
)
def test_calls_that_fail(args: list[Any], kwargs: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        kernel_shapes.cross(*[np.ones(x) if isinstance(x, int) else x for x in args], **kwargs)
    assert str(caught.value) == f"cross(): {message}; the signature is (3),(3)->(3)" and isinstance(caught.value.__cause__, kind)


def test_lists_of_several_lengths() -> None:
    text = r"cross\(\): argument 'b' is a list that is no array; accepted: numbers, or lists of one length of them \(setting an array"
    with pytest.raises(ValueError, match=text):
        kernel_shapes.cross(np.ones(3), [[1.0], [1.0, 2.0]])  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["float32", "int16"])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_take(dtype: str, index: str, rng: np.random.Generator) -> None:
    x = rng.integers(-99, 99, 50).astype(dtype)
    at = rng.integers(0, 50, (3, 37)).astype(index)
    np.testing.assert_array_equal(kernel_shapes.take(x, at), x[at])
    np.testing.assert_array_equal(kernel_shapes.take(x[::-1], at[:, ::-2]), x[::-1][at[:, ::-2]])
    for wrong in (-1, 50):
        at[1, 20] = wrong
        with pytest.raises(IndexError, match=rf"take\(\): index \[{wrong}\] of argument 'x' is out of range for shape \[50\]"):
            kernel_shapes.take(x, at)
    # The error is gone with the next call.
    np.testing.assert_array_equal(kernel_shapes.take(x, at[0]), x[at[0]])


def test_fixed_size(rng: np.random.Generator) -> None:
    a, b = rng.standard_normal((2, 4, 3))
    np.testing.assert_allclose(kernel_shapes.cross(a, b), np.cross(a, b), rtol=1e-14)
    with pytest.raises(ValueError, match=r"cross\(\): argument 'b' has a mismatch"):
        kernel_shapes.cross(a, b[:, :2])


def test_division_by_zero() -> None:
    a, b = np.arange(40, dtype=np.int32), np.arange(1, 41, dtype=np.int32)
    q, s = kernel_shapes.quotients(a, b)
    np.testing.assert_array_equal(q, a // b)
    assert s == (a // b).sum()
    b[33] = 0
    with pytest.raises(ZeroDivisionError, match=r"quotients\(\): integer division by zero"):
        kernel_shapes.quotients(a, b)


@pytest.mark.parametrize("shape", [7, 5000, (3, 40), (0, 5), (200, 3000)])
def test_what_is_not_written(shape: int | tuple[int, ...]) -> None:
    """A fresh output holds zeros there; one that is given stays as it is."""
    x = np.full(shape, 3.0)
    want = np.zeros(shape)
    want[..., ::2] = 3.0
    for _ in range(5):
        np.full(shape, 7.0)  # memory that comes back
        np.testing.assert_array_equal(kernel_shapes.every_second(x), want)
        np.testing.assert_array_equal(kernel_shapes.every_second(x.astype("f4"), dtype="f8"), want)
        np.testing.assert_array_equal(kernel_shapes.every_second(x, out=None), want)
        # As dask calls it, on another thread.
        np.testing.assert_array_equal(kernel_shapes.every_second.ufunc(x), want)
    want[..., 1::2] = 7.0
    for call in [
        lambda out: kernel_shapes.every_second(x, out),
        lambda out: kernel_shapes.every_second(x, out=out),
        lambda out: kernel_shapes.every_second(x, out=(out,)),
    ]:
        out = np.full(shape, 7.0)
        assert call(out) is out
        np.testing.assert_array_equal(out, want)


def test_what_is_not_written_with_parameters() -> None:
    x = np.ones(7)
    np.full(7, 7.0)  # memory that comes back
    assert kernel_shapes.first_part(x, parts=2).tolist() == [1, 1, 1, 0, 0, 0, 0]
    out = np.full(7, 7.0)
    assert kernel_shapes.first_part(x, out=out, parts=3) is out
    assert out.tolist() == [1, 1, 7, 7, 7, 7, 7]


@pytest.mark.parametrize("n", [6, 5000])
def test_what_is_not_written_behind_a_copy(n: int) -> None:
    """numba#6864, numpy#18700. Where NumPy has the kernel write to other memory than the array's, what the array holds is there too."""
    x = np.full(n, 3.0)
    want = np.where(np.arange(n) % 2 == 0, 3.0, 7.0)
    misaligned = np.zeros(8 * n + 1, np.uint8)[1:].view(np.float64)
    for out in [np.zeros(n, np.float32), np.zeros(n, ">f8"), np.zeros(2 * n)[::2], misaligned]:
        out[...] = 7
        for _ in range(3):
            np.full(n, 99.0)  # memory that comes back
        assert kernel_shapes.every_second(x, out=out) is out
        np.testing.assert_array_equal(out, want)
    both = np.full(n + 1, 7.0)
    both[:n] = 3
    kernel_shapes.every_second(both[:n], out=both[1:])
    np.testing.assert_array_equal(both[1:], np.where((np.arange(n) % 2 == 0) | (np.arange(n) < n - 1), 3.0, 7.0))


def test_serial(rng: np.random.Generator) -> None:
    for n in [0, *SIZES]:
        x = rng.standard_normal((3, n)).astype(np.float32)
        np.testing.assert_array_equal(fastops.cumsum(x), np.cumsum(x, axis=-1))
        pixels = rng.integers(0, 256, (3, n), dtype=np.uint8)
        counts = np.full((3, 256), 7, np.int64)
        assert fastops.histogram(pixels, out=counts) is counts
        np.testing.assert_array_equal(counts, [np.bincount(row, minlength=256) for row in pixels])
    with pytest.raises(IndexError, match=r"histogram\(\): index \[300\] of argument 'counts'"):
        fastops.histogram(np.array([300], np.int32), out=np.zeros(256, np.int64))


def test_classes(rng: np.random.Generator) -> None:
    x = np.round(rng.standard_normal((5, 100)), 1).astype(np.float32)
    values, indices = np.empty((5, 7), np.float32), np.empty((5, 7), np.int64)
    fastops.top_k(x, out=(values, indices))
    np.testing.assert_array_equal(indices, np.argsort(-x, axis=-1, kind="stable")[:, :7])
    np.testing.assert_array_equal(values, np.take_along_axis(x, indices, axis=-1))
    # Several chunks, most of whose numbers are the lowest there are.
    for dtype, lowest in (("float32", -np.inf), ("float64", -np.inf), ("int32", np.iinfo(np.int32).min)):
        y = rng.integers(-40, 40, (3, 70_000)).astype(dtype)
        y[:, ::2], y[0, 2:] = lowest, lowest
        values, indices = np.empty((3, 5), dtype), np.empty((3, 5), np.int64)
        fastops.top_k(y, out=(values, indices))
        np.testing.assert_array_equal(indices, np.argsort(-y.astype(float), axis=-1, kind="stable")[:, :5])
        np.testing.assert_array_equal(values, np.take_along_axis(y, indices, axis=-1))
    labels = rng.integers(0, 100, 5)
    want = -log_softmax(wide(x))[np.arange(5), labels]
    close(fastops.cross_entropy(x, labels), want, "float32", 5)
    with pytest.raises(IndexError, match=r"cross_entropy\(\): index \[100\] of argument 'x' is out of range for shape \[100\]"):
        fastops.cross_entropy(x, np.full(5, 100))


@pytest.mark.parametrize("size", [(10, 18), (40, 80), (20, 37), (1, 1), (0, 7), (7, 0), (15, 16), (17, 4095), (4096, 2), (3, 4097)])
def test_resize(size: tuple[int, int], rng: np.random.Generator) -> None:
    image = rng.integers(0, 256, (20, 37, 3), dtype=np.uint8)
    (h, w), (rows, columns) = image.shape[:2], size
    y = np.maximum((np.arange(rows) + 0.5) * (h / max(rows, 1)) - 0.5, 0)
    x = np.maximum((np.arange(columns) + 0.5) * (w / max(columns, 1)) - 0.5, 0)
    y0, x0 = y.astype(int), x.astype(int)
    y1, x1 = np.minimum(y0 + 1, h - 1), np.minimum(x0 + 1, w - 1)
    b, a = (y - y0)[:, None, None], (x - x0)[None, :, None]
    top = image[y0][:, x0] * (1 - a) + image[y0][:, x1] * a
    want = top * (1 - b) + (image[y1][:, x0] * (1 - a) + image[y1][:, x1] * a) * b
    out = np.empty((rows, columns, 3), np.float32)
    np.testing.assert_allclose(fastops.resize_bilinear(image, out=out), want, rtol=1e-4, atol=1e-2)
    mean, std = np.array([0.4, 0.5, 0.6], np.float32), np.array([0.2, 0.3, 0.4], np.float32)
    planes = np.empty((3, rows, columns), np.float32)
    fastops.resize_normalize(image, mean, std, out=planes)
    np.testing.assert_allclose(planes, ((want / 255 - mean) / std).transpose(2, 0, 1), rtol=1e-4, atol=1e-3)


THREADS = """
import hashlib
import numpy as np, fastops
rng = np.random.default_rng(5)
digest = hashlib.sha256()
def add(*arrays):
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
for n in (1 << 17, 300_001, 1_000_003):
    x = rng.standard_normal(n).astype(np.float32)
    add(fastops.sum(x), *fastops.mean_var(x), fastops.softmax(x), fastops.argmax(x), fastops.log_softmax(x))
    add(fastops.softmax(x[::-1]), fastops.cumsum(x), fastops.softmax(np.stack([x, -x])))
    add(fastops.histogram(rng.integers(0, 256, n, dtype=np.uint8), out=np.zeros(256, np.int64)))
grid = rng.standard_normal((700, 501)).astype(np.float32)
add(fastops.jacobi(grid), fastops.transpose(grid), fastops.softmax(grid), *fastops.gaussian_blur(grid, np.uint32(2)))
row, eps = grid[0].copy(), np.float32(1e-5)
add(fastops.layernorm(grid, row, row, eps), fastops.rmsnorm(grid, row, eps), fastops.cross_entropy(grid, rng.integers(0, 501, 700)))
add(fastops.matmul(grid, grid.T), fastops.pairwise_sqdist(grid[:99], grid), fastops.cumsum(grid))
image = rng.integers(0, 256, (2, 300, 401, 3), dtype=np.uint8)
means, scales = rng.random(3, np.float32), 0.5 + rng.random(3, np.float32)
add(fastops.hwc_u8_to_chw_f32(image, means, scales))
add(fastops.resize_bilinear(image, out=np.empty((2, 512, 300, 3), np.float32)))
add(fastops.resize_normalize(image, means, scales, out=np.empty((2, 3, 512, 300), np.float32)))
add(*fastops.top_k(grid, out=(np.empty((700, 9), np.float32), np.empty((700, 9), np.int64))))
bad = rng.integers(0, 100, 400_000, dtype=np.int32)
bad[[399_000, 250_000]] = 777, 555
for _ in range(3):
    try:
        fastops.histogram(bad, out=np.zeros(100, np.int64))
    except IndexError as error:
        digest.update(str(error).encode())
print(digest.hexdigest())
"""


def test_same_bits_for_any_number_of_threads() -> None:
    digests = {run_python(THREADS, LANECRAFT_THREADS=str(threads)) for threads in range(1, 9)}
    assert len(digests) == 1


@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_optional_dimensions(dtype: str, rng: np.random.Generator) -> None:
    def some(*shape: int) -> np.ndarray:
        return rng.integers(-9, 9, shape).astype(dtype)

    for a, b in [
        (some(4, 17), some(17, 33)),
        (some(17), some(17, 33)),
        (some(4, 17), some(17)),
        (some(17), some(17)),
        (some(5, 4, 17), some(17, 3)),
        (some(5, 4, 17), some(17)),
        (some(2, 5, 4, 17)[:, ::-1, :, ::-1], some(5, 17, 3)),
    ]:
        got = kernel_shapes.product(a, b)
        want = np.matmul(a, b)
        assert np.shape(got) == np.shape(want)
        np.testing.assert_array_equal(got, want)
    assert isinstance(kernel_shapes.product(some(3), some(3)), np.generic)
    with pytest.raises(ValueError, match=r"product\(\): argument 'b' has a mismatch"):
        kernel_shapes.product(some(3), some(4))


def test_empty_dimensions() -> None:
    with pytest.raises(ValueError, match=r"^argmax\(\): dimension n of argument 'x' is empty; it has to hold an element at least$"):
        fastops.argmax(np.zeros((3, 0)))
    # No items, no error; NumPy gives an array without elements.
    assert fastops.argmax(np.zeros((0, 5))).shape == (0,)
    with pytest.raises(ValueError, match=r"least\(\): dimension n of argument 'x' is empty"):
        kernel_shapes.least(np.zeros((3, 0), np.float32))
    with pytest.raises(ValueError, match=r"least\(\): dimension m of argument 'x' is empty"):
        kernel_shapes.least(np.zeros((0, 3), np.float32))
    # The error is gone with the next call.
    assert kernel_shapes.least(np.ones((2, 3), np.float32)) == (1, 1)


def test_copies_that_memory_does_not_hold() -> None:
    """Rust's own way would end the process."""
    of = np.broadcast_to
    rest = "bytes of memory besides, which there are not: a copy, as elements of its last axis do not lie side by side"
    for call, argument in [
        (lambda: kernel_shapes.take(of(np.float32(1), (1 << 45,)), np.array([3])), "take(): argument 'x' takes 140737488355328"),
        (lambda: kernel_shapes.least(of(np.float32(1), (1 << 20, 1 << 25))), "least(): argument 'x' takes 140737488355328"),
        (lambda: kernel_shapes.product(of(1.0, (2, 1 << 45)), of(1.0, (1 << 45, 2))), "product(): argument 'a' takes 562949953421312"),
    ]:
        with pytest.raises(MemoryError) as caught:
            call()
        assert str(caught.value) == f"{argument} {rest}"
    assert kernel_shapes.take(of(np.float32(2), (5,)), np.array([3])) == [2]
