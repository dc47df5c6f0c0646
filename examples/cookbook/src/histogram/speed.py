import cookbook
import numpy as np

ROW = "2^22 bytes"
X = np.random.default_rng(1).integers(0, 256, 1 << 22, np.uint8)


def ours() -> object:
    return cookbook.histogram(X)


def numpy() -> object:
    return np.bincount(X, minlength=256)
