"""Loops in Rust without Lanecraft (benches/plain), and Lanecraft's own `fast_math` (benches/fast_math), by the C interface."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Library:
    """A shared library. A function's name says which arguments it takes."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self._addresses: dict[int, tuple[Array, int]] = {}

    def at(self, array: Array) -> int:
        """Where an array's elements are. NumPy takes a microsecond to tell, hence it is asked once."""
        known = self._addresses.get(id(array))
        if known is None:
            known = self._addresses[id(array)] = (array, array.ctypes.data)
        return known[1]

    def function(self, name: str, result: Any, *arguments: Any) -> Any:
        function = getattr(self._library, name)
        function.restype, function.argtypes = result, list(arguments)
        return function


POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t


class Loops(Library):
    """One way to write the loops: `plain`, `wide` or `arch`."""

    def __init__(self, path: Path, way: str) -> None:
        super().__init__(path)
        self._exp = self.function(f"{way}_exp", None, POINTER, POINTER, SIZE)
        self._gelu = self.function(f"{way}_gelu", None, POINTER, POINTER, SIZE)
        self._saxpy = self.function(f"{way}_saxpy", None, ctypes.c_float, POINTER, POINTER, POINTER, SIZE)
        self._sum = self.function(f"{way}_sum", ctypes.c_float, POINTER, SIZE)

    def exp(self, x: Array, out: Array) -> Array:
        self._exp(self.at(x), self.at(out), out.size)
        return out

    def gelu(self, x: Array, out: Array) -> Array:
        self._gelu(self.at(x), self.at(out), out.size)
        return out

    def saxpy(self, a: float, x: Array, y: Array, out: Array) -> Array:
        self._saxpy(a, self.at(x), self.at(y), self.at(out), out.size)
        return out

    def sum(self, x: Array) -> float:
        return float(self._sum(self.at(x), x.size))


class Plain(Loops):
    """The plain loops, of which there are more."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "plain")
        self._mandelbrot = self.function("mandelbrot", None, POINTER, POINTER, SIZE, ctypes.c_int32, POINTER)
        self._histogram = self.function("histogram", None, POINTER, SIZE, POINTER)
        self._jacobi = self.function("jacobi", None, POINTER, SIZE, SIZE, POINTER)
        self._layernorm = self.function("layernorm", None, POINTER, SIZE, SIZE, POINTER, POINTER, POINTER)
        self.moves = self.function("moves", SIZE, SIZE, POINTER, POINTER, POINTER, SIZE, SIZE)
        self.multiply_adds = self.function("multiply_adds", ctypes.c_double, SIZE)
        self.has_arch = bool(self.function("has_arch", ctypes.c_bool)())

    def mandelbrot(self, cx: Array, cy: Array, max_iter: int, out: Array) -> Array:
        self._mandelbrot(self.at(cx), self.at(cy), out.size, max_iter, self.at(out))
        return out

    def histogram(self, x: Array, out: Array) -> Array:
        self._histogram(self.at(x), x.size, self.at(out))
        return out

    def jacobi(self, x: Array, out: Array) -> Array:
        self._jacobi(self.at(x), *x.shape, self.at(out))
        return out

    def layernorm(self, x: Array, gamma: Array, beta: Array, out: Array) -> Array:
        self._layernorm(self.at(x), *x.shape, self.at(gamma), self.at(beta), self.at(out))
        return out


class FastMath(Library):
    """Kernels with and without `fast_math`."""

    FUNCTIONS = ("acosh", "asinh", "erfc", "sigmoid")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._quick = self.function("quick", ctypes.c_bool, SIZE, ctypes.c_bool, SIZE, POINTER, SIZE, POINTER)

    def __call__(self, function: str, x: Array, out: Array, fast_math: bool) -> Array:
        at = self.FUNCTIONS.index(function)
        assert self._quick(at, fast_math, x.itemsize, self.at(x), out.size, self.at(out))
        return out


def aligned(n: int) -> NDArray[np.float32]:
    """Ones that begin at a cache line."""
    raw = np.ones(n + 16, np.float32)
    return raw[-raw.ctypes.data % 64 // 4 :][:n]
