"""Workers of Dask's distributed, and of Ray: kernels in other processes, on arrays that came out of messages and out of shared memory.

A process that died or a message that could not be read shows as waiting for ever: everything here has a limit of seconds.
"""

from __future__ import annotations

import gc
import os
import secrets
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from tempfile import TemporaryDirectory
from typing import Any

import dask.array as da
import functions as f
import kernel_shapes as k
import numpy as np
import psutil
import pytest
import ray
from distributed import Client, LocalCluster

# Ray begins processes with `fork()` and starts a program in them at once. JAX, which other tests use, warns of every fork.
pytestmark = pytest.mark.filterwarnings(r"ignore:os\.fork\(\) was called:RuntimeWarning")


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Raises in the body where that takes longer."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"over {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def descendants() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


@contextmanager
def processes() -> Iterator[ExitStack]:
    """A stack for what starts processes: when it is closed they have to end, and are killed if they do not."""
    # Python's own, which stays as long as this process.
    resource_tracker.ensure_running()
    before, stack = descendants(), ExitStack()
    try:
        yield stack
    finally:
        # Now: the children of a process that has ended are nobody's.
        started = descendants() - before
        try:
            with within(20):
                stack.close()
        finally:
            _, alive = psutil.wait_procs(list(started), timeout=10)
            for process in alive:
                process.kill()
    assert started and not alive


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    with within(30):
        yield


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with processes() as stack:
        with within(60):
            options = {"n_workers": 2, "threads_per_worker": 2, "dashboard_address": None}
            cluster = stack.enter_context(LocalCluster(processes=True, host="127.0.0.1", **options))
            client = stack.enter_context(Client(cluster))
        yield client


@pytest.fixture(scope="module")
def in_ray() -> Iterator[Callable[..., Any]]:
    """Calls a function in a worker of Ray, where arrays come out of its store of objects, and gives its result."""
    with processes() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True))
        environment = stack.enter_context(pytest.MonkeyPatch.context())
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # Ray would write one into the home folder.
        environment.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        stack.callback(ray.shutdown)
        with within(60):
            options = {"include_dashboard": False, "log_to_driver": False, "_node_ip_address": "127.0.0.1", "_temp_dir": folder}
            ray.init(num_cpus=1, object_store_memory=80 * 2**20, **options)
        apply = ray.remote(lambda function, *args: function(*args))
        yield lambda function, *args: ray.get(apply.remote(function, *map(ray.put, args)), timeout=20)


def stand_in(**changes: str) -> Any:
    """What a process gets for a kernel of which it has another version, or none; it goes on to the next as it came."""
    restore, args = k.half.__reduce__()
    return restore(*(changes.get(name, value) for name, value in zip(("name", "version", "lanecraft", "identity"), args, strict=True)))


ONES, INTS = np.ones(3), np.arange(1 << 20, dtype=np.int32)
ERRORS = {
    "division": (k.quotient, (INTS, INTS - 700_000), ZeroDivisionError, r"^quotient\(\): integer division by zero at index \[700000\]"),
    "dtype": (k.half, (np.array(["a"]),), TypeError, r"^half\(\): argument 'x' is an array of dtype <U1 \(strings\)"),
    "shape": (k.cross, (ONES, np.ones(2)), ValueError, r"^cross\(\): "),
    "panic": (k.panicking, (ONES,), RuntimeError, r"^panicking\(\): the kernel panicked: as it should"),
    "panic in threads": (k.panicking, (np.ones(1 << 20),), RuntimeError, r"^panicking\(\): the kernel panicked: as it should"),
    "panic of a function": (f.panics, ("out of coffee",), RuntimeError, r"^panics\(\): the function panicked: out of coffee"),
    "version": (stand_in(version="9.9.9"), (ONES,), RuntimeError, r"^kernel_shapes\.half was pickled with kernel_shapes 9\.9\.9 "),
    "no kernel": (stand_in(name="nowhere"), (ONES,), RuntimeError, r"which has no such kernel; install one version in both$"),
}


@pytest.mark.parametrize(("call", "args", "error", "text"), ERRORS.values(), ids=ERRORS)
def test_distributed_hands_on_errors(client: Client, call: Any, args: tuple[Any, ...], error: type[Exception], text: str) -> None:
    """As what they are; and the workers live on."""
    workers = client.run(os.getpid)
    with pytest.raises(error, match=text) as caught:
        client.submit(call, *args, pure=False).result(timeout=20)
    assert type(caught.value) is error
    assert client.run(os.getpid) == workers and client.submit(k.half, np.float32(3), pure=False).result(timeout=20) == 1.5


@pytest.mark.parametrize(("call", "args", "error", "text"), ERRORS.values(), ids=ERRORS)
def test_ray_hands_on_errors(in_ray: Callable[..., Any], call: Any, args: tuple[Any, ...], error: type[Exception], text: str) -> None:
    worker = in_ray(os.getpid)
    with pytest.raises(error) as caught:
        in_ray(call, *args)
    # Ray makes a class of its own and the error's.
    assert isinstance(caught.value, ray.exceptions.RayTaskError)
    with pytest.raises(error, match=text):
        raise caught.value.cause
    assert in_ray(os.getpid) == worker and in_ray(k.half, np.float32(3)) == 1.5


