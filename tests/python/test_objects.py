"""The exported objects: what Python's tools see of them."""

from __future__ import annotations

import copy
import inspect
import operator
import pickle
import re
import sys
from typing import Any

import fastops
import kernel_shapes
import ml_dtypes
import numpy as np
import pytest

pytestmark = pytest.mark.any_level
KERNELS = [
    fastops.axpy,
    fastops.exp,
    fastops.gelu,
    fastops.sigmoid,
    fastops.leaky_relu,
    fastops.clip_scale,
    fastops.normalize_u8,
    fastops.hypot3,
    fastops.srgb_to_linear,
    fastops.srgb_to_linear_f16,
    fastops.collatz,
    fastops.quantize,
    fastops.classify,
]


#: With tests of their own.
OTHERS = [fastops.mandelbrot, fastops.random_normal, fastops.random_uniform]


def test_module() -> None:
    # Block kernels have tests of their own.
    names = [name for name in fastops.__all__ if getattr(getattr(fastops, name), "signature", None) is None]
    assert names == sorted([*(k.__name__ for k in [*KERNELS, *OTHERS]), "hash_column", "hash_feature"]) + [
        "math",
        "isa",
        "variants",
        "__version__",
    ]
    assert fastops.__version__ == "0.1.0"
    assert (fastops.__doc__ or "").startswith("Elementwise functions over NumPy arrays")
    assert [f.__module__ for f in (fastops.isa, fastops.variants)] == ["fastops"] * 2


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_attributes(kernel: Any) -> None:
    ufunc = kernel.ufunc
    assert type(ufunc) is np.ufunc
    assert (kernel.nin, kernel.nout, kernel.nargs) == (ufunc.nin, ufunc.nout, ufunc.nargs)
    assert kernel.types == ufunc.types and kernel.signature is None
    # A ufunc takes these attributes from NumPy 2.2 on.
    settable = np.lib.NumpyVersion(np.__version__) >= "2.2.0"
    for thing, name in ((kernel, kernel.__name__), (ufunc, f"{kernel.__name__}.ufunc")) if settable else ((kernel, kernel.__name__),):
        assert (thing.__module__, thing.__qualname__, thing.__name__) == ("fastops", name, name)
        assert thing.__doc__ == kernel.__doc__
    assert repr(kernel) == f"<kernel 'fastops.{kernel.__name__}'>"
    assert inspect.getmodule(kernel) is fastops
    assert callable(kernel) and hash(kernel) == hash(kernel)


def test_docstring() -> None:
    assert fastops.axpy.__doc__ == (
        "axpy(a, x, y, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None, threads=None)\n"
        "\n"
        "`a * x + y`, element by element.\n"
        "\n"
        "Variants:\n"
        "    float16, float16, float16 -> float16\n"
        "    bfloat16, bfloat16, bfloat16 -> bfloat16\n"
        "    float32, float32, float32 -> float32\n"
        "    float64, float64, float64 -> float64\n"
    )


def test_signature() -> None:
    signature = inspect.signature(fastops.leaky_relu)
    assert (
        str(signature)
        == "(x, slope, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None, threads=None)"
    )
    assert fastops.leaky_relu.__text_signature__ == str(signature)
    assert list(inspect.signature(kernel_shapes.mixed).parameters)[:3] == ["lambda_", "out_", "out"]


def test_order_of_loops() -> None:
    assert fastops.leaky_relu.types == ["ii->i", "ee->e", "ff->f", "dd->d"]
    assert kernel_shapes.same.types == [f"{c}->{c}" for c in "?bhilBHILefd"] or np.dtype(np.int64).char != "l"
    assert kernel_shapes.scaled.types == ["ff->f", "fd->f", "df->d", "dd->d"]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_pickle_and_copy(kernel: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(kernel, protocol)) is kernel
    assert copy.copy(kernel) is kernel and copy.deepcopy(kernel) is kernel


