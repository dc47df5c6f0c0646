"""What the kit for a GPU compares (`benches/gpu`), by the way of a CUDA call, with a stand-in for the driver."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import cuda_kernels
import numpy as np
import pytest
from conftest import Driver

sys.path.insert(0, str(Path(__file__).parents[3] / "benches" / "gpu"))

from kit.cases import Case, cases
from kit.check import check, digest
from kit.device import Device
from kit.values import Bits, unsigned

#: The others have faults on any values: they divide by zero, or take elements by an index.
KERNELS = ("axpy", "stepped", "shares")


class Host(Device):
    """NumPy's arrays in the place of torch's."""

    def __init__(self) -> None:
        super().__init__(None, "cpu")

    def put(self, found: Bits, dtype: str) -> Any:
        return np.ascontiguousarray(found).copy().view(dtype)

    def get(self, array: Any, dtype: str) -> Bits:
        bits: Bits = np.ascontiguousarray(array).view(unsigned(dtype))
        return bits.reshape(array.shape)


class Fake(Host):
    """Arrays of a library that says they are on a CUDA device. `flip`: a bit of each result that is wrong."""

    def __init__(self, cu: ModuleType, flip: int = 0) -> None:
        super().__init__()
        self.cu, self.flip = cu, flip

    def view(self, found: Bits, dtype: str, of: Callable[[Any], Any]) -> Any:
        return self.cu.Array(of(super().put(found, dtype)))

    def get(self, array: Any, dtype: str) -> Bits:
        return super().get(array.array, dtype) ^ np.array(self.flip, unsigned(dtype))


def named(name: str) -> Case:
    return next(case for case in cases(cuda_kernels) if case.name == name)


@pytest.mark.parametrize("name", [case.name for case in cases(cuda_kernels) if case.kernel in KERNELS])
def test_kernels_give_the_cpu_s_bits(cu: ModuleType, driver: Driver, name: str) -> None:
    case, host = named(name), Host()
    assert check(cuda_kernels, case, Fake(cu), host, digest(cuda_kernels, case, host)) == []
    # All calls but that of no elements.
    assert len(driver.calls("cuLaunchKernel")) == sum(all(all(o.shape) for o in setup.inputs) for setup in case.setups())


def test_a_wrong_bit_is_found(cu: ModuleType, driver: Driver) -> None:
    case, host = named("axpy(float32, float32, float32)"), Host()
    found = check(cuda_kernels, case, Fake(cu, flip=1), host, digest(cuda_kernels, case, host))
    assert len(found) == 4
    assert "of 100003 differ; [0] is 0x" in found[0]
