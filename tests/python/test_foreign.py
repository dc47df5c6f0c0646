"""Arrays of other libraries, by DLPack: a library of this file's own that shows every way in which they come. Real ones: `peers`."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import types
import weakref
from typing import Any

import functions as f
import kernel_shapes as k
import numpy as np
import pytest

pytestmark = pytest.mark.any_level

CPU, CUDA = (1, 0), (2, 3)


class Array:
    """An array of the library `shelf`, whose data is NumPy's. Its attributes say how it answers to DLPack."""

    def __init__(self, data: Any, device: tuple[int, int] = CPU, old: bool = False) -> None:
        self.data, self.device, self.old = data, device, old
        self.asked: list[dict[str, Any]] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        self.asked.append(options)
        if self.old and options:
            raise TypeError("what is max_version?")
        return self.data.__dlpack__(**options)


class Copying(Array):
    """Copies, whatever it is asked."""

    def __dlpack__(self, **options: Any) -> Any:
        return self.data.__dlpack__(**{**options, "copy": True})


class OnlyCuda:
    """As a numba device array: no DLPack."""

    __cuda_array_interface__ = {"version": 3}  # noqa: RUF012


class Capsule(Array):
    """Gives one capsule, however often it is asked."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.capsule = data.__dlpack__(max_version=(1, 0))

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule


def from_dlpack(source: Any) -> Array:
    return Array(np.from_dlpack(source))


class Other:
    """An array of another library."""

    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> Any: ...


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    classes_of = {"shelf": (Array, Copying, OnlyCuda, Capsule), "attic": (Other,), "raw": (Raw,)}
    for name, classes in classes_of.items():
        module = types.ModuleType(name)
        module.from_dlpack = from_dlpack if name != "raw" else lambda source: source  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, name, module)
        for of in classes:
            of.__module__ = name


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


@pytest.mark.parametrize("old", [False, True])
def test_in_and_out(old: bool) -> None:
    x = Array(np.arange(8, dtype=np.float32), old=old)
    y = k.half(x)
    assert type(y) is Array and y.data.tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]
    # Asked for the newest form first, and then as old libraries understand it.
    assert x.asked[0] == {"max_version": (1, 3)} and (x.asked[1:] == [{}]) == old


def test_inputs_are_not_copied() -> None:
    """A kernel that returns its input's values sees what was written after the view was made: the data, not a copy."""
    x = np.zeros(4, np.float32)
    seen: list[int] = []

    class Watched(Array):
        def __dlpack__(self, **options: Any) -> Any:
            seen.append(address(self.data))
            return super().__dlpack__(**options)

    Watched.__module__ = "shelf"
    out = Array(np.zeros(4, np.float32))
    x[:] = [1, 2, 3, 4]
    assert k.half(Watched(x), out=out) is out
    assert out.data.tolist() == [0.5, 1, 1.5, 2] and seen == [address(x)]


@pytest.mark.parametrize("dtype", ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"])
@pytest.mark.parametrize("old", [False, True])
def test_dtypes(dtype: str, old: bool) -> None:
    x = np.array([0, 1, 1, 0, 1], dtype)
    y = k.same(Array(x, old=old)).data
    assert y.dtype == x.dtype and y.tolist() == x.tolist()


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[::-1],
        lambda x: x[::2, 1::2],
        lambda x: x.T,
        lambda x: x[::-1, ::-3].T,
        lambda x: x[5:, 3:],
        lambda x: x[2:2],
        lambda x: x[3, 4],
        lambda x: np.broadcast_to(x[0], (3, 7)),
    ],
)
def test_layouts(view: Any) -> None:
    x = view(np.arange(63, dtype=np.float32).reshape(9, 7))
    y = k.half(Array(np.asarray(x))).data
    assert y.shape == x.shape and np.array_equal(y, x / 2)


def test_results_are_writable_and_belong_to_nobody_else() -> None:
    x = Array(np.ones(1000, np.float32))
    a, b = k.ends(x, 2.0)
    a.data[:] = 7
    assert (b.data == 2).all() and (x.data == 1).all() and address(a.data) != address(b.data)
    assert address(a.data) % 64 == 0


def test_outputs() -> None:
    x = Array(np.arange(4, dtype=np.float32))
    for call in (lambda out: k.half(x, out=out), lambda out: k.half(x, out), lambda out: k.half(x, out=(out,))):
        out = Array(np.zeros(4, np.float32))
        assert call(out) is out and out.data.tolist() == [0, 0.5, 1, 1.5]
        assert out.asked == [{"max_version": (1, 3), "copy": False}]
    lo, hi = k.ends(x, 2, out=(None, out))
    assert hi is out and out.data.tolist() == [2, 2, 2, 3] and lo.data.tolist() == [0, 1, 2, 2]
    mask = Array(np.array([True, False, True, False]))
    out = Array(np.full(4, 9, np.float32))
    assert k.half(x, out=out, where=mask).data.tolist() == [0, 9, 1, 9]


