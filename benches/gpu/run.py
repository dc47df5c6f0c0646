"""Runs the kernels of fastops on this machine's GPU: their bits against the CPU's, and their speed.

Needs Python 3.11, torch with CUDA, NumPy 2, and a driver of the line R550 or newer, on x86-64 Linux. Triton, CuPy and compute-sanitizer
are used where they are. Nothing is installed, and nothing is written but the folder of the results. It ends within its budget, and names
what it has left out.

Exit codes: 0 all is well, 1 something is wrong, 2 it cannot run here, 3 not all kernels were checked in the time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import time
import zipfile
from pathlib import Path

from kit import plan, report, worker
from kit.rows import WAYS

HERE = Path(__file__).resolve().parent
#: Seconds kept for the report, and for what ends late.
RESERVE = 5.0


def main() -> int:
    options = _options()
    if options.expect is not None:
        options.expect.write_text(json.dumps(worker.expected(), indent=1) + "\n")
        return 0
    hashes: dict[str, str] = json.loads((HERE / "expected.json").read_text())
    if options.worker is not None:
        return worker.main(options.device, options.elements, options.worker, hashes)
    try:
        return _run(options, hashes)
    except worker.Missing as error:
        print(f"run.py: cannot run here: {error}", file=sys.stderr)
        return 2


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help="`cpu` tries this program out where there is no GPU")
    parser.add_argument("--budget", type=float, default=345.0, metavar="SECONDS", help="the time for all; else 345")
    parser.add_argument("--elements", type=int, default=1 << 26, metavar="N", help="of the arrays that are timed; else 2**26")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), help="whom to time")
    parser.add_argument("--only", metavar="TEXT", default="", help="check those kernels alone that have it in their names")
    parser.add_argument("--out", type=Path, default=HERE / "results", metavar="FOLDER", help="where the results go; else results")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--expect", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _run(options: argparse.Namespace, hashes: dict[str, str]) -> int:
    start = time.monotonic()
    end = start + max(options.budget - RESERVE, 1)
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise worker.Missing(f"this is {platform.system()} on {platform.machine()}; needed: Linux on x86-64")
    folder: Path = options.out
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log.txt").unlink(missing_ok=True)
    outcome = plan.Outcome()
    own = ["--device", options.device, "--elements", str(options.elements)]
    tasks = plan.Plan(plan.command(own), folder, _environment(_unpacked(folder), folder), outcome)

    left = tasks.run([{"kind": "kernels"}], end)
    print("kernels against the CPU", flush=True)
    known = list(hashes) if left else tasks.kernels
    checks = plan.check_tasks([name for name in known if options.only in name])
    left = tasks.run(checks, _part(start, end, 0.45))
    print(f"  {len(outcome.checked)} of {len(checks)} checked", flush=True)

    sanitizer = _sanitizer()
    print("speed", flush=True)
    slow = tasks.run(plan.speed_tasks(options.ways), _part(start, end, 0.8) if sanitizer or left else end)
    if left:
        left = tasks.run(left, _part(start, end, 0.9) if sanitizer else end)
    if sanitizer:
        outcome.sanitizer = _sanitize(tasks, sanitizer, checks, end)
    slow = tasks.run(slow, end) if slow else slow
    outcome.left_out = [plan.described(task) for task in [*left, *slow]]
    outcome.seconds = time.monotonic() - start
    print("\n" + report.write(outcome, folder, len(checks)) + f"\nin {folder}: results.csv, results.md, log.txt", flush=True)
    if outcome.wrong:
        return 1
    return 3 if left else 0


def _part(start: float, end: float, part: float) -> float:
    return start + part * (end - start)


def _unpacked(folder: Path) -> Path:
    """The wheels, as modules. Without pip, since their files are where they belong already."""
    site = folder / "site"
    shutil.rmtree(site, ignore_errors=True)
    wheels = sorted((HERE / "wheels").glob("*.whl"))
    if not wheels:
        raise worker.Missing(f"no wheel is in {HERE / 'wheels'}; `cargo xtask gpu-kit` makes the whole folder")
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
    return site


def _environment(site: Path, folder: Path) -> dict[str, str]:
    """Of the processes that work."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    # Without FMA, SSE2 has other bits than all others unless it is told to be exact.
    return {"PYTHONPATH": path, "LANECRAFT_CACHE": str(folder / "cache"), "LANECRAFT_EXACT": "1"}


def _sanitizer() -> str | None:
    """NVIDIA's checker of memory accesses."""
    toolkits = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
    folders = [os.path.join(toolkit, "bin") for toolkit in toolkits if toolkit]
    return shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path=os.pathsep.join(folders))


def _sanitize(tasks: plan.Plan, program: str, checks: list[plan.Task], until: float) -> str:
    """The checks once more under it: what is to be said of that."""
    print(f"checks under {program}", flush=True)
    said = tasks.folder / "sanitizer.txt"
    said.unlink(missing_ok=True)
    before = len(tasks.outcome.checked)
    # Each array in memory of its own, or what is beside an array is another one's.
    own = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
    tasks.run(checks, until, [program, "--tool", "memcheck", "--report-api-errors", "no", "--log-file", str(said)], own)
    count = len(tasks.outcome.checked) - before
    del tasks.outcome.checked[before:]
    found = [line.strip("= \n") for line in said.read_text().splitlines()] if said.exists() else []
    bad = [line for line in found if line.startswith(("Invalid", "Misaligned", "Out-of-bounds"))]
    tasks.outcome.wrong += [f"compute-sanitizer: {line}" for line in dict.fromkeys(bad)]
    if not count:
        return f"it has run no kernel to its end, see {tasks.log}"
    return f"{len(bad)} bad accesses in {count} of {len(checks)} kernels" + (
        ", the rest for want of time not" if count < len(checks) else ""
    )


if __name__ == "__main__":
    sys.exit(main())
