"""What the machine can do at most on one thread: bytes per second, from each of its memories, and operations per second."""

from time import thread_time
from typing import TypedDict

import numpy as np
from peers import of_rust

# Bytes that are worked on: within the second cache of most machines, within the third, and far beyond. A row's roof is that of the largest
# size below its arrays, so that the row cannot be quicker. Of less than the smallest size, the time is that of the call.
SIZES = (256 << 10, 3 << 20, 12 << 20, 96 << 20, 384 << 20)
SECONDS = 0.02
TRIES = 7


class Roofs(TypedDict):
    """Bytes per second by bytes of the arrays, and operations per second (a multiply-add is two)."""

    bytes_per_second: dict[str, float]
    operations_per_second: float


def best_of(call: str, names: dict[str, object]) -> float:
    """Seconds of a call: the shortest of some runs of many calls."""
    code = compile(f"for _ in range(n): {call}", "roofs", "exec")
    names["n"] = 1
    start = thread_time()
    exec(code, names)
    names["n"] = max(1, round(SECONDS / max(thread_time() - start, 1e-7)))
    best = float("inf")
    for _ in range(TRIES):
        start = thread_time()
        exec(code, names)
        best = min(best, (thread_time() - start) / float(str(names["n"])))
    return best


def bandwidth(plain: of_rust.Plain, loops: of_rust.Loops, size: int) -> float:
    """Bytes per second: the best of STREAM's triad, past the caches and into them, and of a sum, over `size` bytes."""
    n = size // 12 // 16 * 16
    a, b, out, x = of_rust.aligned(n), of_rust.aligned(n), of_rust.aligned(n), of_rust.aligned(3 * n)
    names = {"a": a, "b": b, "out": out, "x": x, "loops": loops, "triad": plain.triad, "addresses": [plain.at(y) for y in (a, b, out)]}
    calls = ["loops.saxpy(3.0, a, b, out)", "triad(*addresses, out.size)"]
    best = min(best_of(call, names) for call in [*calls, "loops.sum(x)"])
    assert np.all(out == 4)
    # Without the call itself, which is a fifth of the time for the smallest size.
    return 12 * n / (best - best_of("loops.sum(nothing)", {"loops": loops, "nothing": of_rust.aligned(0)}))


def measure(plain: of_rust.Plain, loops: of_rust.Loops) -> Roofs:
    rounds = 1 << 18
    seconds = best_of("multiply_adds(rounds)", {"multiply_adds": plain.multiply_adds, "rounds": rounds})
    return Roofs(
        bytes_per_second={str(size): bandwidth(plain, loops, size) for size in SIZES},
        operations_per_second=plain.multiply_adds(rounds) / seconds,
    )


def higher(one: Roofs, other: Roofs) -> Roofs:
    """Of two measurements the higher roofs."""
    bandwidths = {size: max(value, other["bytes_per_second"][size]) for size, value in one["bytes_per_second"].items()}
    return Roofs(bytes_per_second=bandwidths, operations_per_second=max(one["operations_per_second"], other["operations_per_second"]))


def seconds_at_least(roofs: Roofs, moves: int, computes: int) -> float:
    """The least time of a call that moves so many bytes, of which it touches each once, and computes so much."""
    below = [size for size in roofs["bytes_per_second"] if int(size) <= moves]
    of_memory = moves / roofs["bytes_per_second"][max(below, key=int)] if below else 0.0
    return max(of_memory, computes / roofs["operations_per_second"])
