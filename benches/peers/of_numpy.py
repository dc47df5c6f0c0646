"""What a NumPy user writes."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

# NumPy does not tell what an expression is an array of.
F32 = Any


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


def top_k(x: F32, k: int) -> tuple[F32, F32]:
    largest = np.argpartition(x, -k)[-k:]
    order = largest[np.argsort(-x[largest])]
    return x[order], order


def gelu(x: F32, out: F32) -> F32:
    """Without a new array."""
    np.multiply(x, x, out=out)
    np.multiply(out, np.float32(0.044715 * 0.7978845608028654), out=out)
    np.add(out, np.float32(0.7978845608028654), out=out)
    np.multiply(out, x, out=out)
    np.tanh(out, out=out)
    np.add(out, np.float32(1), out=out)
    np.multiply(out, x, out=out)
    return np.multiply(out, np.float32(0.5), out=out)


def quantize(x: F32, scale: np.float32, out: NDArray[np.int8]) -> NDArray[np.int8]:
    y = x / scale
    np.rint(y, out=y)
    np.clip(y, -128, 127, out=y)
    np.copyto(out, y, casting="unsafe")
    return out


def in_f32(f: Callable[..., Any], out: NDArray[Any], *xs: NDArray[Any]) -> NDArray[Any]:
    """A function of f32 for the formats of 16 bits, in which NumPy would round after each operation."""
    inputs = [x.astype(np.float32) for x in xs]
    result = f(*inputs, *([np.empty_like(inputs[0])] if f is gelu else []))
    np.copyto(out, result, casting="unsafe")
    return out