@pytest.mark.parametrize(("kernel", "path"), [(kernel_shapes.half, "half"), (kernel_shapes.cross, "cross"), (fastops.math.sin, "math.sin")])
def test_pickles_name_the_versions(kernel: Any, path: str) -> None:
    restore, (name, version, lanecraft, identity) = kernel.__reduce__()
    module = kernel.__lanecraft__
    assert (name, version, lanecraft) == (path, module.version, module.lanecraft) and re.fullmatch("[0-9a-f]{16}", identity)
    assert restore(name, version, lanecraft, identity) is kernel
    # By reference to a function of the module, so that a process without the package `lanecraft` can read it.
    assert restore.__module__ == f"{module.module}.{module.module}"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({0: "nowhere"}, "has no such kernel"),
        ({0: "isa"}, "has no such kernel"),
        ({1: "9.9.9"}, "may compute other values"),
        ({2: "9.9.9"}, "may compute other values"),
        ({3: "0" * 16}, "has a kernel of that name with other arguments or dtypes"),
        ({0: "ends"}, "has a kernel of that name with other arguments or dtypes"),
    ],
)
def test_a_pickle_that_does_not_fit(changes: dict[int, str], why: str) -> None:
    """It loads, since a loader that raises leaves a dask client waiting; what it gives raises when it is called."""
    half = kernel_shapes.half
    restore, args = half.__reduce__()
    args = [changes.get(k, value) for k, value in enumerate(args)]
    other = restore(*args)
    version, lanecraft = half.__lanecraft__.version, half.__lanecraft__.lanecraft
    assert callable(other) and other.__name__ == args[0]
    with pytest.raises(RuntimeError) as caught:
        other(np.ones(3), out=None)
    assert str(caught.value) == (
        f"kernel_shapes.{args[0]} was pickled with kernel_shapes {args[1]} (Lanecraft {args[2]}); this process has kernel_shapes {version} "
        f"(Lanecraft {lanecraft}), which {why}; install one version in both"
    )
    assert repr(other) == f"<stand-in: {caught.value}>"
    # It goes on as it came.
    assert repr(pickle.loads(pickle.dumps(other))) == repr(other)
    assert other.__reduce__() == (restore, tuple(args))


def test_the_identity_is_that_of_the_interface() -> None:
    identities = {kernel.__reduce__()[1][3] for kernel in KERNELS}
    assert len(identities) == len(KERNELS)
    # FNV-1a, 64 bits, is the same everywhere and always.
    value = 0xCBF29CE484222325
    for byte in b'half ["x"] 1 [F32] [F32] []':
        value = (value ^ byte) * 0x100000001B3 % 2**64
    assert kernel_shapes.half.__reduce__()[1][3] == f"{value:016x}"


def test_dtypes() -> None:
    f4, f8, bf16 = np.dtype("f4"), np.dtype("f8"), np.dtype(ml_dtypes.bfloat16)
    assert kernel_shapes.half.dtypes == [((f4,), (f4,))]
    assert kernel_shapes.scaled.dtypes == [((a, b), (a,)) for a in (f4, f8) for b in (f4, f8)]
    assert kernel_shapes.cross.dtypes == [((f8, f8), (f8,))]
    assert kernel_shapes.powers.dtypes[-1] == ((f8,), (f8,))
    assert ((bf16,), (bf16,)) in kernel_shapes.same.dtypes
    for kernel in KERNELS:
        for inputs, outputs in kernel.dtypes:
            results = kernel(*[np.ones(3, dtype) for dtype in inputs])
            assert [r.dtype for r in (results if kernel.nout > 1 else [results])] == list(outputs)


def test_attributes_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        fastops.gelu.nin = 7
    with pytest.raises(TypeError):
        type(fastops.gelu)()


