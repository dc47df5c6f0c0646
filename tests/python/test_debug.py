"""Debug mode: what it finds becomes an exception of its own class, with the line; the texts are those of docs/python.md."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastops
import kernel_shapes
import lanecraft
import numpy as np
import pytest
from conftest import WITH_PACKAGE, run_python
from kernel_shapes import checks

SOURCE = Path(__file__).parent / "kernel_shapes/src/checks.rs"
MAX = np.iinfo(np.int32).max
BAD = np.array([1, MAX, 3], np.int32)


def place(code: str) -> str:
    """How a message names the line of the source with this code."""
    (line,) = [number for number, text in enumerate(SOURCE.read_text().splitlines(), 1) if text.strip().startswith(code)]
    return f"(tests/python/kernel_shapes/src/checks.rs:{line})"


def floats(*values: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.array(values, np.float32)


CASES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: checks.plus(BAD, 1), OverflowError, f"plus(): {MAX} + 1 overflows i32 {place('a + b')} at index [1] of shape [3]"),
    (
        lambda: checks.plus(np.stack([BAD, BAD]).T, 1),
        OverflowError,
        f"plus(): {MAX} + 1 overflows i32 {place('a + b')} at index [1, 0] of shape [3, 2]",
    ),
    (
        lambda: checks.plus(np.array([200], np.uint8), np.array([100], np.uint8)),
        OverflowError,
        f"plus(): 200 + 100 overflows u8 {place('a + b')} at index [0] of shape [1]",
    ),
    (lambda: checks.plus.ufunc(BAD, 1), OverflowError, f"plus(): {MAX} + 1 overflows i32 {place('a + b')} at element 1 of a strip of 3"),
    (
        lambda: checks.take(floats(1, 2, 3), np.array([2, 3], np.int32)),
        IndexError,
        f"take(): index [3] of argument 'x' is out of range for shape [3], in iteration [1] {place('y[i] = x[k[i]')}",
    ),
    (
        lambda: checks.take(floats(1, 2, 3), np.array([[0, 1], [-1, 0]], np.int32)),
        IndexError,
        f"take(): index [-1] of argument 'x' is out of range for shape [3], in iteration [0] {place('y[i] = x[k[i]')}, in item 1 of 2",
    ),
    (
        lambda: checks.put(floats(1, 2, 3), np.array([0, 2, 0], np.uint32)),
        lanecraft.RaceError,
        f"put(): iteration [2] writes element [0] of argument 'y', which iteration [0] of the same loop wrote {place('y[unsafe')}",
    ),
    (
        lambda: checks.accumulate(floats(1, 2)),
        lanecraft.UnwrittenError,
        f"accumulate(): element [0] of argument 'y' is read before the kernel has written it, in iteration [0] {place('y[i] +=')}",
    ),
]


CASES += [
    (
        lambda: kernel_shapes.every_second(np.ones(3)),
        lanecraft.UnwrittenError,
        "every_second(): element [1] of argument 'y' is never written, of a fresh output of shape [3]",
    ),
    (
        lambda: kernel_shapes.first_part(np.ones((2, 4)), parts=3),
        lanecraft.UnwrittenError,
        "first_part(): element [1] of argument 'y' is never written, of a fresh output of shape [4], in item 0 of 2",
    ),
]


def test_what_is_left_in_an_output_that_is_given_is_no_error() -> None:
    x, out = np.ones(3), np.full(3, 7.0)
    with lanecraft.debug():
        assert kernel_shapes.every_second(x, out=out).tolist() == [1, 7, 1]
        assert kernel_shapes.every_second(x, out).tolist() == [1, 7, 1]
        # Of an output that has no such element, nothing is left.
        assert kernel_shapes.every_second(np.ones((2, 1))).tolist() == [[1], [1]]
        assert kernel_shapes.every_second(np.ones((2, 0))).shape == (2, 0)


@pytest.mark.parametrize(("call", "kind", "text"), CASES)
def test_what_is_wrong_is_raised(call: Callable[[], object], kind: type[Exception], text: str) -> None:
    with lanecraft.debug(), pytest.raises(kind) as caught:
        call()
    assert (type(caught.value), str(caught.value)) == (kind, text)


def test_nan_is_looked_for_where_it_is_asked_for() -> None:
    a, b = floats(1, 1, np.nan), floats(0, 2, 0)
    with lanecraft.debug():
        plain = checks.log_of_difference(a, b)
    with lanecraft.debug(nan=True):
        with pytest.raises(FloatingPointError) as caught:
            checks.log_of_difference(a, b)
        # A NaN that comes in is none of the kernel's.
        assert np.isnan(checks.log_of_difference(a[2:], b[2:])).all()
    assert np.isnan(plain[1])
    assert str(caught.value) == f"log_of_difference(): `ln` of numbers gives a NaN {place('d.ln()')} at index [1] of shape [3]"


def test_what_is_right_is_computed_as_without() -> None:
    x = np.linspace(-3, 3, 1003, dtype=np.float32)
    want = kernel_shapes.half(x)
    with lanecraft.debug(nan=True):
        got = kernel_shapes.half(x)
        strided = kernel_shapes.half(x[::-3])
    assert got.tobytes() == want.tobytes() and strided.tobytes() == want[::-3].tobytes()


def test_the_mode_ends_with_its_block() -> None:
    with lanecraft.debug():
        with lanecraft.debug(nan=True):
            pass
        with pytest.raises(OverflowError):
            checks.plus(BAD, 1)
    assert checks.plus(BAD, 1)[1] == -MAX - 1


def test_other_threads_and_tasks_are_not_in_the_mode() -> None:
    found: list[int] = []
    with lanecraft.debug():
        thread = threading.Thread(target=lambda: found.append(int(checks.plus(BAD, 1)[1])))
        thread.start()
        thread.join()
    assert found == [-MAX - 1]

    async def careful(ready: asyncio.Event) -> str:
        with lanecraft.debug():
            await ready.wait()
            try:
                checks.plus(BAD, 1)
            except OverflowError as error:
                return type(error).__name__
        return ""

    async def careless(ready: asyncio.Event) -> int:
        value = int(checks.plus(BAD, 1)[1])
        ready.set()
        return value

    async def both() -> tuple[str, int]:
        ready = asyncio.Event()
        found = await asyncio.gather(careful(ready), careless(ready))
        return found[0], found[1]

    assert asyncio.run(both()) == ("OverflowError", -MAX - 1)


def test_dbg_prints_once_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    x = np.array([2, 4], np.int32)
    assert checks.shown(x).tolist() == [1, 1]
    assert capsys.readouterr().err == ""
    where = f"[{place('dbg!')[1:-1]}]"
    lines = [f"{where} element 0: a + 1 = 3", f"{where} element 1: a + 1 = 5"]
    with lanecraft.debug():
        assert checks.shown(x).tolist() == [1, 1]
        assert capsys.readouterr().err.splitlines() == lines
        # To find the element of an error the kernel runs again, and prints nothing then.
        with pytest.raises(ZeroDivisionError, match=r"at index \[2\] of shape \[3\]"):
            checks.shown(np.array([2, 4, 0], np.int32))
        assert capsys.readouterr().err.splitlines() == [*lines, f"{where} element 2: a + 1 = 1"]


CALL = """
import numpy as np
from kernel_shapes import checks
try:
    print(checks.plus(np.array([2**31 - 1], np.int32), 1))
    print(checks.log_of_difference(np.float32(0), np.float32(1)))
    print(checks.accumulate(np.ones(2, np.float32)))
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.any_level
@pytest.mark.parametrize(
    ("value", "want"),
    [
        ("", "[-2147483648]"),
        ("0", "[-2147483648]"),
        ("1", "OverflowError plus(): 2147483647 + 1 overflows i32"),
        ("nan", "OverflowError plus(): 2147483647 + 1 overflows i32"),
        ("yes", "RuntimeError plus(): environment variable LANECRAFT_DEBUG is `yes`; the valid values are 0, 1 and nan"),
    ],
)
def test_the_environment_covers_a_process(value: str, want: str) -> None:
    assert run_python(CALL, LANECRAFT_DEBUG=value).startswith(want)


