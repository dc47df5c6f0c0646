"""Kernels on a device against the CPU, bit for bit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from .cases import Case, Setup, kernel_of
from .device import Device
from .values import Bits, bits, canonical


def results(module: Any, case: Case, setup: Setup, device: Device) -> list[Bits]:
    """What a kernel gives on a device, for the values of a call."""
    arrays = []
    for k, operand in enumerate(setup.inputs):
        arrays.append(device.lay(bits(operand.dtype, operand.shape, operand.values, k), operand.dtype, operand.layout))
    keywords = dict(case.parameters)
    if setup.outputs is not None:
        room = tuple(device.filled(shape, dtype) for shape, dtype in zip(setup.outputs, case.outputs, strict=True))
        keywords["out"] = room if len(room) > 1 else room[0]
    given = kernel_of(module, case.kernel)(*arrays, **keywords)
    several = given if isinstance(given, tuple) else (given,)
    return [canonical(device.get(one, dtype), dtype) for one, dtype in zip(several, case.outputs, strict=True)]


def digest(module: Any, case: Case, device: Device) -> str:
    """A hash of what a kernel gives, in all its calls."""
    found = hashlib.sha256()
    for setup in case.setups():
        _add(found, results(module, case, setup, device))
    return found.hexdigest()


def check(module: Any, case: Case, device: Device, host: Device, expected: str | None) -> list[str]:
    """What is wrong with a kernel on a device: nothing, if its bits are those of the CPU here, and of the CPU that made the kit."""
    wrong: list[str] = []
    here, there = hashlib.sha256(), hashlib.sha256()
    for setup in case.setups():
        want, came = results(module, case, setup, host), results(module, case, setup, device)
        _add(here, want)
        _add(there, came)
        wrong += differences(case, setup, came, want)
    if expected is None:
        wrong.append(f"{case.name}: the kit has no hash for it")
    elif here.hexdigest() != expected:
        wrong.append(f"{case.name}: the CPU here gives other bits than the CPU that made the kit")
    if expected is not None and there.hexdigest() != expected and not wrong:
        wrong.append(f"{case.name}: other bits than those of the CPU that made the kit")
    return wrong


def differences(case: Case, setup: Setup, came: list[Bits], want: list[Bits]) -> Iterator[str]:
    """Where outputs differ from the CPU's, one line for each."""
    shapes = ", ".join(f"{operand.shape} {operand.layout}" for operand in setup.inputs)
    for k, (a, b) in enumerate(zip(came, want, strict=True)):
        where = f"{case.name} on {shapes}, output {k}"
        if a.shape != b.shape:
            yield f"{where}: shape {a.shape}, on the CPU {b.shape}"
        elif not np.array_equal(a, b):
            at = np.argwhere(a != b)
            first = tuple(int(i) for i in at[0])
            width = 2 + 2 * a.dtype.itemsize
            bits = f"{a[first]:#0{width}x}, on the CPU {b[first]:#0{width}x}"
            yield f"{where}: {len(at)} of {a.size} differ; {list(first)} is {bits}"


def _add(found: Any, several: list[Bits]) -> None:
    for one in several:
        found.update(repr(one.shape).encode())
        found.update(np.ascontiguousarray(one).astype(one.dtype.newbyteorder("<")).tobytes())
