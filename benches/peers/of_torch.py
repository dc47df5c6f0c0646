"""What a torch user compiles: each function writes into the result that it is given, which inductor does in the same loop."""

from typing import Any

import torch


def compiled(f: Any) -> Any:
    quick = torch.compile(f, fullgraph=True, dynamic=False)

    def into(*args: Any) -> Any:
        *inputs, out = args
        quick(*inputs, out)
        return out

    return into


@compiled
def saxpy(a: Any, x: Any, y: Any, out: Any) -> None:
    out.copy_(a * x + y)


@compiled
def exp(x: Any, out: Any) -> None:
    out.copy_(torch.exp(x))


@compiled
def gelu(x: Any, out: Any) -> None:
    out.copy_(torch.nn.functional.gelu(x, approximate="tanh"))


@compiled
def quantize(x: Any, scale: Any, out: Any) -> None:
    out.copy_(torch.clamp(torch.round(x / scale), -128, 127))


@compiled
def softmax(x: Any, out: Any) -> None:
    out.copy_(torch.softmax(x, -1))


@compiled
def layernorm(x: Any, gamma: Any, beta: Any, out: Any) -> None:
    out.copy_(torch.nn.functional.layer_norm(x, (x.shape[-1],), gamma, beta, 1e-5))


@compiled
def total(x: Any, out: Any) -> None:
    out.copy_(x.sum())


@compiled
def jacobi(x: Any, out: Any) -> None:
    p = torch.nn.functional.pad(x[None], (1, 1, 1, 1), mode="replicate")[0]
    out.copy_(0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]))


@compiled
def hwc_to_chw(img: Any, mean: Any, std: Any, out: Any) -> None:
    scale = 1 / (255 * std)
    out.copy_(img.permute(0, 3, 1, 2) * scale[:, None, None] - (mean / std)[:, None, None])


@compiled
def matmul(a: Any, b: Any, out: Any) -> None:
    out.copy_(a @ b)


@compiled
def normalize(x: Any, mean: Any, std: Any, out: Any) -> None:
    out.copy_((x / 255 - mean) / std)


# And what is not compiled.


def jacobi_eager(x: Any) -> Any:
    p = torch.nn.functional.pad(x[None], (1, 1, 1, 1), mode="replicate")[0]
    return (p[:-2, 1:-1] + p[2:, 1:-1]).add_(p[1:-1, :-2]).add_(p[1:-1, 2:]).mul_(0.25)


def hwc_to_chw_eager(img: Any, mean: Any, std: Any, out: Any) -> Any:
    scale = 1 / (255 * std)
    torch.mul(img.permute(0, 3, 1, 2), scale[:, None, None], out=out)
    return out.sub_((mean / std)[:, None, None])


def resize_normalize(img: Any, mean: Any, std: Any, out: Any) -> Any:
    """Of an array of NumPy's, as decoders give it."""
    planes = torch.from_numpy(img).permute(2, 0, 1)[None].float()
    resized = torch.nn.functional.interpolate(planes, out.shape[1:], mode="bilinear", align_corners=False)[0]
    torch.mul(resized, (1 / (255 * std))[:, None, None], out=out)
    return out.sub_((mean / std)[:, None, None])
