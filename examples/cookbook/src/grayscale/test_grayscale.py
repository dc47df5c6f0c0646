import cookbook
import numpy as np


def test_all_grays_and_random_colours() -> None:
    gray = np.repeat(np.arange(256, dtype=np.uint8), 3).reshape(16, 16, 3)
    np.testing.assert_array_equal(cookbook.grayscale(gray), gray[..., 0])
    rgb = np.random.default_rng(1).integers(0, 256, (37, 53, 3), np.uint8)
    exact = rgb @ np.array([0.299, 0.587, 0.114])
    assert np.abs(cookbook.grayscale(rgb) - exact).max() < 0.501


def test_a_batch_and_a_view() -> None:
    rgb = np.random.default_rng(2).integers(0, 256, (2, 20, 30, 3), np.uint8)
    whole = cookbook.grayscale(rgb)
    assert whole.shape == (2, 20, 30)
    np.testing.assert_array_equal(cookbook.grayscale(rgb[:, ::2, ::-1]), whole[:, ::2, ::-1])
