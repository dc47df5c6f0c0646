import cookbook
import numpy as np

ROW = "16 of 2^16 points of 8 numbers"
POINTS = np.random.default_rng(1).standard_normal((8, 1 << 16), np.float32)
SEEDS, LEFT = np.empty(16, np.int64), np.empty(1 << 16, np.float32)


def ours() -> object:
    cookbook.kmeans_seeds(POINTS, 1, out=(SEEDS, LEFT))
    return SEEDS


def numpy() -> object:
    random = np.random.default_rng(1)
    at, left = int(random.integers(1 << 16)), np.full(1 << 16, np.float32(np.inf))
    chosen = []
    for _ in range(16):
        chosen.append(at)
        np.minimum(left, ((POINTS - POINTS[:, at, None]) ** 2).sum(0), out=left)
        sums = np.cumsum(left, dtype=np.float64)
        at = int(np.searchsorted(sums, random.random() * sums[-1], side="right"))
    return chosen


# Other random numbers.
MAY_DIFFER = 1
