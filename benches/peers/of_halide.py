"""What a Halide user writes: an algorithm and a schedule, compiled once for this machine, and called with NumPy's arrays."""

from collections.abc import Callable
from typing import Any

import halide as hl
import numpy as np

F32, U8 = hl.Float(32), hl.UInt(8)
LANES = hl.get_host_target().natural_vector_size(F32)
x, y, c, n = hl.vars("x y c n")


def compiled(result: hl.Func, *arguments: Any) -> Callable[..., Any]:
    """A function of numbers and of NumPy's arrays, which writes into the last one. Halide's first dimension is NumPy's last."""
    call = result.compile_to_callable(list(arguments))
    buffers: dict[int, tuple[Any, Any]] = {}

    def of(value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        # Made once, since that takes longer than a small call. Those of earlier rows are let go.
        known = buffers.get(id(value))
        if len(buffers) > 8:
            buffers.clear()
        if known is None or known[0] is not value:
            known = buffers[id(value)] = (value, hl.Buffer(value))
        return known[1]

    def run(*values: Any) -> Any:
        call(*map(of, values))
        return values[-1]

    return run


def elements(body: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """A function of elements."""
    f = hl.Func("f")
    f[x] = body(*(argument if isinstance(argument, hl.Param) else argument[x] for argument in arguments))
    f.vectorize(x, LANES)
    return compiled(f, *arguments)


def of_gelu(v: hl.Expr) -> hl.Expr:
    return v / (hl.f32(1) + hl.exp(v * (v * v * hl.f32(-0.07135481627260025) - hl.f32(1.5957691216057308))))


line = hl.ImageParam(F32, 1, "line")
exp = elements(hl.exp, line)
gelu = elements(of_gelu, line)
saxpy = elements(lambda a, x, y: a * x + y, hl.Param(F32, "a"), line, hl.ImageParam(F32, 1, "other"))


def reduced(start: hl.Expr, step: Callable[[hl.Expr, hl.Expr], hl.Expr], value: Callable[[hl.Expr], hl.Expr], width: hl.Expr) -> hl.Func:
    """A number for each row, by vectors."""
    f, r = hl.Func("reduced"), hl.RDom([(0, width)])
    f[y] = start
    f[y] = step(f[y], value(r.x))
    f.update().atomic().vectorize(r.x, LANES)
    return f


def of_softmax() -> Callable[..., Any]:
    image, e, out = hl.ImageParam(F32, 2, "image"), hl.Func("e"), hl.Func("out")
    width = image.dim(0).extent()
    largest = reduced(hl.f32(-np.inf), hl.max, lambda i: image[i, y], width)
    e[x, y] = hl.exp(image[x, y] - largest[y])
    total = reduced(hl.f32(0), lambda a, b: a + b, lambda i: e[i, y], width)
    out[x, y] = e[x, y] / total[y]
    out.vectorize(x, LANES)
    e.compute_at(out, y).vectorize(x, LANES)
    largest.compute_at(out, y)
    total.compute_at(out, y)
    return compiled(out, image)


def of_jacobi() -> Callable[..., Any]:
    image, out = hl.ImageParam(F32, 2, "image"), hl.Func("out")
    p = hl.BoundaryConditions.repeat_edge(image)
    out[x, y] = hl.f32(0.25) * (p[x, y - 1] + p[x, y + 1] + p[x - 1, y] + p[x + 1, y])
    out.vectorize(x, LANES)
    return compiled(out, image)


def of_hwc_to_chw() -> Callable[..., Any]:
    image, mean, std = hl.ImageParam(U8, 4, "image"), hl.ImageParam(F32, 1, "mean"), hl.ImageParam(F32, 1, "std")
    scale, shift, out = hl.Func("scale"), hl.Func("shift"), hl.Func("out")
    scale[c] = hl.f32(1) / (hl.f32(255) * std[c])
    shift[c] = mean[c] / std[c]
    out[x, y, c, n] = hl.cast(F32, image[c, x, y, n]) * scale[c] - shift[c]
    # Three channels, known: loads side by side that are taken apart in registers.
    image.dim(0).set_bounds(0, 3).set_stride(1)
    image.dim(1).set_stride(3)
    scale.compute_root()
    shift.compute_root()
    out.reorder(c, x, y, n).bound(c, 0, 3).unroll(c).vectorize(x, LANES)
    return compiled(out, image, mean, std)


softmax, jacobi, hwc_to_chw = of_softmax(), of_jacobi(), of_hwc_to_chw()
