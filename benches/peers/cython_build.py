"""Compiles of_cython.pyx for this machine. With `-ffast-math` the C compiler may use the C library's vector functions."""

import hashlib
import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

SOURCE = Path(__file__).with_name("of_cython.pyx")
OPTIONS = ["-O3", "-march=native", "-ffast-math", "-shared", "-fPIC", "-w"]


def load(folder: Path) -> ModuleType:
    """The compiled module, built in `folder` unless it is there already."""
    key = hashlib.sha256(SOURCE.read_bytes() + " ".join([*OPTIONS, sys.version]).encode()).hexdigest()[:16]
    library = folder / key / f"of_cython{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not library.exists():
        library.parent.mkdir(parents=True, exist_ok=True)
        source = library.with_name("of_cython.c")
        subprocess.run([sys.executable, "-m", "cython", "-3", str(SOURCE), "-o", str(source)], check=True)
        compiler = shlex.split(os.environ.get("CC") or "cc")
        include = f"-I{sysconfig.get_path('include')}"
        subprocess.run([*compiler, *OPTIONS, include, str(source), "-o", str(library), "-lm"], check=True)
    spec = importlib.util.spec_from_file_location("of_cython", library)
    assert spec is not None and spec.loader is not None, library
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
