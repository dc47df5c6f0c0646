"""Kernels against the functions of torch that they are the same as, on the same memory."""

from __future__ import annotations

import fastops
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

# torch rounds each step of these to the dtype of the arrays or sums in another order: a few units of the last place.
TOLERANCE = {"float32": 3e-6, "float64": 2e-14}
DTYPES = list(TOLERANCE)


def close(ours: NDArray[np.floating], theirs: torch.Tensor) -> None:
    assert ours.dtype == theirs.numpy().dtype
    bound = TOLERANCE[ours.dtype.name]
    np.testing.assert_allclose(ours, theirs.numpy(), rtol=bound, atol=bound)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 15, 16, 17, 1000, 4097])
def test_rows(dtype: str, n: int, rng: np.random.Generator) -> None:
    x = (rng.standard_normal((5, n)) * 4).astype(dtype)
    gamma, beta = rng.standard_normal((2, n)).astype(dtype)
    t, g, b = (torch.from_numpy(array) for array in (x, gamma, beta))
    close(fastops.softmax(x), torch.softmax(t, -1))
    close(fastops.log_softmax(x), torch.log_softmax(t, -1))
    close(fastops.layernorm(x, gamma, beta, 1e-5), torch.nn.functional.layer_norm(t, (n,), g, b, 1e-5))
    close(fastops.rmsnorm(x, gamma, 1e-5), torch.nn.functional.rms_norm(t, (n,), g, 1e-5))
    np.testing.assert_array_equal(fastops.argmax(x), torch.argmax(t, -1).numpy())


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements(dtype: str, rng: np.random.Generator) -> None:
    x = (rng.standard_normal(10_000) * 3).astype(dtype)
    t = torch.from_numpy(x)
    close(fastops.gelu(x), torch.nn.functional.gelu(t, approximate="tanh"))
    close(fastops.sigmoid(x), torch.sigmoid(t))
    close(fastops.math.erf(x), torch.erf(t))
    close(fastops.math.tanh(x), torch.tanh(t))


@pytest.mark.parametrize("dtype", DTYPES)
def test_losses(dtype: str, rng: np.random.Generator) -> None:
    logits = rng.standard_normal((64, 10)).astype(dtype)
    labels = rng.integers(0, 10, 64)
    theirs = torch.nn.functional.cross_entropy(torch.from_numpy(logits), torch.from_numpy(labels), reduction="none")
    close(fastops.cross_entropy(logits, labels), theirs)
