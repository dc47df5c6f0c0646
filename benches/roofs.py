"""What the machine can do at most on one thread: bytes per second, from each of its memories, and operations per second."""

from time import thread_time
from typing import TypedDict

from peers import of_rust

# Bytes that are worked on: within the first cache, the second, beyond it, and so on. A row's roof is that of the largest size below its
# arrays, so that the row cannot be quicker.
SIZES = (16 << 10, 256 << 10, 512 << 10, 3 << 20, 12 << 20, 96 << 20, 384 << 20)
# Of the smallest sizes, a call is long enough with so many that its own time is nothing.
BYTES_PER_CALL = 16 << 20
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


# The ways of `moves` in benches/plain/src/roofs.rs, and how many arrays each goes through.
WAYS = (1, 2, 3, 2, 3)


def bandwidth(plain: of_rust.Plain, size: int) -> float:
    """Bytes per second over `size` bytes: the best of reading, copying and STREAM's triad, past the caches and into them."""
    whole, best = of_rust.aligned(size // 4), 0.0
    for way, arrays in enumerate(WAYS):
        n = size // 4 // arrays // 128 * 128
        # One behind the other: no two of them begin in the same set of a cache, as they would in memory of their own.
        addresses = [plain.at(whole) + 4 * n * min(k, arrays - 1) for k in range(3)]
        arguments = (way, *addresses, n, max(1, BYTES_PER_CALL // size))
        moved = plain.moves(*arguments)
        if moved:
            best = max(best, moved / best_of("moves(*arguments)", {"moves": plain.moves, "arguments": arguments}))
    return best


def measure(plain: of_rust.Plain) -> Roofs:
    rounds = 1 << 18
    seconds = best_of("multiply_adds(rounds)", {"multiply_adds": plain.multiply_adds, "rounds": rounds})
    bandwidths: dict[str, float] = {}
    most = 0.0
    for size in reversed(SIZES):  # less memory is not slower, whatever else ran just then
        most = max(most, bandwidth(plain, size))
        bandwidths[str(size)] = most
    return Roofs(bytes_per_second=dict(reversed(bandwidths.items())), operations_per_second=plain.multiply_adds(rounds) / seconds)


def higher(one: Roofs, other: Roofs) -> Roofs:
    """Of two measurements the higher roofs."""
    bandwidths = {size: max(value, other["bytes_per_second"][size]) for size, value in one["bytes_per_second"].items()}
    return Roofs(bytes_per_second=bandwidths, operations_per_second=max(one["operations_per_second"], other["operations_per_second"]))


def seconds_at_least(roofs: Roofs, moves: int, computes: int) -> float:
    """The least time of a call that moves so many bytes, of which it touches each once, and computes so much."""
    below = [size for size in roofs["bytes_per_second"] if int(size) <= moves]
    of_memory = moves / roofs["bytes_per_second"][max(below, key=int)] if below else 0.0
    return max(of_memory, computes / roofs["operations_per_second"])
