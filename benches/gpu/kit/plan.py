"""The process that keeps the time: it hands out tasks to another one, ends it when its time is up, and names what was left out."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .rows import CUPY, EAGER, INDUCTOR, OURS, ROWS, TRITON
from .worker import AGAIN, Missing

#: Seconds that a task may take: a first call compiles.
LIMITS = {"kernels": 60.0, "check": 30.0, "copy": 30.0, "speed": 60.0}
#: Processes that may end before their time, one after the other, without a task done in between.
ATTEMPTS = 3

Task = dict[str, str]


@dataclass
class Outcome:
    """What has come of all tasks."""

    environment: dict[str, str] = field(default_factory=dict)
    checked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    timings: list[dict[str, Any]] = field(default_factory=list)
    without: dict[str, str] = field(default_factory=dict)
    """Ways to compute a row that are not here, or fail, and why."""
    left_out: list[str] = field(default_factory=list)
    """For want of time."""
    sanitizer: str = "compute-sanitizer is not here"
    seconds: float = 0.0


def described(task: Task) -> str:
    """A task in the report."""
    return {"check": "check of {name}", "copy": "time of a copy", "speed": "{name} by {way}", "kernels": "list of kernels"}[
        task["kind"]
    ].format(**task)


def check_tasks(names: list[str]) -> list[Task]:
    """All kernels."""
    return [{"kind": "check", "name": name} for name in names]


def speed_tasks(ways: list[str]) -> list[Task]:
    """The copy, then what matters most first: inductor's compiler takes the longest."""
    order = [way for way in (OURS, EAGER, TRITON, CUPY, INDUCTOR) if way in ways]
    return [{"kind": "copy"}, *({"kind": "speed", "name": row.name, "way": way} for way in order for row in ROWS)]


class Plan:
    """Runs tasks in processes of their own."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str], outcome: Outcome) -> None:
        self.command, self.folder, self.environment, self.outcome = command, folder, environment, outcome
        self.log = folder / "log.txt"

    def run(self, tasks: list[Task], until: float, prefix: list[str] | None = None, extra: dict[str, str] | None = None) -> list[Task]:
        """Does tasks until a point in time: those that are left."""
        attempts = 0
        while tasks and attempts < ATTEMPTS and until - time.monotonic() > 1:
            done = self._process(tasks, until, prefix or [], extra or {})
            attempts = 0 if done else attempts + 1
            tasks = tasks[done:]
        if tasks and attempts == ATTEMPTS:
            self.outcome.wrong.append(f"{ATTEMPTS} processes have ended before they had done `{described(tasks[0])}`: see {self.log}")
        return tasks

    def _process(self, tasks: list[Task], until: float, prefix: list[str], extra: dict[str, str]) -> int:
        """Hands tasks to a process: how many of them are done, whatever came of them."""
        file = self.folder / "tasks.json"
        file.write_text(json.dumps(tasks))
        with self.log.open("a") as log:
            process = subprocess.Popen(
                [*prefix, *self.command, "--worker", str(file)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | self.environment | extra,
                start_new_session=True,
            )
        lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=_read, args=(process, lines), daemon=True).start()
        begun: int | None = None
        done = 0
        # Imports, the first context of the device, and NVIDIA's tool take their time.
        deadline = min(until, time.monotonic() + 120)
        try:
            while True:
                try:
                    line = lines.get(timeout=max(deadline - time.monotonic(), 0))
                except queue.Empty:
                    if begun is not None and deadline < until:
                        self._failed(tasks[begun], f"it took more than {LIMITS[tasks[begun]['kind']]:.0f} s")
                        done = begun + 1
                    return done
                if line is None:
                    code = process.wait()
                    if code in (0, AGAIN) or begun is None:
                        return done
                    self._failed(tasks[begun], f"the process ended with {code}: see {self.log}")
                    return begun + 1
                if not line.startswith("{"):
                    # NVIDIA's tool may have its say before the worker takes the pipe over.
                    continue
                came = json.loads(line)
                if "missing" in came:
                    raise Missing(came["missing"])
                if "environment" in came:
                    self.outcome.environment = came["environment"]
                elif "begin" in came:
                    begun = came["begin"]
                    deadline = min(until, time.monotonic() + LIMITS[tasks[begun]["kind"]])
                else:
                    self._note(tasks[came["end"]], came)
                    done, begun = came["end"] + 1, None
        finally:
            _end(process)

    def _note(self, task: Task, came: dict[str, Any]) -> None:
        if "error" in came:
            self._failed(task, came["error"])
            return
        if "not here" in came:
            self.outcome.without[described(task)] = came["not here"]
        if "timing" in came:
            self.outcome.timings.append(came["timing"])
            print(f"  {described(task):40} {came['timing']['microseconds']:12.1f} us", flush=True)
        self.outcome.wrong += came.get("wrong", [])
        if task["kind"] == "check":
            self.outcome.checked.append(task["name"])
            if came["wrong"]:
                print("  " + "\n  ".join(came["wrong"]), flush=True)
        if task["kind"] == "kernels":
            self.kernels: list[str] = came["kernels"]

    def _failed(self, task: Task, why: str) -> None:
        """A task that failed: it is wrong, but where others compute a row."""
        print(f"  {described(task)}: {why}", flush=True)
        if task["kind"] == "speed" and task["way"] != OURS:
            self.outcome.without[described(task)] = why
        else:
            self.outcome.wrong.append(f"{described(task)}: {why}")


def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    """Ends a process, with what it has started: compilers, NVIDIA's tool."""
    if process.poll() is None:
        os.killpg(process.pid, 9)
        process.wait()


def command(options: list[str]) -> list[str]:
    """This program again."""
    return [sys.executable, str(Path(__file__).parents[1] / "run.py"), *options]
