"""What a call does: which variant runs, and which arrays are copied on the way."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._modules import module_of


@dataclass(frozen=True)
class Operand:
    """An input or an output of a call."""

    name: str
    output: bool
    came: str
    """The type, dtype and shape that it came with."""
    copied: bool
    """Whether the kernel saw copies of its elements in place of the array's memory."""
    why: str | None
    """The reason, where it was copied."""

    def __str__(self) -> str:
        what = f"copied: {self.why}" if self.copied else "no copy"
        return f"{'output' if self.output else 'input'} {self.name}, {self.came}: {what}"


@dataclass(frozen=True)
class Explanation:
    """A call as it happened."""

    kernel: str
    level: str
    """The CPU level."""
    dtypes: tuple[str, ...]
    """Of the variant that ran, inputs first; empty where there was nothing to compute."""
    operands: tuple[Operand, ...]
    loops: int
    """How often the kernel was called: once, where NumPy's iterator is not needed."""
    elements: int
    """On how many elements, or items of a block kernel, in all."""
    result: Any
    """What the call returned."""

    @property
    def copies(self) -> tuple[Operand, ...]:
        """The operands that were copied."""
        return tuple(operand for operand in self.operands if operand.copied)

    def __str__(self) -> str:
        variant = ", ".join(self.dtypes) if self.dtypes else "no variant, as there is nothing to compute"
        times = "once" if self.loops == 1 else f"{self.loops} times"
        head = f"{self.kernel} on {self.level}: {variant}; called {times}, {self.elements} elements in all"
        return "\n".join([head, *(f"  {operand}" for operand in self.operands)])


@dataclass(frozen=True)
class _Array:
    """An operand as NumPy had it."""

    low: int
    """The first byte, and the one after the last."""
    high: int
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    aligned: bool

    @classmethod
    def of(cls, described: tuple[dict[str, Any], np.dtype[Any], bool]) -> _Array:
        interface, dtype, aligned = described
        low = high = int(interface["data"][0])
        shape = tuple(interface["shape"])
        steps = interface["strides"] or _contiguous(shape, dtype.itemsize)
        if 0 not in shape:
            for n, step in zip(shape, steps, strict=True):
                low += min(0, (n - 1) * step)
                high += max(0, (n - 1) * step)
            high += dtype.itemsize
        return cls(low, high, shape, dtype, aligned)

    def overlaps(self, other: _Array) -> bool:
        return self.low < other.high and other.low < self.high


def explain(kernel: object, /, *args: Any, **kwargs: Any) -> Explanation:
    """Calls a kernel, with these arguments, and says what happened.

    Copies are seen, not guessed: the kernel notes the addresses that it gets. The reason is what is unusual about the array.
    """
    module = module_of(kernel)
    report = module.trace(kernel, args, kwargs)
    names = _names(kernel)
    loops: list[dict[str, Any]] = report["loops"]
    arrays = [None if described is None else _Array.of(described) for described in report["operands"]]
    dtypes: list[np.dtype[Any]] = loops[0]["dtypes"] if loops else []
    inputs = len(arrays) - kernel.nout  # type: ignore[attr-defined]
    packed = _packed(kernel, loops)
    operands = []
    for k, array in enumerate(arrays):
        name = _output(k - inputs, len(arrays) - inputs) if k >= inputs else names[k] if k < len(names) else "parameter"
        why = None
        if array is not None and _outside(array, [loop["addresses"][k] for loop in loops]):
            why = _reason(k, arrays, dtypes, inputs) or "NumPy copies all operands through buffers, once one has to be"
        elif array is not None and k in packed:
            why = "elements of its last axis do not lie side by side, so each item is copied"
        # What the user gave: of arrays of other libraries, the type is of interest.
        given = args[k] if k < min(inputs, len(args)) else None
        operands.append(Operand(name, k >= inputs, _came(given, array), why is not None, why))
    return Explanation(
        kernel=f"{kernel.__module__}.{kernel.__name__}",  # type: ignore[attr-defined]
        level=report["level"],
        dtypes=tuple(str(dtype) for dtype in dtypes),
        operands=tuple(operands),
        loops=report["loop_count"],
        elements=report["elements"],
        result=report["result"],
    )


def _contiguous(shape: Sequence[int], itemsize: int) -> list[int]:
    steps = [itemsize] * len(shape)
    for k in range(len(shape) - 2, -1, -1):
        steps[k] = steps[k + 1] * shape[k + 1]
    return steps


def _names(kernel: object) -> list[str]:
    kinds = inspect.signature(kernel).parameters.values()  # type: ignore[arg-type]
    return [p.name for p in kinds if p.kind is inspect.Parameter.POSITIONAL_ONLY]


def _output(k: int, count: int) -> str:
    return "out" if count == 1 else f"out[{k}]"


def _outside(array: _Array, addresses: Iterable[int]) -> bool:
    """Whether some loop began outside of the array's memory. Where there is none, there is nothing to copy."""
    return array.low < array.high and any(not array.low <= address < array.high for address in addresses)


def _reason(k: int, arrays: list[_Array | None], dtypes: list[np.dtype[Any]], inputs: int) -> str | None:
    """What is unusual about an operand."""
    array = arrays[k]
    if array is None or k >= len(dtypes):
        return None
    cast = array.dtype.newbyteorder("=") != dtypes[k]
    if cast:
        return f"a cast from {array.dtype} to {dtypes[k]}" if k < inputs else f"a cast from {dtypes[k]} to {array.dtype}"
    if not array.dtype.isnative:
        return "its bytes are in the other order"
    if not array.aligned:
        return f"its address or strides are no multiples of {array.dtype.alignment} bytes"
    others = arrays[inputs:] if k < inputs else arrays[:inputs]
    if any(other is not None and array.overlaps(other) for other in others):
        return "an input and an output share memory, and not element by element"
    return None


def _packed(kernel: object, loops: list[dict[str, Any]]) -> set[int]:
    """The operands of a block kernel whose items have to be brought together."""
    signature = getattr(kernel, "signature", None)
    if not signature or not loops:
        return set()
    axes = [re.findall(r"\w+", core) for core in re.findall(r"\(([^)]*)\)", signature)]
    # NumPy numbers the dimensions as they first appear.
    names = list(dict.fromkeys(dim for own in axes for dim in own))
    sizes = dict(zip(names, loops[0]["dims"], strict=True))
    steps, packed = iter(loops[0]["core_steps"]), set()
    for k, (own, dtype) in enumerate(zip(axes, loops[0]["dtypes"], strict=True)):
        last = [next(steps) for _ in own][-1:]
        if last and last[0] != dtype.itemsize and sizes[own[-1]] > 1 and all(sizes[dim] for dim in own):
            packed.add(k)
    return packed


def _came(given: object, array: _Array | None) -> str:
    if array is None and given is None:
        return "a scalar"
    if array is None:
        return f"a Python {type(given).__name__}" if isinstance(given, bool | int | float) else f"a {type(given).__name__}"
    text = f"{array.dtype} {array.shape}"
    if given is None or isinstance(given, np.ndarray | np.generic):
        return text
    of = type(given)
    return f"{text} of {of.__module__.split('.')[0]}.{of.__qualname__}"
