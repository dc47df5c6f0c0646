import cookbook
import numpy as np
import pytest
from scipy import special


@pytest.mark.parametrize(("dtype", "bound"), [("f4", 2e-6), ("f8", 1e-14)])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (5, 64), (37, 200)])
def test_against_scipy(dtype: str, bound: float, m: int, n: int) -> None:
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal((3, rows, 32)).astype(dtype) for rows in (m, n, n))
    scores = q.astype(float) @ k.astype(float).swapaxes(-1, -2) / 32**0.5
    expected = special.softmax(scores, axis=-1) @ v
    np.testing.assert_allclose(cookbook.attention(q, k.swapaxes(-1, -2), v), expected, rtol=bound, atol=bound)


def test_large_scores_do_not_overflow() -> None:
    q = np.full((1, 4), 1e4, np.float32)
    k = np.linspace(-1, 1, 100, dtype=np.float32).repeat(4).reshape(100, 4)
    v = np.arange(100, dtype=np.float32)[:, None]
    np.testing.assert_allclose(cookbook.attention(q, k.T, v), [[99]])
