"""Measures what a kernel costs to compile: CPU seconds per function over arrays, in the release profile.

Each kernel of fastops is compiled alone, in a crate with what its file has besides kernels; the same crate without a kernel is
taken off. How many functions are built of it, `LANECRAFT_REPORT=1` tells. `cargo xtask bench --row build` runs it.
"""

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import strftime
from typing import TypedDict

ROOT = Path(__file__).parent.parent
LIMIT = 0.3

MANIFEST = """\
[package]
name = "one_kernel"
version = "0.0.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
lanecraft = {{ path = '{root}', features = ["python"] }}

[workspace]
"""
# The module that every crate here is.
MODULE = "lanecraft::python_module!(one_kernel);\n"
REPORT = re.compile(r"^  on (?P<target>.+?): (?P<variants>\d+) variants x (?P<levels>\d+) levels .* = (?P<functions>\d+) functions$", re.M)


class Kernel(TypedDict):
    """What a kernel costs."""

    kernel: str
    variants: int
    levels: int
    functions: int
    cpu_seconds: float
    per_function: float
    holds: bool


def items(source: str) -> Iterator[str]:
    """The items of a file as rustfmt leaves it: each ends with a line that closes it."""
    item = ""
    for line in source.splitlines(keepends=True):
        item += line
        if line == "}\n" or (re.match(r"\S", line) and line.rstrip().endswith(";")):
            yield item
            item = ""


def crates(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of each kernel, and a crate with it alone."""
    for file in sorted(folder.rglob("*.rs")):
        if file.name == "lib.rs":
            continue
        source = re.sub(r"^//!.*\n", "", file.read_text(), flags=re.M)
        parts = list(items(source))
        others = "".join(part for part in parts if "#[kernel" not in part)
        for part in parts:
            name = re.search(r"\bfn (\w+)", part)
            if "#[kernel" in part and name is not None:
                yield name[1], MODULE + others + part


class Builder:
    """A crate that is compiled with one kernel after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "src").mkdir(parents=True, exist_ok=True)
        (folder / "Cargo.toml").write_text(MANIFEST.format(root=ROOT))
        lock = ROOT / "Cargo.lock"
        if not (folder / "Cargo.lock").exists() and lock.exists():
            (folder / "Cargo.lock").write_text(lock.read_text())

    def cost(self, source: str) -> tuple[float, str]:
        """CPU seconds of compiling the crate, and what the compiler said."""
        (self.folder / "src/lib.rs").write_text(source)
        environment = os.environ | {"LANECRAFT_REPORT": "1", "CARGO_TARGET_DIR": str(self.folder / "target"), "PYO3_PYTHON": sys.executable}
        command = [os.environ.get("CARGO", "cargo"), "build", "--release", "--quiet"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=self.folder, env=environment, stderr=subprocess.PIPE, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr


def measure(builder: Builder, name: str, source: str, base: float, repeats: int) -> Kernel:
    costs = []
    for k in range(repeats):
        seconds, said = builder.cost(f"{source}// {k}\n")
        costs.append(seconds - base)
    machine = "64-bit ARM" if platform.machine() in ("aarch64", "arm64") else "x86-64"
    found = next((match for match in REPORT.finditer(said) if match["target"] == machine), None)
    if found is None:
        raise SystemExit(f"{name}: no report came for {machine}:\n{said}")
    functions, seconds = int(found["functions"]), max(median(costs), 0.0)
    return Kernel(
        kernel=name,
        variants=int(found["variants"]),
        levels=int(found["levels"]),
        functions=functions,
        cpu_seconds=seconds,
        per_function=seconds / functions,
        holds=seconds / functions <= LIMIT,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="where the crate is built")
    parser.add_argument("--out", type=Path, required=True, help="a JSON file for the results")
    parser.add_argument("--kernel", help="the kernels whose names hold this text")
    parser.add_argument("--repeats", type=int, default=1, help="builds of each kernel")
    options = parser.parse_args()

    builder = Builder(options.folder)
    builder.cost(MODULE)  # what all of them depend on
    base = median(builder.cost(f"{MODULE}use lanecraft::prelude::*;\n#[allow(unused)]\nfn f{k}() {{}}\n")[0] for k in range(3))
    print(f"CPU seconds in the release profile, less the {base:.2f} s of a crate without kernels; a function is a variant on a level")
    print(f"{'kernel':22}{'variants':>9}{'levels':>8}{'functions':>11}{'CPU s':>9}{'each':>8}  limit {LIMIT:g}")
    rows = []
    for name, source in crates(ROOT / "examples/fastops/src"):
        if options.kernel is not None and options.kernel not in name:
            continue
        row = measure(builder, name, source, base, options.repeats)
        rows.append(row)
        numbers = f"{row['variants']:9}{row['levels']:8}{row['functions']:11}{row['cpu_seconds']:9.2f}{row['per_function']:8.3f}"
        print(f"{name:22}{numbers}{'' if row['holds'] else '  FAILED'}", flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"date": strftime("%Y-%m-%d"), "base": base, "limit": LIMIT, "kernels": rows}, indent=2) + "\n")
    print(f"record: {options.out}")
    return 0 if all(row["holds"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
