"""Threads of a call, and stopping it: `threads=`, the environment, affinity, fork, Ctrl-C."""

from __future__ import annotations

import os
import sys

import fastops
import numpy as np
import pytest
from conftest import run_python

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")

COUNT = """
import os, time, numpy as np, fastops
def others(wanted=0):
    # A thread gives itself its name once it runs.
    for _ in range(200):
        names = [open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task")]
        count = sum(name.startswith("lanecraft-") for name in names)
        if count >= wanted:
            break
        time.sleep(0.05)
    return count
x = np.ones(3_000_000, np.float32)
"""


@linux
@pytest.mark.parametrize(
    "call", ["fastops.exp(x, threads=3)", "fastops.softmax(x, threads=3)", "fastops.softmax(x.reshape(300, -1), threads=3)"]
)
def test_a_call_asks_for_threads(call: str) -> None:
    code = f"{COUNT}before = others(); {call}; print(before, others(2))"
    assert run_python(code, LANECRAFT_THREADS="1") == "0 2"


def assert_others(wanted: int, call: str, **environment: str) -> None:
    """After a call there are so many threads beside Python's own."""
    assert run_python(f"{COUNT}{call}; print(others({wanted}))", **environment) == str(wanted)


@linux
@pytest.mark.parametrize("kernel", ["exp", "softmax"])
def test_the_environment_says_how_many(kernel: str) -> None:
    assert_others(3, f"fastops.{kernel}(x)", LANECRAFT_THREADS="4", OMP_NUM_THREADS="2")
    assert_others(2, f"fastops.{kernel}(x)", LANECRAFT_THREADS="", OMP_NUM_THREADS="3")
    assert_others(0, f"fastops.{kernel}(x, threads=1)", LANECRAFT_THREADS="4")
    assert_others(3, f"fastops.{kernel}(x, threads=None)", LANECRAFT_THREADS="4")


@linux
def test_affinity_is_respected() -> None:
    one = "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"
    assert_others(0, f"{one}; fastops.softmax(x)", LANECRAFT_THREADS="", OMP_NUM_THREADS="")


def test_the_values_are_the_same(rng: np.random.Generator) -> None:
    x = rng.standard_normal((40, 70_000)).astype(np.float32)
    for kernel in (fastops.exp, fastops.softmax, fastops.sum):
        want = kernel(x, threads=1)
        for threads in (2, 3, 8):
            np.testing.assert_array_equal(kernel(x, threads=threads), want)


def test_errors() -> None:
    x = np.ones(4)
    for kernel in (fastops.exp, fastops.softmax):
        for wrong in (0, -3):
            with pytest.raises(ValueError, match=rf"\w+\(\): argument 'threads' is {wrong}; accepted: whole numbers from 1 on, or None"):
                kernel(x, threads=wrong)
        for other in (1.5, "two", True):
            with pytest.raises(TypeError, match=r"argument 'threads' is .*; accepted: whole numbers from 1 on"):
                kernel(x, threads=other)  # type: ignore[arg-type]
        assert kernel(x, threads=10**30).tolist() == kernel(x).tolist()  # of no use, and of no harm


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("call", ["fastops.softmax(x)", "fastops.softmax(x.reshape(300, -1))"])
def test_fork_after_threads(call: str) -> None:
    """A call on several threads, a fork, and the same call in the child."""
    code = f"""
import warnings; warnings.simplefilter('ignore')
import os, signal, numpy as np, fastops
x = np.ones(3_000_000, np.float32)
want = {call}
child = os.fork()
if child == 0:
    signal.alarm(60)
    same = np.array_equal({call}, want)
    os._exit(0 if same else 1)
print(os.waitpid(child, 0)[1])
"""
    assert run_python(code, LANECRAFT_THREADS="3") == "0"


INTERRUPT = """
import os, signal, threading, time, numpy as np, fastops, kernel_shapes
# A shell that starts the tests in the background has it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
x = np.linspace(-0.5, 0.0, {n})
a = np.ones((1500, 1500), np.float32)
def late():
    sent = 0.0
    def send():
        nonlocal sent
        time.sleep(0.15)
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        while True:
            {call}
    except KeyboardInterrupt:
        late = time.perf_counter() - sent
    sender.join()
    return late
best = min(late() for _ in range(4))
fastops.exp(np.ones(100_000))
print(best)
"""


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "call",
    [
        "fastops.mandelbrot(x, 0.0, max_iter=1024)",
        "fastops.mandelbrot(np.zeros(20_000_000, np.int8), 0, max_iter=1024)",
        "fastops.matmul(a, a)",
        "fastops.pairwise_sqdist(np.broadcast_to(a[:150], (200, 150, 1500)), a[:150])",
        "fastops.gaussian_blur(a, np.uint32(200))",
        # One element after the other, as each is made of the one before.
        "kernel_shapes.log_add.ufunc.reduce(np.broadcast_to(1.0, 30_000_000))",
        "kernel_shapes.half(np.broadcast_to(np.float32(1), 1 << 26), out=np.lib.stride_tricks.as_strided(a, (1 << 26,), (0,)))",
        # What is copied first.
        "kernel_shapes.least(np.broadcast_to(np.float32(1), (1 << 10, 1 << 18)))",
    ],
)
def test_ctrl_c(call: str, threads: int) -> None:
    """The time from the signal to the exception, the best of several as the machine may be busy. The next call is none the wiser."""
    late = float(run_python(INTERRUPT.format(n=4_000_000, call=call), LANECRAFT_THREADS=str(threads)))
    assert late < 0.1
