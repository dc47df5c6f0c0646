"""Measures fastops against NumPy and plain Rust in one process on one pinned thread, and what it costs in memory and start-up.

Speed rows come from speed.toml. Our calls and the others take turns; times are medians of the thread's CPU time, so that other
programs on the machine disturb them little. `cargo xtask bench` runs it.
"""

import argparse
import ctypes
import json
import os
import platform
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import strftime, thread_time
from typing import Any, NotRequired, TypedDict

# Before NumPy is loaded: these slow its BLAS down, and are not what users run with.
for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(variable, None)

import fastops  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

HERE = Path(__file__).parent
SAMPLES = 31
SECONDS_PER_SAMPLE = 2e-3
IMPORT_LIMIT_MS = 20.0
MEMORY_LIMIT_MIB = 8.0


class Definition(TypedDict):
    """A row of speed.toml."""

    name: str
    arrays: dict[str, str]
    ours: str
    numpy: NotRequired[str]
    plain: NotRequired[str]
    at_least: NotRequired[float | dict[str, float]]
    at_most_us: NotRequired[float]


class Result(TypedDict):
    """What came of a row."""

    name: str
    against: str
    ours_us: float
    theirs_us: float
    ratio: float
    limit: str
    holds: bool


def pin() -> int | None:
    """Keeps this process on one thread, on the last CPU that it may use: the first takes most interrupts."""
    os.environ["LANECRAFT_THREADS"] = "1"
    if not hasattr(os, "sched_setaffinity"):
        return None
    cpu = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cpu})
    return cpu