def test_block_kernels_and_parameters() -> None:
    a, b = np.array([[4, 6], [9, 8]], np.int32), np.array([2, 3], np.int32)
    q, s = k.quotients(Array(a), Array(b))
    assert q.data.tolist() == [[2, 2], [4, 2]] and s.data.tolist() == [4, 6]
    x = Array(np.array([1.0, 2.0]))
    assert k.powers(x, degree=3, negate=False).data.tolist() == [3, 14]
    assert k.powers(x, degree=2, negate=True).data.tolist() == [-2, -6]
    assert k.half(Array(np.array(3, np.float32))).data.shape == ()


FROZEN = np.zeros(3, np.float32)
FROZEN.setflags(write=False)
F4 = np.zeros(3, np.float32)

MESSAGES: list[tuple[Any, type[Exception], str]] = [
    (
        lambda: k.half(Array(F4, device=CUDA)),
        TypeError,
        "half(): argument 'x' is on device cuda:3; accepted: arrays in CPU memory",
    ),
    (lambda: k.half(OnlyCuda()), TypeError, "half(): argument 'x' is on device cuda; accepted: arrays in CPU memory"),
    (
        lambda: k.ends(Array(F4), F4),
        TypeError,
        "ends(): arrays of two libraries came: argument 'b' is of numpy, another one of shelf; accepted: arrays of one library, and "
        "Python numbers beside them",
    ),
    (
        lambda: k.ends(Other(), Array(F4)),
        TypeError,
        "ends(): arrays of two libraries came: argument 'b' is of shelf, another one of attic; accepted: arrays of one library, and "
        "Python numbers beside them",
    ),
    (
        lambda: k.half(F4, out=Array(F4)),
        TypeError,
        "half(): arrays of two libraries came: argument 'x' is of numpy, another one of shelf; accepted: arrays of one library, and "
        "Python numbers beside them",
    ),
    (lambda: k.half(Array(F4), out=Array(FROZEN)), ValueError, "half(): argument 'out' is read-only; accepted: a writable array"),
    (
        lambda: k.half(Array(F4), Copying(F4)),
        ValueError,
        "half(): argument 2 (output) was copied by its library on the way; accepted: a writable array",
    ),
    (
        lambda: k.half(Array(np.zeros(3, np.complex64))),
        TypeError,
        "half(): argument 'x' is an array of dtype complex64; accepted: float32, and what casts to it safely",
    ),
    (
        lambda: k.half(Array(np.zeros(3, np.dtype(">f4")))),
        TypeError,
        "half(): argument 'x' is a shelf.Array that DLPack does not describe: DLPack only supports native byte order.",
    ),
    (
        lambda: k.ends(Array(np.zeros(3)), Array(np.zeros(4))),
        ValueError,
        "ends(): argument 'b' has shape (4,), which does not broadcast with (3,), the shape of 'a'; accepted: axes that are equal or 1, "
        "from the last one back",
    ),
    (
        lambda: k.quotient(Array(np.ones(3, np.int32)), Array(np.array([1, 0, 1], np.int32))),
        ZeroDivisionError,
        "quotient(): integer division by zero at index [1] of shape [3]",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), MESSAGES, ids=[m[:60] for *_, m in MESSAGES])
def test_message(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message


def test_a_capsule_is_used_once() -> None:
    x = Capsule(np.ones(3, np.float32))
    assert k.half(x).data.tolist() == [0.5] * 3
    with pytest.raises(TypeError, match="already been consumed"):
        k.half(x)


def test_read_only_inputs_are_read() -> None:
    assert k.half(Array(FROZEN)).data.tolist() == [0, 0, 0]


def test_owners_live_exactly_as_long_as_needed() -> None:
    data = np.ones(5000, np.float32)
    dead = weakref.ref(data)
    x = Array(data)
    before = sys.getrefcount(data)
    for _ in range(10):
        k.half(x)
        with pytest.raises(TypeError):
            k.half(x, k.half)  # fails after the view was made
    gc.collect()
    assert sys.getrefcount(data) == before
    del data, x
    gc.collect()
    assert dead() is None


class Raw(Array):
    """An array of a library that keeps what it is given as it comes."""


def capsule_of(result: Any, name: bytes, **options: Any) -> tuple[int, Any]:
    """The tensor in a fresh capsule of a result, consumed as a library would, and its deleter, which ctypes calls without the GIL."""
    capsule = result.__dlpack__(**options)
    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
    tensor = api.PyCapsule_GetPointer(capsule, name)
    api.PyCapsule_SetName(capsule, USED[name])
    # Both forms are a tensor, a context and a deleter; the versioned one begins with context and deleter, after the version.
    offset = 16 if name == b"dltensor_versioned" else 56
    deleter = ctypes.cast(ctypes.c_void_p.from_address(tensor + offset).value, ctypes.CFUNCTYPE(None, ctypes.c_void_p))
    return tensor, deleter


#: What a capsule is called once its tensor has been taken.
USED = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}


