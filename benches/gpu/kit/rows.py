"""What is timed: rows, each with its inputs, our call, and torch's, Triton's and CuPy's that compute the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: One function of the inputs, for each way to compute the row; None where that way has none.
Call = Callable[..., Any]

#: Ways to compute a row, in the order of the table.
OURS, EAGER, INDUCTOR, TRITON, CUPY = "lanecraft", "torch eager", "inductor", "triton", "cupy"
WAYS = (OURS, EAGER, INDUCTOR, TRITON, CUPY)


@dataclass(frozen=True)
class Tools:
    """Where inputs are made: torch, our module, a device, and about how many elements an input has."""

    torch: Any
    module: Any
    kind: str
    elements: int

    def normal(self, *shape: int, dtype: str = "float32") -> Any:
        """Random numbers."""
        return self.torch.randn(*shape, device=self.kind, dtype=self.torch.float32).to(getattr(self.torch, dtype))

    def bytes(self, *shape: int) -> Any:
        """Random bytes."""
        return self.torch.randint(0, 256, shape, device=self.kind, dtype=self.torch.uint8)

    def matrix(self, dtype: str) -> Any:
        """Rows of 8192."""
        columns = min(8192, max(self.elements // 4, 1))
        return self.normal(max(self.elements // columns, 1), columns, dtype=dtype)


@dataclass(frozen=True)
class Row:
    """A row of the table. `tolerance`: how far results of others may lie from ours, in parts of the largest."""

    name: str
    inputs: Callable[[Tools], tuple[Any, ...]]
    ours: Callable[[Tools], Call]
    eager: Callable[[Any], Call]
    tolerance: float
    triton: str | None = None
    cupy: str | None = None

    def moves(self, inputs: tuple[Any, ...], result: Any) -> int:
        """Bytes that have to be read and written: each input once, and the result once."""
        return sum(one.numel() * one.element_size() for one in (*inputs, result))


def _like(dtype: str, count: int = 1) -> Callable[[Tools], tuple[Any, ...]]:
    return lambda tools: tuple(tools.normal(tools.elements, dtype=dtype) for _ in range(count))


def _layernorm_inputs(tools: Tools) -> tuple[Any, ...]:
    x = tools.matrix("float32")
    return x, tools.normal(x.shape[1]), tools.normal(x.shape[1])


def _histogram(tools: Tools) -> Call:
    def ours(x: Any) -> Any:
        counts = tools.torch.empty(256, dtype=tools.torch.int64, device=x.device)
        return tools.module.histogram(x, out=counts)

    return ours


def _images(tools: Tools) -> tuple[Any, ...]:
    """Photographs of 1080 x 1920 pixels, as many as there are elements for."""
    height, width = (1080, 1920) if tools.elements >= 1080 * 1920 * 3 else (54, 96)
    count = max(tools.elements // (height * width * 3), 1)
    mean = tools.torch.tensor([0.485, 0.456, 0.406], device=tools.kind)
    return tools.bytes(count, height, width, 3), mean, tools.torch.tensor([0.229, 0.224, 0.225], device=tools.kind)


def _resize(tools: Tools) -> Call:
    def ours(images: Any, mean: Any, std: Any) -> Any:
        out = tools.torch.empty((images.shape[0], 3, 224, 224), device=images.device)
        return tools.module.resize_normalize(images, mean, std, out=out)

    return ours


def _resize_eager(torch: Any) -> Call:
    def eager(images: Any, mean: Any, std: Any) -> Any:
        x = images.permute(0, 3, 1, 2).to(torch.float32)
        small = torch.nn.functional.interpolate(x, (224, 224), mode="bilinear", align_corners=False)
        return (small / 255 - mean[:, None, None]) / std[:, None, None]

    return eager


def _gelu_eager(torch: Any) -> Call:
    return lambda x: torch.nn.functional.gelu(x, approximate="tanh")


def _layernorm_eager(torch: Any) -> Call:
    return lambda x, gamma, beta: torch.nn.functional.layer_norm(x, (x.shape[-1],), gamma, beta, 1e-5)


ROWS = (
    Row(
        "vector add, f32",
        _like("float32", 2),
        lambda tools: lambda x, y: tools.module.axpy(2.0, x, y),
        lambda torch: lambda x, y: torch.add(y, x, alpha=2.0),
        1e-6,
        triton="axpy",
        cupy="axpy",
    ),
    Row("gelu, f32", _like("float32"), lambda tools: tools.module.gelu, _gelu_eager, 1e-5, triton="gelu", cupy="gelu"),
    Row("gelu, bf16", _like("bfloat16"), lambda tools: tools.module.gelu, _gelu_eager, 1e-2, triton="gelu"),
    Row(
        "softmax, f32",
        lambda tools: (tools.matrix("float32"),),
        lambda tools: tools.module.softmax,
        lambda torch: lambda x: torch.softmax(x, -1),
        1e-5,
        triton="softmax",
        cupy="softmax",
    ),
    Row(
        "softmax, bf16",
        lambda tools: (tools.matrix("bfloat16"),),
        lambda tools: tools.module.softmax,
        lambda torch: lambda x: torch.softmax(x, -1),
        # The sum is of rounded terms, as the kernel says: `y[i]` is stored before it is read again.
        3e-2,
        triton="softmax",
    ),
    Row(
        "layernorm, f32",
        _layernorm_inputs,
        lambda tools: lambda x, gamma, beta: tools.module.layernorm(x, gamma, beta, 1e-5),
        _layernorm_eager,
        1e-5,
        triton="layernorm",
        cupy="layernorm",
    ),
    Row(
        "sum of rows, f32",
        lambda tools: (tools.matrix("float32"),),
        lambda tools: tools.module.sum,
        lambda torch: lambda x: x.sum(-1),
        1e-5,
        triton="sum_rows",
        cupy="sum_rows",
    ),
    Row(
        "sum of all, f32",
        lambda tools: (tools.normal(1, tools.elements).abs(),),
        lambda tools: tools.module.sum,
        lambda torch: lambda x: x.sum(-1),
        1e-4,
        triton="sum_all",
        cupy="sum_rows",
    ),
    Row(
        "histogram, u8",
        lambda tools: (tools.bytes(tools.elements),),
        _histogram,
        lambda torch: lambda x: torch.bincount(x, minlength=256),
        0.0,
        triton="histogram",
        cupy="histogram",
    ),
    Row("resize_normalize, u8", _images, _resize, _resize_eager, 1e-3, triton="resize_normalize"),
)
