"""Environment, threads, processes, and what a call costs."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import fastops
import kernel_shapes
import numpy as np
import pytest
from conftest import run_python

CALL = "import fastops, numpy as np; x = np.ones(8)\ntry: fastops.gelu(x)\nexcept RuntimeError as e: print(e)"


@pytest.mark.any_level
def test_unknown_level() -> None:
    """Importing works; calling and asking say what is wrong."""
    message = run_python(CALL, LANECRAFT_ISA="sse9")
    assert message.startswith(
        "gelu(): environment variable LANECRAFT_ISA is `sse9`, which is not a CPU level; the valid values are sse2, avx2, avx512, neon, portable;"
    )
    isa = run_python("import fastops\ntry: fastops.isa()\nexcept RuntimeError as e: print(e)", LANECRAFT_ISA="sse9")
    assert f"gelu(): {isa}" == message
    assert int(run_python("import fastops; print(len(fastops.variants()))", LANECRAFT_ISA="sse9")) > 0


@pytest.mark.any_level
def test_level_of_another_machine() -> None:
    other = "sse2" if "neon" in {row["level"] for row in fastops.variants()} else "neon"
    assert f"LANECRAFT_ISA is `{other}`" in run_python(CALL, LANECRAFT_ISA=other)


@pytest.mark.any_level
def test_bad_exact_and_threads() -> None:
    assert "LANECRAFT_EXACT is `yes`" in run_python(CALL, LANECRAFT_EXACT="yes")
    assert "LANECRAFT_THREADS" in run_python(CALL.replace("ones(8)", "ones(3_000_000)"), LANECRAFT_THREADS="many")


def test_forced_level_is_in_use() -> None:
    forced = os.environ.get("LANECRAFT_ISA")
    if not forced:
        pytest.skip("no level is forced")
    exact = os.environ.get("LANECRAFT_EXACT") == "1" and forced == "sse2"
    assert fastops.isa() == ("sse2-exact" if exact else forced)


LONG = np.linspace(-3, 3, 1 << 20)
OUT, MATRIX = np.empty_like(LONG), LONG.astype(np.float32).reshape(-1, 1024)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fastops.gelu(LONG, out=OUT),
        # NumPy keeps the GIL where there are few results.
        lambda: kernel_shapes.product(LONG, LONG, threads=1),
        lambda: kernel_shapes.product(LONG[::2], LONG[::2], threads=1),
        lambda: kernel_shapes.least(MATRIX),
    ],
    ids=["elements", "product", "copied", "least"],
)
def test_the_gil_is_released(call: Callable[[], object]) -> None:
    """Another thread keeps counting while a kernel runs."""
    ticks, stop = 0, threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0)

    counter = threading.Thread(target=count)
    counter.start()
    try:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            before, switch = ticks, sys.getswitchinterval()
            # No switch comes from the interpreter in this time: it would have to be the kernel that let go.
            sys.setswitchinterval(100)
            try:
                call()
            finally:
                sys.setswitchinterval(switch)
            if ticks > before:
                return
    finally:
        stop.set()
        counter.join()
    pytest.fail("no other thread ran during a kernel")


def test_many_threads_at_once() -> None:
    x = np.linspace(-3, 3, 3_000)
    want = fastops.gelu(x)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: fastops.gelu(x).tobytes(), range(400)))
    assert set(results) == {want.tobytes()}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork_after_threads() -> None:
    """polars#8032: a call above the threshold, a fork, and the same call in the child."""
    code = """
import os, numpy as np, fastops
x = np.ones(3_000_000, np.float32)
fastops.exp(x)
child = os.fork()
if child == 0:
    import signal
    signal.alarm(60)
    fastops.exp(x)
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    assert run_python(code.replace("import os,", "import warnings; warnings.simplefilter('ignore'); import os,")) == "0"


@pytest.mark.any_level
def test_an_import_brings_nothing_else() -> None:
    """No module of Python's besides the wheel's own, and of files the wheel's alone: what it costs is in benches/limits.py."""
    code = """
import sys, numpy
try:
    import ml_dtypes  # its dtype is asked for, where it is installed
except ImportError:
    pass
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
before = set(sys.modules)
import fastops
print(sorted(name for name in set(sys.modules) - before if name.split(".")[0] != "fastops"))
print([name for name in opened if "fastops" not in name])
"""
    assert run_python(code).splitlines() == ["[]", "[]"]


@pytest.mark.any_level
def test_memory_is_not_leaked() -> None:
    code = """
import resource, numpy as np, fastops
x = np.ones(1000, np.float32)
def work(n):
    for _ in range(n):
        fastops.axpy(2.0, x, x, out=x)
        try: fastops.axpy(1, x)
        except TypeError: pass
        try: fastops.gelu(x.astype('c8'))
        except TypeError: pass
work(2000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
work(20000)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    assert int(run_python(code)) < 4096
