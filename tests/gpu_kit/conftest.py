"""The kit that `cargo xtask gpu-kit` makes, on the CPU in a GPU's place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

KIT = Path(os.environ.get("LANECRAFT_GPU_KIT", "missing"))
sys.path.insert(0, str(KIT))

Ran = subprocess.CompletedProcess[str]


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """A copy, which a test may change."""
    copy = tmp_path / "kit"
    shutil.copytree(KIT, copy, ignore=shutil.ignore_patterns("results"))
    return copy


@pytest.fixture
def run(kit: Path) -> Callable[..., Ran]:
    """Runs the kit's program."""

    def run(*options: object, **environment: str) -> Ran:
        return subprocess.run(
            [sys.executable, str(kit / "run.py"), *map(str, options)],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run
