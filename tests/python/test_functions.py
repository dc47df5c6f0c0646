"""Ordinary functions: what goes over the border, and what is refused, with the exact texts."""

from __future__ import annotations

import ast
import gc
import inspect
import math
import pickle
import sys
import threading
import time
from collections import OrderedDict, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import functions as f
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.any_level
I64 = "int from -9223372036854775808 to 9223372036854775807"
ZEROS = (0,) * 10


def refused(error: type[Exception], message: str, call: Any, /, *args: Any, **kwargs: Any) -> None:
    with pytest.raises(error) as raised:
        call(*args, **kwargs)
    assert type(raised.value) is error and str(raised.value) == message


@given(st.integers(-(2**70), 2**70), st.sampled_from(range(10)))
def test_integers(value: int, at: int) -> None:
    kinds = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "uintp", "intp"]
    info = np.iinfo(kinds[at])
    args = [*ZEROS[:at], value, *ZEROS[at + 1 :]]
    if info.min <= value <= info.max:
        want = (value, 0) if kinds[at][0] == "i" else (0, value)
        assert f.integers(*args) == want
    else:
        text = f"integers(): argument '{'abcdefghij'[at]}' is {value}; accepted: int from {info.min} to {info.max}"
        refused(OverflowError, text, f.integers, *args)


def test_what_counts_as_an_integer() -> None:
    assert f.py(True) == 1 and f.py(np.int8(-3)) == -3
    for value, what in [(1.0, "a float"), ("1", "a str"), (None, "None"), (np.float32(1), "a float32"), ([1], "a list")]:
        refused(TypeError, f"py(): argument 'py' is {what}; accepted: {I64}", f.py, value)
    refused(TypeError, f"py(): argument 'py' is an array of dtype float64 and shape (2,); accepted: {I64}", f.py, np.ones(2))


@given(st.floats(), st.floats())
def test_floats(x: float, y: float) -> None:
    with np.errstate(all="ignore"):
        want = float(np.float32(x))
    got = f.floats(x, y, False)
    assert np.array_equal(got, (want, y, 0.0), equal_nan=True)


BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
#: Beside the middle of two neighbours, and where they end: a rounding to float32 on the way would make another number of the first six.
NARROW = [1 + 2.0**-11 + 2.0**-40, 1 + 3 * 2.0**-11 - 2.0**-40, 1 + 2.0**-8 + 2.0**-40, 1 + 3 * 2.0**-8 - 2.0**-40, 2.0**-25 + 2.0**-70]
NARROW += [
    3 * 2.0**-25 - 2.0**-60,
    65519.99999,
    65520.0,
    65504.0,
    1e300,
    1e-300,
    3.3895e38,
    3.396e38,
    5e-324,
    2.0**-134,
    -0.0,
    np.inf,
    np.nan,
]


def rounded(x: float, dtype: Any) -> float:
    """To the nearest number of a dtype, of two the even one: by exact arithmetic, in the place of casts."""
    if not np.isfinite(x) or x == 0:
        return x
    digits, low, largest = {"float16": (11, -14, 65504.0), "bfloat16": (8, -126, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max))}[
        str(dtype)
    ]
    ulp = Fraction(2) ** (max(math.frexp(x)[1] - 1, low) - digits + 1)
    nearest = round(Fraction(x) / ulp) * ulp  # of two the even one
    return math.copysign(float("inf") if abs(nearest) > largest else abs(float(nearest)), x)


@pytest.mark.parametrize("x", [*NARROW, *(-x for x in NARROW)])
def test_numbers_of_16_bits_are_rounded_once(x: float) -> None:
    got = f.halves(x, x, z=x, more=[x, x])
    half, brain = rounded(x, "float16"), rounded(x, "bfloat16")
    assert np.array_equal(got[:3], (half, brain, half), equal_nan=True) and np.array_equal(got[3] or [], [brain, brain], equal_nan=True)
    assert [math.copysign(1, y) for y in got[:3]] == [math.copysign(1, x)] * 3 or np.isnan(x)
    assert all(type(y) is float for y in got[:3])


