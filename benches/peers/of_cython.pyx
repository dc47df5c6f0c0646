# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a Cython user writes: typed loops, which the C compiler makes vectors of. `cython_build.py` compiles it."""

from libc.math cimport exp as exp64, expf, sqrtf, rintf, fminf, fmaxf, INFINITY
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t


def saxpy(float a, float[::1] x, float[::1] y, float[::1] out):
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]):
            out[i] = a * x[i] + y[i]
    return out


def saxpy_f64(double a, double[::1] x, double[::1] y, double[::1] out):
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]):
            out[i] = a * x[i] + y[i]
    return out


def exp(float[::1] x, float[::1] out):
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]):
            out[i] = expf(x[i])
    return out


def exp_f64(double[::1] x, double[::1] out):
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]):
            out[i] = exp64(x[i])
    return out


def gelu(float[::1] x, float[::1] out):
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]):
            out[i] = x[i] / (<float>1 + expf(x[i] * (x[i] * x[i] * <float>-0.07135481627260025 - <float>1.5957691216057308)))
    return out


def quantize(float[::1] x, float scale, int8_t[::1] out):
    cdef Py_ssize_t i
    with nogil:
        for i in range(x.shape[0]):
            out[i] = <int8_t>fminf(fmaxf(rintf(x[i] / scale), -128), 127)
    return out


def softmax(float[:, ::1] x, float[:, ::1] out):
    cdef Py_ssize_t i, j
    cdef float m, s
    with nogil:
        for i in range(x.shape[0]):
            m = -INFINITY
            for j in range(x.shape[1]):
                m = fmaxf(m, x[i, j])
            s = 0
            for j in range(x.shape[1]):
                out[i, j] = expf(x[i, j] - m)
                s += out[i, j]
            s = 1 / s
            for j in range(x.shape[1]):
                out[i, j] *= s
    return out


def layernorm(float[:, ::1] x, float[::1] gamma, float[::1] beta, float[:, ::1] out):
    cdef Py_ssize_t i, j
    cdef float s, v, scale
    with nogil:
        for i in range(x.shape[0]):
            s = 0
            for j in range(x.shape[1]):
                s += x[i, j]
            s /= x.shape[1]
            v = 0
            for j in range(x.shape[1]):
                v += (x[i, j] - s) * (x[i, j] - s)
            scale = 1 / sqrtf(v / x.shape[1] + <float>1e-5)
            for j in range(x.shape[1]):
                out[i, j] = (x[i, j] - s) * scale * gamma[j] + beta[j]
    return out


def total(float[::1] x):
    cdef Py_ssize_t i
    cdef float s = 0
    with nogil:
        for i in range(x.shape[0]):
            s += x[i]
    return s


def histogram(uint8_t[::1] x, int64_t[::1] out):
    cdef Py_ssize_t i
    with nogil:
        for i in range(out.shape[0]):
            out[i] = 0
        for i in range(x.shape[0]):
            out[x[i]] += 1
    return out


def jacobi(float[:, ::1] x, float[:, ::1] out):
    cdef Py_ssize_t i, j, up, down, h = x.shape[0], w = x.shape[1]
    cdef float quarter = 0.25
    with nogil:
        for i in range(h):
            up = i - 1 if i > 0 else 0
            down = i + 1 if i + 1 < h else h - 1
            out[i, 0] = quarter * (x[up, 0] + x[down, 0] + x[i, 0] + x[i, 1 if w > 1 else 0])
            for j in range(1, w - 1):
                out[i, j] = quarter * (x[up, j] + x[down, j] + x[i, j - 1] + x[i, j + 1])
            out[i, w - 1] = quarter * (x[up, w - 1] + x[down, w - 1] + x[i, w - 2 if w > 1 else 0] + x[i, w - 1])
    return out


def hwc_to_chw(uint8_t[:, :, :, ::1] img, float[::1] mean, float[::1] std, float[:, :, :, ::1] out):
    cdef Py_ssize_t b, c, i, j
    cdef float scale, shift
    with nogil:
        for b in range(img.shape[0]):
            for c in range(img.shape[3]):
                scale = 1 / (255 * std[c])
                shift = -mean[c] / std[c]
                for i in range(img.shape[1]):
                    for j in range(img.shape[2]):
                        out[b, c, i, j] = img[b, i, j, c] * scale + shift
    return out


def mandelbrot(float[:, ::1] cx, float[:, ::1] cy, int32_t max_iter, int32_t[:, ::1] out):
    cdef Py_ssize_t i, j
    cdef int32_t n
    cdef float x, y, xx, yy
    with nogil:
        for i in range(cx.shape[0]):
            for j in range(cx.shape[1]):
                x = y = 0
                n = 0
                while n < max_iter:
                    xx = x * x
                    yy = y * y
                    if xx + yy > 4:
                        break
                    y = 2 * x * y + cy[i, j]
                    x = xx - yy + cx[i, j]
                    n += 1
                out[i, j] = n
    return out
