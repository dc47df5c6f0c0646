"""Every kernel of a module, on each choice of dtypes and parameters, with operands of several shapes and layouts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .values import Values

#: Operands as they lie in memory: one after the other; the view `x.T` of another array; each second element; from the second element on.
PLAIN, TRANSPOSED, STEPPED, SHIFTED = "plain", "transposed", "stepped", "shifted"


@dataclass(frozen=True)
class Operand:
    """An input: its dtype, shape, layout and values."""

    dtype: str
    shape: tuple[int, ...]
    layout: str
    values: Values


@dataclass(frozen=True)
class Setup:
    """The operands of a call, and the shapes of its outputs where the caller has to say them."""

    inputs: tuple[Operand, ...]
    outputs: tuple[tuple[int, ...], ...] | None


@dataclass(frozen=True)
class Case:
    """A kernel on one choice of dtypes and parameters."""

    kernel: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: tuple[tuple[str, Any], ...]
    signature: str | None

    @property
    def name(self) -> str:
        """`mandelbrot(float32, float32) max_iter=64`"""
        return " ".join([f"{self.kernel}({', '.join(self.inputs)})", *(f"{key}={value}" for key, value in self.parameters)])

    def setups(self) -> Iterator[Setup]:
        """The calls."""
        yield from _rows(self) if self.signature else _elements(self)


#: Values that a kernel needs: of all its operands, or of one of a number.
_VALUES: dict[tuple[str, int | None], Values] = {
    ("mandelbrot", None): Values("small"),
    ("collatz", None): Values("below", 1 << 20),
    ("srgb_to_linear", None): Values("all"),
    ("histogram", 0): Values("below", 100),
    ("gaussian_blur", 1): Values("below", 4),
    ("cross_entropy", 1): Values("below", 17),
}

#: Sizes of the dimensions of signatures, once per call, and what stands before them. Rows end within a gang, a warp, a chunk of 4096, and
#: behind two chunks.
_SIZES: list[tuple[tuple[int, ...], dict[str, int], str]] = [
    ((5,), {"n": 1000, "m": 37, "k": 50, "d": 24, "h": 33, "w": 47, "H": 20, "W": 70, "b": 256}, PLAIN),
    ((), {"n": 9001, "m": 64, "k": 129, "d": 3, "h": 70, "w": 129, "H": 71, "W": 40, "b": 100}, SHIFTED),
    ((3, 2), {"n": 17, "m": 5, "k": 7, "d": 100, "h": 4, "w": 5, "H": 9, "W": 3, "b": 130}, STEPPED),
]


def cases(module: Any) -> list[Case]:
    """All of a module's kernels."""
    found: dict[str, Case] = {}
    for row in module.variants():
        kernel = kernel_of(module, row["kernel"])
        # A parameter without a fixed value takes any.
        parameters = tuple((key, 100 if value is None else value) for key, value in row["parameters"].items())
        case = Case(row["kernel"], tuple(row["inputs"]), tuple(row["outputs"]), parameters, kernel.signature)
        found.setdefault(case.name, case)
    return list(found.values())


def kernel_of(module: Any, name: str) -> Any:
    """The kernel of a name: `gelu`, `math.sin`."""
    for part in name.split("."):
        module = getattr(module, part)
    return module


def _values(case: Case, k: int, usual: str) -> Values:
    return _VALUES.get((case.kernel, k)) or _VALUES.get((case.kernel, None)) or Values(usual)


def _elements(case: Case) -> Iterator[Setup]:
    def operands(*of: tuple[tuple[int, ...], str]) -> Setup:
        """The operands take turns at shapes and layouts."""
        chosen = [of[k % len(of)] for k in range(len(case.inputs))]
        values = [_values(case, k, "all") for k in range(len(case.inputs))]
        return Setup(tuple(Operand(d, *one, v) for d, one, v in zip(case.inputs, chosen, values, strict=True)), None)

    yield operands(((100_003,), PLAIN))
    yield operands(((4097,), SHIFTED), ((4097,), PLAIN), ((4097,), STEPPED))
    yield operands(((129, 67), TRANSPOSED), ((67,), PLAIN), ((129, 1), PLAIN))
    yield operands(((1,), PLAIN))
    yield operands(((0,), PLAIN))


def _rows(case: Case) -> Iterator[Setup]:
    before, after = (_dimensions(side) for side in str(case.signature).replace(" ", "").split("->"))
    for lead, sizes, layout in _SIZES:
        # `c` is channels of an image, or classes.
        all_sizes = sizes | {"c": 3 if any("h" in one for one in before) else 17}

        def shape(dims: list[str], lead: tuple[int, ...] = lead, sizes: dict[str, int] = all_sizes) -> tuple[int, ...]:
            return (*lead, *(sizes[dim] for dim in dims))

        # What has the axes of an item alone is one for all items.
        shapes = [shape(dims, lead if k == 0 else ()) for k, dims in enumerate(before)]
        layouts = [layout if k == 0 else PLAIN for k in range(len(before))]
        values = [_values(case, k, "ordinary" if "float" in d else "small") for k, d in enumerate(case.inputs)]
        inputs = tuple(Operand(*one) for one in zip(case.inputs, shapes, layouts, values, strict=True))
        given = {dim for dims in before for dim in dims}
        is_told = all(dim in given for dims in after for dim in dims)
        yield Setup(inputs, None if is_told else tuple(shape(dims) for dims in after))


def _dimensions(side: str) -> list[list[str]]:
    """`(m,k),(k,n)`: [["m", "k"], ["k", "n"]]"""
    return [[dim for dim in part.strip("()").split(",") if dim] for part in side.split("),(")]
