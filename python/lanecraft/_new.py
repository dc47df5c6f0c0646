"""`lanecraft new`: a crate with one kernel, which `pip install .` makes a Python module of."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

_FILES = (
    "Cargo.toml",
    "pyproject.toml",
    "build.rs",
    "src/lib.rs",
    "tests/test_kernels.py",
    ".github/workflows/ci.yml",
    ".gitignore",
)


def new(name: str, folder: Path, lanecraft: str | None = None) -> list[Path]:
    """Writes the crate `name` into a new or empty folder, to be built with the checkout `lanecraft`, or else with the released version."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise ValueError(f"{name!r} cannot be the name of a Python module and of a crate; accepted: lower-case letters, digits and _")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is there already, and not empty")
    source = 'version = "0.1"' if lanecraft is None else f'path = "{Path(lanecraft).resolve().as_posix()}"'
    template = files(__package__).joinpath("template")
    written = []
    for file in _FILES:
        # Under names that no tool takes for its own: it would find a crate, a test, a workflow in this package.
        text = template.joinpath(*f"{file}.in".replace(".github", "github").replace(".git", "git").split("/")).read_text()
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(text).substitute(name=name, lanecraft=source))
        written.append(target)
    return written
