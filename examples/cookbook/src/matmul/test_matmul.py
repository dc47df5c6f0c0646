import cookbook
import numpy as np
import pytest


@pytest.mark.parametrize(("dtype", "bound"), [("f4", 1e-5), ("f8", 1e-14)])
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 7), (8, 16, 32), (13, 100, 45)])
def test_against_numpy(dtype: str, bound: float, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    random = np.random.default_rng(1)
    a, b, bias = (random.uniform(-1, 1, size).astype(dtype) for size in [(2, m, k), (k, n), n])
    expected = np.maximum(a.astype(float) @ b.astype(float) + bias, 0)
    np.testing.assert_allclose(cookbook.dense_relu(a, b, bias), expected, rtol=0, atol=bound * k**0.5)
