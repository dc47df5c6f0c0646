"""PTX in wheels."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from lanecraft.__main__ import main

WHEEL = Path(os.environ.get("LANECRAFT_CUDA_WHEEL", "missing"))

RUN = """
import sys
import conftest, numpy as np
import cuda_kernels as k
assert k.__file__.startswith(sys.argv[1]), k.__file__
x = np.arange(6, dtype=np.float32)
cu = conftest.library("cufake")
print(k.axpy(2, cu.Array(x), 1).array.tolist())
print(conftest.Driver(conftest.DRIVER).calls("nvrtcCompileProgram"))
"""


def test_a_packed_wheel_needs_no_nvrtc(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = Path(shutil.copy(WHEEL, tmp_path))
    assert main(["ptx", str(wheel), "--arch", "80", "90"]) == 0
    assert capsys.readouterr().out == f"10 files of PTX packed into {wheel} for compute_80, compute_90, by NVRTC 12.4\n"
    # Packed again, it has each file once, and the list in it is right.
    assert main(["ptx", str(wheel)]) == 0
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (record,) = (name for name in names if name.endswith("/RECORD"))
        listed = [line.split(",")[0] for line in archive.read(record).decode().splitlines()]
    assert len(names) == len(set(names))
    assert sorted(listed) == sorted(names)
    assert sum(name.startswith("cuda_kernels/ptx/") for name in names) == 10

    site, here = tmp_path / "site", Path(__file__).parent
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    environment = os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{here}", "LANECRAFT_NVRTC": "/no/nvrtc", "LANECRAFT_CACHE": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", RUN, str(site)], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["[1.0, 3.0, 5.0, 7.0, 9.0, 11.0]", "[]"]


def test_without_nvrtc_a_wheel_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = Path(shutil.copy(WHEEL, tmp_path))
    before = wheel.read_bytes()
    monkeypatch.setenv("LANECRAFT_NVRTC", "/no/nvrtc")
    assert main(["ptx", str(wheel)]) == 1
    assert (
        f"lanecraft ptx: no PTX was packed into {wheel}: RuntimeError: CUDA: NVRTC cannot be loaded from /no/nvrtc"
        in capsys.readouterr().err
    )
    assert wheel.read_bytes() == before
