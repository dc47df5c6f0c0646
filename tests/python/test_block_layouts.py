"""Every block kernel of fastops on every dtype and layout: against NumPy in float64, and bit for bit against contiguous arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import fastops
import numpy as np
import pytest
from numpy.typing import NDArray

Array = NDArray[Any]

SIZES = [0, 1, 15, 16, 17, 4095, 4096, 4097]
GRIDS = [(0, 5), (5, 0), (1, 1), (1, 17), (15, 16), (16, 15), (17, 33)]
GRIDS += [(3, 4095), (2, 4096), (2, 4097), (4095, 2), (4096, 3), (4097, 1)]
PRODUCTS = [(0, 3, 4), (5, 0, 6), (2, 3, 0), (1, 1, 1), (6, 16, 16), (13, 15, 17), (7, 129, 33)]
PRODUCTS += [size for n in (4095, 4096, 4097) for size in ((2, n, 3), (3, 2, n), (n, 3, 2))]
IMAGES = [(1, 1, 1), (1, 17, 3), (15, 16, 3), (17, 15, 4), (16, 2, 0), (2, 4095, 1), (2, 4096, 3), (3, 4097, 1), (4095, 2, 1), (4096, 1, 3)]


@dataclass
class Case:
    """A kernel: what it is called with, how many core axes each operand has, and what NumPy gives."""

    kernel: Any
    sizes: list[Any]
    make: Callable[[Any, np.random.Generator], list[Array]]
    cores: list[int]
    reference: Callable[..., Any]
    tolerance: float = 0.0
    # How large the numbers are that an output holds on the way to its results, and f16 and bf16 round there.
    between: float = 0.0
    # The outputs, where their shapes do not follow from the inputs.
    outputs: Callable[[Any], list[Array]] | None = None

    def __call__(self, size: Any, arrays: list[Array], **keywords: Any) -> list[Array]:
        if self.outputs is not None:
            outs = self.outputs(size)
            if "axes" in keywords:
                outs = [to_front(out, core) for out, core in zip(outs, self.cores[len(arrays) :], strict=True)]
            keywords["out"] = tuple(outs)
        result = self.kernel(*arrays, **keywords)
        return [np.asarray(array) for array in (result if isinstance(result, tuple) else (result,))]


def floats(rng: np.random.Generator, *shape: int) -> Array:
    return rng.standard_normal(shape).astype(np.float32)


def to_front(x: Array, core: int) -> Array:
    return np.moveaxis(x, range(x.ndim - core, x.ndim), range(core))


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True, initial=-np.inf))
    return e / e.sum(axis=-1, keepdims=True)


def log_sum_exp(x: Array) -> Array:
    m = x.max(axis=-1, initial=-np.inf)
    with np.errstate(divide="ignore"):
        return m + np.log(np.exp(x - m[..., None]).sum(axis=-1))


def layernorm(x: Array, gamma: Array, beta: Array, eps: Array) -> Array:
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps) * gamma + beta


def rmsnorm(x: Array, gamma: Array, eps: Array) -> Array:
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps) * gamma


def top_k(x: Array, k: int) -> tuple[Array, Array]:
    indices = np.argsort(-x, axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(x, indices, axis=-1), indices


def jacobi(x: Array) -> Array:
    i, j = np.arange(x.shape[-2])[:, None], np.arange(x.shape[-1])
    up, down = np.maximum(i - 1, 0), np.minimum(i + 1, x.shape[-2] - 1)
    left, right = np.maximum(j - 1, 0), np.minimum(j + 1, x.shape[-1] - 1)
    return 0.25 * (x[..., up, j] + x[..., down, j] + x[..., i, left] + x[..., i, right])


def mirrored(k: Array, n: int) -> Array:
    period = max(2 * n - 2, 1)
    k = k % period
    return np.minimum(k, period - k) if n > 1 else np.zeros_like(k)


def blur(x: Array, radius: Array) -> tuple[Array, Array]:
    r = int(radius)
    d = np.arange(-r, r + 1)
    weights = np.exp(-0.5 * d * d / (0.5 * r + 1e-6) ** 2)
    weights /= weights.sum()
    h, w = x.shape[-2:]
    if h * w == 0:
        return x, x
    rows = sum(a * x[..., mirrored(np.arange(w) + k, w)] for a, k in zip(weights, d, strict=True))
    return rows, sum(a * rows[..., mirrored(np.arange(h) + k, h), :] for a, k in zip(weights, d, strict=True))


def resized(image: Array, height: int, width: int) -> Array:
    h, w = image.shape[-3:-1]
    y = np.maximum((np.arange(height) + 0.5) * (h / height) - 0.5, 0)
    x = np.maximum((np.arange(width) + 0.5) * (w / width) - 0.5, 0)
    y0, x0 = y.astype(int), x.astype(int)
    y1, x1 = np.minimum(y0 + 1, h - 1), np.minimum(x0 + 1, w - 1)
    b, a = (y - y0)[:, None, None], (x - x0)[None, :, None]
    top = image[..., y0, :, :][..., x0, :] * (1 - a) + image[..., y0, :, :][..., x1, :] * a
    return top * (1 - b) + (image[..., y1, :, :][..., x0, :] * (1 - a) + image[..., y1, :, :][..., x1, :] * a) * b


def planes(image: Array, mean: Array, std: Array) -> Array:
    return np.moveaxis((image / 255 - mean) / std, -1, -3)


def pixels(size: Any, rng: np.random.Generator) -> Array:
    return rng.integers(0, 256, (2, *size), dtype=np.uint8)


def normalisation(size: Any, rng: np.random.Generator) -> list[Array]:
    return [rng.random(size[2], np.float32), 0.5 + rng.random(size[2], np.float32)]


NONEMPTY = SIZES[1:]
HEIGHT, WIDTH = 9, 19
CASES = [
    Case(fastops.softmax, SIZES, lambda n, r: [floats(r, 3, n)], [1, 1], softmax, 4e-6),
    Case(fastops.log_softmax, SIZES, lambda n, r: [floats(r, 3, n)], [1, 1], lambda x: x - log_sum_exp(x)[..., None], 8e-6),
    Case(
        fastops.layernorm,
        NONEMPTY,
        lambda n, r: [floats(r, 3, n), floats(r, n), floats(r, n), np.float32(1e-3)],
        [1, 1, 1, 0, 1],
        layernorm,
        # Of equal values it is rounding errors over the root of eps.
        2e-4,
        between=4,
    ),
    Case(fastops.rmsnorm, NONEMPTY, lambda n, r: [floats(r, 3, n), floats(r, n), np.float32(1e-3)], [1, 1, 0, 1], rmsnorm, 2e-5),
    Case(fastops.sum, SIZES, lambda n, r: [floats(r, 3, n)], [1, 0], lambda x: x.sum(axis=-1), 1e-3),
    Case(fastops.sum, SIZES, lambda n, r: [r.integers(-99, 99, (3, n))], [1, 0], lambda x: x.sum(axis=-1)),
    Case(fastops.mean_var, NONEMPTY, lambda n, r: [floats(r, 3, n)], [1, 0, 0], lambda x: (x.mean(axis=-1), x.var(axis=-1)), 1e-5),
    Case(fastops.argmax, NONEMPTY, lambda n, r: [r.integers(0, 50, (3, n))], [1, 0], lambda x: x.argmax(axis=-1)),
    Case(fastops.cumsum, SIZES, lambda n, r: [r.integers(-99, 99, (3, n))], [1, 1], lambda x: x.cumsum(axis=-1)),
    Case(
        fastops.histogram,
        SIZES,
        lambda n, r: [r.integers(0, 256, (3, n), dtype=np.uint8)],
        [1, 1],
        lambda x: np.stack([np.bincount(row.astype(int), minlength=256) for row in x]),
        outputs=lambda n: [np.empty((3, 256), np.int64)],
    ),
    Case(
        fastops.top_k,
        SIZES,
        lambda n, r: [r.integers(0, 50, (3, n)).astype(np.float32)],
        [1, 1, 1],
        lambda x: top_k(x, min(5, x.shape[-1])),
        outputs=lambda n: [np.empty((3, min(5, n)), np.float32), np.empty((3, min(5, n)), np.int64)],
    ),
    Case(
        fastops.cross_entropy,
        NONEMPTY,
        lambda n, r: [floats(r, 3, n), r.integers(0, n, 3)],
        [1, 0, 0],
        lambda x, label: log_sum_exp(x) - np.take_along_axis(x, label.astype(int)[:, None], axis=-1)[:, 0],
        2e-5,
    ),
    Case(fastops.jacobi, GRIDS, lambda s, r: [floats(r, 2, *s)], [2, 2], jacobi, 4e-6),
    Case(fastops.gaussian_blur, GRIDS, lambda s, r: [floats(r, 2, *s), np.uint32(2)], [2, 0, 2, 2], blur, 1e-5),
    Case(fastops.transpose, GRIDS, lambda s, r: [floats(r, 2, *s)], [2, 2], lambda x: x.swapaxes(-1, -2)),
    Case(fastops.matmul, PRODUCTS, lambda s, r: [floats(r, 2, s[0], s[1]), floats(r, s[1], s[2])], [2, 2, 2], lambda a, b: a @ b, 1e-3),
    Case(
        fastops.pairwise_sqdist,
        PRODUCTS,
        lambda s, r: [floats(r, 2, s[0], s[1]), floats(r, s[2], s[1])],
        [2, 2, 2],
        lambda x, y: ((x[..., :, None, :] - y[..., None, :, :]) ** 2).sum(axis=-1),
        1e-2,
    ),
    Case(
        fastops.hwc_u8_to_chw_f32,
        [(0, 4, 3), (4, 0, 3), *IMAGES],
        lambda s, r: [pixels(s, r), *normalisation(s, r)],
        [3, 1, 1, 3],
        planes,
        2e-5,
    ),
    Case(
        fastops.resize_bilinear,
        IMAGES,
        lambda s, r: [pixels(s, r)],
        [3, 3],
        lambda image: resized(image, HEIGHT, WIDTH),
        2e-2,
        outputs=lambda s: [np.empty((2, HEIGHT, WIDTH, s[2]), np.float32)],
    ),
    Case(
        fastops.resize_normalize,
        IMAGES,
        lambda s, r: [pixels(s, r), *normalisation(s, r)],
        [3, 1, 1, 3],
        lambda image, mean, std: planes(resized(image, HEIGHT, WIDTH), mean, std),
        1e-3,
        outputs=lambda s: [np.empty((2, s[2], HEIGHT, WIDTH), np.float32)],
    ),
]


def backwards(x: Array) -> Array:
    """The same values, with negative strides on every axis."""
    flipped = tuple(slice(None, None, -1) for _ in x.shape)
    return x[flipped].copy()[flipped]


def apart(x: Array) -> Array:
    """The same values, with others between them on every axis."""
    room = np.zeros([2 * n for n in x.shape], x.dtype)
    room[tuple(slice(None, None, 2) for _ in x.shape)] = x
    return room[tuple(slice(None, None, 2) for _ in x.shape)]


LAYOUTS: list[Callable[[Array], Array]] = [backwards, apart, np.asfortranarray]


def of_one_value(x: Array, core: int) -> Array:
    """Zero strides on the last core axis."""
    return np.broadcast_to(x[..., :1], x.shape) if core > 0 and x.size > 0 else x


def names(case: object) -> str:
    return f"{case.kernel.__name__}" if isinstance(case, Case) else ""


@pytest.mark.parametrize("case", CASES, ids=names)
def test_layouts(case: Case, rng: np.random.Generator) -> None:
    for size in case.sizes:
        first = case.make(size, rng)
        for arrays in (first, [of_one_value(np.asarray(x), core) for x, core in zip(first, case.cores, strict=False)]):
            contiguous = [np.ascontiguousarray(x).reshape(np.shape(x)) for x in arrays]
            want = case.reference(*(x.astype(np.float64) for x in contiguous))
            got = case(size, contiguous)
            for one, reference in zip(got, want if isinstance(want, tuple) else (want,), strict=True):
                np.testing.assert_allclose(one, reference, rtol=case.tolerance, atol=case.tolerance, err_msg=f"{size}")
            others = [case(size, arrays), *(case(size, [layout(np.asarray(x)) for x in contiguous]) for layout in LAYOUTS)]
            # The core axes in front, of the outputs too.
            front = [to_front(x, core) for x, core in zip(contiguous, case.cores, strict=False)]
            axes = [tuple(range(core)) for core in case.cores]
            moved = case(size, front, axes=axes)
            cores = case.cores[len(front) :]
            others.append([np.moveaxis(x, range(core), range(-core, 0)) for x, core in zip(moved, cores, strict=True)])
            for other in others:
                for one, two in zip(got, other, strict=True):
                    assert one.dtype == two.dtype
                    np.testing.assert_array_equal(one, two, err_msg=f"{size}")


def of_dtype(x: Array, dtype: np.dtype[Any]) -> Array:
    """The values in another dtype; as whole numbers they are small, and not negative."""
    if dtype.kind in "iu":
        x = np.abs(x if x.dtype.kind in "iu" else 20 * x)
    return x.astype(dtype)


# How far a result may be off, and what a case's tolerance, which is float32's, is times for the dtype. f16 and bf16 are computed in
# float32, and rounded where they are stored, at most twice.
ROUNDING = {"float16": (2.0**-9, 1.0), "bfloat16": (2.0**-6, 1.0), "float64": (0.0, 2.0**-27)}


@pytest.mark.parametrize("case", CASES, ids=names)
def test_dtypes(case: Case, rng: np.random.Generator) -> None:
    for size in case.sizes:
        made = [np.asarray(x) for x in case.make(size, rng)]
        for inputs, outputs in case.kernel.dtypes:
            arrays = [of_dtype(x, dtype) for x, dtype in zip(made, inputs, strict=True)]
            want = case.reference(*(x.astype(np.float64) for x in arrays))
            keywords = {}
            if case.outputs is not None:
                keywords["out"] = tuple(out.astype(dtype) for out, dtype in zip(case.outputs(size), outputs, strict=True))
            result = case.kernel(*arrays, **keywords)
            got = [np.array(x) for x in (result if isinstance(result, tuple) else (result,))]
            assert [x.dtype for x in got] == list(outputs)
            for one, reference, dtype in zip(got, want if isinstance(want, tuple) else (want,), outputs, strict=True):
                relative, factor = ROUNDING.get(dtype.name, (0.0, 1.0))
                bound = factor * case.tolerance
                np.testing.assert_allclose(
                    one.astype(float), reference, rtol=bound + relative, atol=bound + case.between * relative, err_msg=f"{dtype} {size}"
                )
            other = case.kernel(*(backwards(x) if x.ndim else x for x in arrays), **keywords)
            for one, two in zip(got, other if isinstance(other, tuple) else (other,), strict=True):
                np.testing.assert_array_equal(one, two, err_msg=f"{inputs} {size}")


@pytest.mark.parametrize("kernel", [fastops.softmax, fastops.log_softmax, fastops.cumsum, fastops.sum, fastops.mean_var, fastops.argmax])
def test_axis_and_keepdims(kernel: Any, rng: np.random.Generator) -> None:
    x = floats(rng, 4, 17, 33)
    for axis in (0, 1, 2, -1, -3):
        moved = np.ascontiguousarray(np.moveaxis(x, axis, -1))
        got, want = kernel(x, axis=axis), kernel(moved)
        if kernel in (fastops.sum, fastops.mean_var, fastops.argmax):
            np.testing.assert_array_equal(got, want)
            kept = kernel(x, axis=axis, keepdims=True)
            for one, two in zip(*((a if isinstance(a, tuple) else (a,)) for a in (kept, got)), strict=True):
                np.testing.assert_array_equal(one, np.expand_dims(two, axis))
        else:
            np.testing.assert_array_equal(np.moveaxis(got, axis, -1), want)
            with pytest.raises((TypeError, ValueError), match="keepdims"):
                kernel(x, axis=axis, keepdims=True)


def test_axis_of_several_operands(rng: np.random.Generator) -> None:
    x, gamma, beta, labels = floats(rng, 4, 17, 33), floats(rng, 17), floats(rng, 17), rng.integers(0, 17, (4, 33))
    columns, eps = np.ascontiguousarray(x.swapaxes(1, 2)), np.float32(1e-3)
    for kernel, others in [(fastops.layernorm, (gamma, beta, eps)), (fastops.rmsnorm, (gamma, eps))]:
        want = kernel(columns, *others).swapaxes(1, 2)
        axes = [1] + [0 if np.ndim(other) else () for other in others] + [1]
        np.testing.assert_array_equal(kernel(x, *others, axes=axes), want)
    want = fastops.cross_entropy(columns, labels)
    np.testing.assert_array_equal(fastops.cross_entropy(x, labels, axis=1), want)


SPLIT = [1, 3, 40, 7]


@pytest.mark.parametrize("threads", range(1, 9))
def test_any_split_of_a_batch_gives_the_same_bits(threads: int, rng: np.random.Generator) -> None:
    """Items one by one, in parts, and all at once, on any number of threads."""
    x = floats(rng, 40, 9001)
    for kernel in (fastops.softmax, fastops.sum, fastops.mean_var, fastops.log_softmax):
        whole = kernel(x, threads=threads)
        for part in SPLIT:
            for start in range(0, 40, part):
                own = kernel(x[start : start + part], threads=1)
                for one, two in zip(*((a if isinstance(a, tuple) else (a,)) for a in (own, whole)), strict=True):
                    np.testing.assert_array_equal(one, two[start : start + part])
