"""Draws a record of run.py: how much faster each row is than its best peer, and where the rows of known work lie under the roofs."""

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np


def ratios(axes: Any, record: dict[str, Any]) -> None:
    rows = record["rows"][::-1]
    values = np.array([row["ratio"] for row in rows])
    axes.barh(range(len(rows)), np.log2(values), color=np.where(values >= 1, "tab:green", "tab:red"))
    axes.set_yticks(range(len(rows)), [f"{row['name']} (vs {row['best']})" for row in rows], fontsize=7)
    axes.set_ylim(-1, len(rows))
    ticks = range(int(np.floor(np.log2(values.min()))), int(np.ceil(np.log2(values.max()))) + 1)
    axes.set_xticks(list(ticks), [f"{2.0**k:g}x" for k in ticks])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("times as fast as the best other (logarithmic)")


def roofline(axes: Any, record: dict[str, Any]) -> None:
    roofs = record["roofs"]
    intensity = np.logspace(-2, 3, 100)
    for size, bandwidth in roofs["bytes_per_second"].items():
        roof = np.minimum(roofs["operations_per_second"], intensity * bandwidth) / 1e9
        axes.loglog(intensity, roof, color="black", linewidth=0.8)
        axes.annotate(f"{int(size) >> 10} KiB", (intensity[0], roof[0]), fontsize=6)
    for row in record["rows"]:
        if row["moves"] and row["computes"]:
            at, speed = row["computes"] / row["moves"], row["computes"] / row["ours"] / 1e3
            axes.plot(at, speed, "o")
            axes.annotate(row["name"], (at, speed), fontsize=7)
    axes.set_xlabel("operations per byte")
    axes.set_ylabel("1e9 operations per second, one thread")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    options = parser.parse_args()
    record = json.loads(options.record.read_text())
    options.folder.mkdir(parents=True, exist_ok=True)
    title = f"{record['processor']}, {record['level']}, {record['date']}, one pinned thread"
    for name, draw, size in [("ratios", ratios, (9, 2 + 0.15 * len(record.get("rows", [])))), ("roofline", roofline, (8, 6))]:
        if not record.get("rows") or (name == "roofline" and "roofs" not in record):
            continue
        figure, axes = plt.subplots(figsize=size)
        draw(axes, record)
        figure.suptitle(title, fontsize=9)
        figure.tight_layout()
        figure.savefig(options.folder / f"{name}.png", dpi=100)


if __name__ == "__main__":
    main()
