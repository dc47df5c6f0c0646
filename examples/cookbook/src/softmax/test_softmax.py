import cookbook
import numpy as np
import pytest
from scipy import special


@pytest.mark.parametrize(("dtype", "bound"), [("f2", 1e-3), ("f4", 4e-6), ("f8", 1e-14)])
def test_against_scipy(dtype: str, bound: float) -> None:
    random = np.random.default_rng(1)
    x = (random.standard_normal((9, 333)) * 3).astype(dtype)
    keep = random.random((9, 333)) < 0.7
    expected = special.softmax(np.where(keep, x.astype(float) / 0.5, -np.inf), axis=-1)
    got = cookbook.masked_softmax(x, keep, np.dtype(dtype).type(0.5))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, expected, rtol=bound, atol=1e-7 if dtype == "f2" else 0)


def test_nothing_kept() -> None:
    assert not cookbook.masked_softmax(np.ones(5), np.zeros(5, bool), 1.0).any()
