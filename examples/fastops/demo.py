"""Runs every kernel of fastops on real input: a photograph, and arrays of random numbers.

Prints, for each kernel, dtype and CPU level, the largest error against a reference of higher precision, and the time against
the NumPy expression that computes the same. Saves a plot of the ratios. `cargo xtask demo` runs it.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any, TypedDict

import fastops
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Case:
    """A kernel with operands, and the NumPy expression of the same meaning.

    `scale`: where terms of that size cancel in the formula, errors are counted in units in the last place of it, not of the
    result, which may be near 0. `exact`: every operation rounds alike on both sides, so that the expression on the operands
    themselves is the reference. `keywords`: the values of compile-time parameters.
    """

    kernel: str
    dtype: str
    operands: tuple[Array, ...]
    expression: Callable[..., Array]
    scale: float = 0.0
    exact: bool = False
    keywords: dict[str, Any] = field(default_factory=dict)

    def call(self) -> Array:
        """What the kernel gives."""
        result: Array = getattr(fastops, self.kernel)(*self.operands, **self.keywords)
        return result

    def reference(self) -> Array:
        """The expression on numbers of about twice the digits: float64 for float32, long double for float64."""
        if self.exact:
            return self.expression(*self.operands)
        wider = {"f": np.float64, "d": np.longdouble}
        return self.expression(*(np.asarray(o, wider.get(o.dtype.char, o.dtype)) for o in self.operands))


class Row(TypedDict):
    """A line of the table."""

    kernel: str
    dtype: str
    level: str
    ulp: float
    numpy_ulp: float
    seconds: float
    numpy_seconds: float
    bits: str


def gelu(x: Array) -> Array:
    y: Array = 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    return y


def mandelbrot(cx: Array, cy: Array) -> Array:
    x, y = np.zeros_like(cx), np.zeros_like(cy)
    count = np.full(cx.shape, 64, np.int32)
    inside = np.ones(cx.shape, np.bool_)
    for n in range(64):
        xx, yy = x * x, y * y
        leaves = inside & (xx + yy > 4)
        count[leaves] = n
        inside &= ~leaves
        x, y = np.where(inside, xx - yy + cx, x), np.where(inside, 2 * x * y + cy, y)
    return count


def collatz(n: Array) -> Array:
    steps = np.zeros(n.shape, np.uint32)
    x = n.astype(np.uint64)
    while np.any(x > 1):
        steps += x > 1
        x = np.where(x > 1, np.where(x % 2 == 0, x // 2, 3 * x + 1), x)
    return steps


def srgb_to_linear(x: Array) -> Array:
    c = x / np.float64(255)
    light: Array = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return light


def classify(x: Array) -> Array:
    magnitude = np.select([x == 0, np.abs(x) < np.finfo(x.dtype).tiny, np.isfinite(x), np.isinf(x)], [0, 1, 2, 3])
    kind: Array = np.where(np.isnan(x), 8, np.where(np.signbit(x), 3 - magnitude, 4 + magnitude)).astype(np.uint8)
    return kind


def photograph() -> NDArray[np.uint8]:
    """Height x width x 3: Eileen Collins, from the files that scikit-image's wheel brings along (NASA, public domain)."""
    from PIL import Image

    with resources.as_file(resources.files("skimage.data") / "astronaut.png") as path, Image.open(path) as image:
        pixels: NDArray[np.uint8] = np.asarray(image.convert("RGB"))
        return pixels


