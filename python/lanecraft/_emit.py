"""`lanecraft emit`: the code of every kernel of a module, as files."""

from __future__ import annotations

from pathlib import Path

from ._inspect import inspect
from ._kernels import kernels, load


def emit(name: str, folder: Path, isa: str | None = None) -> list[Path]:
    """Writes the source of each kernel of a module, and of each variant on a CPU level its machine code and what that shows."""
    module = load(name)
    level = isa or module.isa()
    written = []

    def write(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        written.append(path)

    for kernel_name, (kernel, rows) in kernels(module).items():
        own = folder / kernel_name
        write(own / "source.rs", f"{inspect(kernel, what='rust')}\n")
        for row in rows:
            if row["level"] != level:
                continue
            values = [f"{key}-{value}" for key, value in row["parameters"].items()]
            stem = "-".join([*row["inputs"], *values, level])
            asked = {"dtype": row["inputs"], "isa": level, **row["parameters"]}
            write(own / f"{stem}.s", str(inspect(kernel, what="asm", **asked)))
            write(own / f"{stem}.txt", f"{inspect(kernel, what='report', **asked)}\n")
    if isa is not None and not any(path.suffix == ".s" for path in written):
        raise ValueError(f"{name} has no code for CPU level {isa!r} on this machine")
    return written
