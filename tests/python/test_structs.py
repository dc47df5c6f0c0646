"""Exported structs: properties, arrays in place, and who may use them when."""

from __future__ import annotations

import gc
import inspect
import sys
import threading
import weakref
from typing import Any

import functions as f
import numpy as np
import pytest
from test_functions import refused

pytestmark = pytest.mark.any_level
IN_USE = "the object is in use: by another call, or by a view, which has to be deleted first (`del view`)"
WRITTEN = "the object is written to: by another call, or by a writable view, which has to be deleted first (`del view`)"


def bodies(**changes: Any) -> f.Bodies:
    fields: dict[str, Any] = {
        "name": "three",
        "dt": 0.5,
        "mark": None,
        "bounds": np.zeros((2, 3), np.float32),
        "masses": np.arange(3.0),
        "positions": np.arange(9.0).reshape(3, 3),
    }
    return f.Bodies(**{**fields, **changes})


def test_properties() -> None:
    b = bodies(mark=7)
    assert (b.name, b.dt, b.mark) == ("three", 0.5, 7)
    b.name, b.dt, b.mark = "more", 2, None
    assert (b.name, b.dt, b.mark) == ("more", 2.0, None)
    refused(TypeError, "Bodies.dt: the value is a str; accepted: float", setattr, b, "dt", "x")
    refused(OverflowError, "Bodies.mark: the value is 256; accepted: int from 0 to 255 or None", setattr, b, "mark", 256)
    with pytest.raises(AttributeError):
        b.other = 1  # type: ignore[attr-defined]
    assert f.Bodies.__doc__ == "Some bodies." and f.Bodies.dt.__doc__ == "The step in time."
    assert str(inspect.signature(f.Bodies)) == "(name, dt, mark, bounds, masses, positions)"
    assert (f.Bodies.__module__, f.parsing.Cost.__module__) == ("functions", "functions.parsing")


def test_constructor() -> None:
    masses = np.arange(6.0)[::2]
    b = bodies(masses=masses)
    masses[:] = 9
    assert b.as_tensor("masses").tolist() == [0, 2, 4]  # a copy
    text = "Bodies(): argument 'bounds' has shape (3, 2); accepted: array of dtype float32 with 2 axes and shape (2, 3)"
    refused(ValueError, text, bodies, bounds=np.zeros((3, 2), np.float32))
    refused(TypeError, "Bodies(): argument 'masses' is a list; accepted: array of dtype float64 with 1 axis", bodies, masses=[1.0])
    refused(TypeError, "cannot create 'functions.parsing.Cost' instances", f.parsing.Cost)
    assert f.steps_of(f.cost_of(3)) == 3 and f.cost_of(3).seconds == 0.75 and f.steps_of(None) is None


def test_copies_that_memory_does_not_hold() -> None:
    """Rust's own way would end the process."""
    text = "Bodies(): argument 'masses' takes 281474976710656 bytes as a copy, which there are not; accepted: what fits into memory"
    refused(MemoryError, text, bodies, masses=np.broadcast_to(1.0, (1 << 45,)))
    # The order of axes in memory is kept.
    for positions in (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2).T, np.arange(24.0).reshape(4, 6)[::2, ::2]):
        copy = bodies(positions=positions).as_tensor("positions")
        assert np.array_equal(copy, positions) and copy.flags.f_contiguous == positions.flags.f_contiguous


def test_arrays_are_seen_in_place() -> None:
    b, at = f.in_a_row(4)
    view = b.as_tensor("positions")
    assert view.ctypes.data == at and view[:, 0].tolist() == [0, 1, 2, 3]
    assert b.as_tensor("bounds").ctypes.data == b.as_tensor("bounds").ctypes.data
    assert b.as_tensor("bounds").tolist() == [[0] * 3, [4] * 3]
    refused(ValueError, "assignment destination is read-only", view.__setitem__, 0, 1)
    with pytest.raises(ValueError):
        view.flags.writeable = True
    refused(ValueError, "Bodies.as_tensor(): argument 'field' is 'dt'; accepted: 'bounds', 'masses', 'positions'", b.as_tensor, "dt")
    refused(TypeError, "Bodies.as_tensor(): argument 'field' is of type int; accepted: 'bounds', 'masses', 'positions'", b.as_tensor, 1)
    refused(ValueError, "Bodies.take(): argument 'field' is 'bounds'; accepted: 'masses', 'positions'", b.take, "bounds")


