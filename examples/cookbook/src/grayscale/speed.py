import cookbook
import numba
import numpy as np

ROW = "1080 x 1920 pixels"
RGB = np.random.default_rng(1).integers(0, 256, (1080, 1920, 3), np.uint8)
OUT = np.ones((1080, 1920), np.uint8)


def ours() -> object:
    return cookbook.grayscale(RGB, out=OUT)


@numba.njit
def loops(rgb, out):
    for i in range(rgb.shape[0]):
        for j in range(rgb.shape[1]):
            r, g, b = np.uint32(rgb[i, j, 0]), np.uint32(rgb[i, j, 1]), np.uint32(rgb[i, j, 2])
            out[i, j] = (np.uint32(19595) * r + np.uint32(38470) * g + np.uint32(7471) * b + np.uint32(0x8000)) >> np.uint32(16)
    return out


def numba_loops() -> object:
    return loops(RGB, OUT)
