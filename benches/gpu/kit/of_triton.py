"""The rows in Triton. With TRITON_INTERPRET=1 they run on the CPU too, and so their results are tested without a GPU."""

# Triton's own dialect of Python: names in capitals are compile-time constants, and arguments have no types.
from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl


@triton.jit
def _axpy(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, 2.0 * tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


def axpy(x: Any, y: Any) -> Any:
    out = torch.empty_like(x)
    _axpy[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
    return out


@triton.jit
def _gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, at < n).to(tl.float32)
    # 0.5 * (1 + tanh(u)) is the sigmoid of 2 * u.
    found = v * tl.sigmoid(1.5957691216 * (v + 0.044715 * v * v * v))
    tl.store(out + at, found.to(out.dtype.element_ty), at < n)


def gelu(x: Any) -> Any:
    out = torch.empty_like(x)
    _gelu[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
    return out


@triton.jit
def _softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row + at, at < n, -float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row + at, (e / tl.sum(e, 0)).to(out.dtype.element_ty), at < n)


def softmax(x: Any) -> Any:
    out = torch.empty_like(x)
    _softmax[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=8)
    return out


@triton.jit
def _layernorm(x, gamma, beta, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row + at, at < n, 0.0)
    mean = tl.sum(v, 0) / n
    d = tl.where(at < n, v - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    tl.store(out + row + at, d * scale * tl.load(gamma + at, at < n) + tl.load(beta + at, at < n), at < n)


def layernorm(x: Any, gamma: Any, beta: Any) -> Any:
    out = torch.empty_like(x)
    _layernorm[(x.shape[0],)](x, gamma, beta, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=8)
    return out


@triton.jit
def _sum(x, out, n, total, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0), tl.sum(tl.load(x + row + at, (at < n) & (row + at < total), 0.0), 0))


def sum_rows(x: Any) -> Any:
    out = torch.empty(x.shape[0], device=x.device)
    _sum[(x.shape[0],)](x, out, x.shape[1], x.numel(), BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=8)
    return out


def sum_all(x: Any) -> Any:
    """Parts of 8192 elements, and then their sums in the same way."""
    parts = x.reshape(-1)
    while parts.numel() > 1:
        count = triton.cdiv(parts.numel(), 8192)
        out = torch.empty(count, device=x.device)
        _sum[(count,)](parts, out, 8192, parts.numel(), BLOCK=8192, num_warps=8)
        parts = out
    return parts


@triton.jit
def _histogram(x, counts, n, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * BLOCK
    at = start + tl.arange(0, BLOCK)
    found = tl.histogram(tl.load(x + at, at < n, 0).to(tl.int32), 256)
    # What is behind the end was counted as zeros.
    bins = tl.arange(0, 256)
    beyond = tl.maximum(start + BLOCK - n, 0)
    tl.atomic_add(counts + bins, found.to(tl.int64) - tl.where(bins == 0, beyond, 0))


def histogram(x: Any) -> Any:
    counts = torch.zeros(256, dtype=torch.int64, device=x.device)
    _histogram[(triton.cdiv(x.numel(), 8192),)](x, counts, x.numel(), BLOCK=8192)
    return counts


@triton.jit
def _resize(images, mean, std, out, height, width, SIZE: tl.constexpr, BLOCK: tl.constexpr):
    image = tl.program_id(1).to(tl.int64)
    c = tl.program_id(2)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < SIZE * SIZE
    y = tl.maximum(((at // SIZE).to(tl.float32) + 0.5) * (height / SIZE) - 0.5, 0.0)
    x = tl.maximum(((at % SIZE).to(tl.float32) + 0.5) * (width / SIZE) - 0.5, 0.0)
    y0 = y.to(tl.int32)
    x0 = x.to(tl.int32)
    y1 = tl.minimum(y0 + 1, height - 1)
    x1 = tl.minimum(x0 + 1, width - 1)
    base = images + image * height * width * 3 + c
    a = tl.load(base + (y0 * width + x0) * 3, inside).to(tl.float32)
    b = tl.load(base + (y0 * width + x1) * 3, inside).to(tl.float32)
    d = tl.load(base + (y1 * width + x0) * 3, inside).to(tl.float32)
    e = tl.load(base + (y1 * width + x1) * 3, inside).to(tl.float32)
    right = x - x0.to(tl.float32)
    top = a + (b - a) * right
    bottom = d + (e - d) * right
    pixel = top + (bottom - top) * (y - y0.to(tl.float32))
    found = (pixel / 255 - tl.load(mean + c)) / tl.load(std + c)
    tl.store(out + (image * 3 + c) * SIZE * SIZE + at, found, inside)


def resize_normalize(images: Any, mean: Any, std: Any) -> Any:
    count, height, width, _ = images.shape
    out = torch.empty((count, 3, 224, 224), device=images.device)
    _resize[(triton.cdiv(224 * 224, 512), count, 3)](images, mean, std, out, height, width, SIZE=224, BLOCK=512)
    return out
