"""Block kernels of fastops against the functions of SciPy and Pillow that they are the same as."""

from __future__ import annotations

from typing import Any

import fastops
import numpy as np
import pytest
from PIL import Image
from scipy import ndimage, special
from scipy.spatial import distance

SIZES = [1, 15, 16, 17, 4095, 4096, 4097]
GRIDS = [(1, 1), (1, 17), (15, 16), (17, 33), (3, 4095), (4096, 2), (4, 4097)]
# Their sums are in another order.
TOLERANCE = {"float32": 4e-6, "float64": 4e-14}


def close(ours: Any, theirs: Any, dtype: str, scale: float = 1) -> None:
    assert ours.dtype == dtype
    bound = TOLERANCE[dtype] * scale
    np.testing.assert_allclose(ours.astype(np.float64), theirs, rtol=bound, atol=bound)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("n", SIZES)
def test_rows(dtype: str, n: int, rng: np.random.Generator) -> None:
    x = rng.standard_normal((3, n)).astype(dtype)
    wide = x.astype(np.float64)
    close(fastops.softmax(x), special.softmax(wide, axis=-1), dtype)
    close(fastops.log_softmax(x), special.log_softmax(wide, axis=-1), dtype, 2)
    labels = rng.integers(0, n, 3)
    theirs = special.logsumexp(wide, axis=-1) - wide[np.arange(3), labels]
    close(fastops.cross_entropy(x, labels), theirs, dtype, 5)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("shape", GRIDS)
def test_filters(dtype: str, shape: tuple[int, int], rng: np.random.Generator) -> None:
    x = rng.standard_normal(shape).astype(dtype)
    wide = x.astype(np.float64)
    neighbours = np.array([[0, 0.25, 0], [0.25, 0, 0.25], [0, 0.25, 0]])
    close(fastops.jacobi(x), ndimage.correlate(wide, neighbours, mode="nearest"), dtype)
    for radius in (1, 3):
        _, blurred = fastops.gaussian_blur(x, np.uint32(radius))
        close(blurred, ndimage.gaussian_filter(wide, 0.5 * radius + 1e-6, mode="mirror", radius=radius), dtype)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize(("m", "n", "d"), [(1, 1, 1), (15, 16, 17), (3, 5, 4095), (4096, 2, 3), (2, 4097, 3)])
def test_distances(dtype: str, m: int, n: int, d: int, rng: np.random.Generator) -> None:
    x, y = rng.standard_normal((m, d)).astype(dtype), rng.standard_normal((n, d)).astype(dtype)
    theirs = distance.cdist(x.astype(np.float64), y.astype(np.float64), "sqeuclidean")
    close(fastops.pairwise_sqdist(x, y), theirs, dtype, 5)


@pytest.mark.parametrize("size", [(20, 37), (21, 38), (40, 74), (63, 100), (20, 4097)])
def test_enlarged_images(size: tuple[int, int], rng: np.random.Generator) -> None:
    """Pillow takes the mean of what an image is made smaller by; made larger, its pixels are ours."""
    image = rng.integers(0, 256, (20, 37), dtype=np.uint8)
    theirs = Image.fromarray(image.astype(np.float32)).resize(size[::-1], Image.Resampling.BILINEAR)
    ours = fastops.resize_bilinear(image[:, :, None], out=np.empty((*size, 1), np.float32))
    np.testing.assert_allclose(ours[:, :, 0], np.asarray(theirs), rtol=1e-4, atol=1e-2)