def test_distributed_computes_lazy_arrays(client: Client) -> None:
    """A client is what `compute()` uses while it is open."""
    x = np.arange(4000, dtype=np.float32).reshape(40, 100)
    lazy = da.from_array(x, chunks=(7, 100))
    assert np.array_equal(k.half(k.half(lazy) + 1).compute(), (x / 2 + 1) / 2)
    low, high = da.compute(*k.ends(lazy, 30.0))
    assert np.array_equal(low, np.minimum(x, 30)) and np.array_equal(high, np.maximum(x, 30))
    ints = da.from_array(np.arange(1, 41, dtype=np.int32), chunks=10)
    with pytest.raises(ZeroDivisionError, match=r"^quotient\(\): integer division by zero"):
        k.quotient(ints, ints - 20).compute()
    with pytest.raises(RuntimeError, match=r"^panicking\(\): the kernel panicked"):
        k.panicking(da.ones(30, chunks=10)).compute()


def scattered(client: Client, x: Any) -> list[Any]:
    """`x` in messages with headers of eight lengths: after them the elements stay where they lie."""
    keys = [f"{secrets.token_hex(8)}{'.' * length}" for length in range(8)]
    return [client.scatter({key: x})[key] for key in keys]


def offset(x: Any) -> int:
    return int(x.ctypes.data) % 8


@pytest.mark.parametrize("dtype", ["float16", "float32", ">f4", "int64", "float64"])
def test_distributed_hands_out_misaligned_arrays(client: Client, dtype: str) -> None:
    x = np.arange(3000, dtype=dtype)
    sent = scattered(client, x)
    there = [client.submit(lambda x: (x.ctypes.data % 8, k.same(x)), x, pure=False).result(timeout=20) for x in sent]
    assert {at for at, _ in there} == set(range(8)) and all(np.array_equal(same, x) for _, same in there)
    here = [x.result(timeout=20) for x in sent]
    assert set(map(offset, here)) == set(range(8)) and all(np.array_equal(k.same(y), x) for y in here)


def test_distributed_hands_out_misaligned_arrays_to_block_kernels(client: Client) -> None:
    a, b = np.arange(60, dtype=np.int32).reshape(2, 6, 5) + 1
    there = [client.submit(lambda a, b: k.quotients(b, a), a, b, pure=False).result(timeout=20) for b in scattered(client, b)]
    assert all(np.array_equal(q, b // a) and np.array_equal(total, (b // a).sum(-1)) for q, total in there)
    here = [b.result(timeout=20) for b in scattered(client, b)]
    assert set(map(offset, here)) == set(range(8))
    assert all(np.array_equal(k.quotients(b, a)[0], b // a) for b in here)


def test_distributed_hands_out_misaligned_arrays_that_are_written(client: Client) -> None:
    here = [x.result(timeout=20) for x in scattered(client, np.arange(500, dtype=np.float32))]
    assert set(map(offset, here)) == set(range(8)) and all(x.flags.writeable for x in here)
    for x in here:
        assert k.half(x, out=x) is x and np.array_equal(x, np.arange(500) / 2)


@pytest.mark.parametrize("size", [30, 300_000])
@pytest.mark.parametrize("dtype", ["float32", ">f4", "int64", "uint8"])
def test_arrays_out_of_rays_store_are_read_only(in_ray: Callable[..., Any], dtype: str, size: int) -> None:
    """One copy for all processes, which none may write; short arrays travel in the message, and are read-only too."""
    x = (np.arange(size) % 100).astype(dtype)
    writeable, same, odd = in_ray(lambda x: (x.flags.writeable, k.same(x), k.same(x[::-3])), x)
    assert not writeable and np.array_equal(same, x) and np.array_equal(odd, x[::-3])
    with pytest.raises(ValueError, match="argument 'out' is read-only"):
        in_ray(lambda x: k.same(x, out=x), x)
    reference = ray.put(x)
    there = ray.get(reference, timeout=20)
    with pytest.raises(ValueError, match="argument 'out' is read-only"):
        k.same(there, out=there)
    y = k.same(there)
    assert y.flags.writeable and not np.shares_memory(y, there)
    y[:] = 7
    assert np.array_equal(ray.get(reference, timeout=20), x)
    del there, reference
    gc.collect()
    assert (y == 7).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", ">f4", "int64"])
def test_misaligned_arrays_out_of_rays_store(in_ray: Callable[..., Any], dtype: str) -> None:
    """Ray aligns what it holds, but bytes are seen as an array from where it begins, and so are fields of records."""
    x = np.arange(2000, dtype=dtype)
    packed = np.frombuffer(b"?" + x.tobytes(), np.uint8)

    def seen(packed: Any) -> Any:
        view = packed[1:].view(dtype)
        return view.flags.aligned, view.flags.writeable, k.same(view)

    aligned, writeable, same = in_ray(seen, packed)
    assert not aligned and not writeable and np.array_equal(same, x)
    records = np.zeros(x.size, np.dtype([("flag", "u1"), ("x", dtype)]))
    records["x"] = x
    assert np.array_equal(in_ray(lambda records: k.same(records["x"]), records), x)