@pytest.mark.any_level
def test_without_the_package_the_exception_is_what_it_is_derived_from() -> None:
    call = "import numpy as np\nfrom kernel_shapes import checks\ntry:\n    checks.accumulate(np.ones(2, np.float32))\n"
    call += "except RuntimeError as error:\n    print(type(error).__name__, str(error)[:12])\n"
    assert run_python(call, LANECRAFT_DEBUG="1").strip() == "RuntimeError accumulate()"
    assert run_python(call, LANECRAFT_DEBUG="1", PYTHONPATH=WITH_PACKAGE).strip() == "UnwrittenError accumulate()"


@pytest.mark.parametrize("nan", ["yes", None, 1, 0.0, np.True_])
def test_nan_is_true_or_false(nan: Any) -> None:
    """What is neither has once turned the mode off without a word."""
    with pytest.raises(TypeError) as caught, lanecraft.debug(nan=nan):
        pass
    assert str(caught.value) == f"debug(): nan={nan!r}; accepted: True or False"
    assert checks.plus(BAD, 1)[1] == -MAX - 1


def block_calls() -> dict[str, Callable[[], Any]]:
    rng = np.random.default_rng(5)
    x, weights, columns = (rng.random(shape, np.float32) + 0.5 for shape in ((3, 40), (40,), (40, 5)))
    image = rng.integers(0, 256, (9, 7, 3), np.uint8)
    three = floats(0.5, 0.4, 0.3)
    return {
        "softmax": lambda: fastops.softmax(x),
        "log_softmax": lambda: fastops.log_softmax(x),
        "layernorm": lambda: fastops.layernorm(x, weights, weights, np.float32(1e-5)),
        "rmsnorm": lambda: fastops.rmsnorm(x, weights, np.float32(1e-5)),
        "sum": lambda: fastops.sum(x),
        "mean_var": lambda: fastops.mean_var(x),
        "argmax": lambda: fastops.argmax(x),
        "cumsum": lambda: fastops.cumsum(x),
        "histogram": lambda: fastops.histogram(image.ravel(), out=np.zeros(256, np.int64)),
        "jacobi": lambda: fastops.jacobi(x),
        "gaussian_blur": lambda: fastops.gaussian_blur(x, np.uint32(2)),
        "resize_bilinear": lambda: fastops.resize_bilinear(image, out=np.empty((5, 11, 3), np.float32)),
        "resize_normalize": lambda: fastops.resize_normalize(image, three, three, out=np.empty((3, 5, 11), np.float32)),
        "hwc_u8_to_chw_f32": lambda: fastops.hwc_u8_to_chw_f32(image, three, three),
        "transpose": lambda: fastops.transpose(x),
        "matmul": lambda: fastops.matmul(x, columns),
        "pairwise_sqdist": lambda: fastops.pairwise_sqdist(x, x[::-1]),
        "cross_entropy": lambda: fastops.cross_entropy(x, np.array([1, 2, 3])),
        "top_k": lambda: fastops.top_k(x, out=(np.empty((3, 4), np.float32), np.empty((3, 4), np.int64))),
    }


def test_every_block_kernel_of_fastops_is_listed() -> None:
    kernels = {name for name, kernel in vars(fastops).items() if getattr(kernel, "signature", None) and not name.startswith("_")}
    assert kernels == set(block_calls())


@pytest.mark.parametrize("name", block_calls())
def test_nothing_is_found_in_kernels_that_are_right(name: str) -> None:
    call = block_calls()[name]
    wanted = call()
    with lanecraft.debug():
        found = call()
    for one, other in zip(*(value if isinstance(value, tuple) else (value,) for value in (wanted, found)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)
