"""The stubs, as type checkers and linters see them in the installed wheels."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_level
HERE = Path(__file__).with_name("typing")
PACKAGES = ["fastops", "functions", "kernel_shapes"]


def tool(*command: str) -> subprocess.CompletedProcess[str]:
    """Runs a tool of this environment in the folder of the files under test."""
    return subprocess.run([sys.executable, "-m", *command], cwd=HERE, capture_output=True, text=True, timeout=600)


def stubs(package: str) -> list[Path]:
    """The stubs where pip put them: the module's, and one of each submodule."""
    files = importlib.metadata.files(package) or []
    found = sorted(Path(file.locate()) for file in files if file.suffix == ".pyi")
    assert any(file.name == "__init__.pyi" for file in found)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_wheel_has_stub_and_marker(package: str) -> None:
    """mlx#3916 shipped one without the other."""
    files = {str(file) for file in importlib.metadata.files(package) or []}
    assert {f"{package}/__init__.pyi", f"{package}/py.typed"} <= files
    for file in stubs(package):
        part = "" if file.name == "__init__.pyi" else f".{file.stem}"
        assert file.read_text() == Path(__file__).with_name(f"{package}{part}.pyi.ref").read_text()


def test_mypy_accepts_good_calls() -> None:
    done = tool("mypy", "--strict", "good.py")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_mypy_accepts_stub(package: str, tmp_path: Path) -> None:
    """As a file of the user's own: errors in installed packages are not shown."""
    folder = tmp_path / package
    folder.mkdir()
    for file in stubs(package):
        (folder / file.name).write_text(file.read_text())
    done = tool("mypy", "--strict", str(folder))
    assert done.returncode == 0, done.stdout + done.stderr


def test_good_calls_run() -> None:
    done = subprocess.run([sys.executable, "good.py"], cwd=HERE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def basedpyright(*files: str) -> list[tuple[int, str]]:
    """Line and rule of each error."""
    done = tool("basedpyright", "--pythonpath", sys.executable, "--outputjson", *files)
    found = json.loads(done.stdout)["generalDiagnostics"]
    return [(d["range"]["start"]["line"] + 1, d.get("rule", "error")) for d in found if d["severity"] == "error"]


def mypy(*files: str) -> list[tuple[int, str]]:
    """Line and code of each error."""
    done = tool("mypy", "--strict", "--output", "json", *files)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [(d["line"], d["code"]) for d in found if d["severity"] == "error"]


def test_basedpyright_accepts_good_calls_and_stubs() -> None:
    assert basedpyright("good.py", *(str(file) for package in PACKAGES for file in stubs(package))) == []


def test_bad_calls_give_the_expected_errors() -> None:
    """`UPDATE=1` writes the file anew; its diff is the review. Every line with a bad call is found by both checkers."""
    lines: dict[int, dict[str, set[str]]] = {}
    for name, errors in [("mypy", mypy("bad.py")), ("basedpyright", basedpyright("bad.py"))]:
        for line, code in errors:
            lines.setdefault(line, {}).setdefault(name, set()).add(code)
    source = (HERE / "bad.py").read_text().splitlines()
    text = ""
    for line, found in sorted(lines.items()):
        text += f"{source[line - 1]}\n"
        text += "".join(f"    {name}: {', '.join(sorted(found.get(name, {'nothing'})))}\n" for name in ("mypy", "basedpyright"))
    expected = HERE / "bad.expected"
    if os.environ.get("UPDATE"):
        expected.write_text(text)
    assert text == expected.read_text()
    first = source.index("_ = fastops.gelu(c8)") + 1
    assert sorted(lines) == list(range(first, len(source) + 1))
    assert "nothing" not in text


def test_stubtest() -> None:
    """The inner extension module has no stub of its own, hence the flag."""
    done = tool("mypy.stubtest", *PACKAGES, "--ignore-missing-stub")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", PACKAGES)
def test_ruff(package: str) -> None:
    """Docstrings stay in stubs, since editors show them: PYI021 is off."""
    paths = [str(file) for file in stubs(package)]
    done = tool("ruff", "check", "--isolated", "--select", "PYI,I,F,UP", "--ignore", "PYI021", *paths)
    assert done.returncode == 0, done.stdout
    done = tool("ruff", "format", "--isolated", "--diff", *paths)
    assert done.returncode == 0, done.stdout
