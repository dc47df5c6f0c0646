"""`lanecraft stubs`: the stubs that a module came with, and whether copies of them are still the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def stubs(name: str) -> dict[str, str]:
    """The stubs of an installed module, by file name: what its build script printed from the source."""
    spec = importlib.util.find_spec(name)
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec is not None else []
    found = {file.name: file.read_text() for folder in folders for file in sorted(folder.glob("*.pyi"))}
    if not found:
        raise FileNotFoundError(f"no stub is installed with {name}; its pyproject.toml needs the `include` lines of `lanecraft new`")
    return found


def write(name: str, folder: Path) -> list[Path]:
    """Copies them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for file, text in stubs(name).items():
        (folder / file).write_text(text)
        paths.append(folder / file)
    return paths


def differences(name: str, folder: Path) -> list[str]:
    """How the stubs in a folder differ from those of the installed module."""
    own = stubs(name)
    there = {file.name for file in folder.glob("*.pyi")}
    found = [f"{folder / file} is missing" for file in own if file not in there]
    found += [f"{folder / file} differs from that of {name}" for file in own if file in there and (folder / file).read_text() != own[file]]
    found += [f"{folder / file} is not among those of {name}" for file in sorted(there - set(own))]
    return found