def test_a_view_keeps_its_object() -> None:
    b = bodies()
    alive = weakref.ref(b)
    part = b.as_tensor("bounds")[1:]
    del b
    gc.collect()
    assert alive() is not None and part.tolist() == [[0, 0, 0]]
    del part
    gc.collect()
    assert alive() is None


def test_a_view_is_asked_for_in_words() -> None:
    b = bodies()
    assert b.as_tensor("masses", writable=np.False_).flags.writeable is False  # type: ignore[arg-type]
    refused(TypeError, "Bodies.as_tensor(): argument 'writable' is a str; accepted: bool", b.as_tensor, "masses", writable="no")
    assert str(inspect.signature(b.as_tensor)) == "(field, /, *, writable=False)"


def test_many_read_or_one_writes() -> None:
    b = bodies()
    view, other = b.as_tensor("masses"), b.as_tensor("positions")
    assert f.body_count(b) == 3 and b.dt == 0.5
    for call in (lambda: b.as_tensor("masses", writable=True), lambda: b.take("masses")):
        with pytest.raises(RuntimeError, match="the object is in use: "):
            call()
    refused(RuntimeError, f"Bodies.dt: {IN_USE}", setattr, b, "dt", 1)
    refused(ValueError, f"shift(): argument 'bodies' {IN_USE[11:]}; accepted: Bodies that is whole and free", f.shift, b, 1)
    del view, other
    f.shift(b, 10)
    assert b.as_tensor("positions")[0].tolist() == [10, 11, 12]

    written = b.as_tensor("masses", writable=True)
    written[:] = 5
    inner = written[1:]
    del written  # and yet a part of it is there
    refused(RuntimeError, f"Bodies.dt: {WRITTEN}", lambda: b.dt)
    refused(RuntimeError, f"Bodies.as_tensor(): {WRITTEN}", b.as_tensor, "positions")
    refused(ValueError, f"body_count(): argument 'bodies' {WRITTEN[11:]}; accepted: Bodies that is whole and free", f.body_count, b)
    del inner
    assert b.as_tensor("masses").tolist() == [5, 5, 5]


def test_taken_once() -> None:
    b, at = f.in_a_row(3)
    taken = b.take("positions")
    assert taken.ctypes.data == at and taken.flags.writeable
    gone = "field 'positions' is gone: take() has moved the array out"
    refused(ValueError, f"Bodies.take(): {gone}", b.take, "positions")
    refused(ValueError, f"Bodies.as_tensor(): {gone}", b.as_tensor, "positions")
    text = "body_count(): argument 'bodies' has lost its field 'positions': take() has moved the array out; accepted: Bodies that is whole and free"
    refused(ValueError, text, f.body_count, b)
    assert b.as_tensor("masses").tolist() == [1, 1, 1] and b.dt == 0.5
    del b
    gc.collect()
    assert taken[:, 0].tolist() == [0, 1, 2]


def test_other_objects() -> None:
    refused(TypeError, "body_count(): argument 'bodies' is a str; accepted: Bodies", f.body_count, "b")
    refused(TypeError, "body_count(): argument 'bodies' is a Cost; accepted: Bodies", f.body_count, f.cost_of(1))
    refused(TypeError, "steps_of(): argument 'cost' is an int; accepted: Cost or None", f.steps_of, 3)


def test_a_failed_call_gives_the_object_back() -> None:
    b = bodies()
    for _ in range(3):
        with pytest.raises(TypeError):
            f.shift(b, "far")  # type: ignore[arg-type]
    f.shift(b, 1)
    before = sys.getrefcount(b)
    for _ in range(1000):
        b.as_tensor("positions")
        f.shift(b, 0)
    assert sys.getrefcount(b) == before


