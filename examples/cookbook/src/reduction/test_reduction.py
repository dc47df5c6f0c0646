import cookbook
import numpy as np
import pytest
from scipy import special


@pytest.mark.parametrize("dtype", ["u1", "i4", "f4", "f8"])
def test_min_max(dtype: str) -> None:
    x = (np.random.default_rng(1).standard_normal((3, 1001)) * 50 + 100).astype(dtype)
    lo, hi = cookbook.min_max(x)
    np.testing.assert_array_equal(lo, x.min(-1))
    np.testing.assert_array_equal(hi, x.max(-1))


def test_min_max_of_nothing() -> None:
    with pytest.raises(ValueError, match=r"min_max\(\).*n"):
        cookbook.min_max(np.empty((2, 0)))


def test_log_sum_exp() -> None:
    x = np.random.default_rng(2).uniform(-2000, 2000, (20, 777))
    np.testing.assert_allclose(cookbook.log_sum_exp(x), special.logsumexp(x, axis=-1), rtol=1e-14)
    np.testing.assert_allclose(cookbook.log_sum_exp(x, axis=0), special.logsumexp(x, axis=0), rtol=1e-14)
    assert cookbook.log_sum_exp(np.full(5, -np.inf)) == -np.inf
    assert cookbook.log_sum_exp(np.array([1, np.inf])) == np.inf
