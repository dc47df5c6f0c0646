"""Arrays of other libraries that say what is not so: of their device, in their capsules, or not at all."""

from __future__ import annotations

import ctypes
import sys
import types
from typing import Any

import functions as f
import kernel_shapes as k
import numpy as np
import pytest

pytestmark = pytest.mark.any_level
I64 = ctypes.POINTER(ctypes.c_int64)
DESCRIPTOR: list[tuple[str, Any]] = [
    ("data", ctypes.c_void_p),
    ("device", ctypes.c_int32),
    ("device_id", ctypes.c_int32),
    ("ndim", ctypes.c_int32),
    ("code", ctypes.c_uint8),
    ("bits", ctypes.c_uint8),
    ("lanes", ctypes.c_uint16),
    ("shape", I64),
    ("strides", I64),
    ("offset", ctypes.c_uint64),
]
POINTERS: list[tuple[str, Any]] = [("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Old(ctypes.Structure):
    """`DLManagedTensor`"""

    _fields_ = [*DESCRIPTOR, *POINTERS]


class Versioned(ctypes.Structure):
    """`DLManagedTensorVersioned`"""

    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), *POINTERS, ("flags", ctypes.c_uint64), *DESCRIPTOR]


class Liar:
    """An array of the library `tales`: four float32s, but for what is said otherwise."""

    def __init__(self, *, versioned: bool = True, name: str | None = None, answer: Any = (1, 0), **said: Any) -> None:
        self.answer = answer
        self.elements = (ctypes.c_float * 16)(*range(16))
        fields: dict[str, Any] = {"data": ctypes.addressof(self.elements), "device": 1, "ndim": 1, "code": 2, "bits": 32, "lanes": 1}
        fields |= {"shape": [4], "strides": [1], **({"major": 1} if versioned else {}), **said}
        lists = {key: (ctypes.c_int64 * len(value))(*value) for key, value in fields.items() if isinstance(value, list)}
        self.tensor = (Versioned if versioned else Old)(**{key: value for key, value in {**fields, **lists}.items() if value is not None})
        self.name = (name or ("dltensor_versioned" if versioned else "dltensor")).encode()

    def __dlpack_device__(self) -> Any:
        return self.answer

    def __dlpack__(self, **_: Any) -> Any:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), self.name, None)


class Says(Liar):
    """Gives something else than a capsule, or raises."""

    def __init__(self, said: Any) -> None:
        super().__init__()
        self.said = said

    def __dlpack__(self, **_: Any) -> Any:
        if isinstance(self.said, BaseException):
            raise self.said
        return self.said


class Uncallable(Liar):
    __dlpack__ = 5  # type: ignore[assignment]


class Whole:
    """What `tales` makes of a capsule."""

    def __init__(self, data: Any) -> None:
        self.data = np.from_dlpack(data)


