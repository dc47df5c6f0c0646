"""Bugs that were reported of other libraries, as cases for this one; those with a place in another file are tested there."""

from __future__ import annotations

import sys

import kernel_shapes as k
import numpy as np
import pytest
from conftest import run_python

pytestmark = pytest.mark.any_level
F4 = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_rust_numpy_527_empty_writable_arrays() -> None:
    for shape in [(2, 0), (0,), (0, 3), (1, 0, 4)]:
        out = np.zeros(shape, np.float32)
        assert k.half(out, out=out) is out and k.half(out).shape == shape
        assert k.half(np.zeros(shape, np.float32), out=np.zeros(shape)).shape == shape


def test_rust_numpy_559_one_array_as_input_and_output() -> None:
    base = np.arange(40, dtype=np.float32)
    for at in range(-8, 9):
        mine = base.copy()
        x, out = mine[10:30], mine[10 + at : 30 + at]
        want = x.copy() / 2
        assert k.half(x, out=out) is out
        assert np.array_equal(out, want)
    both = F4.copy()
    assert np.array_equal(k.ends(both, both, out=(both, None))[0], F4)
    # Two outputs that are one array: NumPy does not define which wins; each element is of one of them.
    one = np.zeros_like(F4)
    k.ends(F4, F4[::-1], out=(one, one))
    assert np.isin(one, F4).all()


def test_nanobind_42_read_only_inputs() -> None:
    frozen = np.frombuffer(F4.tobytes(), np.float32).reshape(2, 3)
    assert not frozen.flags.writeable and np.array_equal(k.half(frozen), F4 / 2)
    broadcast = np.broadcast_to(np.float32(1), (2, 3))
    assert np.array_equal(k.half(broadcast), np.full((2, 3), 0.5))
    for out in (frozen, broadcast):
        with pytest.raises(ValueError) as caught:
            k.half(F4, out=out)
        assert str(caught.value) == "half(): argument 'out' is read-only; accepted: a writable array"
    assert frozen.tobytes() == F4.tobytes()


def test_nanobind_1122_results_are_writable() -> None:
    for x in (F4, np.broadcast_to(F4, (4, 2, 3)), np.frombuffer(F4.tobytes(), np.float32)):
        result = k.half(x)
        assert result.flags.writeable and result.flags.owndata
        result += 1


def test_numba_6256_inputs_of_another_dtype_stay() -> None:
    for dtype in ("f2", "f8", "i2", ">f4"):
        x = np.arange(5).astype(dtype)
        before = x.tobytes()
        for y in (2.0, x):
            k.ends(x, y)
        assert x.tobytes() == before


@pytest.mark.parametrize("dtype", [">u2", ">i4", ">f2", ">f8", "<u8", ">u8"])
def test_numba_1943_byte_order(dtype: str) -> None:
    x = np.arange(300).astype(dtype)
    assert k.same(x).tolist() == x.tolist() and k.same(x).dtype == x.dtype.newbyteorder("=")
    out = np.zeros(300, dtype)
    assert k.same(x, out=out) is out and out.tolist() == x.tolist()


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"])
def test_numba_2934_a_dtype_that_there_is_a_variant_for_is_kept(dtype: str) -> None:
    for shape in [(), (3,), (2, 3)]:
        assert k.same(np.ones(shape, dtype)).dtype == dtype
    assert k.same(np.ones((2, 3), dtype), np.zeros((2, 3), "f8"), casting="unsafe").dtype == "f8"


@pytest.mark.parametrize("threads", ["1", "2"])
def test_polars_8032_a_pool_of_processes(threads: str) -> None:
    code = """
import multiprocessing, warnings
import numpy as np, kernel_shapes as k
warnings.simplefilter("ignore")  # a fork beside threads
x = np.ones(3_000_000, np.float32)
assert k.half(x)[-1] == 0.5
def work(n):
    return float(k.half(x * n)[-1])
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(3) as pool:
        print(pool.map_async(work, range(12)).get(timeout=120))
"""
    assert run_python(code, LANECRAFT_THREADS=threads) == str([n / 2 for n in range(12)])


def test_pyo3_4764_first_calls_at_once() -> None:
    """NumPy is imported by whoever comes first, and the others wait for it, without a deadlock."""
    code = """
import threading
results, start = [], threading.Barrier(8)
def work():
    start.wait()
    import kernel_shapes as k
    import numpy as np
    results.append(k.half(np.ones(3, "f4")).tolist())
workers = [threading.Thread(target=work, daemon=True) for _ in range(8)]
for worker in workers: worker.start()
for worker in workers: worker.join(60)
print(results == [[0.5] * 3] * 8)
"""
    assert run_python(code) == "True"


