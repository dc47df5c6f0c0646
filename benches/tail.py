"""How long single calls take when each has another shape: what a compiler at run time, or a cache by shape, would show."""

import importlib
import importlib.util
import math
from collections.abc import Callable
from time import process_time, thread_time
from typing import Any, TypedDict

import fastops
import numpy as np

SHAPES = 10_000
# Who compiles for each shape is given up after this time; the row says how many shapes it has come through.
SECONDS = 20.0


class Tail(TypedDict):
    """Microseconds of CPU time."""

    name: str
    shapes: int
    p50: float
    p99: float
    p999: float
    most: float


def calls() -> dict[str, tuple[Callable[[Any], object], Callable[[], float]]]:
    """The gelu of an array, by name, and the clock that sees its threads."""

    def of_numpy(x: Any) -> object:
        return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))

    found: dict[str, tuple[Callable[[Any], object], Callable[[], float]]] = {}
    found["Lanecraft"], found["NumPy"] = (fastops.gelu, thread_time), (of_numpy, thread_time)
    if importlib.util.find_spec("numba") is not None:
        numba = importlib.import_module("numba")

        def scalar(x: Any) -> Any:
            return 0.5 * x * (1 + math.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))

        found["Numba"] = (numba.vectorize(["f4(f4)"])(scalar), thread_time)
    if importlib.util.find_spec("torch") is not None:
        torch = importlib.import_module("torch")

        def gelu(x: Any) -> Any:
            return torch.nn.functional.gelu(x, approximate="tanh")

        # A function object of its own: what other rows have compiled is not known here.
        compiled = torch.compile(gelu)
        found["torch"] = (lambda x: gelu(torch.from_numpy(x)), thread_time)
        found["torch.compile"] = (lambda x: compiled(torch.from_numpy(x)), process_time)
    if importlib.util.find_spec("jax") is not None:
        jax = importlib.import_module("jax")
        jitted = jax.jit(lambda x: jax.nn.gelu(x, approximate=True))
        found["JAX"] = (lambda x: jitted(x).block_until_ready(), process_time)
    return found


def measure() -> list[Tail]:
    """All take turns, shape by shape."""
    random = np.random.default_rng(2)
    times: dict[str, list[float]] = {}
    left = calls()
    numbers = random.standard_normal(64 * 512).astype(np.float32)
    for name, (call, _) in left.items():
        call(numbers[:16].reshape(4, 4))  # what belongs to the first call is in another table
        times[name] = []
    for _ in range(SHAPES):
        rows, columns = int(random.integers(1, 65)), int(random.integers(1, 513))
        x = numbers[: rows * columns].reshape(rows, columns)
        for name, (call, clock) in list(left.items()):
            start = clock()
            call(x)
            times[name].append(clock() - start)
            if len(times[name]) % 100 == 0 and sum(times[name]) > SECONDS:
                del left[name]
    results = []
    print(f"\n{'us, another shape each call':28}{'shapes':>8}{'p50':>10}{'p99':>10}{'p99.9':>12}{'most':>12}")
    for name, of_name in times.items():
        p50, p99, p999, most = (1e6 * float(value) for value in np.percentile(of_name, [50, 99, 99.9, 100]))
        results.append(Tail(name=name, shapes=len(of_name), p50=p50, p99=p99, p999=p999, most=most))
        print(f"{name:28}{len(of_name):8}{p50:10.2f}{p99:10.2f}{p999:12.2f}{most:12.2f}", flush=True)
    return results
