import cookbook
import numpy as np

ROW = "4 heads of 512 queries and keys of 64, f32"
Q, K, V = np.random.default_rng(1).standard_normal((3, 4, 512, 64), np.float32)


def ours() -> object:
    return cookbook.attention(Q, K.swapaxes(-1, -2), V)


def numpy() -> object:
    s = Q @ K.swapaxes(-1, -2)
    s *= np.float32(1 / 8)
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(-1, keepdims=True)
    return s @ V
