"""Wheels of different versions of Lanecraft live in one process: `cargo xtask test --only versions` builds `attic` with 0.2.0."""

from __future__ import annotations

import pickle
from typing import Any

import attic
import kernel_shapes as k
import lanecraft
import numpy as np
import pytest

T = np.linspace(-5, 5, 1001, dtype=np.float32)


def module(name: str) -> Any:
    (found,) = [module for module in lanecraft.modules() if module.module == name]
    return found


def test_each_is_reported_by_name_and_version() -> None:
    mine, other = module("kernel_shapes"), module("attic")
    assert (mine.lanecraft, mine.protocol) == ("0.1.0", 2)
    assert (other.lanecraft, other.protocol) == ("0.2.0", 3)
    assert type(mine) is not type(other) and type(k.half) is not type(attic.logistic)
    assert repr(other) == f"<Lanecraft module 'attic' {attic.__version__}, built with Lanecraft 0.2.0>"
    said = {finding.what: finding for finding in lanecraft.doctor()}
    newer = said[f"attic {attic.__version__}, built with Lanecraft 0.2.0, speaks protocol 3, this package 2"]
    assert newer.fine and newer.do == "pip install --upgrade lanecraft, for all that it can do"
    assert f"kernel_shapes {k.__version__}, built with Lanecraft 0.1.0: CPU level {k.isa()}" in said
    assert f"attic {attic.__version__}, built with Lanecraft 0.2.0: CPU level {attic.isa()}" in said


def test_both_are_called_and_explained() -> None:
    want = 1 / (1 + np.exp(-2 * (T.astype(np.float64) - 0.5)))
    np.testing.assert_allclose(attic.logistic(T, 2.0, 0.5), want, rtol=1e-6)
    assert np.array_equal(k.half(attic.logistic(T, 2.0, 0.5)) * 2, attic.logistic(k.half(T) * 2, 2.0, 0.5))
    assert lanecraft.explain(attic.logistic, T, 2.0, 0.5).kernel == "attic.logistic"
    assert lanecraft.explain(k.half, T).kernel == "kernel_shapes.half"
    with pytest.raises(TypeError, match=r"logistic.* is no kernel of kernel_shapes$"):
        k.half.__lanecraft__.trace(attic.logistic, (T, 2.0, 0.5), {})


def test_each_has_its_memory() -> None:
    before = lanecraft.memory()
    result = attic.logistic(np.ones(1 << 20, np.float32), 2.0, 0.5)
    # What another has made may be written to and freed by anyone.
    assert k.half(result, out=result) is result
    after = lanecraft.memory()
    assert after["attic"]["in_use"] - before["attic"]["in_use"] >= result.nbytes
    assert after["kernel_shapes"]["in_use"] == before["kernel_shapes"]["in_use"]
    del result
    assert lanecraft.memory()["attic"]["in_use"] == before["attic"]["in_use"]


def test_debug_mode_covers_both() -> None:
    with lanecraft.debug(nan=True):
        with pytest.raises(FloatingPointError, match=r"^logistic\(\): .* gives a NaN"):
            attic.logistic(np.float32(np.inf), 1.0, np.float32(np.inf))
        with pytest.raises(OverflowError, match=r"^plus\(\): "):
            k.checks.plus(np.int32(2**31 - 1), np.int32(1))
    assert np.isnan(attic.logistic(np.float32(np.inf), 1.0, np.float32(np.inf)))


def test_pickles_name_the_version_that_they_need() -> None:
    assert pickle.loads(pickle.dumps(attic.logistic)) is attic.logistic
    assert b"0.2.0" in pickle.dumps(attic.logistic) and b"0.2.0" not in pickle.dumps(k.half)
