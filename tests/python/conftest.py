"""Shared by the Python tests: they run against installed wheels, on the CPU level that LANECRAFT_ISA names."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

#: The package `lanecraft`, as it is in the checkout.
PACKAGE = str(Path(__file__).parents[2] / "python")
sys.path.insert(0, PACKAGE)
#: PYTHONPATH of a process that has it too, beside what this one has.
WITH_PACKAGE = os.pathsep.join([PACKAGE, *filter(None, [os.environ.get("PYTHONPATH")])])

MODULES = {"fastops": "examples/fastops", "functions": "tests/python/functions", "kernel_shapes": "tests/python/kernel_shapes"}


def pytest_configure(config: pytest.Config) -> None:
    missing = [f"./{path}" for name, path in MODULES.items() if importlib.util.find_spec(name) is None]
    if missing:
        pytest.exit(f"not installed: run `pip install {' '.join(missing)}` in the root of the checkout", returncode=4)
    # A kernel raises no floating-point warning, and nothing else here warns.
    config.addinivalue_line("filterwarnings", "error")
    config.addinivalue_line("markers", "any_level: says nothing of levels, runs once")


def pytest_report_header() -> str:
    import fastops

    return f"CPU level: {fastops.isa()} of {', '.join(sorted({row['level'] for row in fastops.variants()}))}; NumPy {np.__version__}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The runner calls pytest once per level: what has no level in it runs with the first."""
    if os.environ.get("LANECRAFT_ISA") in (None, "", "portable"):
        return
    skip = pytest.mark.skip(reason="runs with level portable")
    for item in items:
        if "any_level" in item.keywords:
            item.add_marker(skip)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


def run_python(code: str, **environment: str) -> str:
    """What a new interpreter prints."""
    env = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
