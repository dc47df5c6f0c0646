"""Packs PTX into a wheel, so that its users need no NVRTC."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

#: The devices that are packed for: an A100's, an H100's. Newer ones run the PTX of older ones.
ARCHITECTURES = (80, 90)

#: In a process of its own, since the module may be installed here in another version.
_PACK = """
import importlib, sys
folder, module, *architectures = sys.argv[1:]
importlib.import_module(module)
module = sys.modules[f"{module}.{module}"].__lanecraft__
if not hasattr(module, "pack_ptx"):
    sys.exit(f"{module.module} is built without CUDA; accepted: a wheel that is built with the feature `cuda` of Lanecraft")
(major, minor), without = module.pack_ptx(folder, [int(a) for a in architectures])
print(f"NVRTC {major}.{minor}")
print(*without, sep="\\n")
"""


def pack(wheel: Path, architectures: tuple[int, ...] = ARCHITECTURES) -> list[str]:
    """Compiles the kernels of a wheel, and puts their PTX into it: what there is to say.

    RuntimeError where that cannot be done: the wheel is as it was then, and works where NVRTC is at run time.
    """
    with tempfile.TemporaryDirectory() as scratch:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(scratch)
        module = _module(Path(scratch))
        folder = Path(scratch, module, "ptx")
        command = [sys.executable, "-c", _PACK, str(folder), module, *map(str, architectures)]
        ran = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise RuntimeError(f"no PTX was packed into {wheel}: {ran.stderr.strip().splitlines()[-1]}")
        nvrtc, *without = ran.stdout.split("\n")
        files = sorted(folder.iterdir())
        _add(wheel, {f"{module}/ptx/{file.name}": file.read_bytes() for file in files})
    named = ", ".join(f"compute_{architecture}" for architecture in architectures)
    return [f"{len(files)} files of PTX packed into {wheel} for {named}, by {nvrtc}", *filter(None, without)]


def _module(folder: Path) -> str:
    """The package in an unpacked wheel that has a compiled module of its own name."""
    for path in sorted(folder.iterdir()):
        if any(path.glob(f"{path.name}.*so")) or any(path.glob(f"{path.name}.*pyd")):
            return path.name
    raise RuntimeError("the wheel has no compiled module; accepted: a wheel that is built with Lanecraft")


def _add(wheel: Path, files: dict[str, bytes]) -> None:
    """Adds files to a wheel, and to the list in it; those of these names before are replaced."""
    new = wheel.with_suffix(".new")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for info in old.infolist():
            if info.filename in files:
                continue
            content = old.read(info)
            if info.filename.endswith(".dist-info/RECORD"):
                kept = [line for line in content.decode().splitlines() if line.split(",")[0] not in files]
                content = "".join(f"{line}\n" for line in [*kept, *(_record(name, data) for name, data in files.items())]).encode()
            archive.writestr(info, content)
        for name, data in files.items():
            archive.writestr(name, data)
    new.replace(wheel)


def _record(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"
