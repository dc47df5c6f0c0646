"""What a JAX user writes; each call waits for its result."""

from typing import Any

import jax
import jax.numpy as jnp


def waits(f: Any) -> Any:
    compiled = jax.jit(f)
    return lambda *args: compiled(*args).block_until_ready()


softmax = waits(lambda x: jax.nn.softmax(x, axis=-1))
exp = waits(jnp.exp)
gelu = waits(lambda x: jax.nn.gelu(x, approximate=True))
total = waits(jnp.sum)


@waits
def layernorm(x: jax.Array, gamma: jax.Array, beta: jax.Array) -> jax.Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5) * gamma + beta


@waits
def jacobi(x: jax.Array) -> jax.Array:
    p = jnp.pad(x, 1, mode="edge")
    return 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])


@waits
def hwc_to_chw(img: jax.Array, mean: jax.Array, std: jax.Array) -> jax.Array:
    return (img.transpose(0, 3, 1, 2) / jnp.float32(255) - mean[:, None, None]) / std[:, None, None]