@pytest.mark.parametrize("before", ["", "import kernel_shapes"])
def test_sub_interpreters_are_refused(before: str) -> None:
    names = {(3, 11): "_xxsubinterpreters", (3, 12): "_xxsubinterpreters"}
    module = names.get(sys.version_info[:2], "_interpreters")
    code = f"""
import {module} as interpreters
{before}
inner = '''
try:
    import kernel_shapes
    print("imported")
except ImportError as error:
    print(error)
'''
one = interpreters.create({"'legacy'" if module == "_interpreters" else ""})
getattr(interpreters, "run_string")(one, inner)
"""
    # Where the sub-interpreter is one of its own GIL, Python refuses it first.
    ours = "kernel_shapes cannot be imported in a sub-interpreter, because NumPy does not support them; use the main interpreter"
    python_s = "module kernel_shapes.kernel_shapes does not support loading in subinterpreters"
    assert run_python(code) == (python_s if sys.version_info[:2] == (3, 12) else ours)


@pytest.mark.parametrize("seconds", [2])
def test_eight_threads(seconds: int) -> None:
    """Results, errors and outputs of many threads at once do not mix."""
    code = f"""
import threading, time
import numpy as np, kernel_shapes as k

end, failures, calls = time.monotonic() + {seconds}, [], []

def work(n):
    x = np.full(3000 + n, n, np.float32)
    ints = np.arange(1, 50, dtype=np.int32)
    out, count = np.empty_like(x), 0
    while time.monotonic() < end:
        count += 1
        if not (k.half(x) == n / 2).all() or not (k.half(x, out=out) == n / 2).all():
            failures.append("values")
        try:
            k.quotient(ints, ints - n)
            failures.append("no error")
        except ZeroDivisionError as error:
            if f"at index [{{n - 1}}] of shape [49]" not in str(error):
                failures.append(str(error))
        try:
            k.half(x, slop=n)
        except TypeError as error:
            if "keyword 'slop'" not in str(error):
                failures.append(str(error))
        if count % 16 == 0 and not (k.half(np.full(1 << 19, n, np.float32)) == n / 2).all():
            failures.append("large values")
    calls.append(count)

workers = [threading.Thread(target=work, args=(n,)) for n in range(1, 9)]
for worker in workers: worker.start()
for worker in workers: worker.join(120)
print(failures, len(calls), min(calls) > 3)
"""
    assert run_python(code) == "[] 8 True"


def leaves_nothing(code: str) -> None:
    """The `watched` keep their references, and the process its memory, over 10^5 turns of a program's `work`."""
    code += """
import gc, resource
work(1000); gc.collect()
def references():
    return [sys.getrefcount(w) for w in watched]

before, memory = references(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
work(100_000); gc.collect()
print([a - b for a, b in zip(references(), before)])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 4096)
"""
    assert run_python(code).splitlines() == [str([0] * 9), "True"]


def test_references_and_memory_stay_flat() -> None:
    """10^5 calls of each kind, and of those that fail."""
    code = """
import sys
import numpy as np, kernel_shapes as k

x, out = np.ones(300, np.float32), np.empty(300, np.float32)
ints, zero = np.ones(3, np.int32), np.zeros(3, np.int32)
watched = [x, out, ints, k.half, k.half.ufunc, k.quotients, np.float32, np.dtype("f4"), k.half.__lanecraft__]

def attempt(f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except (TypeError, ZeroDivisionError, ValueError):
        return
    raise AssertionError

def work(n):
    for _ in range(n):
        k.half(x)
        k.half(x, out=out)
        k.ends(x, 2.0, out=(out, None))
        k.quotients(ints, ints)
        attempt(k.half, x, slop=3)
        attempt(k.half, x.astype(complex))
        attempt(k.quotients, ints, zero)

"""
    leaves_nothing(code)


def test_functions_structs_and_other_libraries_leave_nothing_behind() -> None:
    """10^5 calls of each kind, as above."""
    code = """
import sys, types
import numpy as np, functions as f, kernel_shapes as k

class Array:
    def __init__(self, data): self.data = data
    def __dlpack_device__(self): return (1, 0)
    def __dlpack__(self, **options): return self.data.__dlpack__(**options)

sys.modules["shelf"] = types.ModuleType("shelf")
sys.modules["shelf"].from_dlpack = lambda source: Array(np.from_dlpack(source))
Array.__module__ = "shelf"

x, words, text = np.ones(300, np.float32), ["a", "b"], "some text " * 9
array, bodies = Array(x), f.in_a_row(5)[0]
half = np.float16(0.5)
watched = [x, words, text, array, bodies, half, f.halves, f.Bodies, np.dtype("f4")]

def attempt(call, *args):
    try:
        call(*args)
    except (TypeError, ValueError, RuntimeError):
        return
    raise AssertionError

def work(n):
    for _ in range(n):
        f.place_of_slice(x)
        f.count_words(words)
        f.repeat(text, 2)
        f.halves(half, half)
        f.shift(bodies, 0.5)
        view = bodies.as_tensor("positions", writable=True)
        del view
        bodies.dt = 0.25
        k.half(array)
        f.place_of_slice(array)
        attempt(f.place_of_slice, text)
        attempt(f.halves, text, 1)
        attempt(bodies.as_tensor, "none")

"""
    leaves_nothing(code)
