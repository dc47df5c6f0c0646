"""Tensors of torch go in, tensors come out, over the same memory."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import functions as f
import kernel_shapes as k
import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

DTYPES = [
    torch.bool,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.uint16,
    torch.uint32,
    torch.uint64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(8,), (3, 5), (), (2, 0), (300, 700)], ids=str)
def test_every_dtype(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    x = (torch.arange(torch.Size(shape).numel()).reshape(shape) % 100).to(dtype)
    y = k.same(x)
    assert type(y) is torch.Tensor and y.dtype == dtype and y.shape == x.shape
    assert torch.equal(y, x) and (x.numel() == 0 or y.data_ptr() != x.data_ptr())


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.T,
        lambda x: x[1:, 3:],
        lambda x: x[::2, ::3],
        lambda x: x[2],
        lambda x: x[:, :1].expand(-1, 4),
        lambda x: x.as_strided((3, 3), (1, 1), 2),
        lambda x: x.unsqueeze(1),
        lambda x: x[4, 2],
    ],
)
def test_layouts(view: Callable[[torch.Tensor], torch.Tensor]) -> None:
    x = view(torch.arange(63, dtype=torch.float32).reshape(9, 7))
    assert torch.equal(k.half(x), x / 2)


@pytest.mark.parametrize("n", [1, 8, 499, 500, 501, 5000])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_small_and_large(n: int, dtype: torch.dtype) -> None:
    """Small calls go to the kernel without NumPy, others by way of it: the results are alike."""
    a, b = torch.linspace(-3, 3, n, dtype=dtype), torch.linspace(2, -2, n, dtype=dtype)
    low, high = k.ends(a, b)
    assert torch.equal(low, torch.minimum(a, b)) and torch.equal(high, torch.maximum(a, b))
    assert torch.equal(k.scaled(a, b), a * b) and torch.equal(k.same(a), a)
    assert k.split(a)[1].dtype == torch.bool and torch.equal(k.split(a)[1], a < 0)
    square = a[: n // 2 * 2].reshape(2, -1)
    assert torch.equal(k.same(square), square) and (n == 1 or k.same(square).stride() == square.stride())
    # Python numbers, and somewhere to write: apart, in place, on a part of an input.
    assert torch.equal(k.scaled(a, 3), a * 3) and torch.equal(k.ends(a, 0.1)[0], a.clamp(max=0.1))
    # Of the variants for these tensors NumPy takes the first, in which the number is a float32.
    assert torch.equal(k.scaled(a, 0.1), a * torch.tensor(0.1).to(dtype))
    assert torch.equal(k.ends(0.5, a)[0], a.clamp(max=0.5)) and torch.equal(k.scaled(a, float("inf")), a * float("inf"))
    out = torch.zeros_like(a)
    version = out._version
    assert k.scaled(a, b, out=out) is out and torch.equal(out, a * b) and out._version == version + 1
    assert k.scaled(a, 0.25, out=out) is out and torch.equal(out, a * 0.25)
    copy, base = a.clone(), torch.cat([a, a])
    assert torch.equal(k.scaled(copy, b, out=copy), a * b)
    assert torch.equal(k.scaled(base[:n], b, out=base[n // 2 : n // 2 + n]), a * b)
    wide = torch.zeros(n, dtype=torch.float64)
    assert torch.equal(k.scaled(a, 2.0, out=wide), (a * 2).to(torch.float64))
    # Not side by side, of two shapes, of two dtypes, a number: the long way, however small.
    assert torch.equal(k.ends(a.flip(0), b[:1])[0], torch.minimum(a.flip(0), b[:1]))
    assert torch.equal(k.ends(a[::2], 0.5)[1], a[::2].clamp(min=0.5))
    ints = torch.arange(n, dtype=torch.int32)
    assert torch.equal(k.same(ints), ints) and torch.equal(k.quotient(ints, 3), ints // 3)
    assert k.quotient(ints, 2.5, casting="unsafe", dtype=torch.int32).dtype == torch.int32
    with pytest.raises(ZeroDivisionError, match=r"at index \[0\]"):
        k.quotient(ints, ints, out=torch.zeros_like(ints))
    assert torch.equal(k.scaled(a, b.to(torch.float32)), a * b.to(torch.float32).to(dtype))


def test_nothing_is_copied() -> None:
    """An output that is a view of the input's memory: NumPy sees that they overlap, so both are views of one memory."""
    base = torch.arange(20, dtype=torch.float32)
    want = base[:10].clone() / 2
    assert torch.equal(k.half(base[:10], out=base[5:15]), want)
    assert base[5:15].tolist() == want.tolist() and base[:5].tolist() == [0, 1, 2, 3, 4]
    in_place = torch.ones(4)
    pointer = in_place.data_ptr()
    assert k.half(in_place, out=in_place) is in_place and in_place.data_ptr() == pointer and in_place.tolist() == [0.5] * 4


