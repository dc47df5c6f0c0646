"""What a Pythran user writes: functions with types, by NumPy or by loops. `built.py` compiles it; nothing imports it as it is."""

import numpy as np


# pythran export saxpy(float32, float32[], float32[], float32[])
def saxpy(a, x, y, out):
    out[:] = a * x + y
    return out


# pythran export exp(float32[], float32[])
def exp(x, out):
    out[:] = np.exp(x)
    return out


# pythran export gelu(float32[], float32[])
def gelu(x, out):
    out[:] = x / (np.float32(1) + np.exp(x * (x * x * np.float32(-0.07135481627260025) - np.float32(1.5957691216057308))))
    return out


# pythran export softmax(float32[:,:], float32[:,:])
def softmax(x, out):
    for i in range(x.shape[0]):
        row = out[i]
        row[:] = np.exp(x[i] - np.max(x[i]))
        row[:] = row * (np.float32(1) / np.sum(row))
    return out


# pythran export layernorm(float32[:,:], float32[], float32[], float32[:,:])
def layernorm(x, gamma, beta, out):
    n = np.float32(x.shape[1])
    for i in range(x.shape[0]):
        row = x[i]
        mean = np.sum(row) / n
        variance = np.sum((row - mean) * (row - mean)) / n
        scale = np.float32(1) / np.sqrt(variance + np.float32(1e-5))
        out[i] = (row - mean) * scale * gamma + beta
    return out


# pythran export total(float32[])
def total(x):
    return np.sum(x)


# pythran export jacobi(float32[:,:], float32[:,:])
def jacobi(x, out):
    h, w = x.shape
    quarter = np.float32(0.25)
    for i in range(h):
        up, here, down, to = x[max(i - 1, 0)], x[i], x[min(i + 1, h - 1)], out[i]
        to[0] = quarter * (up[0] + down[0] + here[0] + here[1])
        to[1:-1] = quarter * (up[1:-1] + down[1:-1] + here[:-2] + here[2:])
        to[w - 1] = quarter * (up[w - 1] + down[w - 1] + here[w - 2] + here[w - 1])
    return out


# pythran export mandelbrot(float32[:,:], float32[:,:], int, int32[:,:])
def mandelbrot(cx, cy, max_iter, out):
    four, two = np.float32(4), np.float32(2)
    for i in range(cx.shape[0]):
        for j in range(cx.shape[1]):
            x = np.float32(0)
            y = np.float32(0)
            n = 0
            while n < max_iter:
                xx = x * x
                yy = y * y
                if xx + yy > four:
                    break
                y = two * x * y + cy[i, j]
                x = xx - yy + cx[i, j]
                n += 1
            out[i, j] = n
    return out
