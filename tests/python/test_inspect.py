"""`lanecraft.inspect`, against what an assembler writes by hand and what the levels' registers are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import fastops
import kernel_shapes
import lanecraft
import numpy as np
import pytest
from conftest import WITH_PACKAGE
from kernel_shapes import checks
from lanecraft._machine import Code, Instruction, code_at

pytestmark = pytest.mark.any_level
LEVELS = {row["level"] for row in fastops.variants()}
WIDTHS = {"sse2": (128, "xmm"), "avx2": (256, "ymm"), "avx512": (512, "zmm")}


def report(kernel: object, **asked: Any) -> lanecraft.Report:
    found = lanecraft.inspect(kernel, **asked)
    assert isinstance(found, lanecraft.Report)
    return found


@pytest.mark.parametrize("isa", [level for level in WIDTHS if level in LEVELS])
def test_a_map_kernel_fills_the_registers_of_its_level(isa: str) -> None:
    width, register = WIDTHS[isa]
    found = report(fastops.gelu, dtype="f32", isa=isa)
    assert (found.width, found.isa, found.inputs) == (width, isa, ("float32",))
    assert found.vector > found.instructions / 2
    assert (found.gathers, found.gathered) == (0, None)
    text = lanecraft.inspect(fastops.gelu, dtype="f32", isa=isa, what="asm")
    assert isinstance(text, str) and len(re.findall(rf"\b{register}\d", text)) > 50
    wider = [name for bits, name in WIDTHS.values() if bits > width]
    assert not any(name in text for name in wider)


@pytest.mark.skipif("avx512" not in LEVELS, reason="this CPU has no AVX-512")
def test_the_loops_of_gelu_on_avx512_call_nothing() -> None:
    found = report(fastops.gelu, dtype="f32", isa="avx512")
    assert (found.width, found.calls_in_loops, found.gang) == (512, 0, 64)


@pytest.mark.parametrize("isa", [level for level in WIDTHS if level in LEVELS])
def test_how_the_remainder_is_computed(isa: str) -> None:
    """A sum stores nothing, and loads its last elements by masks where there are such instructions."""
    found = report(fastops.sum, dtype="f32", isa=isa)
    assert (found.masked_stores, found.remainder) == (0, "copies in a buffer" if isa == "sse2" else "masked loads and stores")
    assert report(fastops.gelu, dtype="f32", isa=isa).remainder.startswith("the last gang once more")


def test_an_index_per_lane_is_a_gather() -> None:
    assert report(checks.take).gathered == (1, 0)
    assert report(checks.put).gathered == (0, 1)
    assert report(checks.accumulate).gathered == (0, 0)
    assert "1 reads and 0 writes by an index per lane" in str(report(checks.take))


def test_the_source_is_what_the_user_wrote() -> None:
    file = (Path(__file__).parent / "kernel_shapes/src/checks.rs").read_text()
    for kernel in (checks.log_of_difference, checks.take):
        source = lanecraft.inspect(kernel, what="rust")
        assert isinstance(source, str) and source.startswith(f"pub fn {kernel.__name__}") and source in file
    assert "// a comment, which is source too" in str(lanecraft.inspect(checks.log_of_difference, what="rust"))


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: lanecraft.inspect(len), TypeError, "is no kernel; accepted: a function of a module that is built with Lanecraft"),
        (lambda: lanecraft.inspect(checks.take, what="ptx"), ValueError, "what='ptx'; accepted: 'asm', 'rust', 'cuda', 'report'"),
        (
            lambda: lanecraft.inspect(checks.take, isa="mmx"),
            ValueError,
            "kernel_shapes.checks.take has no variant for isa='mmx'; there are: ",
        ),
        (
            lambda: lanecraft.inspect(checks.plus),
            TypeError,
            "several choices of dtypes, name one: dtype= one of ('int32', 'int32'), ('uint8', 'uint8')",
        ),
        (lambda: lanecraft.inspect(checks.plus, dtype="f64"), ValueError, "has no variant for dtype='f64'; there are: "),
        (lambda: lanecraft.inspect(checks.plus, dtype="f31"), TypeError, "dtype 'f31' is none; accepted: f16, f32"),
        (lambda: lanecraft.inspect(checks.plus, degree=2), TypeError, "has no parameter 'degree'; it has: none"),
        (lambda: lanecraft.inspect(checks.take, isa=""), ValueError, "kernel_shapes.checks.take has no variant for isa=''; there are: "),
        (
            lambda: lanecraft.inspect(kernel_shapes.powers, dtype="f32", degree=np.arange(3)),
            ValueError,
            "has no variant for degree=array([0, 1, 2]); there are: 1, 2, 4, None",
        ),
        (lambda: lanecraft.inspect(checks.plus, what="cuda"), RuntimeError, "built without Cargo feature `cuda` of `lanecraft`"),
        (lambda: code_at(__file__, 0), RuntimeError, "machine code is read from ELF files, and"),
    ],
)
def test_misuse(call: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)


@pytest.mark.parametrize("package", ["capstone", "pyelftools"])
def test_a_package_that_is_missing_is_named(package: str) -> None:
    module = {"capstone": "capstone", "pyelftools": "elftools"}[package]
    code = f"""