@given(st.floats(-70000, 70000) | st.floats(-1e-6, 1e-6) | st.floats(allow_nan=False))
def test_halves(x: float) -> None:
    got = f.halves(x, x)
    assert got == (rounded(x, "float16"), rounded(x, "bfloat16"), rounded(-0.1, "float16"), None)


def test_what_counts_as_a_half() -> None:
    one = f.halves(np.float16(1.5), BFLOAT16.type(0.25), z=np.float32(0.5), more=(1, True, Decimal("0.5")))
    assert one == (1.5, 0.25, 0.5, [1.0, 1.0, 0.5])
    assert str(inspect.signature(f.halves)) == "(x, y, *, z=-0.1, more=None)"
    refused(TypeError, "halves(): argument 'x' is a str; accepted: float", f.halves, "1", 1)
    refused(TypeError, "halves(): argument 'y' is None; accepted: float", f.halves, 1, None)
    refused(TypeError, "halves(): argument 'more', item 1, is a complex; accepted: float", f.halves, 1, 1, more=[1, 1j])
    refused(ValueError, "halves(): argument 'x' is an int that is too large for a float; accepted: float", f.halves, 10**400, 1)


def test_what_counts_as_a_float() -> None:
    assert f.floats(1, np.float32(0.1), np.True_) == (1.0, float(np.float32(0.1)), True)
    assert f.floats(Decimal("0.5"), True, True) == (0.5, 1.0, True)
    refused(TypeError, "floats(): argument 'y' is a str; accepted: float", f.floats, 0, "1", True)
    refused(ValueError, "floats(): argument 'x' is an int that is too large for a float; accepted: float", f.floats, 10**400, 0, True)
    refused(TypeError, "floats(): argument 'flag' is an int; accepted: bool", f.floats, 0, 0, 1)


@given(st.text(), st.integers(0, 5), st.text())
def test_texts(text: str, times: int, between: str) -> None:
    assert f.repeat(text, times, between=between) == between.join([text] * times)
    assert f.repeat(text, 1, reverse=True) == text[::-1]
    assert f.length(text) == len(text.encode())


def test_signature() -> None:
    assert str(inspect.signature(f.repeat)) == "(text, /, times=2, *, between=', ', reverse=False)"
    assert str(inspect.signature(f.limited)) == "(*, limit=10)"
    assert f.repeat("a") == "a, a" and f.repeat("a", times=3, between="") == "aaa"
    assert (f.limited(), f.limited(limit=None), f.limited(limit=3)) == (10, None, 3)
    assert f.repeat.__doc__ == "`text`, `times` times, with `between` between.\n\nRepeats nothing as often as you like."
    refused(TypeError, "repeat() got some positional-only arguments passed as keyword arguments: 'text'", f.repeat, text="a")
    refused(TypeError, "repeat() takes from 1 to 2 positional arguments but 3 were given", f.repeat, "a", 2, ", ")
    refused(TypeError, "repeat() got an unexpected keyword argument 'spacing'", f.repeat, "a", spacing=1)
    refused(TypeError, "py() missing 1 required positional argument: 'py'", f.py)
    # A default value is for arguments that are left out.
    refused(TypeError, "repeat(): argument 'between' is None; accepted: str", f.repeat, "a", between=None)


def test_lone_surrogates() -> None:
    text = "repeat(): argument 'text' has a lone surrogate at index 2, which is no character; accepted: str that UTF-8 can encode"
    refused(ValueError, text, f.repeat, "ab\udc80")
    with pytest.raises(ValueError) as raised:
        f.count_words(["ab\ud800"])
    assert isinstance(raised.value.__cause__, UnicodeEncodeError)


