"""NumPy's own tests of its functions, run with kernels in their place: `numpy_suite/kernels_for_numpy.py`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.any_level
TESTS = Path(np.__file__).parent / "_core/tests"


@pytest.mark.skipif(not TESTS.exists(), reason="this NumPy came without its tests")
def test_numpys_own_tests() -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LANECRAFT_")}
    environment["PYTHONPATH"] = str(Path(__file__).with_name("numpy_suite"))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "kernels_for_numpy",
        "--noconftest",
        "--tb=line",
        "-rf",
    ]
    # By far the most of them, and nearly all of those are the same few values on each dtype.
    few = [] if os.environ.get("LANECRAFT_FULL") == "1" else ["-k", "not spurious_fpexception"]
    files = [str(TESTS / "test_umath.py"), str(TESTS / "test_ufunc.py")]
    done = subprocess.run([*command, *few, *files], cwd=TESTS.parent, env=environment, capture_output=True, text=True, timeout=1800)
    print(done.stdout[-2000:])
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None and int(passed[1]) > 2000
