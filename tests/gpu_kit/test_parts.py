"""The parts of the program: how bits are compared, and how processes are watched."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from kit import cases, check, plan, report, speed, values, worker
from kit.device import Device
from kit.rows import EAGER, OURS, ROWS, Tools

CPU = Device(torch, "cpu")


def fastops() -> Any:
    return worker.load("cpu")[1]


class Flips(Device):
    """A device that gets one bit of one result wrong."""

    def __init__(self, call: int, bit: int) -> None:
        super().__init__(torch, "cpu")
        self.calls, self.call, self.bit = 0, call, bit

    def get(self, array: Any, dtype: str) -> values.Bits:
        found = super().get(array, dtype).copy()
        if self.calls == self.call:
            found.reshape(-1)[found.size // 2] ^= np.array(1 << self.bit, found.dtype)
        self.calls += 1
        return found


@pytest.mark.parametrize(("name", "bit"), [("gelu(float32)", 0), ("gelu(bfloat16)", 3), ("sum(int64)", 63), ("mean_var(float64)", 1)])
def test_a_flipped_bit_is_found(name: str, bit: int) -> None:
    module = fastops()
    case = next(one for one in cases.cases(module) if one.name == name)
    expected = check.digest(module, case, CPU)
    assert check.check(module, case, CPU, CPU, expected) == []
    for call in range(2):
        (found,) = check.check(module, case, Flips(call, bit), CPU, expected)
        assert found.startswith(f"{name} on (")
        assert "differ; [" in found
    assert check.check(module, case, CPU, CPU, "0" * 64) == [f"{name}: the CPU here gives other bits than the CPU that made the kit"]


def test_nans_are_equal_and_zeros_are_not() -> None:
    nans = np.array([0x7FC0_0000, 0xFFC0_1234, 0x7F80_0001, 0x7F80_0000, 0x8000_0000], np.uint32)
    assert values.canonical(nans, "float32").tolist() == [0x7FC0_0000] * 3 + [0x7F80_0000, 0x8000_0000]
    assert values.canonical(np.array([0x7C01, 0xFC00], np.uint16), "float16").tolist() == [0x7E00, 0xFC00]
    assert values.canonical(np.array([0xFF], np.uint8), "uint8").tolist() == [0xFF]


def test_values_are_those_of_a_table() -> None:
    """On every machine: else hashes would not be."""
    kinds = [values.Values("all"), values.Values("ordinary"), values.Values("small"), values.Values("below", 9)]
    found = [[values.bits(dtype, (4,), kind, 1).tolist() for dtype in ("float32", "int16")] for kind in kinds]
    assert found == json.loads((Path(__file__).parent / "values.json").read_text())


@pytest.mark.parametrize("layout", [cases.PLAIN, cases.TRANSPOSED, cases.STEPPED, cases.SHIFTED])
def test_layouts_hold_the_same_values(layout: str) -> None:
    bits = values.bits("float32", (5, 6), values.Values("all"), 3)
    laid = CPU.lay(bits, "float32", layout)
    assert np.array_equal(CPU.get(laid, "float32"), bits)
    assert laid.is_contiguous() == (layout in (cases.PLAIN, cases.SHIFTED))
    assert (laid.storage_offset() != 0) == (layout == cases.SHIFTED)


def test_a_wrong_peer_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = Tools(torch, fastops(), "cpu", 1000)
    row = ROWS[1]
    assert speed.time_row(row, EAGER, tools).difference <= row.tolerance
    monkeypatch.setattr(torch.nn.functional, "gelu", lambda x, approximate: x * 0.5)
    with pytest.raises(ValueError, match="from ours, in parts of the largest element"):
        speed.time_row(row, EAGER, tools)


WORKER = """
import json, sys, time
tasks = json.load(open(sys.argv[sys.argv.index("--worker") + 1]))
print("========= a banner")
say = lambda what: print(json.dumps(what), flush=True)
say({"environment": {"card": "none"}})
for k, task in enumerate(tasks):
    say({"begin": k})
    if task["name"] == "dies":
        sys.exit(9)
    if task["name"] == "hangs":
        time.sleep(60)
    if task["name"] == "raises":
        say({"end": k, "seconds": 0, "error": "RuntimeError: no"})
        sys.exit(4)
    say({"end": k, "seconds": 0, "wrong": []})
"""


def planned(tmp_path: Path) -> plan.Plan:
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    return plan.Plan([sys.executable, str(script)], tmp_path, {}, plan.Outcome())


def test_others_go_on_where_a_process_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(plan.LIMITS, "check", 1.0)
    tasks = planned(tmp_path)
    assert tasks.run(plan.check_tasks(["a", "dies", "b", "hangs", "raises", "c"]), time.monotonic() + 60) == []
    assert tasks.outcome.checked == ["a", "b", "c"]
    assert tasks.outcome.wrong == [
        f"check of dies: the process ended with 9: see {tasks.log}",
        "check of hangs: it took more than 1 s",
        "check of raises: RuntimeError: no",
    ]


def test_time_that_is_up_leaves_the_rest(tmp_path: Path) -> None:
    tasks = planned(tmp_path)
    left = tasks.run(plan.check_tasks(["a", "hangs", "b"]), time.monotonic() + 3)
    assert [task["name"] for task in left] == ["hangs", "b"]
    assert tasks.outcome.wrong == []


def test_a_process_that_never_starts(tmp_path: Path) -> None:
    tasks = planned(tmp_path)
    (tmp_path / "worker.py").write_text("import sys\nsys.exit(5)\n")
    assert len(tasks.run(plan.check_tasks(["a", "b"]), time.monotonic() + 60)) == 2
    assert tasks.outcome.wrong == [f"3 processes have ended before they had done `check of a`: see {tasks.log}"]


def test_a_peer_that_fails_is_named_and_ours_is_wrong(tmp_path: Path) -> None:
    tasks = planned(tmp_path)
    row = ROWS[0].name
    tasks._failed({"kind": "speed", "name": row, "way": EAGER}, "out of memory")
    tasks._failed({"kind": "speed", "name": row, "way": OURS}, "no")
    assert tasks.outcome.without == {f"{row} by {EAGER}": "out of memory"}
    assert tasks.outcome.wrong == [f"{row} by {OURS}: no"]


def test_the_page(tmp_path: Path) -> None:
    timing = {"row": ROWS[0].name, "way": OURS, "microseconds": 100.0, "gigabytes_a_second": 1800.0, "calls": 9, "difference": 0.0}
    outcome = plan.Outcome({"card": "X"}, ["a", "b"], ["a on (3,) plain, output 0: 1 of 3 differ"], [timing], {"r by cupy": "no"}, ["s"])
    outcome.timings += [
        timing | {"way": EAGER, "microseconds": 150.0},
        timing | {"row": "copy", "way": "torch", "gigabytes_a_second": 2000.0},
    ]
    page = report.write(outcome, tmp_path, 3)
    assert "Bits: 1 of 3 kernels" in page
    assert "A copy of the same size moves 2000 GB/s." in page
    assert "| vector add, f32 | 100.0     | 150.0       | 1800 | 90 %        | 1.50              |" in page
    assert page.endswith(
        "Wrong:\n\n- a on (3,) plain, output 0: 1 of 3 differ\n\nLeft out, for want of time:\n\n- s\n\n"
        "Not compared with:\n\n- r by cupy: no\n"
    )
