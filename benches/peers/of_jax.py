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


saxpy = waits(lambda a, x, y: a * x + y)
matmul = waits(jnp.matmul)


@waits
def quantize(x: jax.Array, scale: jax.Array) -> jax.Array:
    return jnp.clip(jnp.round(x / scale), -128, 127).astype(jnp.int8)


@waits
def mandelbrot(cx: jax.Array, cy: jax.Array) -> jax.Array:
    def step(n: jax.Array, state: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
        x, y, steps = state
        xx, yy = x * x, y * y
        inside = (xx + yy <= 4) & (steps == n)
        return jnp.where(inside, xx - yy + cx, x), jnp.where(inside, 2 * x * y + cy, y), steps + inside

    zeros = jnp.zeros_like(cx)
    return jax.lax.fori_loop(0, 256, step, (zeros, zeros, jnp.zeros(cx.shape, jnp.int32)))[2]


uniform = jax.jit(lambda key, n: jax.random.uniform(key, (n,), jnp.float64), static_argnums=1)


@waits
def normalize(x: jax.Array, mean: jax.Array, std: jax.Array) -> jax.Array:
    return (x / jnp.float32(255) - mean) / std


# In the formats of 16 bits, with f32 between load and store.
gelu_half = waits(lambda x: jax.nn.gelu(x.astype(jnp.float32), approximate=True).astype(x.dtype))
softmax_half = waits(lambda x: jax.nn.softmax(x.astype(jnp.float32), axis=-1).astype(x.dtype))


def top_k(x: jax.Array, k: int) -> Any:
    return jax.block_until_ready(largest(x, k))


largest = jax.jit(jax.lax.top_k, static_argnums=1)
