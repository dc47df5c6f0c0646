"""The rows `gelu f32` in Mojo beside fastops, for who accepts the licence of the package `mojo`: install it and fastops, then run this.

Nothing of the project runs it, and it has not been run: it is written after Mojo's documentation.
"""

import importlib
import os
from statistics import median
from time import thread_time

import fastops
import numpy as np


def microseconds(call, count: int) -> float:
    start = thread_time()
    for _ in range(count):
        call()
    return 1e6 * (thread_time() - start) / count


def main() -> None:
    importlib.import_module("mojo.importer")  # compiles gelu.mojo when it is imported
    gelu = importlib.import_module("gelu").gelu
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for n in (1 << 16, 1 << 20, 1 << 24):
        x = np.random.default_rng(1).standard_normal(n, np.float32)
        ours, theirs = np.ones_like(x), np.ones_like(x)
        at = (x.ctypes.data, theirs.ctypes.data, n)
        calls = {"Lanecraft": lambda x=x, out=ours: fastops.gelu(x, out=out), "Mojo": lambda at=at: gelu(*at)}
        count = max(1, (1 << 21) // n)
        samples = {name: [] for name in calls}
        for _ in range(31):
            for name, call in calls.items():
                call()
                samples[name].append(microseconds(call, count))
        np.testing.assert_allclose(theirs, ours, rtol=2e-3, atol=2e-3)
        print(n, {name: f"{median(times):.2f} us" for name, times in samples.items()})


if __name__ == "__main__":
    main()
