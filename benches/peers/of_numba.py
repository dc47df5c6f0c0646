"""What a Numba user writes: loops, each with `fastmath`, which leaves the order of sums to LLVM, and (`exact`) without."""

from types import SimpleNamespace
from typing import Any

import numba
import numpy as np

exact = SimpleNamespace()


def njit(f: Any) -> Any:
    setattr(exact, f.__name__, numba.njit(f))
    return numba.njit(fastmath=True)(f)


@njit
def saxpy(a, x, y, out):
    for i in range(x.size):
        out[i] = a * x[i] + y[i]
    return out


@njit
def exp(x, out):
    for i in range(x.size):
        out[i] = np.exp(x[i])
    return out


@njit
def gelu(x, out):
    for i in range(x.size):
        u = x[i] * (x[i] * x[i] * np.float32(-0.07135481627260025) - np.float32(1.5957691216057308))
        out[i] = x[i] / (np.float32(1) + np.exp(u))
    return out


@njit
def quantize(x, scale, out):
    for i in range(x.size):
        out[i] = np.int8(min(max(np.rint(x[i] / scale), np.float32(-128)), np.float32(127)))
    return out


@njit
def saxpy_broadcast(a, x, y, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = a * x[j] + y[i]
    return out


@njit
def softmax(x, out):
    for i in range(x.shape[0]):
        m = np.float32(-np.inf)
        for j in range(x.shape[1]):
            m = max(m, x[i, j])
        s = np.float32(0)
        for j in range(x.shape[1]):
            e = np.exp(x[i, j] - m)
            out[i, j] = e
            s += e
        for j in range(x.shape[1]):
            out[i, j] /= s
    return out


@njit
def layernorm(x, gamma, beta, out):
    n = x.shape[1]
    for i in range(x.shape[0]):
        s = np.float32(0)
        for j in range(n):
            s += x[i, j]
        mean = s / np.float32(n)
        v = np.float32(0)
        for j in range(n):
            d = x[i, j] - mean
            v += d * d
        scale = np.float32(1) / np.sqrt(v / np.float32(n) + np.float32(1e-5))
        for j in range(n):
            out[i, j] = (x[i, j] - mean) * scale * gamma[j] + beta[j]
    return out


@njit
def total(x):
    s = x.dtype.type(0)
    for i in range(x.size):
        s += x[i]
    return s


@njit
def histogram(x, out):
    out[:] = 0
    for v in x:
        out[v] += 1
    return out


@njit
def jacobi(x, out):
    h, w = x.shape
    for i in range(h):
        up, down = max(i - 1, 0), min(i + 1, h - 1)
        out[i, 0] = np.float32(0.25) * (x[up, 0] + x[down, 0] + x[i, 0] + x[i, min(1, w - 1)])
        for j in range(1, w - 1):
            out[i, j] = np.float32(0.25) * (x[up, j] + x[down, j] + x[i, j - 1] + x[i, j + 1])
        out[i, w - 1] = np.float32(0.25) * (x[up, w - 1] + x[down, w - 1] + x[i, max(w - 2, 0)] + x[i, w - 1])
    return out


@njit
def hwc_to_chw(img, mean, std, out):
    for b in range(img.shape[0]):
        for c in range(img.shape[3]):
            scale = np.float32(1) / (np.float32(255) * std[c])
            shift = -mean[c] / std[c]
            for i in range(img.shape[1]):
                for j in range(img.shape[2]):
                    out[b, c, i, j] = np.float32(img[b, i, j, c]) * scale + shift
    return out


@njit
def mandelbrot(cx, cy, max_iter, out):
    for i in range(cx.shape[0]):
        for j in range(cx.shape[1]):
            x = y = np.float32(0)
            n = 0
            while n < max_iter:
                xx, yy = x * x, y * y
                if xx + yy > np.float32(4):
                    break
                y = np.float32(2) * x * y + cy[i, j]
                x = xx - yy + cx[i, j]
                n += 1
            out[i, j] = n
    return out
