"""What a NumPy user writes."""

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


def softmax(x: F32) -> F32:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layernorm(x: F32, gamma: F32, beta: F32) -> F32:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5)) * gamma + beta


def jacobi(x: F32) -> F32:
    p = np.pad(x, 1, mode="edge")
    return np.float32(0.25) * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])


def hwc_to_chw(img: NDArray[np.uint8], mean: F32, std: F32) -> F32:
    return ((img.transpose(0, 3, 1, 2) / np.float32(255) - mean[:, None, None]) / std[:, None, None]).astype(np.float32, order="C")
