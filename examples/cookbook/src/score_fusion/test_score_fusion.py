import cookbook
import numpy as np
import pytest


def test_against_a_dict() -> None:
    lists = np.array([[5, 2, 9, -1], [2, 5, 7, 9], [9, -1, -1, -1]])
    weights = np.array([1.0, 0.5, 2.0], np.float32)
    expected: dict[int, float] = {}
    for items, weight in zip(lists.tolist(), weights.tolist(), strict=True):
        for rank, item in enumerate(items, start=1):
            if item >= 0:
                expected[item] = expected.get(item, 0) + weight / (60 + rank)
    scores = cookbook.fuse(lists, weights, out=np.empty(10, np.float32))
    np.testing.assert_allclose(scores, [expected.get(item, 0) for item in range(10)], rtol=1e-6)
    _, best = cookbook.top_k(scores, out=(np.empty(3, np.float32), np.empty(3, np.int64)))
    assert best.tolist() == [9, 5, 2]


def test_an_item_that_there_is_not() -> None:
    with pytest.raises(IndexError, match=r"fuse\(\).*index \[10\] of argument 'scores'"):
        cookbook.fuse(np.array([[1, 10]]), np.ones(1, np.float32), out=np.empty(10, np.float32))
