"""Kernels on CUDA arrays, with a stand-in for the driver: results against the CPU's, and what the driver is told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import cuda_kernels as k
import lanecraft
import numpy as np
import pytest
from conftest import Driver, library

X = np.linspace(-3, 5, 24, dtype=np.float32).reshape(4, 6)
Y = np.arange(6, dtype=np.float32)


def test_results_are_the_library_s_own(cu: ModuleType, driver: Driver) -> None:
    x, y = cu.Array(X.copy()), cu.Array(Y.copy())
    result = k.axpy(2, x, y)
    assert type(result) is cu.Array
    assert result.device == "cuda:0"
    assert result.array.dtype == np.float32
    assert np.array_equal(result.array, k.axpy(np.float32(2), X, Y))
    (launch,) = driver.calls("cuLaunchKernel")
    assert launch.startswith("axpy__f32__strided, ")
    # The library is told of our stream, and the call waits, since it does not know what comes after.
    (stream,) = {int(line.split(",")[-1].split(")")[0], 16) for line in driver.calls("cuLaunchKernel")}
    assert x.streams == y.streams == result.streams == [stream]
    assert driver.calls("cuStreamSynchronize")[-1].startswith(f"{stream:#x})")


@pytest.mark.parametrize("view", [lambda x: x.T, lambda x: x[::-1, ::2], lambda x: x[1:2], lambda x: x[:0]])
def test_layouts(cu: ModuleType, driver: Driver, view: Any) -> None:
    want = view(X)
    result = k.axpy(0.5, cu.Array(view(X.copy())), 1.0)
    assert np.array_equal(result.array, k.axpy(np.float32(0.5), want, np.float32(1)))
    assert bool(driver.calls("cuLaunchKernel")) == (want.size > 0)


def test_outputs_are_written_in_place(cu: ModuleType, driver: Driver) -> None:
    out = cu.Array(np.empty_like(X))
    assert k.axpy(2, cu.Array(X.copy()), 1, out=out) is out
    assert np.array_equal(out.array, k.axpy(np.float32(2), X, np.float32(1)))
    both = cu.Array(X.copy())
    assert k.axpy(3, both, 0, out=both) is both
    assert np.array_equal(both.array, k.axpy(np.float32(3), X, np.float32(0)))
    base = np.zeros(30, np.float32)
    with pytest.raises(
        ValueError, match=r"axpy\(\): argument 'out' shares memory with argument 'x'; accepted on a CUDA device: one that lies apart"
    ):
        k.axpy(2, cu.Array(base[:24]), 1, out=cu.Array(base[1:25]))


def test_several_outputs(cu: ModuleType, driver: Driver) -> None:
    x, y = np.arange(-9, 9, dtype=np.int32), np.int32(4)
    q, r = k.divided(cu.Array(x), 4)
    want = k.divided(x, y)
    assert np.array_equal(q.array, want[0])
    assert np.array_equal(r.array, want[1])


def test_rows(cu: ModuleType, driver: Driver) -> None:
    x = np.random.default_rng(3).random((5, 300), dtype=np.float32)
    result = k.shares(cu.Array(x))
    assert np.array_equal(result.array, k.shares(x))
    assert driver.calls("cuLaunchKernel")[0].startswith("shares__f32, 5, ")


def test_faults_are_those_of_the_cpu(cu: ModuleType, driver: Driver) -> None:
    x, y = np.full((3, 5), 7, np.int32), np.full((3, 5), 2, np.int32)
    y[1, 2] = y[2, 0] = 0
    with pytest.raises(ZeroDivisionError, match=r"^divided\(\): integer division by zero at index \[1, 2\] of shape \[3, 5\]$"):
        k.divided(cu.Array(x), cu.Array(y))
    with pytest.raises(IndexError, match=r"^taken\(\): index \[9\] of argument `x` is out of range for shape \[6\]$"):
        k.taken(cu.Array(Y.copy()), cu.Array(np.array([1, 9], np.int32)))


def test_parameters_and_geometry(cu: ModuleType, driver: Driver) -> None:
    x = cu.Array(X.copy())
    for steps in (2, 3, 5):
        assert np.array_equal(k.stepped(x, steps=steps, grid=2, block=32).array, k.stepped(X, steps=steps))
    assert [call.split(" [")[0] for call in driver.calls("cuLaunchKernel")] == [f"stepped__f32__{s}, 2, 32," for s in ("2", "3", "any")]
    with pytest.raises(ValueError, match=r"^stepped\(\): `block` came as 4096; accepted is 1 to 640 threads, .* the nearest is 640$"):
        k.stepped(x, steps=2, block=4096)


def test_array_interface(cu: ModuleType, driver: Driver) -> None:
    x, out = cu.Interface(X.copy(), stream=1), cu.Interface(np.zeros_like(X))
    assert k.axpy(2, x, 1, out=out) is out
    assert np.array_equal(out.array, k.axpy(np.float32(2), X, np.float32(1)))
    # Our stream waits for theirs.
    assert driver.calls("cuEventRecord")[0].startswith("0x1)")
    with pytest.raises(ValueError, match=r"^axpy\(\): argument 'out' is read-only; accepted: a writable array$"):
        k.axpy(2, x, 1, out=cu.Interface(np.zeros_like(X), read_only=True))

    def strides(self: Any) -> dict[str, Any]:
        return {**cu.Interface.__cuda_array_interface__.fget(self), "strides": (4, 4, 4)}

    liar = type("Liar", (cu.Interface,), {"__module__": cu.__name__, "__cuda_array_interface__": property(strides)})
    with pytest.raises(TypeError) as caught:
        k.axpy(2, liar(X.copy()), 1)
    assert str(caught.value) == f"axpy(): argument 'x' has 3 strides and {X.ndim} axes; accepted: one for each"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda cu, x: k.axpy(1, x, cu.Array(X.astype(np.float64))),
            "axpy(): (int, float32, float64) came; accepted on a CUDA device, where nothing is "
            "cast: (float32, float32, float32), (float64, float64, float64)",
        ),
        (
            lambda cu, x: k.axpy(1, x, cu.Array(X.copy(), 1)),
            "axpy(): argument 'y' is on device cuda:1; accepted: arrays of cufake on one CUDA device cuda:0, as argument 'x' is",
        ),
        (
            lambda cu, x: k.axpy(1, x, X),
            "axpy(): argument 'y' is of numpy; accepted: arrays of cufake on one CUDA device cuda:0, as argument 'x' is",
        ),
        (
            lambda cu, x: k.axpy(1, x, 1, where=True),
            "axpy(): argument 'where' is not for arrays on a CUDA device; accepted: 'out', 'grid', 'block', 'threads'",
        ),
        (lambda cu, x: k.axpy(1, x), "axpy(): 2 positional arguments came; accepted: 3, or 4 with outputs"),
        (lambda cu, x: k.axpy(1, x, 1, grid="a"), "axpy(): grid='a'; accepted: a whole number"),
        (
            lambda cu, x: k.axpy(1, x, "1"),
            "axpy(): (int, float32, str) came; accepted on a CUDA device, where nothing is cast: (float32, float32, "
            "float32), (float64, float64, float64)",
        ),
    ],
)
def test_misuse(cu: ModuleType, driver: Driver, call: Any, text: str) -> None:
    with pytest.raises(TypeError) as error:
        call(cu, cu.Array(X.copy()))
    assert str(error.value) == text
    assert driver.calls("cuLaunchKernel") == []


def test_numbers_that_do_not_fit(cu: ModuleType, driver: Driver) -> None:
    with pytest.raises(ValueError, match=r"^divided\(\): argument 'y' is 300; accepted for u8: 0 to 255$"):
        k.divided(cu.Array(np.arange(4, dtype=np.uint8)), 300)
    with pytest.raises(ValueError, match=r"argument 'y' is of shape \[5\]; accepted: one that broadcasts with \[4, 6\]"):
        k.axpy(1, cu.Array(X.copy()), cu.Array(np.zeros(5, np.float32)))


def test_driver_s_errors(cu: ModuleType, driver: Driver) -> None:
    driver.fail("cuLaunchKernel")
    with pytest.raises(RuntimeError, match=r"^axpy\(\): CUDA: the driver's cuLaunchKernel failed with CUDA_ERROR_UNKNOWN \(999\)$"):
        k.axpy(2, cu.Array(X.copy()), 1)
    k.axpy(2, cu.Array(X.copy()), 1)


def test_graph(cu: ModuleType, driver: Driver) -> None:
    x, y, z = cu.Array(X.copy()), cu.Array(np.zeros_like(X)), cu.Array(np.zeros_like(X))
    with lanecraft.cuda.graph() as g:
        k.axpy(2, x, 1, out=y)
        k.shares(y, out=z)
        with pytest.raises(
            RuntimeError, match=r"^axpy\(\): a result cannot be allocated while a graph is captured; accepted: a call with 'out'$"
        ):
            k.axpy(2, x, 1)
        with pytest.raises(RuntimeError, match="a graph is being captured already"), lanecraft.cuda.graph():
            pass
    assert len(g) == 2
    assert driver.calls("cuLaunchKernel") == []
    assert not z.array.any()
    g.replay()
    assert np.array_equal(z.array, k.shares(k.axpy(np.float32(2), X, np.float32(1))))
    other, w = cu.Array(X[::-1].copy()), cu.Array(np.zeros_like(X))
    g.replay((x, other), (z, w))
    assert np.array_equal(w.array, k.shares(k.axpy(np.float32(2), X[::-1].copy(), np.float32(1))))
    with pytest.raises(RuntimeError, match=r"^replay\(\): no call of the graph has the array at "):
        g.replay((x, other))
    with pytest.raises(RuntimeError, match="the new array is f64"):
        g.replay((other, cu.Array(X.astype(np.float64))))
    with pytest.raises(TypeError, match=r"^replay\(\): accepted are pairs \(old, new\) of arrays$"):
        g.replay(other)


def test_a_graph_that_fails_is_forgotten(cu: ModuleType, driver: Driver) -> None:
    with pytest.raises(ZeroDivisionError), lanecraft.cuda.graph(k) as g:
        k.axpy(2, cu.Array(X.copy()), 1, out=cu.Array(X.copy()))
        raise ZeroDivisionError
    assert len(g) == 0
    assert np.array_equal(k.axpy(2, cu.Array(X.copy()), 1).array, k.axpy(np.float32(2), X, np.float32(1)))


def test_graphs_of_other_modules() -> None:
    with pytest.raises(
        TypeError, match=r"^<module 'sys' \(built-in\)> is no module of kernels; accepted: one that is built with Lanecraft"
    ):
        lanecraft.cuda.graph(sys)
    with pytest.raises(RuntimeError, match=r"^replay\(\): the graph is not captured yet; accepted: after its `with` block$"):
        lanecraft.cuda.graph(k).replay()


@pytest.fixture
def torch() -> Iterator[ModuleType]:
    """A module that stands for torch, whose tensors are on a device here. Its current stream is the default one; `streams` has it."""
    saved = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "torch"}
    try:
        torch = library("torch")
        torch.streams = {0: 0}
        cuda, autograd = ModuleType("torch.cuda"), ModuleType("torch.autograd.graph")
        cuda.current_stream = lambda device: type("Stream", (), {"cuda_stream": torch.streams[device]})  # type: ignore[attr-defined]
        torch.written = []
        autograd.increment_version = torch.written.append  # type: ignore[attr-defined]
        sys.modules |= {"torch.cuda": cuda, "torch.autograd": ModuleType("torch.autograd"), "torch.autograd.graph": autograd}
        torch.Array.requires_grad = False
        torch.Array.is_neg = torch.Array.is_inference = lambda self: False
        yield torch
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "torch"]:
            del sys.modules[name]
        sys.modules |= saved


def test_torch_s_current_stream(torch: ModuleType, driver: Driver) -> None:
    x = torch.Array(X.copy())
    result = k.axpy(2, x, 1)
    assert np.array_equal(result.array, k.axpy(np.float32(2), X, np.float32(1)))
    # Its default stream is 0, which DLPack and the driver call 1; nothing waits.
    assert x.streams == [1]
    assert driver.calls("cuLaunchKernel")[0].endswith(", 0, 0x1) on 0")
    assert driver.calls("cuStreamSynchronize") == []
    k.axpy(2, x, 1, out=result)
    assert torch.written == [result]


def test_deferred_faults_come_at_the_end(torch: ModuleType, driver: Driver) -> None:
    x, zeros = torch.Array(np.full(5, 7, np.int32)), torch.Array(np.array([1, 2, 0, 1, 0], np.int32))
    with lanecraft.cuda.deferred(k):
        q, _ = k.divided(x, 2)
        assert driver.calls("cuLaunchKernel")
        assert driver.calls("cuStreamSynchronize") == []
    assert len(driver.calls("cuStreamSynchronize")) == 1
    assert q.array.tolist() == [3] * 5
    text = r"^deferred\(\): divided: integer division by zero at index \[2\] of shape \[5\]$"
    with pytest.raises(ZeroDivisionError, match=text), lanecraft.cuda.deferred():
        k.divided(x, zeros)
        k.taken(torch.Array(Y.copy()), torch.Array(np.array([1, 9], np.int32)))
    with pytest.raises(KeyError) as error, lanecraft.cuda.deferred():
        k.taken(torch.Array(Y.copy()), torch.Array(np.array([1, 9], np.int32)))
        raise KeyError
    (note,) = error.value.__notes__
    assert note.startswith("and of the kernels called in the block: deferred(): taken: index out of range at ")
    # Behind the blocks a call waits again.
    with pytest.raises(ZeroDivisionError):
        k.divided(x, zeros)


def test_deferred_waits_on_a_stream_of_ours(cu: ModuleType, driver: Driver) -> None:
    with pytest.raises(ZeroDivisionError, match=r"^divided\(\): "), lanecraft.cuda.deferred():
        k.divided(cu.Array(np.full(5, 7, np.int32)), 0)


WITHOUT = """
import sys
import numpy as np
import cuda_kernels as k
sys.path.insert(0, {folder!r})

class Array:
    device = "cuda:0"
    def __dlpack_device__(self): return 2, 0
    def __dlpack__(self, **kwargs): raise AssertionError
    def __array_namespace__(self): return sys.modules["__main__"]
from_dlpack = None.__class__  # it is there, and not called
print(k.axpy(np.float32(2), np.ones(2, np.float32), np.float32(1)))
try:
    k.axpy(2, Array(), 1)
except RuntimeError as error:
    print(error)
"""


def test_without_a_driver(driver: Driver) -> None:
    """The stand-in is not loaded there. A machine with a driver of its own has nothing to say here."""
    if any("nvidia" in line for line in os.listdir("/dev")):
        pytest.skip("this machine has a driver")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LANECRAFT_FAKE")}
    code = WITHOUT.format(folder=os.path.dirname(__file__))
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [
        "[3. 3.]",
        "axpy(): CUDA: the NVIDIA driver's library (`libcuda.so.1`) was not found. Kernels run on the CPU without it; for CUDA install a "
        "driver of the line R550 or newer",
    ]
