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
    axes.set_yticks(range(len(rows)), [f"{row['name']} (vs {row['best']})" for row in rows], fontsize=6)
    ticks = range(int(np.floor(np.log2(values.min()))), int(np.ceil(np.log2(values.max()))) + 1)
    axes.set_xticks(list(ticks), [f"{2.0**k:g}x" for k in ticks])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("times as fast as the best peer (logarithmic)")


def roofline(axes: Any, record: dict[str, Any]) -> None:
    roofs = record["roofs"]
    intensity = np.logspace(-3, 3, 100)
    axes.loglog(intensity, np.minimum(roofs["operations_per_second"], intensity * roofs["bytes_per_second"]) / 1e9, color="black")
    for row in record["rows"]:
        if row["moves"] and row["computes"]:
            at, speed = row["computes"] / row["moves"], row["computes"] / row["ours"] / 1e3
            axes.plot(at, speed, "o")
            axes.annotate(row["name"], (at, speed), fontsize=6)
    axes.set_xlabel("operations per byte")
    axes.set_ylabel("1e9 operations per second, one thread")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    record = json.loads(options.record.read_text())
    figure, (left, right) = plt.subplots(1, 2, figsize=(14, 9))
    ratios(left, record)
    roofline(right, record)
    figure.suptitle(f"{record['processor']}, {record['level']}, {record['date']}, one pinned thread")
    figure.tight_layout()
    figure.savefig(options.out, dpi=120)


if __name__ == "__main__":
    main()