def test_threads() -> None:
    """Many threads, one object: each call gets it or an error, and no update is lost."""
    b = bodies(positions=np.zeros((1, 3)))
    done = [0] * 8

    def work(k: int) -> None:
        for _ in range(2000):
            try:
                f.shift(b, 1)
            except ValueError:
                continue
            done[k] += 1

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert b.as_tensor("positions")[0, 0] == sum(done) > 0


def test_by_value() -> None:
    a, b = f.Point(1, 2), f.Point(3, 6)
    m = f.middle(a, b)
    assert (type(m), m.x, m.y, a.x, b.x) == (f.Point, 2.0, 4.0, 1.0, 3.0)
    refused(TypeError, "middle(): argument 'a' is a tuple; accepted: Point", f.middle, (1, 2), b)
    lines = f.path([a, b, m])
    assert [(line.start.x, line.end.x) for line in lines] == [(1.0, 3.0), (3.0, 2.0)]
    refused(TypeError, "path(): argument 'points', item 1, is None; accepted: Point", f.path, [a, None])


def test_a_struct_in_a_struct() -> None:
    """It is a value: what comes out is a copy, and is put back by assignment."""
    a, b, values = f.Point(1, 2), f.Point(3, 6), np.arange(3, dtype=np.float16)
    line = f.Line(a, b, None, values)
    a.x = 7
    line.end.x = 8
    assert (line.start.x, line.end.x, line.mark) == (1.0, 3.0, None)
    line.start, line.mark = a, b
    mark = line.mark
    assert line.start.x == 7.0 and mark is not None and mark.x == 3.0
    assert line.as_tensor("values").dtype == np.float16
    turned = f.turned(line)
    assert (turned.start.x, turned.end.x) == (3.0, 7.0) and turned.as_tensor("values").tolist() == [2, 1, 0]
    refused(TypeError, "Line.start: the value is an int; accepted: Point", setattr, line, "start", 1)
    refused(TypeError, "Line(): argument 'mark' is a float; accepted: Point or None", f.Line, a, b, 0.5, values)
    view = line.as_tensor("values", writable=True)
    text = f"turned(): argument 'line' {WRITTEN[11:]}; accepted: Line that is whole and free"
    refused(ValueError, text, f.turned, line)
    del view
    line.take("values")
    text = "turned(): argument 'line' has lost its field 'values': take() has moved the array out; accepted: Line that is whole and free"
    refused(ValueError, text, f.turned, line)


def test_renamed() -> None:
    """`Sample` in Rust, `Reading` in Python, in another module."""
    assert not hasattr(f, "Sample") and not hasattr(f, "Reading") and not hasattr(f.parsing, "Sample")
    reading = f.parsing.Reading
    assert (reading.__module__, reading.__name__, reading.__qualname__) == ("functions.parsing", "Reading", "Reading")
    assert str(inspect.signature(reading)) == "(value, at, history)"
    assert reading.__doc__ == "What an instrument showed: `parsing.Reading` in Python."
    small, large = (reading(value, f.Point(0, 0), np.zeros(2, np.float32)) for value in (0.1, 1e6))
    assert type(f.larger(small, large)) is reading and f.larger(small, large).value == float("inf")
    assert small.value == float(np.float16(0.1)) and f.parsing.how_many([small, large]) == 2
    refused(TypeError, "Reading.__new__() missing 2 required positional arguments: 'at' and 'history'", reading, 1.0)
    refused(TypeError, "Reading(): argument 'at' is a float; accepted: Point", reading, 1.0, 2.0, np.zeros(2, np.float32))
    refused(TypeError, "Reading.value: the value is a str; accepted: float", setattr, small, "value", "x")
    refused(TypeError, "larger(): argument 'a' is a Point; accepted: Reading", f.larger, f.Point(0, 0), small)
    refused(TypeError, "how_many(): argument 'samples', item 0, is None; accepted: Reading", f.parsing.how_many, [None])
    small.take("history")
    refused(ValueError, "Reading.take(): field 'history' is gone: take() has moved the array out", small.take, "history")
