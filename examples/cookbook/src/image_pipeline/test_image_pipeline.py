import cookbook
import numpy as np
from scipy import ndimage


def test_against_scipy() -> None:
    rgb = np.random.default_rng(1).integers(0, 256, (45, 67, 3), np.uint8)
    rgb = ndimage.uniform_filter(rgb, (9, 9, 1))
    edges, gray, blurred = cookbook.edges(rgb, 20.0)
    np.testing.assert_array_equal(gray, cookbook.grayscale(rgb))
    mean = ndimage.uniform_filter(gray.astype(float), 3, mode="nearest")
    np.testing.assert_allclose(blurred, mean, rtol=1e-6)
    length = np.hypot(ndimage.sobel(mean, 0, mode="nearest"), ndimage.sobel(mean, 1, mode="nearest"))
    decided = abs(length - 20) > 1e-3
    np.testing.assert_array_equal(edges[decided], np.where(length > 20, 255, 0)[decided])
    assert 0.1 < (edges == 255).mean() < 0.9


def test_a_flat_image_has_no_edges() -> None:
    assert not cookbook.edges(np.full((8, 9, 3), 200, np.uint8), 1.0)[0].any()
