"""Measures fastops against others in one process on one pinned thread, and what it costs in memory and start-up.

Speed rows come from speed.toml. Our calls and the others' take turns; times are medians of CPU time, so that other
programs on the machine disturb them little. Results are compared. `cargo xtask bench` runs it; with `--peers` torch, JAX and
Numba are there.
"""

import argparse
import ctypes
import importlib
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, strftime, thread_time
from typing import Any, NotRequired, TypedDict

# Before NumPy is loaded: these slow its BLAS down, and are not what users run with.
for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(variable, None)
# One thread each; for JAX there is no other way.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "LANECRAFT_THREADS"):
    os.environ.setdefault(variable, "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

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
    numexpr: NotRequired[str]
    numba: NotRequired[str]
    torch: NotRequired[str]
    jax: NotRequired[str]
    plain: NotRequired[str]
    mmh3: NotRequired[str]
    xxhash: NotRequired[str]
    hashlib: NotRequired[str]
    at_least: NotRequired[float | dict[str, float]]
    at_most_us: NotRequired[float]
    judged_by: NotRequired[list[str]]
    same: NotRequired[bool]
    moves: NotRequired[int]
    computes: NotRequired[int]


PEERS = ("numpy", "numexpr", "numba", "torch", "jax", "plain", "mmh3", "xxhash", "hashlib")


class Result(TypedDict):
    """What came of a row; times in microseconds."""

    name: str
    ours: float
    peers: dict[str, float]
    best: str
    ratio: float
    limit: str
    holds: bool
    moves: int | None
    computes: int | None


def pin() -> int | None:
    """Keeps this process on one thread, on the last CPU that it may use: the first takes most interrupts."""
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

    types = {"f32": np.float32, "f64": np.float64, "u8": np.uint8, "i32": np.int32, "i64": np.int64}
    names: dict[str, Any] = {"np": np, "fastops": fastops, "uniform": uniform, "normal": normal, "empty": empty, "grid": grid, **types}
    names["of_numpy"] = importlib.import_module("peers.of_numpy")
    if plain is not None:
        names["plain"] = Plain(plain)
    for module in ("numexpr", "numba", "torch", "jax", "mmh3", "xxhash", "hashlib"):
        if importlib.util.find_spec(module) is not None:
            names[module] = importlib.import_module(module)
    if "torch" in names:
        names["torch"].set_num_threads(1)
    if "jax" in names:
        names["of_jax"] = importlib.import_module("peers.of_jax")
    if "numba" in names:
        names["of_numba"] = importlib.import_module("peers.of_numba")
    return names


def make_arrays(row: Definition, names: dict[str, Any]) -> None:
    """Adds a row's arrays to the names, for NumPy, torch (the same memory) and JAX (which copies)."""
    for name, expression in row["arrays"].items():
        array = names[name] = eval(expression, names)
        if isinstance(array, np.ndarray):
            if "torch" in row and "torch" in names:
                names[f"t_{name}"] = names["torch"].from_numpy(array)
            if "jax" in row and "jax" in names:
                names[f"j_{name}"] = names["jax"].numpy.asarray(array)


class Plain:
    """The loops of benches/plain."""

    QUICK = ("acosh", "asinh", "erfc", "sigmoid")

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self._library.mandelbrot.argtypes = [pointer, pointer, size, ctypes.c_int32, pointer]
        self._library.mandelbrot.restype = None

        self._library.triad.argtypes = [pointer, pointer, pointer, size]
        self._library.triad.restype = None
        self._library.multiply_adds.argtypes = [size]
        self._library.multiply_adds.restype = ctypes.c_double
        self._library.quick.argtypes = [size, ctypes.c_bool, size, pointer, size, pointer]
        self._library.quick.restype = ctypes.c_bool

    def triad(self, a: NDArray[np.float32], b: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        self._library.triad(a.ctypes.data, b.ctypes.data, out.ctypes.data, out.size)

    def multiply_adds(self, rounds: int) -> float:
        return float(self._library.multiply_adds(rounds))

    def math(self, function: str, x: NDArray[Any], out: NDArray[Any], fast_math: bool) -> NDArray[Any]:
        """A math function, with or without `fast_math`."""
        at = self.QUICK.index(function)
        assert self._library.quick(at, fast_math, x.itemsize, x.ctypes.data, out.size, out.ctypes.data)
        return out

    def mandelbrot(self, cx: NDArray[np.float32], cy: NDArray[np.float32], max_iter: int, out: NDArray[np.int32]) -> NDArray[np.int32]:
        self._library.mandelbrot(cx.ctypes.data, cy.ctypes.data, out.size, max_iter, out.ctypes.data)
        return out


def looped(statement: str, names: dict[str, Any], clock: Callable[[], float] = thread_time) -> Callable[[int], float]:
    """A function that runs a statement so many times, and gives the CPU seconds that took."""
    body = f"def run(n):\n  start = clock()\n  for _ in range(n):\n    {statement}\n  return clock() - start\n"
    scope = {**names, "clock": clock}
    exec(compile(body, "speed.toml", "exec"), scope)
    run: Callable[[int], float] = scope["run"]
    return run


def value_of(statement: str, names: dict[str, Any]) -> NDArray[Any]:
    """What a statement gives, copied: the next may write to the same memory."""
    first, _, last = statement.rpartition(";")
    exec(first.strip(), names)
    return np.array(np.asarray(eval(last.strip(), names)))


def measure(row: Definition, names: dict[str, Any]) -> Result | str:
    """The times of a row, or why it has none."""
    there = {peer: str(row.get(peer)) for peer in PEERS if peer in row and ("np" if peer == "numpy" else peer) in names}
    missing = [peer for peer in PEERS if peer in row and peer not in there]
    if not there:
        return f"not measured: {', '.join(missing)} missing"
    make_arrays(row, names)
    wanted = value_of(row["ours"], names)
    for peer, statement in there.items():
        if not row.get("same", True):
            break
        got = value_of(statement, names)
        if peer == "plain":
            assert np.array_equal(wanted, got), f"{row['name']}: not what {peer} gives"
        else:
            np.testing.assert_allclose(got, wanted, rtol=2e-3, atol=2e-3, err_msg=f"{row['name']}: {peer}")
    # JAX computes on threads of its own. They may spin on after a call, which is not the others' time.
    runs = [looped(row["ours"], names)]
    runs += [looped(statement, names, process_time if peer == "jax" else thread_time) for peer, statement in there.items()]
    counts = []
    for run in runs:
        run(2)
        counts.append(max(1, round(SECONDS_PER_SAMPLE / max(run(3) / 3, 1e-7))))

    def sample(run: Callable[[int], float], count: int) -> float:
        run(1)  # finds the other sides' data in the caches, and has to write it back
        return run(count) / count

    samples = [[sample(run, count) for run, count in zip(runs, counts, strict=True)] for _ in range(SAMPLES)]
    ours, *others = (1e6 * median(column) for column in zip(*samples, strict=True))
    peers = dict(zip(there, others, strict=True))
    best = min(peers, key=lambda peer: peers[peer])
    limit, holds = "", True
    judges = row.get("judged_by", list(peers) + missing)
    bar = min((peers[peer] for peer in judges if peer in peers), default=0.0)
    missing = [peer for peer in missing if peer in judges]
    at_least = row.get("at_least")
    if isinstance(at_least, dict):
        at_least = at_least.get(fastops.isa())
    if at_least is not None:
        limit, holds = f">= {at_least:g}x {' '.join(row.get('judged_by', []))}", bar / ours >= at_least
    if "at_most_us" in row:
        limit, holds = f"<= +{row['at_most_us']:g} us", ours - bar <= row["at_most_us"]
    if limit and missing:
        limit, holds = f"{limit} (not judged without {', '.join(missing)})", True
    return Result(
        name=row["name"],
        ours=ours,
        peers=peers,
        best=best,
        ratio=peers[best] / ours,
        limit=limit,
        holds=holds,
        moves=row.get("moves"),
        computes=row.get("computes"),
    )


def speed(only: str | None, plain: Path | None) -> list[Result]:
    rows: list[Definition] = tomllib.loads((HERE / "speed.toml").read_text())["row"]
    results = []
    print(f"\n{'row':34}{'ours us':>11}" + "".join(f"{peer:>11}" for peer in PEERS) + f"{'ratio':>9}  limit")
    for row in rows:
        if only is not None and only not in row["name"]:
            continue
        result = measure(row, makers(plain))
        if isinstance(result, str):
            print(f"{row['name']:34}  {result}")
            continue
        results.append(result)
        times = "".join(f"{result['peers'][peer]:11.2f}" if peer in result["peers"] else f"{'':11}" for peer in PEERS)
        verdict = f"{result['limit']}{'' if result['holds'] else '  FAILED'}"
        print(f"{result['name']:34}{result['ours']:11.2f}{times}{result['ratio']:8.2f}x  {verdict}", flush=True)
    return results


def roofs(plain: Path) -> dict[str, float]:
    """Bytes per second of STREAM's triad over 3 arrays of 128 MiB, and operations per second of multiply-adds: the best of some runs."""
    library, n = Plain(plain), 1 << 25
    a, b, raw = np.ones(n, np.float32), np.ones(n, np.float32), np.ones(n + 16, np.float32)
    out = raw[-raw.ctypes.data % 64 // 4 :][:n]
    bandwidth, operations = 0.0, 0.0
    for _ in range(7):
        start = perf_counter()
        library.triad(a, b, out)
        bandwidth = max(bandwidth, 3 * a.nbytes / (perf_counter() - start))
        start = perf_counter()
        count = library.multiply_adds(1 << 20)
        operations = max(operations, count / (perf_counter() - start))
    assert np.all(out == 4)
    return {"bytes_per_second": bandwidth, "operations_per_second": operations}


def scaling(only: str | None, threads: int) -> list[dict[str, Any]]:
    """The time of each large row on one thread over that on more, in wall-clock time: another thread's time counts here."""
    rows: list[Definition] = tomllib.loads((HERE / "speed.toml").read_text())["row"]
    results = []
    print(f"\n{'row':34}{'1 thread us':>13}{f'{threads} threads us':>13}{'ratio':>9}")
    for row in rows:
        if (only is not None and only not in row["name"]) or "8 elements" in row["name"] or "hash" in row["name"]:
            continue
        names = makers(None)
        make_arrays(row, names)
        calls = [compile(row["ours"][:-1] + f", threads={count})", "speed.toml", "eval") for count in (1, threads)]
        samples: list[list[float]] = []
        for _ in range(SAMPLES):
            samples.append([])
            for call in calls:
                eval(call, names)
                start = perf_counter()
                eval(call, names)
                samples[-1].append(perf_counter() - start)
        one, more = (1e6 * median(column) for column in zip(*samples, strict=True))
        results.append({"name": row["name"], "one": one, "more": more, "ratio": one / more})
        print(f"{row['name']:34}{one:13.1f}{more:13.1f}{one / more:8.2f}x", flush=True)
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
    parser.add_argument("--threads", type=int, help="measure this many threads against one, and nothing else")
    parser.add_argument("--limits", action="store_true", help="start-up and memory, and nothing else")
    options = parser.parse_args()

    holds = True
    record: dict[str, Any] = {"date": strftime("%Y-%m-%d"), "processor": processor(), "level": fastops.isa()}
    record |= {"python": platform.python_version(), "numpy": np.__version__, "fastops": fastops.__version__}
    print(", ".join(f"{key} {value}" for key, value in record.items()))
    if options.threads is not None:
        record["scaling"] = scaling(options.only, options.threads)
    elif options.only is None:
        milliseconds, extra = import_milliseconds(), memory()
        record |= {"import_ms": milliseconds, "memory_mib": extra}
        print(f"import fastops after numpy: {milliseconds:.1f} ms (limit {IMPORT_LIMIT_MS:g})")
        for name, mib in extra.items():
            print(f"memory beyond operands, {name}: {mib:.1f} MiB (limit {MEMORY_LIMIT_MIB:g})")
        holds &= milliseconds <= IMPORT_LIMIT_MS and all(mib <= MEMORY_LIMIT_MIB for mib in extra.values())
    if not options.limits and options.threads is None:
        record["cpu"] = pin()
        if options.plain is not None:
            record["roofs"] = roofs(options.plain)
            print(", ".join(f"{key} {value:.3g}" for key, value in record["roofs"].items()))
        record["rows"] = speed(options.only, options.plain)
        holds &= all(row["holds"] for row in record["rows"])
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(record, indent=2) + "\n")
        print(f"\nrecord: {options.out}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
