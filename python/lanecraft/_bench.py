"""`lanecraft bench`: how long the kernels of a module take."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._kernels import kernels, load

#: Seconds that a kernel is run for, for each size.
BUDGET = 0.05


@dataclass(frozen=True)
class Timing:
    """A kernel on one choice of dtypes and one size."""

    kernel: str
    inputs: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    seconds: float | None
    """Of a call, the fastest; None where it fails."""
    error: str | None = None

    def __str__(self) -> str:
        shapes = " ".join("x".join(map(str, shape)) or "1" for shape in self.shapes)
        head = f"{self.kernel:24} {','.join(dict.fromkeys(self.inputs)):16} {shapes:28}"
        if self.seconds is None:
            return f"{head} {self.error}"
        elements = max((int(np.prod(shape)) for shape in self.shapes), default=1)
        return f"{head} {self.seconds * 1e6:12.2f} us {self.seconds * 1e9 / max(elements, 1):10.3f} ns an element"


def bench(name: str, sizes: tuple[int, ...], only: str | None = None) -> Iterator[Timing]:
    """Times the kernels of a module on random arrays of about so many elements; those with `only` in their names."""
    module = load(name)
    for kernel_name, (kernel, rows) in kernels(module).items():
        if only is not None and only not in kernel_name:
            continue
        for inputs in dict.fromkeys(row["inputs"] for row in rows):
            for size in sizes:
                yield _time(kernel_name, kernel, inputs, size)


def _time(name: str, kernel: Any, inputs: tuple[str, ...], size: int) -> Timing:
    shapes = _shapes(kernel, len(inputs), size)
    random = np.random.default_rng(0)
    parameters = {key: values[0] for key, values in kernel.parameters.items()}
    try:
        arrays = [_array(random, shape, dtype) for shape, dtype in zip(shapes, inputs, strict=True)]
        kernel(*arrays, **parameters)
        best, end = float("inf"), time.perf_counter() + BUDGET
        while time.perf_counter() < end:
            start = time.perf_counter()
            kernel(*arrays, **parameters)
            best = min(best, time.perf_counter() - start)
    except Exception as error:
        return Timing(name, inputs, shapes, None, f"{type(error).__name__}: {error}")
    return Timing(name, inputs, shapes, best)


def _shapes(kernel: Any, count: int, size: int) -> tuple[tuple[int, ...], ...]:
    """A vector for each input of a map kernel; for a block kernel one item, whose largest operand has about so many elements."""
    if kernel.signature is None:
        return ((size,),) * count
    text = kernel.signature.replace(" ", "").split("->")[0]
    operands = [part.rstrip(")").split(",") if part.rstrip(")") else [] for part in text.lstrip("(").split(",(")]
    axes = max(max(map(len, operands)), 1)
    length = max(round(size ** (1 / axes)), 1)
    return tuple(tuple(int(d) if d.isdigit() else length for d in (dim.rstrip("?+") for dim in dims)) for dims in operands)


def _array(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    """Numbers that no operation minds: floats in 0.25..0.75; integers 0 and 1, which may be indices."""
    if dtype == "bfloat16":
        return random.uniform(0.25, 0.75, shape).astype(importlib.import_module("ml_dtypes").bfloat16)
    if np.issubdtype(np.dtype(dtype), np.floating):
        return random.uniform(0.25, 0.75, shape).astype(dtype)
    return random.integers(0, 2, shape).astype(dtype)
