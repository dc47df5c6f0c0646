"""What a call costs besides time: memory at its peak; and what an import costs."""

import subprocess
import sys
from pathlib import Path
from statistics import median

IMPORT_LIMIT_MS = 20.0
MEMORY_LIMIT_MIB = 8.0


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


def check() -> tuple[dict[str, object], bool]:
    """The record, and whether the limits hold."""
    milliseconds, extra = import_milliseconds(), memory()
    print(f"import fastops after numpy: {milliseconds:.1f} ms (limit {IMPORT_LIMIT_MS:g})")
    for name, mib in extra.items():
        print(f"memory beyond operands, {name}: {mib:.1f} MiB (limit {MEMORY_LIMIT_MIB:g})")
    holds = milliseconds <= IMPORT_LIMIT_MS and all(mib <= MEMORY_LIMIT_MIB for mib in extra.values())
    return {"import_ms": milliseconds, "memory_mib": extra}, holds
