"""Puts the records of run.py and build.py into docs/performance.md: each between the markers that name it; the text around them stays."""

import argparse
import json
import re
from pathlib import Path
from typing import Any

from peers import PEERS

TITLES = {
    "elementwise": "Elements of `f32`, into an array that is there",
    "allocating": "The same into new arrays",
    "dtypes": "Other dtypes",
    "layouts": "Strided and broadcast operands",
    "blocks": "Block kernels",
    "math": "Math functions",
    "fast_math": "`fast_math`",
    "others": "Small calls, hashes, random numbers",
}


def number(value: float) -> str:
    """Three digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def of_machine(record: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    cpu = f"pinned to CPU {record['cpu']}" if record.get("cpu") is not None else "not pinned"
    text = f"{record['date']}: {record['processor']}, level {record['level']}, {record['system']}, one thread, {cpu}. "
    return f"{text}Python {record['python']}, fastops {record['fastops']}; {versions}.\n"


def of_roofs(record: dict[str, Any]) -> str:
    first, last = record["roofs_first"], record["roofs_last"]
    body = []
    for size, value in first["bytes_per_second"].items():
        kib = int(size) >> 10
        name = f"{kib >> 10} MiB" if kib >= 1024 else f"{kib} KiB"
        body.append([f"GB/s, arrays of {name}", number(value / 1e9), number(last["bytes_per_second"][size] / 1e9)])
    body.append(["GFLOP/s", number(first["operations_per_second"] / 1e9), number(last["operations_per_second"] / 1e9)])
    return table(["roof", "first", "last"], body)


def of_rows(record: dict[str, Any]) -> str:
    parts = []
    for file, title in TITLES.items():
        rows = [row for row in record["rows"] if row["file"] == file]
        columns = [peer for peer in PEERS if any(peer in row["peers"] for row in rows)]
        body = []
        for row in rows:
            least = min(row["ours"], *row["peers"].values())
            times = [number(row["peers"][peer]) if peer in row["peers"] else "" for peer in columns]
            times = [f"**{time}**" if row["peers"].get(peer) == least else time for peer, time in zip(columns, times, strict=True)]
            ours = number(row["ours"])
            lost = f"{row['ratio']:.2f} (lost to {PEERS[row['best']]})"
            body.append(
                [row["name"], f"**{ours}**" if row["ours"] == least else ours, *times, f"{row['ratio']:.2f}" if row["ratio"] >= 1 else lost]
            )
        head = ["microseconds", "Lanecraft", *(PEERS[peer] for peer in columns), "best other / ours"]
        parts.append(f"### {title}\n\n{table(head, body)}")
    rows = record["rows"]
    won = sum(row["ratio"] >= 1 for row in rows)
    return f"{won} of {len(rows)} rows are won against the best of all others, {len(rows) - won} are lost.\n\n" + "\n".join(parts)


def of_losses(record: dict[str, Any]) -> str:
    lost = sorted((row for row in record["rows"] if row["ratio"] < 0.97), key=lambda row: float(row["ratio"]))
    lines = [f"- **{row['name']}** ({row['ratio']:.2f}, {PEERS[row['best']]}). {row['lost'] or 'Not yet explained.'}\n" for row in lost]
    return "".join(lines) or "None by more than 3 %.\n"


def of_scaling(record: dict[str, Any]) -> str:
    body = [[row["name"], number(row["one"]), number(row["more"]), f"{row['ratio']:.2f}"] for row in record["scaling"]]
    return table(["microseconds", "one thread", "two threads", "ratio"], body)


def of_first(record: dict[str, Any]) -> str:
    body = [[row["name"], *(number(row[key]) for key in ("imports", "first", "second_dtype", "warm"))] for row in record["first"]]
    return table(["milliseconds", "import", "first call, f32", "first call, f64", "next call, f32"], body)


def of_tail(record: dict[str, Any]) -> str:
    body = [[row["name"], str(row["shapes"]), *(number(row[key]) for key in ("p50", "p99", "p999", "most"))] for row in record["tail"]]
    return table(["microseconds", "shapes", "p50", "p99", "p99.9", "longest"], body)


def of_limits(record: dict[str, Any]) -> str:
    memory = "; ".join(f"{name} {mib:.1f}" for name, mib in record["memory_mib"].items())
    # Records of before have no pace.
    pace = f" A second thread keeps {record['pace']:.0%} of its pace during a kernel of a second." if "pace" in record else ""
    return f"`import fastops` after NumPy: {record['import_ms']:.1f} ms of CPU time.{pace} MiB beyond operands of 64 MiB: {memory}.\n"


def of_build(record: dict[str, Any]) -> str:
    body = [
        [row["kernel"], str(row["variants"]), str(row["levels"]), f"{row['cpu_seconds']:.2f}", f"{row['per_function']:.3f}"]
        for row in record["kernels"]
    ]
    head = ["kernel", "variants", "levels", "CPU seconds", "each function"]
    return f"{record['date']}; a function is a variant on a level.\n\n{table(head, body)}"


def of_speed(record: dict[str, Any]) -> dict[str, str]:
    """The sections that a run of the bench writes."""
    sections = {"machine": of_machine(record)}
    makers = {"rows": of_rows, "scaling": of_scaling, "first": of_first, "tail": of_tail}
    sections |= {name: make(record) for name, make in makers.items() if name in record}
    if "rows" in record:
        sections["losses"] = of_losses(record)
    if "roofs" in record:
        sections["roofs"] = of_roofs(record)
    if "import_ms" in record:
        sections["limits"] = of_limits(record)
    return sections


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("--speed", type=Path, help="left out where the page keeps its measurements")
    parser.add_argument("--build", type=Path, help="the same of what kernels cost to compile")
    options = parser.parse_args()
    sections = of_speed(json.loads(options.speed.read_text())) if options.speed is not None else {}
    if options.build is not None:
        sections["build"] = of_build(json.loads(options.build.read_text()))
    page = options.page.read_text()
    for name, text in sections.items():
        marked = re.compile(rf"(<!-- measured: {name} -->\n).*?(<!-- end -->\n)", re.S)
        places = list(marked.finditer(page))
        assert len(places) == 1, f"{options.page} has {len(places)} places for {name}"
        start, end = places[0].end(1), places[0].start(2)
        page = f"{page[:start]}\n{text}\n{page[end:]}"
    options.page.write_text(page)
    print(f"written: {options.page}")


if __name__ == "__main__":
    main()
