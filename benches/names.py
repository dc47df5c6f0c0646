"""What the expressions of the rows can use: makers of arrays, our kernels, the others' functions."""

import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastops
import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from peers import built, of_numpy, of_rust

Array = NDArray[Any]
TYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
TYPES |= {"i8": np.int8, "u8": np.uint8, "i32": np.int32, "i64": np.int64}


class Inputs:
    """Makes a row's arrays, and gives the random ones other numbers before each sample."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(1)
        self._made: list[tuple[Array, Array]] = []

    def _fresh(self, array: Array) -> Array:
        self._made.append((array.reshape(-1), array.reshape(-1).copy()))
        return array

    def uniform(self, low: float, high: float, shape: int | tuple[int, ...], dtype: type[np.generic]) -> Array:
        return self._fresh(self._random.uniform(low, high, shape).astype(dtype))

    def normal(self, shape: int | tuple[int, ...], dtype: type[np.generic]) -> Array:
        return self._fresh(self._random.standard_normal(shape).astype(dtype))

    def renew(self) -> None:
        """The same numbers, from another one on: other inputs of the same kind, at the price of a copy."""
        for array, numbers in self._made:
            at = int(self._random.integers(numbers.size))
            array[: numbers.size - at] = numbers[at:]
            array[numbers.size - at :] = numbers[:at]


def empty(shape: int | tuple[int, ...], dtype: type[np.generic]) -> Array:
    return np.ones(shape, dtype)  # written once: no page is new in the measurement


def behind(array: Array, distance: int) -> Array:
    """An array like another, which begins so many bytes after it, modulo 4096: all that CPUs compare at first."""
    memory = np.ones(array.nbytes + 4096, np.uint8)
    start = (array.ctypes.data + distance - memory.ctypes.data) % 4096
    return memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)


def grid(low: float, high: float, n: int, axis: int) -> Array:
    line = np.linspace(low, high, n).astype(np.float32)
    return np.ascontiguousarray(np.broadcast_to(line[:, None] if axis == 0 else line, (n, n)))


class Names:
    """The names that all rows share, and those of a row."""

    def __init__(self, native: Path | None, fast_math: Path | None, builds: Path | None) -> None:
        self._native, self._fast_math = native, fast_math
        self._shared: dict[str, Any] = {"np": np, "fastops": fastops, "empty": empty, "behind": behind, "grid": grid}
        self._shared |= {"of_numpy": of_numpy, **TYPES}
        for module in ("numexpr", "numba", "torch", "jax", "halide", "mmh3", "xxhash", "hashlib"):
            if importlib.util.find_spec(module) is not None:
                self._shared[module] = importlib.import_module(module)
        for module in ("numba", "torch", "jax", "halide"):
            if module in self._shared:
                self._shared[f"of_{module}"] = importlib.import_module(f"peers.of_{module}")
        if importlib.util.find_spec("PIL") is not None:
            self._shared["of_jpeg"] = importlib.import_module("peers.of_jpeg")
        if "torch" in self._shared:
            self._shared["torch"].set_num_threads(1)
        for compiler in ("Cython", "pythran"):
            if builds is not None and importlib.util.find_spec(compiler) is not None:
                name = f"of_{compiler.lower()}"
                self._shared[name] = built.load(builds, name)
        self._there = {*self._shared, *self.of_rust()}

    def has(self, peer: str) -> bool:
        """Whether a column's others are there."""
        needs = {"numpy": "np", "numba_exact": "numba", "compiled": "torch", "without": "fast_math", "reused": "np"}
        needs |= {"cython": "of_cython", "pythran": "of_pythran", "pillow": "of_jpeg"}
        return needs.get(peer, peer) in self._there

    def of_rust(self) -> dict[str, Any]:
        """The Rust libraries, anew for each row: they remember where its arrays are."""
        names: dict[str, Any] = {}
        if self._native is not None:
            plain = names["plain"] = of_rust.Plain(self._native)
            names["wide"] = of_rust.Loops(self._native, "wide")
            if plain.has_arch:
                names["arch"] = of_rust.Loops(self._native, "arch")
        if self._fast_math is not None:
            names["fast_math"] = of_rust.FastMath(self._fast_math)
        return names

    def of_row(self, arrays: dict[str, str], extra: dict[str, Any]) -> "Row":
        return Row({**self._shared, **self.of_rust(), **extra}, arrays)


class Row:
    """The names of a row. They are globals of the statements, hence a plain dict, which the interpreter is quick with."""

    def __init__(self, names: dict[str, Any], arrays: dict[str, str]) -> None:
        self._inputs, self._arrays = Inputs(), list(arrays)
        self.names = names
        names.update(uniform=self._inputs.uniform, normal=self._inputs.normal)
        for name, expression in arrays.items():
            names[name] = eval(expression, names)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        for name in self._arrays:
            if isinstance(self.names[name], np.ndarray):
                yield name, self.names[name]

    def for_torch(self) -> None:
        """`t_x`: the same memory, as a tensor."""
        torch = self.names["torch"]
        for name, array in self.arrays():
            if array.dtype == ml_dtypes.bfloat16:
                self.names[f"t_{name}"] = torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
            else:
                self.names[f"t_{name}"] = torch.from_numpy(array)

    def for_jax(self) -> None:
        """`j_x`: a copy, since JAX's arrays do not change."""
        for name, array in self.arrays():
            self.names[f"j_{name}"] = self.names["jax"].numpy.array(array)

    def renew(self, jax: bool) -> None:
        """Other inputs."""
        self._inputs.renew()
        if jax:
            self.for_jax()

    def bytes(self) -> int:
        """What the arrays take, each once; of a view, what it shows."""
        return sum(array.size * array.itemsize for _, array in self.arrays())
