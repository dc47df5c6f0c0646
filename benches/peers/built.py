"""Compiles of_cython.pyx and of_pythran.py for this machine. With `-ffast-math` the C compiler may use the C library's vector functions."""

import hashlib
import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
FOR_THIS_MACHINE = ["-O3", "-march=native", "-ffast-math", "-w"]


def cython(source: Path, library: Path) -> None:
    code = library.with_name(f"{source.stem}.c")
    subprocess.run([sys.executable, "-m", "cython", "-3", str(source), "-o", str(code)], check=True)
    compiler = shlex.split(os.environ.get("CC") or "cc")
    include = f"-I{sysconfig.get_path('include')}"
    subprocess.run([*compiler, *FOR_THIS_MACHINE, "-shared", "-fPIC", include, str(code), "-o", str(library), "-lm"], check=True)


def pythran(source: Path, library: Path) -> None:
    # `USE_XSIMD`: vectors, which are not asked for otherwise.
    command = [sys.executable, "-m", "pythran.run", *FOR_THIS_MACHINE, "-DUSE_XSIMD", str(source), "-o", str(library)]
    done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)  # hundreds of warnings about its own headers
    assert done.returncode == 0, done.stderr


def load(folder: Path, name: str) -> ModuleType:
    """A compiled module, built in `folder` unless it is there already."""
    build, source = (cython, FOLDER / f"{name}.pyx") if name == "of_cython" else (pythran, FOLDER / f"{name}.py")
    key = hashlib.sha256(source.read_bytes() + Path(__file__).read_bytes() + sys.version.encode()).hexdigest()[:16]
    library = folder / key / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not library.exists():
        library.parent.mkdir(parents=True, exist_ok=True)
        build(source, library)
    spec = importlib.util.spec_from_file_location(name, library)
    assert spec is not None and spec.loader is not None, library
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
