import cookbook
import numpy as np

ROW = "8 of 2^20, f32"
X = np.random.default_rng(1).standard_normal(1 << 20, np.float32)
VALUES, INDICES = np.empty(8, np.float32), np.empty(8, np.int64)


def ours() -> object:
    cookbook.top_k(X, out=(VALUES, INDICES))
    return INDICES


def numpy() -> object:
    part = np.argpartition(X, -8)[-8:]
    return part[np.argsort(-X[part])]
