"""What a call costs besides time: memory at its peak, and other threads' time; and what an import costs."""

import subprocess
import sys
from pathlib import Path
from statistics import median

IMPORT_LIMIT_MS = 20.0
MEMORY_LIMIT_MIB = 8.0
PACE_LIMIT = 0.9


def fresh(code: str) -> str:
    """What a new interpreter prints that runs some code."""
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout


def import_milliseconds() -> float:
    """CPU time of `import fastops` after `import numpy`: the median of fresh processes."""
    code = "import numpy, time; t = time.process_time(); import fastops; print(time.process_time() - t)"
    return 1e3 * median(float(fresh(code)) for _ in range(11))


# How often a thread ticks a second while a kernel runs, beside a hash, which keeps a CPU as busy and surely lets the GIL go.
PACE = """
import hashlib, threading, time
from statistics import median
import numpy as np, fastops

ticks = 0
def tick():
    global ticks
    while True:
        time.sleep(0.001)
        ticks += 1
threading.Thread(target=tick, daemon=True).start()

def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

def rate(work):
    before = ticks
    took = seconds(work)
    return (ticks - before) / took

# All points are of the set, so that a call goes through all steps of each.
points = np.zeros(1024)
steps = int(10_000 / seconds(lambda: fastops.mandelbrot(points, 0.0, max_iter=10_000)))
data = bytes(int((1 << 26) / seconds(lambda: hashlib.sha256(bytes(1 << 26)))))
print(median(rate(lambda: fastops.mandelbrot(points, 0.0, max_iter=steps)) / rate(lambda: hashlib.sha256(data)) for _ in range(5)))
"""

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


def check(*, judge_times: bool) -> tuple[dict[str, object], bool]:
    """The record, and whether the limits hold; those of times where that is asked for, since another program may disturb them."""
    milliseconds, pace, extra = import_milliseconds(), float(fresh(PACE)), memory()
    print(f"import fastops after numpy: {milliseconds:.1f} ms (limit {IMPORT_LIMIT_MS:g})")
    print(f"pace of a second thread during a kernel of a second: {pace:.0%} (limit {PACE_LIMIT:.0%})")
    for name, mib in extra.items():
        print(f"memory beyond operands, {name}: {mib:.1f} MiB (limit {MEMORY_LIMIT_MIB:g})")
    in_time = milliseconds <= IMPORT_LIMIT_MS and pace >= PACE_LIMIT
    holds = all(mib <= MEMORY_LIMIT_MIB for mib in extra.values()) and (in_time or not judge_times)
    return {"import_ms": milliseconds, "pace": pace, "memory_mib": extra}, holds
