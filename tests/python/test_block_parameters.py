"""Block kernels with compile-time parameters, and writes at indices that are not shown to differ."""

from __future__ import annotations

import inspect

import kernel_shapes
import numpy as np
import pytest


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("radius", [1, 3])
@pytest.mark.parametrize("mean", [True, False])
def test_neighbours(dtype: str, radius: int, mean: bool, rng: np.random.Generator) -> None:
    for n in [1, 15, 16, 17, 4097]:
        x = rng.integers(-50, 50, (3, n)).astype(dtype)
        padded = np.pad(x, ((0, 0), (radius, radius)), mode="edge")
        want = sum(padded[:, k : k + n] for k in range(2 * radius + 1))
        if mean:
            want = want / np.array(2 * radius + 1, dtype)
        got = kernel_shapes.neighbours(x, radius=radius, MEAN=mean)
        assert got.dtype == x.dtype
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(kernel_shapes.neighbours(x.T, radius=radius, MEAN=mean, axis=0), want.T)


def test_what_python_sees() -> None:
    kernel = kernel_shapes.neighbours
    assert str(inspect.signature(kernel)) == "(x, /, out=None, *, MEAN, radius, **kwargs)"
    assert kernel.parameters == {"MEAN": (True, False), "radius": (1, 3)}
    assert sorted(kernel.ufuncs) == [(False, 1), (False, 3), (True, 1), (True, 3)]
    assert kernel.ufuncs[True, 3].signature == kernel.signature == "(n)->(n)"
    assert "    radius: 1, 3\n" in (kernel.__doc__ or "")
    assert "For MEAN=True, radius=3." in (kernel.ufuncs[True, 3].__doc__ or "")
    rows = {(row["inputs"], row["parameters"]["MEAN"], row["parameters"]["radius"]) for row in kernel.variants}
    assert len(rows) == 8
    with pytest.raises(AttributeError, match=r"kernel_shapes.neighbours has no attribute 'ufunc', .*use `neighbours.ufuncs`"):
        kernel.ufunc  # noqa: B018


def test_errors() -> None:
    x = np.zeros(4)
    with pytest.raises(TypeError, match=r"kernel_shapes.neighbours: parameter `radius` is missing; accepted are 1, 3"):
        kernel_shapes.neighbours(x, MEAN=True)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=r"parameter `radius` came as 2; accepted are 1, 3"):
        kernel_shapes.neighbours(x, radius=2, MEAN=True)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"parameter `MEAN` came as 'yes' of type str; accepted are True, False"):
        kernel_shapes.neighbours(x, radius=1, MEAN="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_scattered(dtype: str, rng: np.random.Generator) -> None:
    for n in [0, 1, 15, 16, 17, 4097]:
        x = rng.integers(-99, 99, (2, n)).astype(dtype)
        order = np.stack([rng.permutation(n), rng.permutation(n)])
        bins = rng.integers(0, 5, (2, n)).astype(np.uint8)
        want, want_last = np.empty_like(x), np.zeros((2, 5), dtype)
        for r in range(2):
            want[r, order[r]] = x[r]
            # NumPy assigns in order, too.
            want_last[r, bins[r]] = x[r]
        got, last = np.empty_like(x), np.ones((2, 5), dtype)
        kernel_shapes.scattered(x, order, bins, out=(got, last))
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(last, want_last)
    with pytest.raises(IndexError, match=r"scattered\(\): index \[-1\] of argument 'y' is out of range for shape \[3\]"):
        kernel_shapes.scattered(x[0, :3], np.array([0, 1, -1]), bins[0, :3], out=(got[0, :3], last[0]))