def test_results_are_not_copied() -> None:
    """Their memory stays in use as long as torch's tensor lives."""
    memory = k.half.__lanecraft__.memory
    before = memory()["in_use"]
    y = k.half(torch.ones(1_000_000))
    assert (y == 0.5).all() and y.data_ptr() % 64 == 0
    assert memory()["in_use"] >= before + 4_000_000
    part = y[5:10]
    del y
    assert memory()["in_use"] >= before + 4_000_000 and part.tolist() == [0.5] * 5
    del part
    assert memory()["in_use"] == before


def test_outputs_where_and_dtype() -> None:
    x = torch.arange(6, dtype=torch.float32)
    out = torch.zeros(6)
    assert k.half(x, out) is out and k.half(x, out=(out,)) is out
    low, high = k.ends(x, 2.5, out=(None, out))
    assert high is out and torch.equal(high, x.clamp(min=2.5)) and torch.equal(low, x.clamp(max=2.5))
    out = torch.full((6,), 9.0)
    assert k.half(x, where=x > 2, out=out).tolist() == [9, 9, 9, 1.5, 2, 2.5]
    wide = k.same(x, dtype=torch.float64)
    assert wide.dtype == torch.float64
    assert k.same(x, dtype="float64").dtype == torch.float64
    assert k.powers(x.double(), degree=3, negate=True).tolist() == [-(v + v**2 + v**3) for v in range(6)]
    quotients, total = k.quotients(torch.tensor([[4, 9]], dtype=torch.int32), torch.tensor([2, 3], dtype=torch.int32))
    assert quotients.tolist() == [[2, 3]] and total.tolist() == [5]


def test_results_are_torch_s_own() -> None:
    """Written to, resized, put on a graph, and freed by torch."""
    y = k.half(torch.ones(1000))
    y += 1
    y.requires_grad_()
    (y * 2).sum().backward()
    assert y.grad is not None and (y.grad == 2).all()
    pieces = [k.half(torch.full((1000,), float(n))) for n in range(50)]
    gc.collect()
    assert [p[0].item() for p in pieces] == [n / 2 for n in range(50)]


def grad() -> torch.Tensor:
    return torch.ones(3, requires_grad=True)


def test_gradients() -> None:
    with torch.no_grad():
        assert not k.half(grad()).requires_grad
    with torch.inference_mode():
        assert k.half(torch.ones(3)).tolist() == [0.5] * 3
    assert k.half(torch.nn.Parameter(torch.ones(3), requires_grad=False)).tolist() == [0.5] * 3
    assert k.half(grad().detach()).tolist() == [0.5] * 3


GRAD = "half(): argument '{}' is a tensor that requires grad, and kernels have no gradient; accepted: x.detach(), or the call under torch.no_grad()"
BOTH = "ends(): arrays of two libraries came: argument '{}' is of numpy, another one of torch; accepted: arrays of one library, and Python numbers beside them"

