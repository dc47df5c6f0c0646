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


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 15, 16, 17, 4095, 4096, 4097])
def test_reductions(dtype: str, n: int, rng: np.random.Generator) -> None:
    x = rng.standard_normal((5, n)).astype(dtype)
    t = torch.from_numpy(x)
    var, mean = torch.var_mean(t, -1, correction=0)
    bound = 20 * TOLERANCE[dtype]
    for ours, theirs in zip((fastops.sum(x), *fastops.mean_var(x)), (t.sum(-1), mean, var), strict=True):
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=bound, atol=bound * n**0.5)
    whole = rng.integers(-99, 99, (5, n))
    np.testing.assert_array_equal(fastops.cumsum(whole), torch.cumsum(torch.from_numpy(whole), -1).numpy())
    k = min(n, 9)
    values, indices = np.empty((5, k), dtype), np.empty((5, k), np.int64)
    fastops.top_k(x, out=(values, indices))
    theirs = torch.topk(t, k, -1)
    np.testing.assert_array_equal(values, theirs.values.numpy())
    np.testing.assert_array_equal(indices, theirs.indices.numpy())
    pixels = rng.integers(0, 256, n, dtype=np.uint8)
    counts = fastops.histogram(pixels, out=np.empty(256, np.int64))
    np.testing.assert_array_equal(counts, torch.bincount(torch.from_numpy(pixels), minlength=256).numpy())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (15, 16, 17), (2, 4095, 3), (3, 2, 4096), (4097, 3, 2)])
def test_matrices(dtype: str, m: int, k: int, n: int, rng: np.random.Generator) -> None:
    a, b = rng.standard_normal((2, m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
    bound = 2 * TOLERANCE[dtype] * k**0.5
    np.testing.assert_allclose(fastops.matmul(a, b), (torch.from_numpy(a) @ torch.from_numpy(b)).numpy(), rtol=bound, atol=bound)
    np.testing.assert_array_equal(fastops.transpose(a), torch.from_numpy(a).transpose(1, 2).numpy())


@pytest.mark.parametrize("size", [(20, 37), (15, 16), (1, 1), (63, 100), (3, 4097)])
def test_images(size: tuple[int, int], rng: np.random.Generator) -> None:
    image = rng.integers(0, 256, (2, 20, 37, 3), dtype=np.uint8)
    mean, std = rng.random(3, np.float32), 0.5 + rng.random(3, np.float32)
    pixels = torch.from_numpy(image).permute(0, 3, 1, 2).float()

    def normalized(pixels: torch.Tensor) -> NDArray[np.floating]:
        result: NDArray[np.floating] = (
            (pixels / 255 - torch.from_numpy(mean)[:, None, None]) / torch.from_numpy(std)[:, None, None]
        ).numpy()
        return result

    resized = torch.nn.functional.interpolate(pixels, size, mode="bilinear", align_corners=False)
    ours = fastops.resize_bilinear(image, out=np.empty((2, *size, 3), np.float32))
    np.testing.assert_allclose(ours, resized.permute(0, 2, 3, 1).numpy(), rtol=1e-4, atol=2e-2)
    planes = fastops.resize_normalize(image, mean, std, out=np.empty((2, 3, *size), np.float32))
    np.testing.assert_allclose(planes, normalized(resized), rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(fastops.hwc_u8_to_chw_f32(image, mean, std), normalized(pixels), rtol=2e-5, atol=2e-5)