@pytest.fixture(autouse=True)
def tales(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("tales")
    module.from_dlpack = Whole  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tales", module)
    for of in (Liar, Says, Uncallable):
        of.__module__ = "tales"


DESCRIBES = "that DLPack does not describe"
BEYOND = "its strides or its offset overflow"
LACKS = "is of a dtype that NumPy lacks (DLPack's code {}, {} bits, {} lanes); accepted: bool, integers and floats"
CASES: list[tuple[Any, str]] = [
    (lambda: Says(RuntimeError("not today")), f"is a tales.Says {DESCRIBES}: not today"),
    (lambda: Says(5), f"is a tales.Says {DESCRIBES}: object does not support the DLPack protocol"),
    (lambda: Says(None), f"is a tales.Says {DESCRIBES}: object does not support the DLPack protocol"),
    (Uncallable, f"is a tales.Uncallable {DESCRIBES}: 'int' object is not callable"),
    (lambda: Liar(name="tensor"), f"is a tales.Liar {DESCRIBES}: object does not support the DLPack protocol"),
    (lambda: Liar(name="used_dltensor_versioned"), f"is a tales.Liar {DESCRIBES}: DLPack capsule has already been consumed"),
    (lambda: Liar(major=9), f"is a tales.Liar {DESCRIBES}: incompatible DLPack major version: expected 1, got 9"),
    (lambda: Liar(answer="cpu"), f"is a tales.Liar {DESCRIBES}: 'str' object is not an instance of 'tuple'"),
    (lambda: Liar(answer=(1, 0, 0)), f"is a tales.Liar {DESCRIBES}: expected tuple of length 2, but got tuple of length 3"),
    (lambda: Liar(answer=(-1, 0)), f"is a tales.Liar {DESCRIBES}: out of range integral type conversion attempted"),
    (lambda: Liar(answer=(2**70, 0)), f"is a tales.Liar {DESCRIBES}: Python int too large to convert to C long"),
    (lambda: Liar(device=2), "is on device cuda:0; accepted: arrays in CPU memory"),
    (lambda: Liar(answer=(2, 1)), "is on device cuda:1; accepted: arrays in CPU memory"),
    (lambda: Liar(ndim=-1), f"is a tales.Liar {DESCRIBES}: ndim is negative: -1"),
    (
        lambda: Liar(ndim=70, shape=[1] * 70, strides=[1] * 70),
        f"is a tales.Liar {DESCRIBES}: number of dimensions must be within [0, 64], it is 70",
    ),
    (lambda: Liar(ndim=65, shape=[1]), f"is a tales.Liar {DESCRIBES}: number of dimensions must be within [0, 64], it is 65"),
    (lambda: Liar(ndim=2**31 - 1), f"is a tales.Liar {DESCRIBES}: number of dimensions must be within [0, 64], it is 2147483647"),
    (
        lambda: Liar(ndim=2**31 - 1, versioned=False),
        f"is a tales.Liar {DESCRIBES}: number of dimensions must be within [0, 64], it is 2147483647",
    ),
    (lambda: Liar(shape=[-4]), f"is a tales.Liar {DESCRIBES}: shape dimension 0 is negative: -4"),
    (lambda: Liar(shape=[2**62]), f"is a tales.Liar {DESCRIBES}: number of bytes overflows usize"),
    (lambda: Liar(strides=[2**62]), f"is a tales.Liar {DESCRIBES}: {BEYOND}"),
    (lambda: Liar(strides=[2**59]), f"is a tales.Liar {DESCRIBES}: {BEYOND}"),
    (lambda: Liar(strides=[-(2**59)]), f"is a tales.Liar {DESCRIBES}: {BEYOND}"),
    (lambda: Liar(ndim=2, shape=[2, 2], strides=[2**61, 1]), f"is a tales.Liar {DESCRIBES}: {BEYOND}"),
    (lambda: Liar(offset=2**63), f"is a tales.Liar {DESCRIBES}: {BEYOND}"),
    (lambda: Liar(offset=2**64 - 4), f"is a tales.Liar {DESCRIBES}: {BEYOND}"),
    (lambda: Liar(shape=None), f"is a tales.Liar {DESCRIBES}: shape pointer is null but ndim is 1"),
    (lambda: Liar(data=None), "has no memory (a tensor of FakeTensorMode is one of this kind); accepted: arrays with values"),
    (lambda: Liar(bits=7), LACKS.format(2, 7, 1)),
    (lambda: Liar(lanes=2), LACKS.format(2, 32, 2)),
    (lambda: Liar(code=99), LACKS.format(99, 32, 1)),
]


@pytest.mark.parametrize(("liar", "text"), CASES, ids=[text[:70] for _, text in CASES])
def test_lies_are_refused(liar: Any, text: str) -> None:
    for call, function in ((k.half, "half()"), (f.place_of_slice, "place_of_slice()")):
        with pytest.raises(TypeError) as caught:
            call(liar())
        assert str(caught.value) == f"{function}: argument 'x' {text}"


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize(
    ("said", "want"),
    [
        ({}, [0, 0.5, 1, 1.5]),
        ({"strides": None}, [0, 0.5, 1, 1.5]),
        ({"offset": 8}, [1, 1.5, 2, 2.5]),
        ({"strides": [0]}, [0, 0, 0, 0]),
        ({"ndim": 2, "shape": [2, 2], "strides": [1, 3]}, [[0, 1.5], [0.5, 2]]),
        ({"ndim": 0}, 0.0),
        ({"data": None, "shape": [0]}, []),
        ({"data": None, "shape": [0], "strides": [2**62], "offset": 2**63}, []),
        ({"shape": [1], "strides": [-(2**63)]}, [0]),
    ],
    ids=str,
)
def test_what_is_unusual_and_so(said: dict[str, Any], want: Any, versioned: bool) -> None:
    assert k.half(Liar(versioned=versioned, **said)).data.tolist() == want


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_what_is_no_matter_of_the_array_passes_through(error: type[BaseException]) -> None:
    for call in (k.half, f.place_of_slice):
        with pytest.raises(error, match="now"):
            call(Says(error("now")))
