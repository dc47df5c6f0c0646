"""Prints a digest of every kernel's results on the level in use, as JSON: `LANECRAFT_ISA=avx2 python digest.py`.

The inputs are the same on every level and machine: PCG64 streams and bit patterns.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import fastops
import numpy as np
from kernels import CASES, Case

from test_block_layouts import CASES as BLOCKS
from test_block_layouts import of_dtype


def edges(dtype: str) -> np.ndarray[Any, Any]:
    """Values at which polynomials are spliced, rounding ties, subnormals, infinities, NaN."""
    if np.dtype(dtype).kind != "f":
        info = np.iinfo(dtype)
        return np.array([info.min, info.min + 1, 0, 1, info.max - 1, info.max], dtype)
    info = np.finfo(dtype)
    base = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.5,
        88.7,
        103.9,
        709.7,
        745.1,
        1e-8,
        1e8,
        info.max,
        info.tiny,
        info.smallest_subnormal,
        info.eps,
        np.inf,
        np.nan,
    ]
    x = np.array([*base, *(-b for b in base)], dtype)
    return np.concatenate([x, np.nextafter(x, np.array(0, dtype)), np.nextafter(x, np.array(np.inf, dtype))])


def bit_patterns(rng: np.random.Generator, dtype: str, n: int) -> np.ndarray[Any, Any]:
    size = np.dtype(dtype).itemsize
    return rng.integers(0, 256, n * size, dtype=np.uint8).view(dtype)


def digest(result: np.ndarray[Any, Any]) -> str:
    """Over the bits, every NaN as one."""
    result = np.ascontiguousarray(result)
    if result.dtype.kind == "f":
        result = np.where(np.isnan(result), np.array(np.nan, result.dtype), result)
    return hashlib.sha256(result.tobytes()).hexdigest()[:16]


def of_case(case: Case) -> dict[str, str]:
    rng = np.random.default_rng(1)
    with np.errstate(all="ignore"):
        normal = case.arguments(rng, 20_000)
        bits = [bit_patterns(rng, dtype, 20_000) for dtype in case.inputs]
        edge = np.meshgrid(*[edges(dtype)[: 400 // len(case.inputs) ** 2] for dtype in case.inputs])
        table = {"normal": normal, "bits": bits, "edges": edge, "strided": [x[::3] for x in normal], "reversed": [x[::-1] for x in bits]}
        table |= {"broadcast": [x[: 40 * 30].reshape(40, 30)[: 1 if k % 2 else None] for k, x in enumerate(normal)]}
        table |= {f"length {n}": [x[n : 2 * n] for x in bits] for n in (1, 15, 16, 17, 33, 67)}
        return {f"{case} {name}": digest(case.kernel(*arguments)) for name, arguments in table.items()}


def of_blocks() -> dict[str, str]:
    """Of every block kernel, on every size and dtype that its test has."""
    table = {}
    for number, case in enumerate(BLOCKS):
        rng = np.random.default_rng(number)
        for size in case.sizes:
            made = [np.asarray(x) for x in case.make(size, rng)]
            for inputs, outputs in case.kernel.dtypes:
                arrays = [of_dtype(x, dtype) for x, dtype in zip(made, inputs, strict=True)]
                keywords = {}
                if case.outputs is not None:
                    keywords["out"] = tuple(out.astype(dtype) for out, dtype in zip(case.outputs(size), outputs, strict=True))
                result = case.kernel(*arrays, **keywords)
                names = " ".join(str(dtype) for dtype in inputs)
                for k, array in enumerate(result if isinstance(result, tuple) else (result,)):
                    table[f"block {number} {case.kernel.__name__} {names} {size} output {k}"] = digest(np.asarray(array))
    return table


def main() -> None:
    table = {"level": fastops.isa()}
    for case in CASES:
        table |= of_case(case)
    table |= of_blocks()
    print(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