def test_bytes() -> None:
    data = bytes(range(256))
    array = np.frombuffer(data, np.uint8)
    assert f.backwards(data) == data[::-1] == f.backwards(array) == f.backwards(array.copy())
    assert f.backwards(b"") == b"" == f.backwards(array[:0])
    assert f.backwards(array[::3]) == data[::3][::-1]
    assert f.same_bytes(bytearray(data)) == data
    # The bytes themselves, and not a copy.
    assert f.place_of_bytes(array) == array.ctypes.data == f.place_of_bytes(data)
    accepted = "array of dtype uint8 with 1 axis or bytes"
    refused(TypeError, f"backwards(): argument 'data' is a str; accepted: {accepted}", f.backwards, "abc")
    refused(TypeError, f"backwards(): argument 'data' is a bytearray; accepted: {accepted}", f.backwards, bytearray(2))
    refused(TypeError, "same_bytes(): argument 'data' is a list; accepted: bytes", f.same_bytes, [1])


def test_collections() -> None:
    for numbers in ([1, 2.5, np.float32(4)], (1, 2.5, 4), deque([1, 2.5, 4])):
        assert f.mean(numbers) == 2.5
    assert f.mean(range(4)) == 1.5 and f.mean([]) is None
    assert f.count_words(["a", "b", "a"]) == {"a": 2, "b": 1}
    for table in ({"a": (1, True)}, OrderedDict(a=(1, True)), MappingProxyType({"a": (1, True)})):
        assert f.inverse(table) == [((1, True), "a")]


@pytest.mark.parametrize(
    ("call", "value", "error", "text"),
    [
        (f.mean, "ab", TypeError, "mean(): argument 'numbers' is a str; accepted: sequence of float"),
        (f.mean, b"ab", TypeError, "mean(): argument 'numbers' is a bytes; accepted: sequence of float"),
        (f.mean, {1.0}, TypeError, "mean(): argument 'numbers' is a set; accepted: sequence of float"),
        (f.mean, [1, "a"], TypeError, "mean(): argument 'numbers', item 1, is a str; accepted: float"),
        (f.count_words, ["a", None], TypeError, "count_words(): argument 'words', item 1, is None; accepted: str"),
        (f.inverse, [], TypeError, f"inverse(): argument 'table' is a list; accepted: mapping of str to tuple of {I64}, bool"),
        (f.inverse, {1: (1, True)}, TypeError, "inverse(): argument 'table', a key, is an int; accepted: str"),
        (f.inverse, {"a": 1}, TypeError, f"inverse(): argument 'table', the value of 'a', is an int; accepted: tuple of {I64}, bool"),
        (
            f.inverse,
            {"a": (1,)},
            ValueError,
            f"inverse(): argument 'table', the value of 'a', is a tuple of length 1; accepted: tuple of {I64}, bool",
        ),
        (f.inverse, {"a": (1, 2)}, TypeError, "inverse(): argument 'table', the value of 'a', item 1, is an int; accepted: bool"),
        (
            f.inverse,
            {"a": (2**63, True)},
            OverflowError,
            f"inverse(): argument 'table', the value of 'a', item 0, is {2**63}; accepted: {I64}",
        ),
        (f.length, 3, TypeError, "length(): argument 'text' is an int; accepted: str or None"),
    ],
)
def test_refused_collections(call: Any, value: Any, error: type[Exception], text: str) -> None:
    refused(error, text, call, value)


class Raises:
    def __index__(self) -> int:
        raise KeyError("mine")

    def __float__(self) -> float:
        raise KeyError("mine")


def test_errors_of_the_value_itself_stay() -> None:
    for call, args in [(f.py, (Raises(),)), (f.floats, (0, Raises(), True)), (f.mean, ([Raises()],))]:
        with pytest.raises(KeyError, match="mine"):
            call(*args)


def test_errors_of_the_function() -> None:
    assert f.parsing.number("-12") == -12 and f.fails(None) is None
    refused(ValueError, "number(): invalid digit found in string", f.parsing.number, "x")
    refused(KeyError, "'fails(): no such thing'", f.fails, "no such thing")


@pytest.mark.filterwarnings("default")
def test_panic(capfd: pytest.CaptureFixture[str]) -> None:
    refused(RuntimeError, "panics(): the function panicked: out of coffee", f.panics, "out of coffee")
    assert f.py(1) == 1
    capfd.readouterr()


