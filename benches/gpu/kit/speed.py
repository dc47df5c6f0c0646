"""Times of a row: medians between events on the device's stream, with fresh inputs, and with what is cached before flushed out."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from .rows import CUPY, EAGER, INDUCTOR, OURS, TRITON, Call, Row, Tools

#: What is written before each call: more than any GPU's cache has.
FLUSH_BYTES = 256 << 20
#: Sets of inputs that take turns.
SETS = 3
#: Calls that are timed, at most and at least, and the seconds that they may take together.
CALLS, FEWEST, SECONDS = 50, 5, 1.0


class NotHere(Exception):
    """This way to compute a row is not there: why."""


@dataclass(frozen=True)
class Timing:
    """What came of a way to compute a row."""

    row: str
    way: str
    microseconds: float
    gigabytes_a_second: float
    calls: int
    difference: float
    """From our result, in parts of its largest element."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def call_of(row: Row, way: str, tools: Tools) -> Call:
    """A way to compute a row; NotHere if there is none."""
    if way == OURS:
        return row.ours(tools)
    if way == EAGER:
        return row.eager(tools.torch)
    if way == INDUCTOR:
        compiled: Call = tools.torch.compile(row.eager(tools.torch))
        return compiled
    package, module, name = {TRITON: ("triton", "of_triton", row.triton), CUPY: ("cupy", "of_cupy", row.cupy)}[way]
    try:
        importlib.import_module(package)
    except ImportError as error:
        raise NotHere(f"{package} cannot be imported: {error}") from error
    if name is None:
        raise NotHere(f"{package} has no such function, and none was written for it here")
    function: Call = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    return function


def time_row(row: Row, way: str, tools: Tools) -> Timing:
    """Checks a way to compute a row against ours, and times it."""
    call = call_of(row, way, tools)
    tools.torch.manual_seed(7)
    sets = [row.inputs(tools) for _ in range(SETS)]
    result = call(*sets[0])
    found = distance(result, row.ours(tools)(*sets[0]), tools.torch)
    if not found <= row.tolerance:
        raise ValueError(f"its result is {found:.1e} from ours, in parts of the largest element; at most {row.tolerance:g} is let pass")
    moved = row.moves(sets[0], result)
    del result
    times = measure(lambda k: call(*sets[k % SETS]), tools)
    typical = median(times)
    return Timing(row.name, way, typical, moved / typical / 1e3, len(times), found)


def time_copy(tools: Tools) -> Timing:
    """The roof: a copy of the largest input, by torch."""
    sets = [(tools.normal(tools.elements), tools.normal(tools.elements)) for _ in range(SETS)]

    def copy(k: int) -> None:
        to, source = sets[k % SETS]
        to.copy_(source)

    times = measure(copy, tools)
    moved = 2 * 4 * tools.elements
    return Timing("copy", "torch", median(times), moved / median(times) / 1e3, len(times), 0.0)


def distance(came: Any, want: Any, torch: Any) -> float:
    """The largest difference, in parts of the largest element."""
    if came.shape != want.shape:
        raise ValueError(f"its result is of shape {tuple(came.shape)}; ours is of {tuple(want.shape)}")
    a, b = came.to(torch.float64), want.to(torch.float64)
    return float((a - b).abs().max() / b.abs().max().clamp(min=1e-30)) if a.numel() else 0.0


def measure(call: Callable[[int], Any], tools: Tools) -> list[float]:
    """Microseconds of each call."""
    is_gpu = tools.kind == "cuda"
    # The CPU stands in to try this out: Triton's interpreter takes seconds.
    few, one = (FEWEST, _on_gpu) if is_gpu else (2, _on_cpu)
    for k in range(SETS if is_gpu else 1):
        call(k)
    before = time.perf_counter()
    times = one(call, few, tools)
    more = int(SECONDS / max(time.perf_counter() - before, 1e-6) * few)
    return times + one(call, min(max(more - few, 0), CALLS - few), tools)


def _on_gpu(call: Callable[[int], Any], count: int, tools: Tools) -> list[float]:
    cuda = tools.torch.cuda
    flush = tools.torch.empty(FLUSH_BYTES, dtype=tools.torch.uint8, device=tools.kind)
    pairs = [(cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)) for _ in range(count)]
    for k, (start, end) in enumerate(pairs):
        # While the device writes this, the host is ahead of it, and so the time has no launch in it but of a call that waits itself.
        flush.zero_()
        start.record()
        call(k)
        end.record()
    cuda.synchronize()
    return [1e3 * start.elapsed_time(end) for start, end in pairs]


def _on_cpu(call: Callable[[int], Any], count: int, tools: Tools) -> list[float]:
    times = []
    for k in range(count):
        start = time.perf_counter()
        call(k)
        times.append(1e6 * (time.perf_counter() - start))
    return times