def cases() -> Iterator[Case]:
    """Every kernel on every dtype."""
    photo = photograph()
    random = np.random.default_rng(7)
    for dtype in (np.float32, np.float64):

        def number(value: float, dtype: type[np.floating[Any]] = dtype) -> Array:
            return np.asarray(value, dtype)

        name = np.dtype(dtype).name
        light = (photo / 255).astype(dtype)
        noise = random.standard_normal(photo.shape).astype(dtype)
        red, green, blue = (np.ascontiguousarray(light[..., channel]) for channel in range(3))
        yield Case("axpy", name, (number(0.25), noise, light), lambda a, x, y: a * x + y)
        yield Case("exp", name, (4 * noise,), np.exp)
        yield Case("gelu", name, (2 * noise,), gelu, scale=1)
        yield Case("sigmoid", name, (8 * (light - number(0.5)),), lambda x: 1 / (1 + np.exp(-x)))
        yield Case("leaky_relu", name, (noise, number(0.01)), lambda x, slope: np.maximum(slope * x, x))
        bounds = (number(0.1), number(0.9), number(1.25))
        yield Case("clip_scale", name, (light, *bounds), lambda x, low, high, k: k * np.clip(x, low, high))
        yield Case("hypot3", name, (red, green, blue), lambda x, y, z: np.sqrt(x * x + y * y + z * z))
        plane = np.meshgrid(np.linspace(-2.2, 0.8, 512).astype(dtype), np.linspace(-1.5, 1.5, 512).astype(dtype))
        yield Case("mandelbrot", name, tuple(plane), mandelbrot, exact=True, keywords={"max_iter": 64})
        quantized = (noise, number(0.03125))
        yield Case("quantize", name, quantized, lambda x, scale: np.clip(np.rint(x / scale), -128, 127).astype(np.int8), exact=True)
        yield Case("classify", name, (noise * number(float(np.finfo(dtype).tiny)),), classify, exact=True)
    yield Case("srgb_to_linear", "uint8", (photo,), srgb_to_linear)
    yield Case("srgb_to_linear_f16", "uint8", (photo,), srgb_to_linear)
    yield Case("collatz", "uint32", (np.arange(1, 1 << 18, dtype=np.uint32),), collatz, exact=True)
    edges = np.diff(photo.astype(np.int32), axis=1)
    yield Case("leaky_relu", "int32", (edges, np.asarray(3, np.int32)), lambda x, slope: np.where(x < 0, slope * x, x))
    planes = np.ascontiguousarray(np.moveaxis(photo, 2, 0))
    mean, std = (np.asarray(v, np.float32).reshape(3, 1, 1) for v in ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]))
    yield Case("normalize_u8", "uint8", (planes, mean, std), lambda x, mean, std: (x / mean.dtype.type(255) - mean) / std, scale=1)


def largest_error(result: Array, reference: Array, scale: float) -> float:
    """In units in the last place of the reference, or of `scale` if that is larger; of integers, in ones."""
    if result.dtype.kind != "f":
        return float(np.max(np.abs(result.astype(np.int64) - reference)))
    unit = np.spacing(np.maximum(np.abs(reference), scale).astype(result.dtype)).astype(reference.dtype)
    return float(np.max(np.abs(result.astype(reference.dtype) - reference) / unit))


def measure(case: Case, repeats: int) -> Row:
    """Checks a case and times it, in turn with NumPy: medians of the thread's CPU time, which other programs disturb little."""
    result, theirs, reference = case.call(), case.expression(*case.operands), case.reference()
    times: list[float] = []
    numpy_times: list[float] = []
    for _ in range(repeats):
        start = thread_time()
        case.call()
        middle = thread_time()
        case.expression(*case.operands)
        numpy_times.append(thread_time() - middle)
        times.append(middle - start)
    return Row(
        kernel=case.kernel,
        dtype=case.dtype,
        level=fastops.isa(),
        ulp=largest_error(result, reference, case.scale),
        numpy_ulp=largest_error(theirs, reference, case.scale),
        seconds=median(times),
        numpy_seconds=median(numpy_times),
        bits=hashlib.sha256(result.tobytes()).hexdigest(),
    )


def levels() -> list[str]:
    """The CPU levels of this machine, best first."""
    return list(dict.fromkeys(variant["level"] for variant in reversed(fastops.variants())))


