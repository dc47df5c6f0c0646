"""The process that works: it takes tasks one after the other, and says what comes of each on a pipe.

A task that fails may take the device's context, and so the process, with it; the other process (`plan.py`) starts another one for the rest.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from .cases import cases
from .check import check, digest
from .device import Device
from .rows import ROWS, Tools
from .speed import NotHere, time_copy, time_row

#: What the process ends with where it has to be another one that goes on.
AGAIN = 4


class Missing(Exception):
    """What is needed and not here."""


def load(kind: str) -> tuple[Any, Any]:
    """torch and fastops, where kernels can run on the kind of device."""
    if kind == "cuda":
        try:
            ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise Missing(
                "the NVIDIA driver's library `libcuda.so.1` was not found; needed: a machine with a GPU of NVIDIA's, and a driver of the "
                "line R550 or newer"
            ) from error
    try:
        torch = importlib.import_module("torch")
    except ImportError as error:
        raise Missing(f"torch cannot be imported ({error}); needed: `pip install torch numpy`, in a build with CUDA") from error
    if kind == "cuda" and torch.version.cuda is None:
        raise Missing(f"torch {torch.__version__} is a build without CUDA; needed: one with it")
    if kind == "cuda" and not torch.cuda.is_available():
        raise Missing("torch finds no CUDA device, though the driver's library is there; `nvidia-smi` says what the driver finds")
    try:
        return torch, importlib.import_module("fastops")
    except ImportError as error:
        raise Missing(f"fastops cannot be imported ({error}); needed: Python 3.11 or newer and NumPy 2, on x86-64 Linux") from error


def expected(kind: str = "cpu") -> dict[str, str]:
    """The hash of each kernel on each choice of dtypes, from the CPU."""
    torch, module = load(kind)
    return {case.name: digest(module, case, Device(torch, "cpu")) for case in cases(module)}


class Worker:
    """Does tasks."""

    def __init__(self, kind: str, elements: int, hashes: dict[str, str]) -> None:
        self.torch, self.module = load(kind)
        self.device, self.host = Device(self.torch, kind), Device(self.torch, "cpu")
        self.hashes = hashes
        self.tools = Tools(self.torch, self.module, kind, elements)
        self.cases = {case.name: case for case in cases(self.module)}

    def environment(self) -> dict[str, str]:
        """The machine and the libraries, for the report."""
        torch = self.torch
        found = {"python": platform.python_version(), "torch": str(torch.__version__), "fastops": str(self.module.__version__)}
        found["cpu level"] = str(self.module.isa())
        if self.device.is_gpu:
            properties = torch.cuda.get_device_properties(0)
            found["card"] = (
                f"{properties.name}, {properties.total_memory / 2**30:.0f} GiB, compute capability {properties.major}.{properties.minor}"
            )
            version = ctypes.c_int()
            ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
            found["driver's CUDA"] = f"{version.value // 1000}.{version.value % 1000 // 10}"
            found["torch's CUDA"] = str(torch.version.cuda)
        else:
            found["card"] = "none: the CPU in its place"
        return found

    def do(self, task: dict[str, str]) -> dict[str, Any]:
        """What comes of a task: "wrong" lines, or a "timing", or why it is "not here"."""
        if task["kind"] == "kernels":
            # What the kit has hashes for and the module has no kernel for.
            return {
                "kernels": list(self.cases),
                "wrong": [f"{name}: fastops has no such kernel" for name in self.hashes.keys() - self.cases],
            }
        if task["kind"] == "check":
            return {"wrong": check(self.module, self.cases[task["name"]], self.device, self.host, self.hashes.get(task["name"]))}
        if task["kind"] == "copy":
            return {"timing": time_copy(self.tools).as_dict()}
        row = next(row for row in ROWS if row.name == task["name"])
        try:
            return {"timing": time_row(row, task["way"], self.tools).as_dict()}
        except NotHere as why:
            return {"not here": str(why)}

    def tidy(self) -> None:
        """Gives back what a task has left."""
        if "torch._dynamo" in sys.modules:
            sys.modules["torch._dynamo"].reset()
        if self.device.is_gpu:
            self.torch.cuda.empty_cache()


def main(kind: str, elements: int, tasks: Path, hashes: dict[str, str]) -> int:
    """Does the tasks of a file."""
    # Libraries print what they like on the usual output.
    pipe = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        worker = Worker(kind, elements, hashes)
    except Missing as error:
        _say(pipe, {"missing": str(error)})
        return 2
    _say(pipe, {"environment": worker.environment()})
    for number, task in enumerate(json.loads(tasks.read_text())):
        _say(pipe, {"begin": number})
        start = time.perf_counter()
        came, failed = _guarded(worker, task)
        _say(pipe, {"end": number, "seconds": time.perf_counter() - start, **came})
        if failed:
            return AGAIN
        worker.tidy()
    return 0


def _guarded(worker: Worker, task: dict[str, str]) -> tuple[dict[str, Any], bool]:
    try:
        return worker.do(task), False
    except Exception as error:
        return {"error": f"{type(error).__name__}: {' '.join(str(error).split())[:400]}"}, True


def _say(pipe: TextIO, what: dict[str, Any]) -> None:
    pipe.write(json.dumps(what) + "\n")
    pipe.flush()