MESSAGES: list[tuple[Callable[[], Any], str]] = [
    (lambda: k.half(grad()), GRAD.format("x")),
    (lambda: k.half(torch.nn.Parameter(torch.ones(3))), GRAD.format("x")),
    (lambda: k.half(torch.ones(3), out=grad()), GRAD.format("out")),
    (
        lambda: k.half(torch.tensor([1 + 2j]).conj().imag),
        "half(): argument 'x' is a tensor that is negated lazily; accepted: x.resolve_neg()",
    ),
    (
        lambda: k.half(torch.tensor([1 + 2j]).conj()),
        "half(): argument 'x' is an array of dtype complex64; accepted: float32, and what casts to it safely",
    ),
    (
        lambda: k.half(torch.eye(3).to_sparse()),
        "half(): argument 'x' is a tensor of layout torch.sparse_coo; accepted: dense tensors (x.to_dense())",
    ),
    (lambda: k.half(torch.ones(3, device="meta")), "half(): argument 'x' is on device meta; accepted: arrays in CPU memory"),
    (
        lambda: k.half(torch.ones(3).to(torch.float8_e4m3fn)),
        "half(): argument 'x' is of a dtype that NumPy lacks (DLPack's code 10, 8 bits, 1 lanes); accepted: bool, integers and floats",
    ),
    (
        lambda: k.half(torch.ones(3, dtype=torch.float64)),
        "half(): argument 'x' is an array of dtype float64; accepted: float32, and what casts to it safely",
    ),
    (lambda: k.ends(torch.ones(3), np.ones(3)), BOTH.format("b")),
    (lambda: k.ends(np.ones(3), torch.ones(3)), BOTH.format("a")),
    (lambda: k.ends(torch.ones(3), 2.0, out=(np.ones(3), None)), BOTH.format("out[0]")),
]


@pytest.mark.parametrize(("call", "message"), MESSAGES, ids=[m[:70] for _, m in MESSAGES])
def test_message(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
def test_fake_tensors_have_no_memory() -> None:
    with FakeTensorMode(), pytest.raises(TypeError, match="has no memory"):
        k.half(torch.ones(3))


def test_frozen_memory_is_never_written() -> None:
    """pytorch#5442: torch knows no read-only memory; we write to outputs alone."""
    frozen = np.ones(4, np.float32)
    frozen.setflags(write=False)
    x = torch.from_dlpack(frozen)
    assert k.half(x).tolist() == [0.5] * 4 and k.ends(x, 3)[0].tolist() == [1] * 4
    assert frozen.tolist() == [1] * 4


def test_shapes_and_faults() -> None:
    with pytest.raises(ValueError, match=r"argument 'b' has shape \(4,\), which does not broadcast with \(3,\)"):
        k.ends(torch.ones(3), torch.ones(4))
    a = torch.ones(4, dtype=torch.int32)
    with pytest.raises(ZeroDivisionError, match=r"at index \[2\] of shape \[4\]"):
        k.quotient(a, torch.tensor([1, 1, 0, 1], dtype=torch.int32))


def test_nothing_leaks() -> None:
    import resource

    x = torch.ones(2000)

    def work(n: int) -> None:
        for _ in range(n):
            k.half(x)
            k.half(x, out=x)
            with pytest.raises(TypeError):
                k.half(x, 1, 2)

    work(500)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(10_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096


def test_ordinary_functions() -> None:
    x, y = torch.arange(4, dtype=torch.float64), torch.ones(4, dtype=torch.float64)
    assert f.weighted(x) == 6.0 and f.weighted(x[::2]) == 2.0 and f.weighted(x, y) == 6.0
    assert f.sum3(torch.arange(24, dtype=torch.int32).reshape(2, 3, 4).permute(2, 0, 1)) == 276
    version = y._version
    f.add_to(y, x)
    assert y.tolist() == [1, 2, 3, 4] and y._version > version
    bf = torch.tensor([1, -0.5], dtype=torch.bfloat16)
    minus = f.negated(bf, bf.clone())
    assert minus.tolist() == [-1, 0.5]
    leaf = torch.ones(4, dtype=torch.float64, requires_grad=True)
    with pytest.raises(TypeError, match=r"weighted\(\): argument 'x' is a tensor that requires grad"):
        f.weighted(leaf)
    assert f.weighted(leaf.detach()) == 4.0
    # Tensors over the same memory are objects of their own.
    for a, b in [(y, y), (y[1:], y[:3]), (y.numpy(), y), (y, y.numpy())]:
        with pytest.raises(ValueError, match=r"add_to\(\): argument 'y' is written to"):
            f.add_to(a, b)
    f.add_to(y[:2], y[2:])
    assert y.tolist() == [4, 6, 3, 4]
