"""Machine code from the file of a module: functions by the unwinding tables, which a stripped file has too, taken apart by capstone."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_WIDTHS = {"zmm": 512, "ymm": 256, "xmm": 128}
_REGISTER = re.compile(r"\b([xyz]mm)\d+|\b[vq]\d+\.\d+[bhsd]\b")


@dataclass(frozen=True)
class Instruction:
    """One instruction."""

    address: int
    mnemonic: str
    operands: str
    target: int | None
    """Where a direct call or jump leads."""

    @property
    def width(self) -> int:
        """Bits of the widest vector register that it computes on; 0 for what works on single numbers."""
        registers = [match.group(1) for match in _REGISTER.finditer(self.operands)]
        if not registers or (self.mnemonic.endswith(("ss", "sd")) and not set(registers) - {"xmm"}):
            return 0
        return max(_WIDTHS.get(register, 128) for register in registers)

    @property
    def is_call(self) -> bool:
        """Whether it calls a function."""
        return self.mnemonic in ("call", "bl", "blr")

    @property
    def is_gather(self) -> bool:
        """Whether it reads an element per lane."""
        return "gather" in self.mnemonic

    @property
    def _writes_memory(self) -> bool:
        return self.operands.split(",")[0].rstrip().split("{")[0].rstrip().endswith("]")

    @property
    def is_masked_store(self) -> bool:
        """Whether it writes some lanes of a register to memory."""
        by_mask = re.match(r"[^,]*\]\s*\{k[1-7]\}", self.operands) is not None
        return by_mask or (self.mnemonic.startswith(("vmaskmov", "vpmaskmov")) and self._writes_memory)

    @property
    def is_masked_load(self) -> bool:
        """Whether it reads some lanes of a register from memory, side by side."""
        by_mask = re.match(r"[^,]*\{k[1-7]\}\s*\{z\},[^,]*\[", self.operands) is not None and self.mnemonic.startswith("vmov")
        return by_mask or (self.mnemonic.startswith(("vmaskmov", "vpmaskmov")) and not self._writes_memory)

    @property
    def is_spill(self) -> bool:
        """Whether it puts a vector register on the stack."""
        return self.width > 0 and self._writes_memory and re.search(r"\[(rsp|rbp)\b", self.operands.split("],")[0]) is not None

    def __str__(self) -> str:
        return f"{self.address:8x}:  {self.mnemonic:14} {self.operands}".rstrip()


@dataclass(frozen=True)
class Code:
    """The functions that an entry leads to."""

    functions: tuple[tuple[Instruction, ...], ...]
    """The entry itself first."""

    @property
    def body(self) -> tuple[Instruction, ...]:
        """The largest of the entry and of what it calls or jumps to by itself: the function with the level's instructions."""
        entry = self.functions[0]
        starts = {one.target for one in entry if one.target is not None}
        return max([entry, *(f for f in self.functions if f[0].address in starts)], key=len)

    @property
    def in_loops(self) -> tuple[Instruction, ...]:
        """The instructions of the body's innermost loops: between a jump back and where it leads."""
        body = self.body
        loops = [(one.target, one.address) for one in body if one.target is not None and body[0].address <= one.target <= one.address]
        inner = [a for a in loops if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
        return tuple(one for one in body if any(first <= one.address <= last for first, last in inner))

    def text(self, title: str) -> str:
        """As assembly."""
        lines = [f"; {title}"]
        for function in self.functions:
            lines += ["", f"{function[0].address:x}:" + ("  ; the entry" if function is self.functions[0] else "")]
            lines += map(str, function)
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class _File:
    machine: str
    text: bytes
    base: int
    """The address of the first byte of `text`."""
    starts: list[int]
    ends: list[int]

    def function(self, address: int) -> tuple[int, int] | None:
        at = bisect.bisect_right(self.starts, address) - 1
        return (self.starts[at], self.ends[at]) if at >= 0 and address < self.ends[at] else None


def _library(name: str, package: str) -> Any:
    try:
        return __import__(name, fromlist=["_"])
    except ImportError as error:
        raise ImportError(f'machine code needs the package {package}, which is not installed: pip install "lanecraft[inspect]"') from error


@lru_cache(maxsize=4)
def _read(path: str) -> _File:
    elffile = _library("elftools.elf.elffile", "pyelftools")
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            raise RuntimeError(f"machine code is read from ELF files, and {path} is none")
        elf = elffile.ELFFile(file)
        text = elf.get_section_by_name(".text")
        entries = [e for e in elf.get_dwarf_info().EH_CFI_entries() if hasattr(e, "cie") and "initial_location" in e.header]
        ranges = sorted((e["initial_location"], e["initial_location"] + e["address_range"]) for e in entries)
        return _File(elf.get_machine_arch(), text.data(), text["sh_addr"], [start for start, _ in ranges], [end for _, end in ranges])


def code_at(path: str | None, address: int | None) -> Code:
    """The function at an address of a file's image, and those that it leads to."""
    if path is None or address is None:
        raise RuntimeError("where the machine code of this module is, this system does not tell")
    file = _read(path)
    capstone = _library("capstone", "capstone")
    modes = {"x64": (capstone.CS_ARCH_X86, capstone.CS_MODE_64), "AArch64": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)}
    if file.machine not in modes:
        raise RuntimeError(f"machine code of {file.machine} is not taken apart here; accepted: {', '.join(modes)}")
    disassembler = capstone.Cs(*modes[file.machine])
    functions: dict[int, tuple[Instruction, ...]] = {}
    waiting = [address]
    while waiting and len(functions) < 64:
        bounds = file.function(waiting.pop(0))
        if bounds is None or bounds[0] in functions:
            continue
        start, end = bounds
        decoded = disassembler.disasm_lite(file.text[start - file.base : end - file.base], start)
        function = tuple(Instruction(at, mnemonic, operands, _target(mnemonic, operands)) for at, _, mnemonic, operands in decoded)
        if function:
            functions[start] = function
            waiting += [one.target for one in function if one.target is not None and not start <= one.target < end]
    if not functions:
        raise RuntimeError(f"{path} has no function at {address:#x}")
    return Code(tuple(functions.values()))


def _target(mnemonic: str, operands: str) -> int | None:
    direct = mnemonic[0] in "jbc" and re.fullmatch(r"#?(0x[0-9a-f]+)", operands)
    return int(direct.group(1), 16) if direct else None
