"""The code of a kernel: its source, its machine code, and what that shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._machine import Code, code_at
from ._modules import Checkable, module_of

_WHAT = ("asm", "rust", "cuda", "report")
_NUMPY = {"f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16", "bool": "bool"} | {
    f"{kind[0]}{bits}": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)
}


@dataclass(frozen=True)
class Report:
    """What the machine code of a kernel shows, on one choice of dtypes and one CPU level."""

    kernel: str
    inputs: tuple[str, ...]
    isa: str
    gang: int
    """Elements that are computed together, at most."""
    instructions: int
    vector: int
    """Instructions on vector registers."""
    width: int
    """Bits of the widest vector register; 0 without any."""
    calls: int
    calls_in_loops: int
    """Those that are not on the way out: a fault is told by a call."""
    gathers: int
    """Gather instructions."""
    gathered: tuple[int, int] | None
    """Of a block kernel's elements in loops over lanes, how many are read and written by an index of their own in each lane."""
    masked_stores: int
    spills: int
    """Vector registers written to the stack."""
    remainder: str
    """How the elements behind the last whole gang are computed."""

    def __str__(self) -> str:
        lines = [
            f"{self.kernel}({', '.join(self.inputs)}) on {self.isa}: {self.instructions} instructions, {self.vector} on vectors",
            f"  width          {self.width} bits, {self.gang} elements together",
            f"  calls          {self.calls}, in loops {self.calls_in_loops}",
            f"  gathers        {self.gathers} instructions",
            f"  masked stores  {self.masked_stores}",
            f"  spills         {self.spills}",
            f"  remainder      {self.remainder}",
        ]
        if self.gathered is not None:
            reads, writes = self.gathered
            lines.insert(4, f"                 {reads} reads and {writes} writes by an index per lane")
        return "\n".join(lines)


def inspect(kernel: object, *, dtype: object = None, isa: str | None = None, what: str = "report", **parameters: object) -> str | Report:
    """The code of a kernel.

    `what`: "report", a `Report`; "asm", the machine code as text; "rust", the kernel's source; "cuda", its CUDA C++ text.
    `dtype`: of the inputs ("f32", np.float32, or a tuple of them); needed where there are several. `isa`: a CPU level, else the one in use.
    Compile-time parameters choose a variant by their values.

    Machine code needs the packages capstone and pyelftools: pip install "lanecraft[inspect]". It is read from the module's file, on Linux.
    """
    module = module_of(kernel)
    name = f"{getattr(kernel, '__module__', module.module)}.{getattr(kernel, '__name__', '?')}"
    if what not in _WHAT:
        raise ValueError(f"inspect(): what={what!r}; accepted: {', '.join(map(repr, _WHAT))}")
    if not isinstance(module, Checkable):
        raise RuntimeError(f"inspect(): {module.module} is built with Lanecraft {module.lanecraft}, which cannot be asked; build it anew")
    if what == "cuda":
        text = module.cuda_text(kernel)
        if text is not None:
            return text
        raise RuntimeError(
            f"inspect(): {name} has no CUDA C++ text, because the module is built without Cargo feature `cuda` of `lanecraft`"
        )
    found = module.code(kernel)
    if what == "rust":
        return str(found["source"])
    entry = _entry(name, found["entries"], dtype, module.isa() if isa is None else isa, parameters)
    code = code_at(entry["file"], entry["address"])
    if what == "asm":
        return code.text(f"{name}({', '.join(entry['inputs'])}) on {entry['level']}")
    return _report(name, entry, found, code)


def _dtype(dtype: object) -> str:
    if isinstance(dtype, str) and (dtype in _NUMPY or dtype == "bfloat16"):
        return _NUMPY.get(dtype, dtype)
    try:
        return np.dtype(dtype).name  # type: ignore[call-overload, no-any-return]
    except TypeError as error:
        raise TypeError(f"inspect(): dtype {dtype!r} is none; accepted: {', '.join(_NUMPY)}, and NumPy's own") from error


def _is(own: object, asked: object) -> bool:
    """Whether a parameter's value is the one that is asked for. An array is none, and has no answer whether it is equal."""
    return own is asked or (isinstance(asked, bool | int | str | np.integer | np.bool_) and own == asked)


def _entry(name: str, rows: list[dict[str, Any]], dtype: object, isa: str, parameters: dict[str, object]) -> dict[str, Any]:
    """The row that is asked for."""

    def narrow(rows: list[dict[str, Any]], fits: Any, asked: str, has: Any) -> list[dict[str, Any]]:
        left = [row for row in rows if fits(row)]
        if not left:
            there = ", ".join(dict.fromkeys(str(has(row)) for row in rows))
            raise ValueError(f"inspect(): {name} has no variant for {asked}; there are: {there}")
        return left

    rows = narrow(rows, lambda row: row["level"] == isa, f"isa={isa!r}", lambda row: row["level"])
    for key, value in parameters.items():
        if key not in rows[0]["parameters"]:
            raise TypeError(f"inspect(): {name} has no parameter {key!r}; it has: {', '.join(rows[0]['parameters']) or 'none'}")
        rows = narrow(
            rows, lambda row, k=key, v=value: _is(row["parameters"][k], v), f"{key}={value!r}", lambda row, k=key: row["parameters"][k]
        )
    if dtype is not None:
        wanted = tuple(map(_dtype, dtype)) if isinstance(dtype, tuple) else _dtype(dtype)
        exact = [row for row in rows if row["inputs"] == wanted or set(row["inputs"]) == {wanted}]
        # A kernel with inputs of fixed dtypes beside that of its type parameter.
        rows = exact or narrow(rows, lambda row: wanted in row["inputs"], f"dtype={dtype!r}", lambda row: row["inputs"])
    if len({row["inputs"] for row in rows}) > 1:
        there = ", ".join(dict.fromkeys(str(row["inputs"]) for row in rows))
        raise TypeError(f"inspect(): {name} has several choices of dtypes, name one: dtype= one of {there}")
    return rows[0]


def _report(name: str, entry: dict[str, Any], found: dict[str, Any], code: Code) -> Report:
    body = code.body
    # Of a map kernel the module says it; of a block kernel it is in the entry's own code, which has instructions by masks for it or none.
    by_mask = any(one.is_masked_store or one.is_masked_load for one in body)
    of_block = "masked loads and stores" if by_mask else "copies in a buffer"
    remainder = of_block if found["gathered"] is not None else found.get("remainder", "not known of a module as old as this")
    return Report(
        kernel=name,
        inputs=entry["inputs"],
        isa=entry["level"],
        gang=entry["gang"],
        instructions=len(body),
        vector=sum(one.width > 0 for one in body),
        width=max((one.width for one in body), default=0),
        calls=sum(one.is_call for one in body),
        calls_in_loops=sum(one.is_call for one in code.in_loops),
        gathers=sum(one.is_gather for one in body),
        gathered=found["gathered"],
        masked_stores=sum(one.is_masked_store for one in body),
        spills=sum(one.is_spill for one in body),
        remainder=remainder,
    )
