"""Values to try, as bits: the same ones on every machine and with every version of NumPy, which promises that of integers alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[Any]

#: Bytes of a dtype's element.
SIZES = {
    "bool": 1,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "float16": 2,
    "bfloat16": 2,
    "int32": 4,
    "uint32": 4,
    "float32": 4,
    "int64": 8,
    "uint64": 8,
    "float64": 8,
}

#: Of each float dtype: the bits of infinity, and those that every NaN becomes.
NANS = {
    "float16": (0x7C00, 0x7E00),
    "bfloat16": (0x7F80, 0x7FC0),
    "float32": (0x7F80_0000, 0x7FC0_0000),
    "float64": (0x7FF0_0000_0000_0000, 0x7FF8_0000_0000_0000),
}

_SPECIAL = np.array(
    [
        *(0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 2.5, -127.5, 255.0, 88.7, -103.9, 709.7, -745.1, 1e10, -1e30, 1e-40, 5e-324, 65504.0, 65520.0),
        *(2147483648.0, 9.3e18, 1e300, 3.141592653589793, 1.0000001, np.inf, -np.inf, np.nan),
    ]
)


@dataclass(frozen=True)
class Values:
    """Which values: "all" (special ones, ordinary ones, any bits), "ordinary" (a special one now and then), "small" (in steps of 1/4 up to
    8; integers up to 9), or "below" (whole numbers from 0 up to `limit`, without it)."""

    kind: str = "all"
    limit: int = 0


def unsigned(dtype: str) -> np.dtype[Any]:
    """The type of a dtype's bits."""
    return np.dtype(f"u{SIZES[dtype]}")


def bits(dtype: str, shape: tuple[int, ...], values: Values, seed: int) -> Bits:
    """Pseudo-random elements."""
    count = int(np.prod(shape, dtype=np.int64))
    r, choice = _random(count, 2 * seed), _random(count, 2 * seed + 1)
    is_float = "float" in dtype
    found: NDArray[Any]
    if dtype == "bool":
        found = r & 1
    elif values.kind == "below":
        found = r % np.uint64(values.limit)
        found = _float_bits(found.astype(np.float64), dtype) if is_float else found
    elif values.kind == "small" and is_float:
        found = _float_bits((r % 65).astype(np.float64) / 4 - 8, dtype)
    elif values.kind == "small":
        found = r % 19 if dtype.startswith("u") else r % 19 - np.uint64(9)
    elif not is_float:
        near_end = np.uint64(1 << (8 * SIZES[dtype] - 1)) + r % 5 - np.uint64(2)
        found = np.select([choice % 4 < 2, choice % 4 == 2], [r % 21 - np.uint64(10), near_end], r)
    elif values.kind == "ordinary":
        ordinary = (r & np.uint64(0x800F_FFFF_FFFF_FFFF)) | ((np.uint64(1019) + choice % 6) << np.uint64(52))
        found = _float_bits(np.where(choice % 97 == 96, _SPECIAL[r % len(_SPECIAL)], ordinary.view(np.float64)), dtype)
    else:
        ordinary = (r & np.uint64(0x800F_FFFF_FFFF_FFFF)) | ((np.uint64(1003) + (choice >> np.uint64(8)) % 33) << np.uint64(52))
        special = _float_bits(_SPECIAL[r % len(_SPECIAL)], dtype)
        found = np.select([choice % 4 == 0, choice % 4 < 3], [special, _float_bits(ordinary.view(np.float64), dtype)], r)
    return found.astype(unsigned(dtype)).reshape(shape)


def canonical(found: Bits, dtype: str) -> Bits:
    """The same bits for every NaN: payloads are no part of the promise."""
    if dtype not in NANS:
        return found
    infinity, nan = NANS[dtype]
    is_nan = (found & ((1 << (8 * SIZES[dtype] - 1)) - 1)) > infinity
    return np.where(is_nan, np.array(nan, found.dtype), found)


def _random(count: int, seed: int) -> NDArray[np.uint64]:
    """SplitMix64 of Steele, Lea and Flood, from a seed's own place on."""
    with np.errstate(over="ignore"):
        z = (np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed << 40)) * np.uint64(0x9E37_79B9_7F4A_7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed


def _float_bits(x: NDArray[np.float64], dtype: str) -> NDArray[np.uint64]:
    """The bits of numbers in a float dtype; in `bfloat16` what is in the upper half of `float32`."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if dtype == "bfloat16":
            return (x.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint64)
        return x.astype(dtype).view(unsigned(dtype)).astype(np.uint64)
