"""The speed rows: reads them from rows/*.toml, measures them, and compares results."""

import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time, thread_time
from typing import Any, NotRequired, TypedDict

import fastops
import numpy as np
from names import Array, Names, Row
from peers import PEERS

FOLDER = Path(__file__).parent / "rows"
# In this order they are in docs/performance.md.
FILES = ("elementwise", "allocating", "dtypes", "layouts", "blocks", "math", "fast_math", "others")
SECONDS_PER_SAMPLE = 2e-3
SAMPLES = (7, 31)
SECONDS_PER_ROW = 4.0
# Others than libraries for Python: a limit is about them only where there is nothing else.
BESIDE = ("cython", "pythran", "halide", "plain", "wide", "arch")


class Definition(TypedDict):
    """A row, as benches/README.md has it."""

    name: str
    sizes: NotRequired[list[str]]
    arrays: dict[str, str]
    ours: str
    numpy: NotRequired[str]
    pillow: NotRequired[str]
    numexpr: NotRequired[str]
    numba: NotRequired[str]
    numba_exact: NotRequired[str]
    torch: NotRequired[str]
    compiled: NotRequired[str]
    jax: NotRequired[str]
    cython: NotRequired[str]
    pythran: NotRequired[str]
    halide: NotRequired[str]
    plain: NotRequired[str]
    wide: NotRequired[str]
    arch: NotRequired[str]
    without: NotRequired[str]
    mmh3: NotRequired[str]
    xxhash: NotRequired[str]
    hashlib: NotRequired[str]
    at_least: NotRequired[float | dict[str, float]]
    at_most_us: NotRequired[float]
    judged_by: NotRequired[list[str]]
    same: NotRequired[bool]
    may_differ: NotRequired[float]
    moves: NotRequired[int]
    computes: NotRequired[int]
    lost: NotRequired[str]


class Result(TypedDict):
    """What came of a row; times in microseconds."""

    file: str
    name: str
    ours: float
    peers: dict[str, float]
    best: str
    ratio: float
    limit: str
    holds: bool
    moves: int
    computes: int
    lost: str


def definitions(file: str, only: str | None) -> list[tuple[Definition, dict[str, Any]]]:
    """The rows of a file whose names hold a text, one per size, and what `n` is in them."""
    found: list[tuple[Definition, dict[str, Any]]] = []
    rows: list[Definition] = tomllib.loads((FOLDER / f"{file}.toml").read_text())["row"]
    for row in rows:
        for size in row.get("sizes", [""]):
            one: Definition = {**row, "name": row["name"].replace("{n}", size)}
            if only is None or only in one["name"]:
                found.append((one, {"n": number(size)} if size else {}))
    return found


def number(size: str) -> int:
    """64K and the like."""
    factors = {"K": 1 << 10, "M": 1 << 20}
    return int(size[:-1]) * factors[size[-1]] if size[-1] in factors else int(size)


def looped(statement: str, names: Row, clock: Callable[[], float]) -> Callable[[int], float]:
    """A function that runs a statement so many times, and gives the CPU seconds that took. It looks names up when it runs."""
    body = f"def run(n, clock):\n  start = clock()\n  for _ in range(n):\n    {statement}\n  return clock() - start\n"
    exec(compile(body, "rows", "exec"), names.names)
    run = names.names.pop("run")
    return lambda n: float(run(n, clock))


def value_of(statement: str, names: Row) -> Array:
    """What a statement gives, copied: the next may write to the same memory."""
    first, _, last = statement.rpartition(";")
    exec(first.strip(), names.names)
    value = eval(last.strip(), names.names)
    if type(value).__module__ == "torch":
        value = value.float() if value.dtype == names.names["torch"].bfloat16 else value
    return np.array(np.asarray(value))


def compare(name: str, wanted: Array, got: Array, may_differ: float) -> None:
    """Fails where more than a share of two results differ by more than rounding in the narrower of their formats explains."""
    kind = wanted.dtype.name
    tolerance = {"bfloat16": 2.0**-6, "float16": 4e-3, "int8": 1}.get(kind, 2e-3)
    got, wanted = (array.astype(np.float64) for array in (got, wanted))
    assert got.shape == wanted.shape, f"{name}: {got.shape}, and ours {wanted.shape}"
    differ = 1 - np.isclose(got, wanted, rtol=0 if kind == "int8" else tolerance, atol=tolerance, equal_nan=True).mean()
    assert differ <= may_differ, f"{name}: {differ:.2%} of the results are others than ours"


