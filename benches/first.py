"""What comes before the first result: import, and the first call of each dtype, in fresh processes without caches on disk."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TypedDict

PROCESSES = 3
# Imports, what is called once for each dtype, and the package that has to be there.
CALLS = {
    "Lanecraft": ("import fastops", "fastops.gelu(x)", "fastops"),
    "NumPy": ("pass", "0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))", "numpy"),
    "numexpr": ("import numexpr", "numexpr.evaluate('0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))')", "numexpr"),
    "Numba": ("import math, numba; f = numba.vectorize(gelu)", "f(x)", "numba"),
    "torch": ("import torch; f = torch.nn.functional.gelu", "f(torch.from_numpy(x), approximate='tanh')", "torch"),
    "torch.compile": (
        "import torch; f = torch.compile(lambda x: torch.nn.functional.gelu(x, approximate='tanh'))",
        "f(torch.from_numpy(x))",
        "torch",
    ),
    "JAX": ("import jax; f = jax.jit(lambda x: jax.nn.gelu(x, approximate=True))", "f(x).block_until_ready()", "jax"),
}
CODE = """
import json, numpy as np
from time import perf_counter
def gelu(x):
    return 0.5 * x * (1 + math.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))
x32 = np.ones(65536, np.float32)
x64 = np.ones(65536, np.float64)
times = [perf_counter()]
{imports}
times.append(perf_counter())
for x in (x32, x64):
    {call}
    times.append(perf_counter())
for x in (x32,):
    {call}
times.append(perf_counter())
print(json.dumps([1e3 * (b - a) for a, b in zip(times, times[1:])]))
"""


class First(TypedDict):
    """Milliseconds: import, first call with f32, first with f64, second with f32."""

    name: str
    imports: float
    first: float
    second_dtype: float
    warm: float


def fresh(imports: str, call: str) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        caches = dict.fromkeys(("TORCHINDUCTOR_CACHE_DIR", "NUMBA_CACHE_DIR", "TRITON_CACHE_DIR"), folder)
        code = CODE.format(imports=imports, call=call)
        done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True, env=os.environ | caches)
    return [float(value) for value in json.loads(done.stdout)]


def measure() -> list[First]:
    results = []
    # Once without measuring: the files come from the disk.
    processes: dict[str, list[list[float]]] = {}
    print(f"\n{'ms in a fresh process':24}{'import':>10}{'first f32':>12}{'first f64':>12}{'then':>10}")
    for name, (imports, call, package) in CALLS.items():
        if importlib.util.find_spec(package) is None:
            continue
        fresh(imports, "pass")
        processes[name] = [fresh(imports, call) for _ in range(PROCESSES)]
        imported, first, second, warm = (median(column) for column in zip(*processes[name], strict=True))
        results.append(First(name=name, imports=imported, first=first, second_dtype=second, warm=warm))
        print(f"{name:24}{imported:10.1f}{first:12.2f}{second:12.2f}{warm:10.3f}", flush=True)
    return results


if __name__ == "__main__":
    print(Path(__file__).name, measure())