def rows_on(level: str, repeats: int) -> Iterator[Row]:
    """Measures all cases in a process of its own: a process keeps the level that it starts with."""
    isa, _, exact = level.partition("-")
    environment = os.environ | {"LANECRAFT_ISA": isa, "LANECRAFT_EXACT": "1" if exact else "0"}
    command = [sys.executable, __file__, "--worker", "--repeats", str(repeats)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        for line in worker.stdout:
            row: Row = json.loads(line)
            yield row
    if worker.returncode != 0:
        raise SystemExit(f"level {level}: the measuring process ended with {worker.returncode}")


def print_row(row: Row) -> None:
    ours, theirs = 1e3 * row["seconds"], 1e3 * row["numpy_seconds"]
    name = f"{row['kernel']:19}{row['dtype']:9}{row['level']:11}"
    print(f"{name}{row['ulp']:9.2f}{row['numpy_ulp']:10.2f}{ours:10.3f}{theirs:10.3f}{theirs / ours:8.2f}", flush=True)


def plot(rows: list[Row], path: Path) -> None:
    """Bars for the best level, dots for the others."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys((row["kernel"], row["dtype"]) for row in rows))
    order = list(dict.fromkeys(row["level"] for row in rows))
    ratios = {(r["kernel"], r["dtype"], r["level"]): r["numpy_seconds"] / r["seconds"] for r in rows}
    figure, axes = pyplot.subplots(figsize=(10, 0.42 * len(names) + 1.6), layout="constrained")
    places = np.arange(len(names))
    best = [ratios[(*name, order[0])] for name in names]
    axes.barh(places, [ratio - 1 for ratio in best], left=1, color="#9cc3e6", label=order[0], zorder=2)
    for level, marker in zip(order[1:], "osD^vP", strict=False):
        points = [ratios[(*name, level)] for name in names]
        axes.plot(points, places, marker, markersize=5, color="#333333", markerfacecolor="white", label=level, zorder=3)
    axes.axvline(1, color="#c0392b", linewidth=1, zorder=4)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}x" if value >= 1 else f"1/{1 / value:g}x")
    axes.set_yticks(places, [f"{kernel}  {dtype}" for kernel, dtype in names])
    axes.invert_yaxis()
    axes.grid(axis="x", color="#dddddd", zorder=0)
    axes.set_xlabel("NumPy's time / fastops' time: to the right of the red line fastops is faster")
    axes.set_title("fastops against NumPy expressions, one thread")
    axes.legend(title="CPU level", loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def disagreements(rows: list[Row]) -> list[str]:
    """Kernels whose bits differ between levels; `sse2` may, as it rounds a fused multiply-add twice."""
    first: dict[tuple[str, str], Row] = {}
    found = []
    for row in rows:
        same = first.setdefault((row["kernel"], row["dtype"]), row) if row["level"] != "sse2" else row
        if same["bits"] != row["bits"]:
            found.append(f"{row['kernel']} {row['dtype']}: {row['level']} and {same['level']} give different bits")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("ratios.png"), help="where the plot goes")
    parser.add_argument("--repeats", type=int, default=15, help="timings of each kernel")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        for case in cases():
            print(json.dumps(measure(case, options.repeats)), flush=True)
        return 0

    print(f"fastops {fastops.__version__}, NumPy {np.__version__}; times of calls that allocate their results, one thread")
    print("NumPy is always on its own best level.\n")
    print(f"{'kernel':19}{'dtype':9}{'level':11}{'max ULP':>9}{'NumPy':>10}{'ms':>10}{'NumPy':>10}{'ratio':>8}")
    rows = []
    for level in levels():
        for row in rows_on(level, options.repeats):
            rows.append(row)
            print_row(row)
        print()
    plot(rows, options.out)
    print("max ULP: the largest error in units in the last place, against the expression in float64 (of float64, in long double).")
    print("Of gelu and normalize_u8, whose terms of size 1 cancel, in those of 1 where the result is smaller.")
    print(f"plot: {options.out}")
    found = disagreements(rows)
    print("\n".join(found) or "every level but sse2 gave the same bits")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
