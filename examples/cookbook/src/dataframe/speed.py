import cookbook
import numpy as np

ROW = "2^18 rows of 5 columns"
RANDOM = np.random.default_rng(1)
PRICE = RANDOM.uniform(0.01, 500, 1 << 18)
COUNT, TIME, CUSTOMER, ARTICLE = (RANDOM.integers(1, high, 1 << 18) for high in (9, 2 * 10**9, 10**6, 10**5))


def ours() -> object:
    return np.stack(cookbook.features(PRICE, COUNT, TIME, CUSTOMER, ARTICLE))


def mixed(x: np.ndarray) -> np.ndarray:
    z = x + np.uint64(0x9E37_79B9_7F4A_7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return z ^ (z >> np.uint64(31))


def numpy() -> object:
    amount = np.log1p(PRICE * COUNT).astype(np.float32)
    angle = TIME % 86_400 / 86_400 * (2 * np.pi)
    sin, cos = np.sin(angle).astype(np.float32), np.cos(angle).astype(np.float32)
    cross = (mixed(CUSTOMER.astype(np.uint64) ^ mixed(ARTICLE.astype(np.uint64))) % np.uint64(1 << 20)).astype(np.int32)
    return np.stack((amount, sin, cos, cross))
