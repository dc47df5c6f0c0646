"""The commands of `lanecraft`, but for `new`, whose crate a step of its own builds."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from lanecraft.__main__ import main

pytestmark = pytest.mark.any_level


def test_new_writes_a_crate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "crate"
    assert main(["new", "growth", "--folder", str(folder), "--lanecraft", "."]) == 0
    assert capsys.readouterr().out.endswith(f"next: cd {folder} && pip install '.[test]' && pytest\n")
    cargo = tomllib.loads((folder / "Cargo.toml").read_text())
    assert cargo["package"]["name"] == "growth"
    assert cargo["dependencies"]["lanecraft"] == {"path": Path().resolve().as_posix(), "features": ["python"]}
    project = tomllib.loads((folder / "pyproject.toml").read_text())
    assert project["project"]["name"] == "growth"
    assert [file["to"] for file in project["tool"]["maturin"]["include"]] == ["growth/", "growth/"]
    assert {"file": "src/**/*.rs"} in project["tool"]["uv"]["cache-keys"]
    assert not any("$" in file.read_text() for file in folder.rglob("*") if file.is_file() and file.suffix != ".yml")
    assert (folder / ".github/workflows/ci.yml").exists() and (folder / "tests/test_kernels.py").exists()


def test_new_needs_a_name_and_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "My-Kernels"]) == 1
    accepted = "accepted: lower-case letters, digits and _: lanecraft new my_kernels --folder My-Kernels\n"
    assert capsys.readouterr().err == f"lanecraft new: 'My-Kernels' cannot be the name of a Python module and of a crate; {accepted}"
    (tmp_path / "something").touch()
    assert main(["new", "growth", "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"lanecraft new: {tmp_path} is there already, and not empty\n"


class FromFolder:
    """A package that pip has installed from a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read_text(self, name: str) -> str:
        assert name == "direct_url.json"
        return json.dumps({"url": self.folder.as_uri(), "dir_info": {}})


def test_new_builds_with_the_checkout_that_it_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "a checkout"
    (root / "python").mkdir(parents=True)
    monkeypatch.setattr("lanecraft._new.distribution", lambda _: FromFolder(root / "python"))
    assert main(["new", "growth", "--folder", str(tmp_path / "released")]) == 0
    assert 'version = "0.1", features' in (tmp_path / "released/Cargo.toml").read_text()
    (root / "Cargo.toml").write_text('[package]\nname = "lanecraft"\n')
    assert main(["new", "growth", "--folder", str(tmp_path / "crate")]) == 0
    cargo = tomllib.loads((tmp_path / "crate/Cargo.toml").read_text())
    assert cargo["dependencies"]["lanecraft"] == {"path": root.as_posix(), "features": ["python"]}


def test_the_released_version_is_what_new_builds_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanecraft.__main__.checkout", lambda: None)
    assert main(["new", "growth", "--folder", str(tmp_path / "crate")]) == 0
    cargo = tomllib.loads((tmp_path / "crate/Cargo.toml").read_text())
    assert cargo["build-dependencies"]["lanecraft"] == {"version": "0.1", "default-features": False, "features": ["build"]}


def test_stubs_are_copied_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stubs", "kernel_shapes", "--out", str(tmp_path)]) == 0
    golden = Path(__file__).parent / "kernel_shapes.pyi.ref"
    assert (tmp_path / "__init__.pyi").read_text() == golden.read_text()
    assert main(["stubs", "kernel_shapes", "--check", str(tmp_path)]) == 0
    (tmp_path / "checks.pyi").write_text("")
    (tmp_path / "other.pyi").write_text("")
    capsys.readouterr()
    assert main(["stubs", "kernel_shapes", "--check", str(tmp_path)]) == 1
    differs, more = capsys.readouterr().out.splitlines()
    assert differs == f"{tmp_path / 'checks.pyi'} differs from that of kernel_shapes"
    assert more == f"{tmp_path / 'other.pyi'} is not among those of kernel_shapes"
    assert main(["stubs", "numpy.nothing"]) == 1


def test_emit_writes_every_kernel(tmp_path: Path) -> None:
    assert main(["emit", "kernel_shapes", "--out", str(tmp_path), "--isa", "portable"]) == 0
    take = tmp_path / "checks.take"
    assert (take / "source.rs").read_text().startswith("pub fn take(")
    assert re.search(r"^ +[0-9a-f]+: +ret$", (take / "float32-int32-portable.s").read_text(), re.MULTILINE)
    assert "instructions" in (take / "float32-int32-portable.txt").read_text()
    assert len(list(tmp_path.glob("*/source.rs"))) > 20


def test_bench_prints_a_row_per_kernel_dtype_and_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "kernel_shapes", "--kernel", "checks.", "--sizes", "100", "1e3"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 * 8
    # A kernel that divides by its argument meets a 0: its rows say so.
    failed = [row for row in rows if "ZeroDivisionError: shown(): integer division by zero at index" in row]
    assert [row.split()[0] for row in failed] == ["checks.shown"] * 2
    assert all(re.search(r"[0-9.]+ us +[0-9.]+ ns an element$", row) for row in rows if row not in failed)
    assert [row.split()[2] for row in rows if row.startswith("checks.accumulate")] == ["100", "1000"]


@pytest.mark.parametrize("command", [["bench", "numpy"], ["emit", "numpy"]])
def test_other_modules_have_no_kernels(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command) == 1
    assert "numpy is not built with Lanecraft" in capsys.readouterr().err
