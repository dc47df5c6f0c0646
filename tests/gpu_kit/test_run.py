"""The program as a whole."""

from __future__ import annotations

import csv
import ctypes
import json
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Ran
from kit.rows import EAGER, OURS, ROWS, TRITON

#: One kernel, and no more times than that of a copy and ours.
SHORT = ("--device", "cpu", "--only", "gelu", "--elements", 1000, "--ways", OURS)


def test_everything_on_the_cpu(kit: Path, run: Callable[..., Ran]) -> None:
    """Triton's kernels in its interpreter: each result is compared with ours before it is timed."""
    ran = run("--device", "cpu", "--elements", 6000, "--budget", 400, "--ways", OURS, EAGER, TRITON, "cupy", TRITON_INTERPRET="1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    hashes = json.loads((kit / "expected.json").read_text())
    assert len(hashes) > 190
    page = (kit / "results" / "results.md").read_text()
    assert f"Bits: {len(hashes)} of {len(hashes)} kernels" in page
    with (kit / "results" / "results.csv").open() as file:
        timed = {(row["row"], row["way"]): row for row in csv.DictReader(file)}
    assert set(timed) == {("copy", "torch"), *((row.name, way) for row in ROWS for way in (OURS, EAGER, TRITON))}
    assert all(float(row["microseconds"]) > 0 and float(row["gigabytes_a_second"]) > 0 and row["of_copy"] for row in timed.values())
    table = [line for line in page.splitlines() if line.startswith("| ")]
    assert [line.split("|")[1].strip() for line in table[1:]] == [row.name for row in ROWS]
    assert "resize_normalize, u8 by cupy" in page
    assert "cupy cannot be imported" in page
    assert "Left out" not in page
    assert "Wrong" not in page


def test_a_hash_that_differs(kit: Path, run: Callable[..., Ran]) -> None:
    file = kit / "expected.json"
    hashes = json.loads(file.read_text())
    digit = hashes["gelu(float32)"][0]
    hashes["gelu(float32)"] = ("0" if digit != "0" else "1") + hashes["gelu(float32)"][1:]
    hashes["no_such(float32)"] = "0"
    del hashes["gelu(float64)"]
    file.write_text(json.dumps(hashes))
    ran = run(*SHORT)
    assert ran.returncode == 1
    page = (kit / "results" / "results.md").read_text()
    assert "Bits: 2 of 4 kernels" in page
    for line in [
        "- no_such(float32): fastops has no such kernel",
        "- gelu(float32): the CPU here gives other bits than the CPU that made the kit",
        "- gelu(float64): the kit has no hash for it",
    ]:
        assert line in page.splitlines()


def test_the_budget_is_kept_and_what_is_left_out_is_named(kit: Path, run: Callable[..., Ran]) -> None:
    start = time.monotonic()
    ran = run("--device", "cpu", "--budget", 7, "--elements", 2_000_000, "--ways", OURS, EAGER)
    assert time.monotonic() - start < 15
    assert ran.returncode == 3, ran.stdout + ran.stderr
    page = (kit / "results" / "results.md").read_text()
    assert "Left out, for want of time:" in page
    assert "- resize_normalize, u8 by torch eager" in page.splitlines()


def test_without_a_driver(run: Callable[..., Ran]) -> None:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        ran = run()
        assert ran.returncode == 2
        assert ran.stderr == (
            "run.py: cannot run here: the NVIDIA driver's library `libcuda.so.1` was not found; needed: a machine with a GPU of "
            "NVIDIA's, and a driver of the line R550 or newer\n"
        )
    else:
        pytest.skip("this machine has a driver")


def test_without_torch(tmp_path: Path, run: Callable[..., Ran]) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('there is none')\n")
    ran = run(*SHORT, PYTHONPATH=str(tmp_path))
    assert ran.returncode == 2
    assert ran.stderr == (
        "run.py: cannot run here: torch cannot be imported (there is none); needed: `pip install torch numpy`, in a build with CUDA\n"
    )


def test_without_wheels(kit: Path, run: Callable[..., Ran]) -> None:
    for wheel in (kit / "wheels").iterdir():
        wheel.unlink()
    ran = run(*SHORT)
    assert ran.returncode == 2
    assert "no wheel is in" in ran.stderr


@pytest.mark.parametrize(
    ("says", "code", "summary"),
    [
        ("", 0, "0 bad accesses in 4 of 4 kernels"),
        ("========= Invalid __global__ write of size 4 bytes", 1, "1 bad accesses in 4 of 4 kernels"),
    ],
)
def test_the_sanitizer(tmp_path: Path, kit: Path, run: Callable[..., Ran], says: str, code: int, summary: str) -> None:
    """A stand-in for NVIDIA's tool: it writes its file, and runs the rest of its arguments."""
    tool = tmp_path / "compute-sanitizer"
    tool.write_text(
        "#!/bin/sh\n"
        'while [ "${1#--}" != "$1" ]; do [ "$1" = --log-file ] && said=$2; shift 2; done\n'
        f'echo "{says}" > "$said"\nexec "$@"\n'
    )
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    ran = run(*SHORT, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert ran.returncode == code, ran.stdout + ran.stderr
    page = (kit / "results" / "results.md").read_text()
    assert f"Sanitizer: {summary}." in page
    assert ("- compute-sanitizer: Invalid __global__ write of size 4 bytes" in page) == bool(says)
    # They do not count twice.
    assert "Bits: 4 of 4 kernels" in page
