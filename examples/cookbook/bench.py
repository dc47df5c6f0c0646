"""Measures each recipe against what one would write without Lanecraft, on one pinned thread.

A recipe's `speed.py` has the row's name, the function `ours`, and one other. Both take turns; times are medians of the thread's CPU time,
so that other programs on the machine disturb them little. Results are compared. `--write` puts the rows into the recipes' pages.
"""

import argparse
import importlib.util
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import strftime, thread_time
from types import ModuleType

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "LANECRAFT_THREADS"):
    os.environ[variable] = "1"

import cookbook  # noqa: E402
import numpy as np  # noqa: E402

RECIPES = Path(__file__).parent / "src"
SAMPLES = 31
SECONDS_PER_SAMPLE = 2e-3
OTHERS = {"numpy": "NumPy", "numba_loops": "Numba", "scipy": "SciPy"}


def load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.parent.name, file)
    assert spec is not None and spec.loader is not None, file
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def time_of(call: Callable[[], object], count: int) -> float:
    """CPU seconds of a call."""
    call()  # finds the other's data in the caches
    start = thread_time()
    for _ in range(count):
        call()
    return (thread_time() - start) / count


def compare(recipe: ModuleType) -> None:
    """Fails where more than `MAY_DIFFER` of the results are not the same, to `TOLERANCE`."""
    ours, theirs = (np.array(np.asarray(call()), np.float64) for call in (recipe.ours, other_of(recipe)[1]))
    assert ours.shape == theirs.shape, f"{recipe.__name__}: {ours.shape} and {theirs.shape}"
    tolerance = getattr(recipe, "TOLERANCE", 1e-4)
    different = 1 - np.isclose(ours, theirs, rtol=tolerance, atol=tolerance).mean()
    assert different <= getattr(recipe, "MAY_DIFFER", 0), f"{recipe.__name__}: {different:.2%} of the results differ"


def other_of(recipe: ModuleType) -> tuple[str, Callable[[], object]]:
    [name] = [name for name in OTHERS if callable(getattr(recipe, name, None))]
    return OTHERS[name], getattr(recipe, name)


def measure(recipe: ModuleType) -> tuple[float, float]:
    """Milliseconds of ours and of the other."""
    calls = [recipe.ours, other_of(recipe)[1]]
    counts = [max(1, round(SECONDS_PER_SAMPLE / max(time_of(call, 2), 1e-7))) for call in calls]
    samples = [[time_of(call, count) for call, count in zip(calls, counts, strict=True)] for _ in range(SAMPLES)]
    ours, theirs = (1e3 * median(column) for column in zip(*samples, strict=True))
    return ours, theirs


def processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def write(page: Path, row: str, other: str, ours: float, theirs: float) -> None:
    """Puts a row into a page, in place of what it said of speed."""
    text, _, _ = page.read_text().partition("## Speed\n")
    machine = f"{strftime('%Y-%m-%d')}, {processor()}, level {cookbook.isa()}, one thread, NumPy {np.__version__}"
    table = (
        f"| {row} | Lanecraft | {other} | ratio |\n|---|---|---|---|\n| milliseconds | {ours:.3g} | {theirs:.3g} | {theirs / ours:.2g} |\n"
    )
    page.write_text(f"{text}## Speed\n\n{table}\n{machine}; by `cargo xtask bench --cookbook`.\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the rows into the recipes' pages")
    parser.add_argument("--check", action="store_true", help="compare the results alone")
    parser.add_argument("--only", help="the recipe of this name alone")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'recipe':16}{'ours ms':>10}{'theirs ms':>11}{'ratio':>8}")
    for file in sorted(RECIPES.glob("*/speed.py")):
        if options.only not in (None, file.parent.name):
            continue
        recipe = load(file)
        compare(recipe)
        if options.check:
            continue
        other, (ours, theirs) = other_of(recipe)[0], measure(recipe)
        print(f"{file.parent.name:16}{ours:10.3g}{theirs:11.3g}{theirs / ours:7.2f}x  {other}; {recipe.ROW}", flush=True)
        if options.write:
            write(file.parent / "README.md", recipe.ROW, other, ours, theirs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
