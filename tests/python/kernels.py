"""The kernels of fastops as tests see them: inputs that cover their domains, and references that are not Lanecraft's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import fastops
import numpy as np

Reference = Callable[..., Any]


def _gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def _leaky_relu(x: Any, slope: Any) -> Any:
    return np.where(x < 0, slope * x, x)


def classify(x: Any) -> Any:
    """By NumPy's own predicates; what is subnormal is below the smallest normal number of the dtype."""
    x = np.asarray(x)
    kinds = [x == 0, np.abs(x) < np.finfo(x.dtype).tiny, np.isfinite(x), np.isinf(x)]
    magnitude = np.select(kinds, [0, 1, 2, 3])
    return np.where(np.isnan(x), 8, np.where(np.signbit(x), 3 - magnitude, 4 + magnitude))


def quantize(x: Any, scale: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.nan_to_num(np.clip(np.rint(x / scale), -128, 127))


def collatz(n: Any) -> Any:
    def steps(n: int) -> int:
        count = 0
        while n > 1:
            n = 3 * n + 1 if n % 2 else n // 2
            count += 1
            if n >= 2**64:
                return 2**32 - 1
        return count if n == 1 else 2**32 - 1

    return np.array([steps(int(k)) for k in np.ravel(n)], np.uint32).reshape(np.shape(n))


def srgb_to_linear(x: Any) -> Any:
    c = x / np.longdouble(255)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


@dataclass(frozen=True)
class Case:
    """A kernel on one choice of dtypes."""

    name: str
    inputs: tuple[str, ...]
    output: str
    reference: Reference
    #: Bound on the error, in units of the last place of the result.
    ulp: float

    @property
    def kernel(self) -> Any:
        return getattr(fastops, self.name)

    def __str__(self) -> str:
        return f"{self.name}-{'-'.join(self.inputs)}"

    def arguments(self, rng: np.random.Generator, shape: Any) -> list[np.ndarray[Any, Any]]:
        return [values(rng, shape, dtype) for dtype in self.inputs]


def values(rng: np.random.Generator, shape: Any, dtype: str) -> np.ndarray[Any, Any]:
    """Random values that meet both sides of every condition in a kernel."""
    kind = np.dtype(dtype).kind
    if kind == "f":
        return rng.normal(0, 4, shape).astype(dtype)
    if kind == "b":
        return rng.random(shape) < 0.5
    info = np.iinfo(dtype)
    return rng.integers(max(info.min, -1000), min(info.max, 1000), shape, dtype=dtype, endpoint=True)


FLOATS = ("float32", "float64")
#: Kernel, number of operands, reference in float64 or wider, bound.
_FLOAT_KERNELS: list[tuple[str, int, Reference, float]] = [
    ("axpy", 3, lambda a, x, y: a * x + y, 64),
    ("exp", 1, np.exp, 1.5),
    ("gelu", 1, _gelu, 64),
    ("sigmoid", 1, lambda x: 1 / (1 + np.exp(-x)), 4),
    ("leaky_relu", 2, _leaky_relu, 0.5),
    ("clip_scale", 4, lambda x, lo, hi, k: k * np.minimum(np.maximum(x, lo), hi), 0.5),
    ("hypot3", 3, lambda x, y, z: np.sqrt(x * x + y * y + z * z), 2),
]

CASES = [Case(name, (dtype,) * count, dtype, reference, ulp) for name, count, reference, ulp in _FLOAT_KERNELS for dtype in FLOATS]
CASES += [
    Case("leaky_relu", ("int32", "int32"), "int32", _leaky_relu, 0),
    Case("normalize_u8", ("uint8", "float32", "float32"), "float32", lambda x, mean, std: (x / 255 - mean) / std, 64),
    Case("srgb_to_linear", ("uint8",), "float32", srgb_to_linear, 0.5001),
    *(Case("classify", (dtype,), "uint8", classify, 0) for dtype in FLOATS),
    *(Case("quantize", (dtype,) * 2, "int8", quantize, 0) for dtype in FLOATS),
    *(Case("collatz", (dtype,), "uint32", collatz, 0) for dtype in ("uint32", "uint64")),
]


def same_bits(a: Any, b: Any) -> bool:
    """Equal to the bit, but for which NaN."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    return bool(
        np.array_equal(np.isnan(a), np.isnan(b))
        and np.array_equal(np.signbit(a[~np.isnan(a)]), np.signbit(b[~np.isnan(b)]))
        and np.array_equal(a, b, equal_nan=True)
    )
