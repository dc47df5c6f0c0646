"""The package `lanecraft`: what it says of calls and modules, against what was arranged."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import kernel_shapes as k
import lanecraft
import numpy as np
import pytest
from conftest import WITH_PACKAGE, run_python
from lanecraft.__main__ import main

pytestmark = pytest.mark.any_level
F4 = np.arange(12, dtype=np.float32)
BUFFERS = "NumPy copies all operands through buffers, once one has to be"


def misaligned(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    view = np.zeros(x.nbytes + 1, np.uint8)[1:].view(x.dtype)
    view[:] = x
    return view


def copies(kernel: Any, *args: Any, **kwargs: Any) -> dict[str, str | None]:
    explanation = lanecraft.explain(kernel, *args, **kwargs)
    want = kernel(*args, **kwargs)
    for got, expected in zip(explanation.result, want, strict=True) if kernel.nout > 1 else [(explanation.result, want)]:
        assert np.array_equal(got, expected, equal_nan=True)
    return {operand.name: operand.why for operand in explanation.copies}


@pytest.mark.parametrize(
    ("args", "kwargs", "want"),
    [
        ((F4,), {}, {}),
        ((F4[::2],), {}, {}),
        ((F4[::-1],), {}, {}),
        ((F4.reshape(3, 4).T,), {}, {}),
        ((np.float32(2),), {}, {}),
        ((F4[:0],), {}, {}),
        ((np.broadcast_to(F4[:1], (5,)),), {}, {}),
        ((F4,), {"out": np.empty(12, np.float32)}, {}),
        ((F4.astype(">f4"),), {}, {"x": "its bytes are in the other order"}),
        ((misaligned(F4),), {}, {"x": "its address or strides are no multiples of 4 bytes"}),
        ((F4.astype(np.float16),), {}, {"x": "a cast from float16 to float32"}),
        ((F4,), {"out": np.empty(12, np.float64)}, {"out": "a cast from float32 to float64"}),
    ],
)
def test_copies_of_one_input(args: Any, kwargs: Any, want: dict[str, str]) -> None:
    found = copies(k.half, *args, **kwargs)
    # Where one operand goes through buffers, NumPy may take the others along.
    assert {name: why for name, why in found.items() if why != BUFFERS} == want
    assert want or not found


def test_copies_of_several_inputs() -> None:
    assert copies(k.ends, F4, 2.0) == {}
    assert copies(k.ends, F4, np.float64(2))["a"] == "a cast from float32 to float64"
    found = copies(k.ends, F4.reshape(3, 4), F4[:4].astype(">f4"))
    assert found["b"] == "its bytes are in the other order"


def test_overlap() -> None:
    base = np.arange(30, dtype=np.float32)
    assert lanecraft.explain(k.half, base, out=base).copies == ()
    found = {o.name: o.why for o in lanecraft.explain(k.half, base[:20], out=base[5:25]).copies}
    assert set(found.values()) == {"an input and an output share memory, and not element by element"}


def test_block_kernels() -> None:
    a, b = np.arange(1, 13, dtype=np.int32).reshape(3, 4), np.ones((3, 4), np.int32)
    assert copies(k.quotients, a, b) == {}
    side = {"a": "elements of its last axis do not lie side by side, so each item is copied"}
    assert copies(k.quotients, np.asfortranarray(a), b) == side
    assert copies(k.quotients, a[:, ::-1], b) == side
    assert copies(k.quotients, np.asfortranarray(a)[:, :1], b[:, :1]) == {}
    assert copies(k.quotients, a.astype(np.int16), b)["a"] == "a cast from int16 to int32"
    # Dimensions that operands may lack, and results without any.
    x, y = np.ones((2, 3)), np.ones((3, 4))
    for args in [(x, y), (x, y[:, 0].copy()), (x[0], y), (x[0], x[1])]:
        assert copies(k.product, *args) == {}
    assert copies(k.product, np.ones((0, 3)), np.ones((3, 0))) == {}
    assert copies(k.product, np.ones((2, 0)), np.ones((0, 2))) == {}
    assert [o.came for o in lanecraft.explain(k.product, x[0], x[1]).operands] == ["float64 (3,)", "float64 (3,)", "a scalar"]


def test_what_an_explanation_says() -> None:
    explanation = lanecraft.explain(k.powers, F4, degree=9, negate=False)
    assert explanation.kernel == "kernel_shapes.powers" and explanation.level == k.isa()
    assert explanation.dtypes == ("float32", "int32", "float32") and explanation.copies == ()
    assert (explanation.loops, explanation.elements) == (1, 12)
    assert [(o.name, o.output, o.came) for o in explanation.operands] == [
        ("x", False, "float32 (12,)"),
        ("parameter", False, "int32 ()"),
        ("out", True, "float32 (12,)"),
    ]
    text = str(lanecraft.explain(k.ends, F4.astype(">f4"), 2.0))
    assert text.splitlines()[:3] == [
        f"kernel_shapes.ends on {k.isa()}: float32, float32, float32, float32; called once, 12 elements in all",
        "  input a, >f4 (12,): copied: its bytes are in the other order",
        "  input b, a Python float: no copy",
    ]
    assert lanecraft.explain(k.half, F4[:0]).dtypes == ()
    mask = np.arange(12) % 2 == 0
    assert lanecraft.explain(k.half, F4, where=mask, out=F4.copy()).loops == 6


class Caller:
    """Runs other calls when a ufunc asks for it, and then what it is told to."""

    def __init__(self, result: Any) -> None:
        self.result = result

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        assert lanecraft.explain(k.ends, F4, 2.0).loops == 1
        k.quotients(np.ones(3, np.int32), np.ones(3, np.int32))
        rest = [F4 if one is self else one for one in inputs]
        return ufunc(*rest, **kwargs) if self.result is None else self.result


def test_calls_inside_of_a_call_are_not_its_own() -> None:
    explanation = lanecraft.explain(k.half, Caller(None))
    assert (explanation.kernel, explanation.loops, explanation.elements) == ("kernel_shapes.half", 1, 12)
    assert np.array_equal(explanation.result, F4 / 2)
    assert str(explanation).splitlines()[1:] == ["  input x, a Caller: no copy", "  output out, float32 (12,): no copy"]
    # And once more with a result that is no array, and with one of another number than the kernel has.
    for kernel, args in [(k.half, ()), (k.ends, (2.0,))]:
        for result in ("text", (1, 2, 3), None):
            explanation = lanecraft.explain(kernel, Caller(result), *args)
            assert explanation.kernel == f"kernel_shapes.{kernel.__name__}"
            assert [o.output for o in explanation.operands] == [False] * kernel.nin + [True] * kernel.nout
            assert result is None or (explanation.result == result and explanation.loops == 0)


def test_errors_are_those_of_the_call() -> None:
    with pytest.raises(TypeError, match=r"half\(\): argument 'x' is an array of dtype complex128"):
        lanecraft.explain(k.half, np.ones(3, complex))
    with pytest.raises(TypeError, match="is no kernel; accepted: a function of a module that is built with Lanecraft"):
        lanecraft.explain(np.add, F4, F4)
    # The next call is not traced.
    assert k.half(F4)[2] == 1


def test_modules_and_memory() -> None:
    mine = [module for module in lanecraft.modules() if module.module == "kernel_shapes"]
    assert len(mine) == 1 and mine[0] is k.half.__lanecraft__
    assert (mine[0].protocol, mine[0].version, mine[0].isa()) == (2, k.__version__, k.isa())
    large = k.half(np.ones(1 << 20, np.float32))
    report = lanecraft.memory()["kernel_shapes"]
    assert report["in_use"] >= large.nbytes and report["limit"] == 256 << 20
    del large
    assert lanecraft.release_memory() >= 4 << 20 and lanecraft.memory()["kernel_shapes"]["kept"] == 0


def newer(isa: Any) -> SimpleNamespace:
    """The object of a module of a version to come."""
    rest = {"memory": dict, "release_memory": int, "trace": dict}
    return SimpleNamespace(protocol=7, lanecraft="9.0.0", module="attic", version="1.2.3", isa=isa, **rest)


def test_doctor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "kernel_shapes"]) == 0
    printed = capsys.readouterr().out
    assert f"ok      kernel_shapes {k.__version__}, built with Lanecraft {k.half.__lanecraft__.lanecraft}: CPU level {k.isa()}\n" in printed
    assert f"NumPy {np.__version__}" in printed

    module = ModuleType("attic")
    module.__lanecraft__ = newer(lambda: "avx2")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "attic", module)
    (note,) = [f for f in lanecraft.doctor() if "protocol" in f.what]
    assert note.fine and note.what == "attic 1.2.3, built with Lanecraft 9.0.0, speaks protocol 7, this package 2"

    def refuse() -> str:
        raise RuntimeError("environment variable LANECRAFT_ISA is `sse9`")

    module.__lanecraft__ = newer(refuse)  # type: ignore[attr-defined]
    assert [f.what for f in lanecraft.doctor() if not f.fine] == [
        "attic 1.2.3, built with Lanecraft 9.0.0: environment variable LANECRAFT_ISA is `sse9`"
    ]
    assert main(["doctor"]) == 1
    monkeypatch.delitem(sys.modules, "attic")

    for value, fine in [("many", False), ("0", False), ("²", False), (str(2**70), False), (" 4 ", True), ("4", True)]:
        monkeypatch.setenv("LANECRAFT_THREADS", value)
        assert [f.what for f in lanecraft.doctor() if not f.fine] == [f"environment variable LANECRAFT_THREADS is {value!r}"] * (not fine)
    monkeypatch.delenv("LANECRAFT_THREADS")

    # discopt#1092, maturin#3188: old and broken files.
    package = tmp_path / "shelf_of_old"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "x.abi3.so").write_text("x")
    (package / "x.cpython-311.so").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    problems = [f.what for f in lanecraft.doctor("shelf_of_old") if not f.fine]
    assert problems == [
        f"{package}/x.cpython-311.so is empty",
        f"{package} holds x.abi3.so, x.cpython-311.so, and Python takes one of them",
        "shelf_of_old is not built with Lanecraft, or with a version that this package does not know",
    ]
    assert "nowhere_at_all cannot be imported (ModuleNotFoundError" in next(
        f.what for f in lanecraft.doctor("nowhere_at_all") if not f.fine
    )


def test_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lanecraft", "doctor", "kernel_shapes"],
        env={**os.environ, "PYTHONPATH": WITH_PACKAGE},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "kernel_shapes" in done.stdout, done.stdout + done.stderr


def test_kernels_do_not_need_the_package() -> None:
    code = "import sys, kernel_shapes as k, numpy as np; k.half(np.ones(3, 'f4')); print('lanecraft' in sys.modules)"
    assert run_python(code) == "False"
