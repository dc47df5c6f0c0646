"""A library of CUDA arrays without CUDA: its memory is the host's, which the stand-in for the driver takes for the device's."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "python"))
DRIVER = ctypes.CDLL(os.environ["LANECRAFT_FAKE_CUDA"]) if "LANECRAFT_FAKE_CUDA" in os.environ else None

ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
ctypes.pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Driver:
    """What the stand-in has seen."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library

    def log(self) -> list[str]:
        room = self.library.fake_log(None, 0)
        text = ctypes.create_string_buffer(room + 1)
        self.library.fake_log(text, room)
        return text.value.decode().splitlines()

    def calls(self, name: str) -> list[str]:
        return [line.removeprefix(name + "(") for line in self.log() if line.startswith(name + "(")]

    def fail(self, name: str) -> None:
        self.library.fake_fail(name.encode(), 0)


@pytest.fixture
def driver() -> Iterator[Driver]:
    assert DRIVER is not None, "LANECRAFT_FAKE_CUDA names the stand-in for the driver: `cargo xtask test --only cuda-python` builds it"
    found = Driver(DRIVER)
    DRIVER.fake_reset()
    yield found
    DRIVER.fake_reset()


class Array:
    """An array on a device, by DLPack."""

    def __init__(self, array: np.ndarray[Any, Any], device: int = 0) -> None:
        self.array, self.device = array, f"cuda:{device}"
        self.streams: list[int | None] = []
        base = array if array.base is None else array.base
        assert DRIVER is not None
        DRIVER.fake_adopt(ctypes.c_uint64(base.__array_interface__["data"][0]), ctypes.c_size_t(max(1, base.nbytes)))

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    def __array_namespace__(self) -> ModuleType:
        return sys.modules[type(self).__module__]

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, int(self.device.rpartition(":")[2])

    def __dlpack__(self, *, stream: int | None = None) -> object:
        self.streams.append(stream)
        capsule = self.array.__dlpack__()
        at = ctypes.pythonapi.PyCapsule_GetPointer(capsule, b"dltensor")
        # `DLTensor.device` stands behind the address.
        ctypes.c_int32.from_address(at + 8).value, ctypes.c_int32.from_address(at + 12).value = self.__dlpack_device__()
        return capsule


class Interface:
    """An array on a device, by `__cuda_array_interface__` alone."""

    def __init__(self, array: np.ndarray[Any, Any], stream: int | None = None, read_only: bool = False) -> None:
        self.array, self.stream, self.read_only = array, stream, read_only
        assert DRIVER is not None
        DRIVER.fake_adopt(ctypes.c_uint64(array.__array_interface__["data"][0]), ctypes.c_size_t(array.nbytes))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        host = self.array.__array_interface__
        return {
            "shape": host["shape"],
            "typestr": host["typestr"],
            "data": (host["data"][0], self.read_only),
            "strides": host["strides"],
            "version": 3,
            "stream": self.stream,
        }


def library(name: str) -> ModuleType:
    """A module of this name with arrays of its own, which allocates as the array API says."""
    module = ModuleType(name)
    array = type("Array", (Array,), {"__module__": name})
    interface = type("Interface", (Interface,), {"__module__": name})

    def empty(shape: tuple[int, ...], *, dtype: Any, device: str) -> Array:
        made: Array = array(np.full(shape, 77, dtype), int(device.rpartition(":")[2]))
        return made

    for key, value in {"Array": array, "Interface": interface, "empty": empty, "from_dlpack": lambda other: other}.items():
        setattr(module, key, value)
    for dtype in ("float32", "float64", "int32", "uint8"):
        setattr(module, dtype, np.dtype(dtype))
    sys.modules[name] = module
    return module


@pytest.fixture(scope="session")
def cu() -> ModuleType:
    return library("cufake")
