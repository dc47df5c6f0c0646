"""Same bits on every level."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import fastops
import pytest

pytestmark = pytest.mark.any_level


def digests(level: str) -> dict[str, str]:
    """The digest of each kernel's results on a level, from a process of its own."""
    env = {**os.environ, "LANECRAFT_ISA": level.removesuffix("-exact"), "LANECRAFT_EXACT": str(int(level.endswith("-exact")))}
    script = Path(__file__).with_name("digest.py")
    done = subprocess.run([sys.executable, "-W", "error", str(script)], env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    table: dict[str, str] = json.loads(done.stdout)
    assert table.pop("level") == level
    return table


def test_same_bits() -> None:
    """SSE2 has no fused multiply-add: outside its exact mode it is the documented exception."""
    levels = sorted({row["level"] for row in fastops.variants()} - {"sse2"})
    tables = {level: digests(level) for level in levels}
    assert len(tables["portable"]) > 100
    for level, table in tables.items():
        differing = [name for name, digest in table.items() if digest != tables["portable"][name]]
        assert not differing, f"{level} differs from portable in {differing}"