def test_variants_and_isa() -> None:
    rows = fastops.variants()
    levels = {row["level"] for row in rows}
    assert fastops.isa() in levels
    assert {"portable", fastops.isa()} <= levels <= {"portable", "sse2", "sse2-exact", "avx2", "avx512", "neon"}
    for kernel in KERNELS:
        mine = [row for row in rows if row["kernel"] == kernel.__name__]
        assert mine == kernel.variants
        assert {row["level"] for row in mine} == levels
        # The table and NumPy's list of loops are of the same dtypes, but for those of other packages, which NumPy does not list.
        mine = [row for row in mine if "bfloat16" not in row["inputs"] + row["outputs"]]
        table = {
            "".join(np.dtype(d).char for d in row["inputs"]) + "->" + "".join(np.dtype(d).char for d in row["outputs"]) for row in mine
        }
        assert table == set(kernel.types)
        assert len(mine) == len(table) * len(levels)
    assert fastops.leaky_relu.variants[0]["inputs"] == ("float16", "float16")


def test_every_row_can_be_called() -> None:
    for row in fastops.variants():
        if operator.attrgetter(row["kernel"])(fastops).signature is not None:
            continue
        values = {name: 3 if value is None else value for name, value in row.get("parameters", {}).items()}
        result = operator.attrgetter(row["kernel"])(fastops)(*[np.ones(3, dtype) for dtype in row["inputs"]], **values)
        assert result.dtype == row["outputs"][0]


def test_docs_of_the_functions() -> None:
    assert re.match(r"The CPU level in use", inspect.getdoc(fastops.isa) or "")
    assert str(inspect.signature(fastops.isa)) == "()" and str(inspect.signature(fastops.variants)) == "()"


@pytest.mark.parametrize("kernel", [kernel_shapes.powers, kernel_shapes.half, kernel_shapes.cross, fastops.mandelbrot], ids=repr)
def test_ufuncs_are_pickled_by_where_they_stand(kernel: Any) -> None:
    """dask puts them into its graphs. Under the kernel's own name there is another object."""
    ufuncs = list(kernel.ufuncs.values()) if kernel.ufuncs else [kernel.ufunc]
    assert len({ufunc.__name__ for ufunc in ufuncs}) == len(ufuncs)
    for ufunc in ufuncs:
        assert operator.attrgetter(ufunc.__name__)(sys.modules[kernel.__module__]) is ufunc
        assert pickle.loads(pickle.dumps(ufunc)) is ufunc
    assert not hasattr(kernel, "ufunc_99") and not hasattr(kernel_shapes.half, "ufunc_0")


def test_renamed() -> None:
    """tests/python/kernel_shapes/pybind-gen.toml."""
    twice, backwards = kernel_shapes.twice, kernel_shapes.elsewhere.backwards
    assert not hasattr(kernel_shapes, "inner") and kernel_shapes.elsewhere.__all__ == ["backwards"]
    assert sys.modules["kernel_shapes.elsewhere"] is kernel_shapes.elsewhere
    x = np.arange(5, dtype=np.float32)
    assert twice(x).tolist() == (2 * x).tolist() and backwards(x).tolist() == x[::-1].tolist()
    for kernel, path in ((twice, "twice"), (backwards, "elsewhere.backwards")):
        module, _, name = f"kernel_shapes.{path}".rpartition(".")
        assert (kernel.__module__, kernel.__name__, repr(kernel)[-len(path) - 2 :]) == (module, name, f"{path}'>")
        assert kernel.ufunc.__name__ == f"{name}.ufunc" and (kernel.__doc__ or "").startswith(f"{name}(x, /, ")
        assert pickle.loads(pickle.dumps(kernel)) is kernel and pickle.loads(pickle.dumps(kernel.ufunc)) is kernel.ufunc
        assert {row["kernel"] for row in kernel_shapes.variants() if path in row["kernel"]} == {path}
        with pytest.raises(TypeError, match=rf"^{name}\(\): "):
            kernel(np.ones(3, complex))
