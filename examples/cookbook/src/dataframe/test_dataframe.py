import cookbook
import numpy as np
import pandas as pd

MASK = 2**64 - 1


def mixed(x: int) -> int:
    z = (x + 0x9E37_79B9_7F4A_7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return z ^ (z >> 31)


def table(n: int) -> pd.DataFrame:
    random = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "price": random.uniform(0.01, 500, n),
            "count": random.integers(1, 9, n),
            "time": random.integers(-(10**9), 2 * 10**9, n),
            "customer": random.integers(0, 10**6, n),
            "article": random.integers(0, 10**5, n),
        },
        index=np.arange(n)[::-1],
    )


def test_columns_in_columns_out() -> None:
    t = table(1000)
    amount, sin, cos, cross = cookbook.features(t["price"], t["count"], t["time"], t["customer"], t["article"])
    assert isinstance(amount, pd.Series) and (amount.index == t.index).all() and amount.dtype == np.float32
    np.testing.assert_allclose(amount, np.log1p(t["price"] * t["count"]), rtol=1e-7)
    angle = (t["time"] % 86_400) / 86_400 * 2 * np.pi
    np.testing.assert_allclose(sin, np.sin(angle), atol=1e-7)
    np.testing.assert_allclose(cos, np.cos(angle), atol=1e-7)
    expected = [mixed(c ^ mixed(a)) % 2**20 for c, a in zip(t["customer"].tolist(), t["article"].tolist(), strict=True)]
    assert cross.tolist() == expected
