import cookbook
import numpy as np
import pytest


@pytest.mark.parametrize("dtype", ["u1", "i4", "f2", "f4", "f8"])
def test_add(dtype: str) -> None:
    x = np.arange(300).astype(dtype)
    y = x[::-1]  # any stride
    np.testing.assert_array_equal(cookbook.add(x, y), x + y)


def test_it_is_a_ufunc() -> None:
    x = np.arange(6.0).reshape(2, 3)
    out = np.zeros((2, 3))
    assert cookbook.add(x, x[:, :1], out=out, where=x > 1) is out
    np.testing.assert_array_equal(out, [[0, 0, 2], [6, 7, 8]])


def test_a_number_takes_the_dtype_of_the_array() -> None:
    for dtype in ["u1", "i4", "f2", "f4", "f8"]:
        assert cookbook.add(np.ones(3, dtype), 1).dtype == dtype
    assert cookbook.add(np.ones(3, np.uint8), np.ones(3, np.int32)).dtype == np.int32
    assert cookbook.add(np.ones(3, np.int32), 0.5).dtype == np.float64
