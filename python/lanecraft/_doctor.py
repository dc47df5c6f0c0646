"""What is missing or does not fit, each with what to do about it."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ._modules import Module, modules

#: The newest protocol that this package knows.
PROTOCOL = 2
_EXTENSIONS = (".so", ".pyd")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    fine: bool
    what: str
    do: str | None = None
    """What to do, where it is not fine; and where it is, what else would be of use."""

    def __str__(self) -> str:
        return f"{'ok     ' if self.fine else 'PROBLEM'} {self.what}" + (f"; {self.do}" if self.do else "")


def doctor(*names: str) -> list[Finding]:
    """Looks at Python, NumPy, the environment, and the modules that are imported; those named are imported first."""
    found = [*_python(), *_environment()]
    for name in names:
        found += _files(name)
        found += _import(name)
    loaded = modules()
    if not loaded:
        found.append(Finding(True, "no module built with Lanecraft is imported", "name one: lanecraft doctor fastops"))
    for module in loaded:
        found += _module(module)
    return found


def _python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding(sys.version_info >= (3, 11), f"Python {version}", None if sys.version_info >= (3, 11) else "3.11 or later is needed")
    try:
        import numpy
    except ImportError as error:
        yield Finding(False, f"NumPy cannot be imported ({error})", "pip install numpy")
        return
    new = int(numpy.__version__.split(".")[0]) >= 2
    yield Finding(new, f"NumPy {numpy.__version__}", None if new else "2.0 or later is needed: pip install --upgrade numpy")
    try:
        yield Finding(True, f"ml_dtypes {importlib.metadata.version('ml_dtypes')}: bfloat16 arrays")
    except importlib.metadata.PackageNotFoundError:
        yield Finding(True, "ml_dtypes is not installed, so there are no bfloat16 arrays", "pip install ml_dtypes, if you want them")


def _environment() -> Iterator[Finding]:
    for name in ("LANECRAFT_ISA", "LANECRAFT_EXACT", "LANECRAFT_DEBUG", "LANECRAFT_THREADS"):
        value = os.environ.get(name)
        if value:
            # What is wrong with the first three each module says itself, since it depends on what it was built for.
            fine = name != "LANECRAFT_THREADS" or (re.fullmatch(r"[0-9]{1,19}", value.strip()) is not None and int(value) > 0)
            yield Finding(fine, f"environment variable {name} is {value!r}", None if fine else "set it to a number above 0, or unset it")


def _files(name: str) -> Iterator[Finding]:
    """Old and broken files beside a module: Python takes `x.cpython-311.so` before `x.abi3.so`, however old it is."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return
    if spec is None or not spec.submodule_search_locations:
        return
    for folder in map(Path, spec.submodule_search_locations):
        files = [file for file in sorted(folder.iterdir()) if file.suffix in _EXTENSIONS]
        for file in files:
            if file.stat().st_size == 0:
                yield Finding(False, f"{file} is empty", f"install {name} again: pip install --force-reinstall {name}")
        stems = [file.name.split(".")[0] for file in files]
        for stem in sorted({stem for stem in stems if stems.count(stem) > 1}):
            several = ", ".join(file.name for file in files if file.name.split(".")[0] == stem)
            yield Finding(False, f"{folder} holds {several}, and Python takes one of them", "delete all and install again")


def _import(name: str) -> Iterator[Finding]:
    try:
        module = importlib.import_module(name)
    except Exception as error:
        yield Finding(False, f"{name} cannot be imported ({type(error).__name__}: {error})", f"is it installed? pip install {name}")
        return
    if not any(loaded.module in (name, module.__name__) for loaded in modules()):
        yield Finding(False, f"{name} is not built with Lanecraft, or with a version that this package does not know", "build it anew")


def _module(module: Module) -> Iterator[Finding]:
    what = f"{module.module} {module.version}, built with Lanecraft {module.lanecraft}"
    if module.protocol > PROTOCOL:
        newer = f"{what}, speaks protocol {module.protocol}, this package {PROTOCOL}"
        yield Finding(True, newer, "pip install --upgrade lanecraft, for all that it can do")
    try:
        yield Finding(True, f"{what}: CPU level {module.isa()}")
    except RuntimeError as error:
        yield Finding(False, f"{what}: {error}", "change the environment variable")
