"""The memory of large results: kept when its array goes, and given out again."""

from __future__ import annotations

import gc
import os
from typing import Any

import kernel_shapes as k
import numpy as np
import pytest
from conftest import run_python

pytestmark = pytest.mark.any_level
MIB = 1 << 20


def memory() -> dict[str, int]:
    report: dict[str, int] = k.half.__lanecraft__.memory()
    return report


def release() -> int:
    gc.collect()
    released: int = k.half.__lanecraft__.release_memory()
    return released


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def test_blocks_are_reused() -> None:
    release()
    x = np.ones(4 * MIB, np.float32)
    before = memory()
    first = k.half(x)
    at = address(first)
    # As NumPy's own large arrays lie, so that inputs and outputs lie alike.
    assert at % 64 == 16 and (first == 0.5).all()
    during = memory()
    assert 16 * MIB <= during["in_use"] - before["in_use"] <= 18 * MIB
    assert during["blocks_new"] == before["blocks_new"] + 1
    del first
    after = memory()
    assert after["in_use"] == before["in_use"] and after["kept"] >= 16 * MIB
    second = k.half(x)
    assert address(second) == at and memory()["blocks_reused"] == before["blocks_reused"] + 1
    assert (second == 0.5).all()
    del second
    assert release() >= 16 * MIB and memory()["kept"] == 0


def test_what_is_kept_is_bounded() -> None:
    x = np.ones(16 * MIB, np.float32)
    results = [k.half(x) for _ in range(6)]
    assert memory()["in_use"] >= 6 * 64 * MIB
    del results
    report = memory()
    assert 64 * MIB <= report["kept"] <= report["limit"] == 256 * MIB
    release()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: k.half(x.reshape(1024, -1).T),
        lambda x: k.half(x, order="F"),
        lambda x: k.half(x, where=x > 0, out=np.zeros_like(x)),
        lambda x: k.ends(x, x[::-1])[0],
        lambda x: k.ends(x[:1024, None], x[None, :1024])[1],
        lambda x: k.quotients(x.astype("i4").reshape(2, -1), x.astype("i4").reshape(2, -1))[0],
    ],
)
def test_all_kinds_of_calls(call: Any) -> None:
    """The same values whether memory is new or reused."""
    x = np.arange(1, 2 * MIB + 1, dtype=np.float32)
    release()
    first = call(x).copy()
    for _ in range(3):
        assert np.array_equal(call(x), first)


def test_numpy_s_own_arrays_stay_numpy_s() -> None:
    """The handler is in place during a call and no longer."""
    before = memory()["in_use"]
    k.half(np.ones(MIB, np.float32))
    with pytest.raises(TypeError):
        k.half(np.ones(MIB, np.complex64))
    kept = np.ones(4 * MIB)
    assert memory()["in_use"] == before
    assert np._core.multiarray.get_handler_name() == "default_allocator"
    del kept


def test_arrays_change_hands_and_size() -> None:
    """`resize` gives memory back and takes new; views keep it; other threads free it."""
    before = memory()["in_use"]
    y = k.half(np.arange(MIB, dtype=np.float32))
    y.resize(2 * MIB, refcheck=False)
    assert y[:MIB].tolist() == (np.arange(MIB, dtype=np.float32) / 2).tolist() and not y[MIB:].any()
    y.resize(10, refcheck=False)
    assert y.tolist() == [n / 2 for n in range(10)]
    z = k.half(np.ones(MIB, np.float32))[5:8]
    assert z.tolist() == [0.5] * 3 and memory()["in_use"] > before
    del y, z
    assert memory()["in_use"] == before


def test_allocating_in_a_loop_touches_no_new_pages() -> None:
    """64 MiB: what costs the time are the 16,384 pages (32 huge ones) of a new block. Its measure is in benches/rows/allocating.toml."""
    code = """
import resource, numpy as np, kernel_shapes as k
x = np.ones(1 << 24, np.float32)
def faults(n):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(n):
        k.half(x)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
first = faults(2)
print(first > 32, faults(20) < 32)
"""
    assert run_python(code) == "True True"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_has_memory_of_its_own() -> None:
    code = """
import os, numpy as np, kernel_shapes as k
x = np.ones(1 << 20, np.float32)
y = k.half(x)
child = os.fork()
if child == 0:
    z = k.half(x)
    os._exit(0 if (z == 0.5).all() and (y == 0.5).all() else 1)
print(os.waitpid(child, 0)[1])
"""
    assert run_python("import warnings; warnings.simplefilter('ignore')\n" + code) == "0"
