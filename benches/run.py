"""Measures fastops against others in one process on one pinned thread, and what it costs besides.

Our calls and the others' take turns; times are medians of CPU time, so that other programs on the machine disturb them little. Inputs
are other ones for each sample. Results are compared. `cargo xtask bench` runs it; with `--peers` torch, JAX and their like are there.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, strftime
from typing import Any

# Before NumPy is loaded: these slow its BLAS down, and are not what users run with.
for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(variable, None)
# One thread each; for JAX there is no other way.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "LANECRAFT_THREADS"):
    os.environ.setdefault(variable, "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")

import fastops  # noqa: E402
import first  # noqa: E402
import limits  # noqa: E402
import numpy as np  # noqa: E402
import roofs  # noqa: E402
import rows  # noqa: E402
import tail  # noqa: E402
from names import Names  # noqa: E402

# How much of a roof a row may be measured at: both are measured, and on a machine that is never quite quiet.
ROOF_TOLERANCE = 1.1
# Files with rows that are large enough for several threads.
LARGE = ("elementwise", "allocating", "dtypes", "layouts", "blocks", "math")
LIBRARIES = ("numpy", "numexpr", "numba", "torch", "jax", "cython", "pythran", "halide", "mmh3", "xxhash", "ml_dtypes")


def pin() -> int | None:
    """Keeps this process on one thread, on the last CPU that it may use: the first takes most interrupts."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    cpu = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cpu})
    return cpu


def seconds(runs: list[Callable[[], object]], samples: int) -> list[float]:
    """The medians of some calls that take turns, in wall-clock time: another thread's time counts here."""
    columns: list[list[float]] = [[] for _ in runs]
    for _ in range(samples):
        for run, column in zip(runs, columns, strict=True):
            run()
            start = perf_counter()
            run()
            column.append(perf_counter() - start)
    return [median(column) for column in columns]


def scaled(name: str, one: float, more: float) -> dict[str, Any]:
    print(f"{name:40}{1e6 * one:13.1f}{1e6 * more:13.1f}{one / more:8.2f}x", flush=True)
    return {"name": name, "one": 1e6 * one, "more": 1e6 * more, "ratio": one / more}


def machine_scaling(threads: int) -> list[dict[str, Any]]:
    """What the machine gives at this time: parts of NumPy's own work, one after the other and on threads."""

    def measure(name: str, count: int, work: Callable[[np.ndarray, np.ndarray], object]) -> dict[str, Any]:
        x, y = (np.array_split(np.ones(count, np.float32), threads) for _ in range(2))
        alone, together = (lambda: list(map(work, y, x))), (lambda: list(pool.map(work, y, x)))
        return scaled(name, *seconds([alone, together], rows.SAMPLES[1]))

    with ThreadPoolExecutor(threads) as pool:
        copy = measure("NumPy's copy of 64 MiB", 2**24, np.copyto)
        return [copy, measure("NumPy's sine of 1M", 2**20, lambda y, x: np.sin(x, out=y))]


def scaling(files: Iterable[str], only: str | None, threads: int) -> list[dict[str, Any]]:
    """The time of each row on one thread over that on more."""
    shared = Names(None, None, None)
    print(f"\n{'row':40}{'1 thread us':>13}{f'{threads} threads us':>13}{'ratio':>9}")
    results = machine_scaling(threads)
    for file in files:
        for row, extra in rows.definitions(file, only):
            names = shared.of_row(row["arrays"], extra).names
            codes = [compile(row["ours"][:-1] + f", threads={count})", "rows", "eval") for count in (1, threads)]
            one, more = seconds([partial(eval, code, names) for code in codes], rows.SAMPLES[1])
            results.append(scaled(row["name"], one, more))
    return results


def processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def machine() -> dict[str, Any]:
    """What the results hold for."""
    record: dict[str, Any] = {"date": strftime("%Y-%m-%d"), "processor": processor(), "level": fastops.isa()}
    record |= {"system": platform.platform(), "python": platform.python_version(), "fastops": fastops.__version__}
    versions = {}
    for library in LIBRARIES:
        try:
            versions[library] = importlib.metadata.version(library)
        except importlib.metadata.PackageNotFoundError:
            continue
    return record | {"versions": versions}


def beyond_the_roof(results: list[rows.Result], limits: roofs.Roofs) -> list[str]:
    """Times, ours or others', that are shorter than the machine can be: then the measurement is wrong."""
    found = []
    for row in results:
        least = 1e6 * roofs.seconds_at_least(limits, row["moves"], row["computes"])
        for who, time in {"ours": row["ours"], **row["peers"]}.items():
            if time * ROOF_TOLERANCE < least:
                found.append(f"{row['name']}: {who} took {time:.1f} us, and the roof is {least:.1f} us")
    return found


def speed(options: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """The rows between two measurements of the roofs."""
    shared = Names(options.plain, options.fast_math, options.builds)
    rust = shared.of_rust()
    record: dict[str, Any] = {}
    if "plain" in rust:
        before = roofs.measure(rust["plain"])
    record["rows"] = results = rows.speed(options.only, shared)
    holds = all(row["holds"] for row in results)
    if "plain" in rust:
        after = roofs.measure(rust["plain"])
        record |= {"roofs": roofs.higher(before, after), "roofs_first": before, "roofs_last": after}
        print("\nroofs, first and last:")
        for size, first_value in before["bytes_per_second"].items():
            print(f"{int(size) >> 10:8} KiB{first_value / 1e9:9.1f}{after['bytes_per_second'][size] / 1e9:9.1f} GB/s")
        print(f"{'':12}{before['operations_per_second'] / 1e9:9.1f}{after['operations_per_second'] / 1e9:9.1f} GFLOP/s")
        wrong = beyond_the_roof(results, record["roofs"])
        print("\n".join(f"FAILED: {line}" for line in wrong))
        holds &= not wrong
    if options.only is None:
        record["tail"] = tail.measure()
    return record, holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="a JSON file for the results")
    parser.add_argument("--plain", type=Path, help="the library of benches/plain")
    parser.add_argument("--fast-math", type=Path, help="the library of benches/fast_math")
    parser.add_argument("--builds", type=Path, help="a folder for what Cython and Pythran make")
    parser.add_argument("--only", help="the speed rows whose names hold this text, and nothing else")
    parser.add_argument("--first", action="store_true", help="first calls, and nothing else")
    parser.add_argument("--tail", action="store_true", help="calls of many shapes, and nothing else")
    parser.add_argument("--threads", type=int, help="measure this many threads against one, and nothing else")
    parser.add_argument(
        "--limits", action="store_true", help="memory, and nothing else; start-up and a second thread's pace are shown, and do not decide"
    )
    options = parser.parse_args()

    holds, record = True, machine()
    print(", ".join(f"{key} {value}" for key, value in record.items()))
    alone = options.limits or options.first or options.tail or options.threads is not None
    if options.threads is not None:
        record["scaling"] = scaling(LARGE, options.only, options.threads)
    elif not (alone or options.only) and len(getattr(os, "sched_getaffinity", lambda _: [0])(0)) > 1:
        record["scaling"] = scaling(["blocks"], None, 2)
    if options.limits or not (alone or options.only):
        of_limits, holds = limits.check(judge_times=not options.limits)
        record |= of_limits
    if options.first or not (alone or options.only):
        record["first"] = first.measure()
    if options.tail:
        record["cpu"] = pin()
        record["tail"] = tail.measure()
    if not alone:
        record["cpu"] = pin()
        of_speed, speed_holds = speed(options)
        record |= of_speed
        holds &= speed_holds
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(record, indent=2) + "\n")
        print(f"\nrecord: {options.out}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
