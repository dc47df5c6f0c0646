import cookbook
import numba
import numpy as np

ROW = "1024 x 1024, 256 steps at most, f32"
X = np.linspace(-2, 0.6, 1024, dtype=np.float32)
Y = np.linspace(-1.3, 1.3, 1024, dtype=np.float32)[:, None]


def ours() -> object:
    return cookbook.mandelbrot(X, Y, max_iter=256)


@numba.vectorize(["f4(f4, f4, i4)"], fastmath=True)
def loops(cx, cy, max_iter):
    x = y = np.float32(0)
    for n in range(max_iter):
        xx, yy = x * x, y * y
        if xx + yy > np.float32(256):
            return np.float32(n) + np.float32(1) - np.log2(np.float32(0.5) * np.log2(xx + yy))
        y = np.float32(2) * x * y + cy
        x = xx - yy + cx
    return np.float32(max_iter)


def numba_loops() -> object:
    return loops(X, Y, np.int32(256))


# At the border one rounding decides how many steps there are.
MAY_DIFFER = 0.01