def makers(plain: Path | None) -> dict[str, Any]:
    """What the expressions of speed.toml can use."""
    random = np.random.default_rng(1)

    def uniform(low: float, high: float, shape: int | tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        return random.uniform(low, high, shape).astype(dtype)

    def normal(shape: int | tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        return random.standard_normal(shape).astype(dtype)

    def empty(shape: int | tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        return np.ones(shape, dtype)  # written once: no page is new in the measurement

    def grid(low: float, high: float, n: int, axis: int) -> NDArray[Any]:
        line = np.linspace(low, high, n).astype(np.float32)
        return np.ascontiguousarray(np.broadcast_to(line[:, None] if axis == 0 else line, (n, n)))

    types = {"f32": np.float32, "f64": np.float64, "u8": np.uint8, "i32": np.int32}
    names = {"np": np, "fastops": fastops, "uniform": uniform, "normal": normal, "empty": empty, "grid": grid, **types}
    return names | ({} if plain is None else {"plain": Plain(plain)})


class Plain:
    """The loops of benches/plain."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self._library.mandelbrot.argtypes = [pointer, pointer, size, ctypes.c_int32, pointer]
        self._library.mandelbrot.restype = None

    def mandelbrot(self, cx: NDArray[np.float32], cy: NDArray[np.float32], max_iter: int, out: NDArray[np.int32]) -> NDArray[np.int32]:
        self._library.mandelbrot(cx.ctypes.data, cy.ctypes.data, out.size, max_iter, out.ctypes.data)
        return out


def looped(statement: str, names: dict[str, Any]) -> Callable[[int], float]:
    """A function that runs a statement so many times, and gives the CPU seconds that took."""
    body = f"def run(n):\n  start = clock()\n  for _ in range(n):\n    {statement}\n  return clock() - start\n"
    scope = {**names, "clock": thread_time}
    exec(compile(body, "speed.toml", "exec"), scope)
    run: Callable[[int], float] = scope["run"]
    return run


def measure(row: Definition, names: dict[str, Any]) -> Result:
    for name, expression in row["arrays"].items():
        names[name] = eval(expression, names)
    against = "NumPy" if "numpy" in row else "plain Rust"
    statement = row["numpy"] if "numpy" in row else row["plain"]
    if "plain" in row:
        wanted, got = eval(statement, names).copy(), eval(row["ours"], names)
        assert np.array_equal(wanted, got), f"{row['name']}: not what plain Rust gives"
    ours, theirs = looped(row["ours"], names), looped(statement, names)
    counts = []
    for run in (ours, theirs):
        run(2)
        counts.append(max(1, round(SECONDS_PER_SAMPLE / max(run(3) / 3, 1e-7))))

    def sample(run: Callable[[int], float], count: int) -> float:
        run(1)  # finds the other side's data in the caches, and has to write it back
        return run(count) / count

    samples = [(sample(ours, counts[0]), sample(theirs, counts[1])) for _ in range(SAMPLES)]
    ours_us, theirs_us = (1e6 * median(column) for column in zip(*samples, strict=True))
    limit, holds = "", True
    at_least = row.get("at_least")
    if isinstance(at_least, dict):
        at_least = at_least.get(fastops.isa())
    if at_least is not None:
        limit, holds = f">= {at_least:g}x", theirs_us / ours_us >= at_least
    if "at_most_us" in row:
        limit, holds = f"<= +{row['at_most_us']:g} us", ours_us - theirs_us <= row["at_most_us"]
    ratio = theirs_us / ours_us
    return Result(name=row["name"], against=against, ours_us=ours_us, theirs_us=theirs_us, ratio=ratio, limit=limit, holds=holds)


def speed(only: str | None, plain: Path | None) -> list[Result]:
    rows: list[Definition] = tomllib.loads((HERE / "speed.toml").read_text())["row"]
    results = []
    print(f"\n{'row':30}{'against':>12}{'ours us':>12}{'theirs us':>12}{'ratio':>9}  limit")
    for row in rows:
        if only is not None and only not in row["name"]:
            continue
        if "plain" in row and plain is None:
            print(f"{row['name']:30}  not measured: --plain names no library")
            continue
        result = measure(row, makers(plain))
        results.append(result)
        times = f"{result['against']:>12}{result['ours_us']:12.2f}{result['theirs_us']:12.2f}{result['ratio']:8.2f}x"
        print(f"{result['name']:30}{times}  {result['limit']}{'' if result['holds'] else '  FAILED'}", flush=True)
    return results


def fresh(code: str) -> str:
    """What a new interpreter prints that runs some code."""
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout


def import_milliseconds() -> float:
    """CPU time of `import fastops` after `import numpy`: the median of fresh processes."""
    code = "import numpy, time; t = time.process_time(); import fastops; print(time.process_time() - t)"
    return 1e3 * median(float(fresh(code)) for _ in range(11))


# The most that a process has held, before and after a call; the arrays are touched before.
MEMORY = """
import numpy as np, fastops
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
n = 1 << 24
x = np.ones({shape}, np.float32){index}
out = np.ones(x.shape, np.float32)
before = peak()
{call}
print((peak() - before) / 1024 - {allowed})
"""


def memory() -> dict[str, float]:
    """MiB that calls need at their peak beyond inputs and outputs; empty where the system does not tell."""
    if not Path("/proc/self/status").exists():
        return {}
    calls = [
        ("contiguous", "n", "", "fastops.gelu(x, out=out)", 0),
        ("strided", "2 * n", "[::2]", "fastops.gelu(x, out=out)", 0),
        ("broadcast", "(4096, 4096)", "", "fastops.axpy(x[0], x, x[:, :1], out=out)", 0),
        ("transposed", "(4096, 4096)", ".T", "fastops.gelu(x, out=out)", 0),
        ("in place", "n", "", "fastops.gelu(x, out=x)", 0),
        ("new result", "n", "", "fastops.gelu(x)", 64),
        ("converted", "n", "", "fastops.gelu(x, dtype='f8')", 128),
    ]
    formatted = {name: MEMORY.format(shape=s, index=i, call=c, allowed=a) for name, s, i, c, a in calls}
    return {name: float(fresh(code)) for name, code in formatted.items()}


def processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="a JSON file for the results")
    parser.add_argument("--plain", type=Path, help="the library of benches/plain")
    parser.add_argument("--only", help="the speed rows whose names hold this text, and nothing else")
    parser.add_argument("--limits", action="store_true", help="start-up and memory, and nothing else")
    options = parser.parse_args()

    holds = True
    record: dict[str, Any] = {"date": strftime("%Y-%m-%d"), "processor": processor(), "level": fastops.isa()}
    record |= {"python": platform.python_version(), "numpy": np.__version__, "fastops": fastops.__version__}
    print(", ".join(f"{key} {value}" for key, value in record.items()))
    if options.only is None:
        milliseconds, extra = import_milliseconds(), memory()
        record |= {"import_ms": milliseconds, "memory_mib": extra}
        print(f"import fastops after numpy: {milliseconds:.1f} ms (limit {IMPORT_LIMIT_MS:g})")
        for name, mib in extra.items():
            print(f"memory beyond operands, {name}: {mib:.1f} MiB (limit {MEMORY_LIMIT_MIB:g})")
        holds &= milliseconds <= IMPORT_LIMIT_MS and all(mib <= MEMORY_LIMIT_MIB for mib in extra.values())
    if not options.limits:
        record["cpu"] = pin()
        record["rows"] = speed(options.only, options.plain)
        holds &= all(row["holds"] for row in record["rows"])
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(record, indent=2) + "\n")
        print(f"\nrecord: {options.out}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
