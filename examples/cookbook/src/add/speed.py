import cookbook
import numpy as np

ROW = "2^20 f32 and f32, `out=`"
X, Y = np.random.default_rng(1).standard_normal((2, 1 << 20), np.float32)
OUT = np.ones_like(X)


def ours() -> object:
    return cookbook.add(X, Y, out=OUT)


def numpy() -> object:
    return np.add(X, Y, out=OUT)
