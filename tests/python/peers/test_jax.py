"""Arrays of JAX go in, arrays of JAX come out, over the same memory where JAX takes it."""

from __future__ import annotations

import gc

import jax
import jax.numpy as jnp
import kernel_shapes as k
import ml_dtypes
import numpy as np
import pytest
import torch

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(8,), (3, 5), (), (2, 0)], ids=str)
def test_every_dtype(dtype: str, shape: tuple[int, ...]) -> None:
    x = (jnp.arange(np.prod(shape, dtype=int)).reshape(shape) % 50).astype(dtype)
    y = k.same(x)
    assert isinstance(y, jax.Array) and y.dtype == x.dtype and y.shape == x.shape and (y == x).all()


def test_results_are_not_copied() -> None:
    """JAX copies what is not aligned to 64 bytes; our results are. Their memory stays in use as long as JAX's array lives."""
    memory = k.half.__lanecraft__.memory
    before = memory()["in_use"]
    x = jnp.ones(1_000_000, jnp.float32)
    y = k.half(x)
    assert (y == 0.5).all() and y.unsafe_buffer_pointer() % 64 == 0
    assert memory()["in_use"] >= before + 4_000_000
    del y
    gc.collect()
    assert memory()["in_use"] == before


def test_numbers_and_block_kernels() -> None:
    x = jnp.arange(6.0)
    low, high = k.ends(x, 2.5)
    assert (low == jnp.minimum(x, 2.5)).all() and (high == jnp.maximum(x, 2.5)).all()
    quotients, total = k.quotients(jnp.array([[4, 9]], jnp.int32), jnp.array([2, 3], jnp.int32))
    assert quotients.tolist() == [[2, 3]] and total.tolist() == [5]
    assert k.same(jnp.ones(3, jnp.bfloat16)).dtype == ml_dtypes.bfloat16


def test_arrays_of_jax_never_change() -> None:
    x = jnp.ones(3, jnp.float32)
    with pytest.raises(TypeError) as caught:
        k.half(x, out=x)
    assert str(caught.value) == "half(): argument 'out' is an array of jax, whose arrays never change; accepted: no output, or None"
    assert x.tolist() == [1, 1, 1]


def test_two_libraries() -> None:
    with pytest.raises(TypeError, match="argument 'b' is of torch, another one of jax"):
        k.ends(jnp.ones(3), torch.ones(3))


def test_traced_calls_are_refused() -> None:
    with pytest.raises(jax.errors.TracerArrayConversionError):
        jax.jit(k.half)(jnp.ones(3, jnp.float32))


def test_results_outlive_their_inputs() -> None:
    pieces = [k.half(jnp.full((1000,), float(n), jnp.float32)) for n in range(50)]
    assert [float(p[0]) for p in pieces] == [n / 2 for n in range(50)]
