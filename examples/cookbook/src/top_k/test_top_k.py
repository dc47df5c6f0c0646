import cookbook
import numpy as np
import pytest


@pytest.mark.parametrize("n", [8, 100, 5000])
@pytest.mark.parametrize("k", [1, 8])
def test_against_a_sort(n: int, k: int) -> None:
    x = np.random.default_rng(n).integers(-50, 50, (4, n)).astype(np.float32)  # with equal values
    indices = np.empty((4, k), np.int64)
    values, _ = cookbook.top_k(x, out=(np.empty((4, k), np.float32), indices))
    order = np.argsort(-x, axis=-1, kind="stable")[:, :k]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, -1))


def test_infinities_and_too_few() -> None:
    x = np.array([-np.inf, np.inf, np.nan, np.inf])
    _, indices = cookbook.top_k(x, out=(np.empty(3), np.empty(3, np.int64)))
    assert indices.tolist() == [1, 3, 0]
    with pytest.raises(IndexError, match=r"top_k\(\).*index \[4\] of argument 'x'"):
        cookbook.top_k(x, out=(np.empty(4), np.empty(4, np.int64)))