def measure(file: str, row: Definition, extra: dict[str, Any], shared: Names) -> Result | str:
    """The times of a row, or why it has none."""
    of_row: dict[str, Any] = {**row}
    named = [peer for peer in PEERS if peer in row]
    there = {peer: str(of_row[peer]) for peer in named if shared.has(peer)}
    missing = [peer for peer in named if peer not in there]
    if not there:
        return f"not measured: {', '.join(missing)} missing"
    names = shared.of_row(row["arrays"], extra)
    if "torch" in there or "compiled" in there:
        names.for_torch()
    has_jax = "jax" in there
    names.renew(has_jax)
    statements = {"ours": row["ours"], **there}
    # JAX computes on threads of its own. They may spin on after a call, which is not the others' time.
    runs = {who: looped(text, names, process_time if who == "jax" else thread_time) for who, text in statements.items()}
    counts, seconds = {}, 0.0
    for who, run in runs.items():
        run(2)  # compiles, where that is done at the first call
        of_call = max(min(run(1), run(1)), 1e-7)
        counts[who] = max(1, round(SECONDS_PER_SAMPLE / of_call))
        seconds += of_call * (counts[who] + 1)

    def sample(run: Callable[[int], float], count: int) -> float:
        run(1)  # finds the other sides' data in the caches, and has to write it back
        return run(count) / count

    samples: dict[str, list[float]] = {who: [] for who in runs}
    turns, order = list(runs), random.Random(1)
    for _ in range(max(SAMPLES[0], min(SAMPLES[1], round(SECONDS_PER_ROW / seconds)))):
        names.renew(has_jax)
        # Who comes after another one that reads the same inputs finds some of them in the caches, and after JAX, which has its own, none.
        order.shuffle(turns)
        for who in turns:
            samples[who].append(sample(runs[who], counts[who]))
    values = {who: value_of(text, names) for who, text in statements.items()}
    if row.get("same", True):
        for who in there:
            compare(f"{row['name']}: {who}", values["ours"], values[who], row.get("may_differ", 0.0))
    times = {who: 1e6 * median(column) for who, column in samples.items()}
    allocates = "out=" not in row["ours"] and values["ours"].ndim > 0
    moves = row.get("moves", names.bytes() + (values["ours"].nbytes if allocates else 0))
    return judge(file, row, times, missing, moves)


def judge(file: str, row: Definition, times: dict[str, float], missing: list[str], moves: int) -> Result:
    """A result, with what the row asks for."""
    ours, peers = times["ours"], {who: time for who, time in times.items() if who != "ours"}
    libraries = [peer for peer in [*peers, *missing] if peer not in BESIDE]
    judges = row.get("judged_by", libraries or list(peers))
    bar = min((peers[peer] for peer in judges if peer in peers), default=0.0)
    limit, holds, at_least = "", True, row.get("at_least")
    if isinstance(at_least, dict):
        at_least = at_least.get(fastops.isa())
    if at_least is not None:
        limit, holds = f">= {at_least:g}x {' '.join(row.get('judged_by', []))}".rstrip(), bar / ours >= at_least
    if "at_most_us" in row:
        limit, holds = f"<= +{row['at_most_us']:g} us", ours - bar <= row["at_most_us"]
    absent = [peer for peer in missing if peer in judges]
    if limit and absent:
        limit, holds = f"{limit} (not judged without {', '.join(absent)})", True
    best = min(peers, key=lambda peer: peers[peer])
    return Result(
        file=file,
        name=row["name"],
        ours=ours,
        peers=peers,
        best=best,
        ratio=peers[best] / ours,
        limit=limit,
        holds=holds,
        moves=moves,
        computes=row.get("computes", 0),
        lost=row.get("lost", ""),
    )


def speed(only: str | None, shared: Names) -> list[Result]:
    """All rows, or those whose names hold a text."""
    results = []
    for file in FILES:
        rows = definitions(file, only)
        columns = [peer for peer in PEERS if any(peer in row for row, _ in rows)]
        if rows:
            print(f"\n{file:40}{'ours us':>11}" + "".join(f"{peer:>12}" for peer in columns) + f"{'ratio':>9}  limit")
        for row, extra in rows:
            result = measure(file, row, extra, shared)
            if isinstance(result, str):
                print(f"{row['name']:40}  {result}")
                continue
            results.append(result)
            times = "".join(f"{result['peers'][peer]:12.2f}" if peer in result["peers"] else f"{'':12}" for peer in columns)
            verdict = f"{result['limit']}{'' if result['holds'] else '  FAILED'}"
            print(f"{result['name']:40}{result['ours']:11.2f}{times}{result['ratio']:8.2f}x  {verdict}", flush=True)
    return results