import sys
sys.modules[{module!r}] = None
import lanecraft
from kernel_shapes import checks
print(lanecraft.inspect(checks.take, what="rust")[:11])
try:
    lanecraft.inspect(checks.take)
except ImportError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": WITH_PACKAGE}, capture_output=True, text=True, check=True
    )
    want = f'pub fn take\nmachine code needs the package {package}, which is not installed: pip install "lanecraft[inspect]"\n'
    assert done.stdout == want


@pytest.mark.parametrize(
    ("mnemonic", "operands", "want"),
    [
        ("vaddps", "zmm0, zmm1, zmm2", {"width": 512}),
        ("vaddss", "xmm0, xmm1, xmm2", {}),
        ("mulps", "xmm0, xmm1", {"width": 128}),
        ("vmovups", "ymmword ptr [rsp + 0x20], ymm3", {"width": 256, "is_spill": True}),
        ("vmovups", "ymm3, ymmword ptr [rsp + 0x20]", {"width": 256}),
        ("vmovups", "ymmword ptr [rdi + rax*4], ymm3", {"width": 256}),
        ("vmovups", "zmmword ptr [rdi] {k1}, zmm3", {"width": 512, "is_masked_store": True}),
        ("vmovups", "zmm3 {k1} {z}, zmmword ptr [rdi]", {"width": 512, "is_masked_load": True}),
        ("vmovups", "zmm3 {k1} {z}, zmm4", {"width": 512}),
        ("vmaskmovps", "ymmword ptr [rdi], ymm1, ymm2", {"width": 256, "is_masked_store": True}),
        ("vmaskmovps", "ymm0, ymm1, ymmword ptr [rdi]", {"width": 256, "is_masked_load": True}),
        ("vpgatherdd", "zmm0 {k1}, zmmword ptr [rsi + zmm1*4]", {"width": 512, "is_gather": True}),
        ("call", "0x1234", {"is_call": True}),
        ("fadd", "v0.4s, v1.4s, v2.4s", {"width": 128}),
        ("mov", "qword ptr [rsp + 8], rax", {}),
    ],
)
def test_instructions_are_told_apart(mnemonic: str, operands: str, want: dict[str, object]) -> None:
    one = Instruction(0, mnemonic, operands, None)
    names = ("is_call", "is_gather", "is_masked_load", "is_masked_store", "is_spill")
    nothing: dict[str, object] = {"width": 0, **dict.fromkeys(names, False)}
    assert {name: getattr(one, name) for name in nothing} == nothing | want


def test_the_body_is_the_largest_function_that_the_entry_leads_to() -> None:
    entry = (Instruction(0, "call", "0x10", 0x10), Instruction(5, "ret", "", None))
    body = tuple(Instruction(0x10 + k, "nop", "", None) for k in range(4))
    cold = tuple(Instruction(0x40 + k, "nop", "", None) for k in range(9))
    assert Code((entry, body, cold)).body == body


def test_innermost_loops_are_what_a_jump_back_encloses() -> None:
    def at(address: int, mnemonic: str, target: int | None = None) -> Instruction:
        return Instruction(address, mnemonic, "", target)

    body = (
        at(0, "je", 9),
        at(1, "call"),
        at(2, "mulps"),
        at(3, "call", 90),
        at(4, "jne", 2),
        at(5, "ret"),
        at(9, "call"),
        at(10, "jmp", 1),
    )
    assert [one.address for one in Code((body,)).in_loops] == [2, 3, 4]
