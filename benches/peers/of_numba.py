"""What a Numba user writes: loops, with `fastmath`, which leaves the order of sums to LLVM."""

from typing import Any

import numba
import numpy as np

njit: Any = numba.njit


@njit(fastmath=True)
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


@njit(fastmath=True)
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


@njit(fastmath=True)
def total(x):
    s = np.float32(0)
    for i in range(x.size):
        s += x[i]
    return s


@njit
def histogram(x, bins):
    parts = np.zeros((4, bins), np.int64)
    n = x.size // 4 * 4
    for i in range(0, n, 4):
        parts[0, x[i]] += 1
        parts[1, x[i + 1]] += 1
        parts[2, x[i + 2]] += 1
        parts[3, x[i + 3]] += 1
    for i in range(n, x.size):
        parts[0, x[i]] += 1
    return parts.sum(axis=0)


@njit(fastmath=True)
def jacobi(x, out):
    h, w = x.shape
    for i in range(h):
        up, down = max(i - 1, 0), min(i + 1, h - 1)
        out[i, 0] = np.float32(0.25) * (x[up, 0] + x[down, 0] + x[i, 0] + x[i, min(1, w - 1)])
        for j in range(1, w - 1):
            out[i, j] = np.float32(0.25) * (x[up, j] + x[down, j] + x[i, j - 1] + x[i, j + 1])
        out[i, w - 1] = np.float32(0.25) * (x[up, w - 1] + x[down, w - 1] + x[i, max(w - 2, 0)] + x[i, w - 1])
    return out


@njit(fastmath=True)
def hwc_to_chw(img, mean, std, out):
    for b in range(img.shape[0]):
        for c in range(img.shape[3]):
            scale = np.float32(1) / (np.float32(255) * std[c])
            shift = -mean[c] / std[c]
            for i in range(img.shape[1]):
                for j in range(img.shape[2]):
                    out[b, c, i, j] = np.float32(img[b, i, j, c]) * scale + shift
    return out
