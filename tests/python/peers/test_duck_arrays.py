"""dask, xarray and pandas: they call the kernel's ufunc on what they hold, and wrap the results."""

from __future__ import annotations

import pickle
from typing import Any

import dask
import dask.array as da
import kernel_shapes as k
import numpy as np
import pandas as pd
import pytest
import xarray as xr

X = np.arange(60, dtype=np.float32).reshape(6, 10)
LAZY = da.from_array(X, chunks=(2, 5))


def test_dask_stays_lazy() -> None:
    with dask.config.set(scheduler=lambda *_, **__: pytest.fail("computed")):
        y = k.half(LAZY)
        low, high = k.ends(LAZY, 30.0)
        chained = k.half(k.half(LAZY) + 1)
    assert isinstance(y, da.Array) and (y.dtype, y.shape, y.chunks) == (np.float32, X.shape, LAZY.chunks)
    assert np.array_equal(y.compute(), X / 2)
    assert np.array_equal(low.compute(), np.minimum(X, 30)) and np.array_equal(high.compute(), np.maximum(X, 30))
    assert np.array_equal(chained.compute(), (X / 2 + 1) / 2)


@pytest.mark.parametrize("scheduler", ["synchronous", "threads", "processes"])
def test_dask_schedulers(scheduler: str) -> None:
    """Over processes the kernel is pickled."""
    ints = da.from_array(np.arange(1, 41, dtype=np.int32), chunks=10)
    with dask.config.set(scheduler=scheduler, num_workers=2):
        assert np.array_equal(k.half(LAZY).compute(), X / 2)
        assert np.array_equal(LAZY.map_blocks(k.half, dtype=np.float32).compute(), X / 2)
        # An error of a kernel reaches the one who asked as what it is, and does not hang.
        with pytest.raises(ZeroDivisionError, match=r"quotient\(\): integer division by zero"):
            k.quotient(ints, ints - 20).compute()
        with pytest.raises(RuntimeError, match=r"panicking\(\): the kernel panicked"):
            k.panicking(da.ones(3)).compute()


def test_dask_gufuncs() -> None:
    """dask#5097, dask#7668: dask finds dtypes by calling with axes of one element, which a fixed size does not take."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 8, 3))
    lazy = k.cross(da.from_array(a, chunks=(4, 3)), da.from_array(b, chunks=(4, 3)))
    assert isinstance(lazy, da.Array) and lazy.dtype == np.float64 and lazy.shape == (8, 3)
    np.testing.assert_allclose(lazy.compute(), np.cross(a, b))
    ints = rng.integers(1, 9, (2, 6, 5)).astype(np.int32)
    first, second = (da.from_array(x, chunks=(2, 5)) for x in ints)
    quotients, total = k.quotients(first, second)
    assert (quotients.shape, total.shape, total.dtype) == ((6, 5), (6,), np.int32)
    assert np.array_equal(quotients.compute(), ints[0] // ints[1])
    assert np.array_equal(total.compute(), (ints[0] // ints[1]).sum(-1))
    applied = da.apply_gufunc(k.cross, k.cross.signature, da.from_array(a, chunks=(8, 3)), b, output_dtypes=float)
    np.testing.assert_allclose(applied.compute(), np.cross(a, b))


def test_dask_hands_out_misaligned_and_read_only_chunks() -> None:
    buffer = np.zeros(X.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(X.shape)
    buffer[:] = X
    buffer.flags.writeable = False
    assert not buffer.flags.aligned
    assert np.array_equal(k.half(da.from_array(buffer, chunks=4, asarray=False)).compute(), X / 2)


def test_xarray() -> None:
    x = xr.DataArray(X, dims=("row", "column"), coords={"row": np.arange(6) * 10}, name="x", attrs={"unit": "m"})
    y = k.half(x)
    assert isinstance(y, xr.DataArray) and y.dims == x.dims and y.dtype == np.float32
    assert np.array_equal(y.values, X / 2) and y.row.values.tolist() == [0, 10, 20, 30, 40, 50]
    low, high = xr.apply_ufunc(k.ends, x, x[0], output_core_dims=[[], []])
    assert np.array_equal(low.values, np.minimum(X, X[0])) and high.dims == ("row", "column")
    lazy = xr.apply_ufunc(k.half, x.chunk(row=2), dask="parallelized", output_dtypes=[np.float32])
    assert isinstance(lazy.data, da.Array) and np.array_equal(lazy.values, X / 2)
    assert isinstance(k.half(x.chunk(row=3)).data, da.Array)
    dataset = xr.Dataset({"a": x, "b": x + 1})
    assert np.array_equal(k.half(dataset)["b"].values, (X + 1) / 2)


def test_pandas() -> None:
    series = pd.Series(X[0], index=list("abcdefghij"), name="x")
    half = k.half(series)
    assert isinstance(half, pd.Series) and half.index.equals(series.index) and half.name == "x"
    assert half.tolist() == (X[0] / 2).tolist() and half.dtype == np.float32
    low, high = k.ends(series, 4.0)
    assert low.tolist() == np.minimum(X[0], 4).tolist() and isinstance(high, pd.Series)
    frame = pd.DataFrame(X, columns=list("abcdefghij"))
    halves = k.half(frame)
    assert isinstance(halves, pd.DataFrame) and np.array_equal(halves.to_numpy(), X / 2) and list(halves) == list(frame)
    # Aligned by index, as pandas does for NumPy's own ufuncs.
    turned = pd.Series(X[0][::-1], index=list("jihgfedcba"))
    assert k.ends(series, turned)[0].sort_index().tolist() == X[0].tolist()
    assert k.same(pd.array([1, 2, 3], dtype="int64")).tolist() == [1, 2, 3]


@pytest.mark.parametrize("kernel", [k.half, k.cross, k.powers], ids=lambda kernel: str(kernel.__name__))
def test_graphs_can_be_pickled(kernel: Any) -> None:
    lazy = da.ones(3, chunks=3).map_blocks(kernel, dtype=float)
    assert pickle.loads(pickle.dumps(lazy)).name == lazy.name
