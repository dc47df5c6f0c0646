"""What has come out, as a table, a file of comma-separated values, and a page."""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Any

from .plan import Outcome
from .rows import OURS, ROWS, WAYS


def write(outcome: Outcome, folder: Path, kernels: int) -> str:
    """Writes `results.csv` and `results.md`; the page's text."""
    roof = _roof(outcome)
    with (folder / "results.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["card", "row", "way", "microseconds", "gigabytes_a_second", "of_copy", "calls", "difference"])
        for one in outcome.timings:
            of_copy = "" if roof is None else f"{one['gigabytes_a_second'] / roof:.3f}"
            number = [f"{one['microseconds']:.2f}", f"{one['gigabytes_a_second']:.4g}", of_copy, one["calls"], f"{one['difference']:.1e}"]
            rows.writerow([outcome.environment.get("card", ""), one["row"], one["way"], *number])
    page = _page(outcome, roof, kernels)
    (folder / "results.md").write_text(page)
    return page


def _without(outcome: Outcome) -> list[str]:
    """Each reason once, with what it is the reason for."""
    rows: dict[str, list[str]] = {}
    for what, why in outcome.without.items():
        rows.setdefault(why, []).append(what)
    return [f"{'; '.join(several)}: {why}" for why, several in rows.items()]


def _roof(outcome: Outcome) -> float | None:
    """Gigabytes a second of a copy."""
    return next((float(one["gigabytes_a_second"]) for one in outcome.timings if one["row"] == "copy"), None)


def _page(outcome: Outcome, roof: float | None, kernels: int) -> str:
    machine = "; ".join(f"{key} {value}" for key, value in outcome.environment.items())
    right = len(outcome.checked) - len({line.split(":")[0].split(" on (")[0] for line in outcome.wrong} & set(outcome.checked))
    lines = [
        f"{time.strftime('%Y-%m-%d')}, in {outcome.seconds:.0f} s; {machine}.",
        "",
        f"Bits: {right} of {kernels} kernels by dtypes and parameters give the CPU's. Sanitizer: {outcome.sanitizer}.",
        "",
        *(_table(outcome.timings, roof) if outcome.timings else ["Nothing was timed."]),
    ]
    for title, several in [
        ("Wrong", outcome.wrong),
        ("Left out, for want of time", outcome.left_out),
        ("Not compared with", _without(outcome)),
    ]:
        if several:
            lines += ["", f"{title}:", "", *(f"- {one}" for one in several)]
    return "\n".join(lines) + "\n"


def _table(timings: list[dict[str, Any]], roof: float | None) -> list[str]:
    ways = [way for way in WAYS if any(one["way"] == way for one in timings)]
    copied = "" if roof is None else f" A copy of the same size moves {roof:.0f} GB/s."
    lines = [f"Microseconds of a call, the median.{copied}", ""]
    cells = [["row", *ways, "GB/s", "of the copy", "best other / ours"]]
    for row in ROWS:
        own = {one["way"]: one for one in timings if one["row"] == row.name}
        if not own:
            continue
        times = [f"{own[way]['microseconds']:.1f}" if way in own else "" for way in ways]
        ours, others = own.get(OURS), [one["microseconds"] for way, one in own.items() if way != OURS]
        speed = "" if ours is None else f"{ours['gigabytes_a_second']:.0f}"
        part = "" if ours is None or roof is None else f"{100 * ours['gigabytes_a_second'] / roof:.0f} %"
        ratio = f"{min(others) / ours['microseconds']:.2f}" if ours and others else ""
        cells.append([row.name, *times, speed, part, ratio])
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    for k, line in enumerate(cells):
        lines.append("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
        if k == 0:
            lines.append("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return lines