def test_objects() -> None:
    for call in (f.repeat, f.parsing.number):
        assert pickle.loads(pickle.dumps(call)) is call
    assert (f.repeat.__module__, f.parsing.number.__module__, f.repeat.__name__) == ("functions", "functions.parsing", "repeat")


def defined(module: ModuleType, stub: str) -> None:
    """What the stub says of names, parameters and properties is what the module has."""
    tree = ast.parse(Path(__file__).with_name(stub).read_text())
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
    there = {name: value for name, value in vars(module).items() if name in module.__all__}  # of a submodule, all that is public
    assert {name for name, value in there.items() if inspect.isbuiltin(value)} == functions.keys()
    assert {name for name, value in there.items() if inspect.isclass(value)} == classes.keys()
    for name, node in functions.items():
        assert str(inspect.signature(there[name])) == signature(node.args)
    for name, class_ in classes.items():
        properties = {item.target.id for item in class_.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)}
        assert {key for key, value in vars(there[name]).items() if inspect.isgetsetdescriptor(value) and key[0] != "_"} == properties
        for item in class_.body:
            if isinstance(item, ast.FunctionDef):
                params = inspect.signature(there[name] if item.name == "__new__" else getattr(there[name], item.name)).parameters
                assert [p for p in params if p != "self"] == [a.arg for a in all_args(item.args)][1:]


def all_args(args: ast.arguments) -> list[ast.arg]:
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def signature(args: ast.arguments) -> str:
    for arg in all_args(args):
        arg.annotation = None
    return f"({ast.unparse(args)})"


def test_stub_and_module_agree() -> None:
    defined(f, "functions.pyi.ref")
    defined(f.parsing, "functions.parsing.pyi.ref")


def test_overrides() -> None:
    """tests/python/functions/pybind-gen.toml."""
    assert not hasattr(f, "hidden") and not hasattr(f.parsing, "buried")
    assert f.parsing.__doc__ == "From texts to numbers.\n\nAnd what that costs."


def test_renamed() -> None:
    """`name_in_rust` in Rust."""
    call = f.parsing.name_in_python
    assert not hasattr(f, "name_in_rust") and not hasattr(f.parsing, "name_in_rust")
    assert call(1) == 2 and call(1, by=3) == 4
    assert (call.__module__, call.__name__, call.__qualname__) == ("functions.parsing", "name_in_python", "name_in_python")
    assert str(inspect.signature(call)) == "(x, *, by=1)"
    assert inspect.getdoc(call) == "`x + by`, or an error: `parsing.name_in_python`."
    assert pickle.loads(pickle.dumps(call)) is call
    refused(TypeError, f"name_in_python(): argument 'by' is a str; accepted: {I64}", call, 1, by="1")
    refused(ValueError, "name_in_python(): the sum is too large", call, 2**63 - 1)
    refused(TypeError, "name_in_python() missing 1 required positional argument: 'x'", call)


def test_other_threads_run_meanwhile() -> None:
    ticks, stop = 0, threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    deadline, switch = time.monotonic() + 20, sys.getswitchinterval()
    before = ticks
    try:
        while ticks == before and time.monotonic() < deadline:
            before = ticks
            # No switch comes from the interpreter in this time: it would have to be the function that let go.
            sys.setswitchinterval(100)
            f.sleeps(0.05)
            sys.setswitchinterval(switch)
    finally:
        sys.setswitchinterval(switch)
        stop.set()
        thread.join()
    assert ticks > before
    assert f.next(1) == 2


def test_references_stay_even() -> None:
    text, table, array = "some text " * 3, {"a": (1, True)}, np.ones(5)
    watched: list[Any] = [text, table, array]

    def calls() -> None:
        for _ in range(1000):
            f.repeat(text, 1)
            f.inverse(table)
            f.weighted(array, array)
            with pytest.raises(TypeError):
                f.weighted(array, text)  # type: ignore[arg-type]

    calls()
    gc.collect()
    before = [sys.getrefcount(x) for x in watched]
    calls()
    gc.collect()
    assert [sys.getrefcount(x) for x in watched] == before
