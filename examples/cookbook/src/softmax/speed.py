import cookbook
import numpy as np

ROW = "1024 rows of 1024, f32"
X = np.random.default_rng(1).standard_normal((1024, 1024), np.float32)
KEEP = np.random.default_rng(2).random((1024, 1024)) < 0.7


def ours() -> object:
    return cookbook.masked_softmax(X, KEEP, 0.5)


def numpy() -> object:
    x = np.where(KEEP, X, np.float32(-np.inf))
    e = np.exp((x - x.max(-1, keepdims=True)) / np.float32(0.5))
    e /= e.sum(-1, keepdims=True)
    return e