def test_results_are_freed_on_any_thread_by_whoever_is_last() -> None:
    n = 300_000
    memory = k.half.__lanecraft__.memory
    before = memory()["in_use"]
    result = k.half(Raw(np.ones(n, np.float32)))
    assert result.__dlpack_device__() == CPU
    assert memory()["in_use"] >= before + 4 * n
    tensors = [
        capsule_of(result, b"dltensor"),
        capsule_of(result, b"dltensor_versioned", max_version=(1, 0)),
        capsule_of(result, b"dltensor_versioned", max_version=(1, 3), dl_device=CPU, copy=False),
    ]
    # Never consumed: its destructor frees it.
    result.__dlpack__()
    del result
    for tensor, deleter in tensors:
        assert memory()["in_use"] >= before + 4 * n
        worker = threading.Thread(target=deleter, args=(tensor,))
        worker.start()
        worker.join()
    assert memory()["in_use"] == before


def test_exports_answer_as_the_protocol_asks() -> None:
    result = k.half(Raw(np.ones(3, np.float32)))
    assert "dltensor_versioned" in repr(result.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(result.__dlpack__())
    for bad in ({"copy": True, "max_version": (1, 0)}, {"dl_device": CUDA, "max_version": (1, 0)}):
        with pytest.raises(BufferError):
            result.__dlpack__(**bad)
    # NumPy is a consumer too.
    assert np.from_dlpack(result).tolist() == [0.5] * 3


def test_arguments_of_ordinary_functions() -> None:
    x, y, single = np.arange(4.0), np.ones(4), np.ones(3, np.float32)
    assert f.weighted(Array(x)) == 6.0 == f.weighted(Array(x, old=True), Array(y)) and f.weighted(Array(x), None) == 6.0
    assert f.place_of_slice(Array(single)) == (address(single), 3)
    assert f.place_of_bytes(Array(single.view(np.uint8))) == address(single)
    strided = Array(np.arange(12.0).reshape(3, 4)[::-1, ::2])
    assert f.sums(strided)[0].tolist() == [18, 10, 2]
    f.add_to(Array(y), Array(x))
    assert y.tolist() == [1, 2, 3, 4]
    bodies = f.in_a_row(3)[0]
    masses = Array(np.arange(3.0))
    copy = f.Bodies("three", 0.5, None, Array(bodies.as_tensor("bounds")), masses, bodies.as_tensor("positions"))
    assert copy.as_tensor("masses").tolist() == [0, 1, 2]


def test_refused_arguments_of_ordinary_functions() -> None:
    x, frozen = np.ones(3), np.ones(3)
    frozen.flags.writeable = False
    wanted = "array of dtype float64 with 1 axis"
    for error, text, call in [
        (
            TypeError,
            f"weighted(): argument 'x' is an array of dtype float32 and shape (3,); accepted: {wanted}",
            lambda: f.weighted(Array(x.astype("f4"))),
        ),
        (
            TypeError,
            "weighted(): argument 'weights' is on device cuda:3; accepted: arrays in CPU memory",
            lambda: f.weighted(x, Array(x, CUDA)),
        ),
        (ValueError, "add_to(): argument 'x' is read-only; accepted: a writable array", lambda: f.add_to(Array(frozen), x)),
        (
            ValueError,
            "add_to(): argument 'x' was copied by its library on the way; accepted: a writable array",
            lambda: f.add_to(Copying(x), x),
        ),
        (
            TypeError,
            f"Bodies(): argument 'masses' is an int; accepted: {wanted}",
            lambda: f.Bodies("", 0, None, np.zeros((2, 3), "f4"), 1, x),
        ),
    ]:
        with pytest.raises(error) as raised:
            call()
        assert str(raised.value) == text


def test_memory_of_two_owners() -> None:
    """What `numpy`'s checks take for two arrays: none of them is written beside the other, unless they lie apart."""
    x = np.arange(4.0)
    busy = "by way of another argument or by another call; accepted: "
    for a, b in [(Array(x), x), (x, Array(x)), (Array(x), Array(x)), (np.frombuffer(x.data)[1:], x[:3])]:
        with pytest.raises(ValueError) as raised:
            f.add_to(a, b)
        assert str(raised.value) == f"add_to(): argument 'y' is written to, {busy}array of dtype float64 with 1 axis that nothing else uses"
    assert f.weighted(Array(x), x) == 14.0
    f.add_to(Array(x[:2]), x[2:])
    f.add_to(np.frombuffer(x.data)[2:], Array(x[:2]))
    assert x.tolist() == [2, 4, 4, 7]
