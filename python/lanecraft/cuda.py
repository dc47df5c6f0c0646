"""Kernels on CUDA devices: graphs of calls, and calls that do not wait.

A kernel of a module that is built with CUDA takes arrays on a CUDA device as it takes others; nothing here is needed for that.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Self

from ._modules import modules


def _classes(module: ModuleType | None) -> dict[str, Any]:
    """The classes of graphs, by module."""
    known = modules()
    if module is not None:
        known = [each for each in known if each.module == module.__name__]
        if not known:
            raise TypeError(f"{module!r} is no module of kernels; accepted: one that is built with Lanecraft, for example fastops")
    classes = {each.module: getattr(each, "cuda_graph", None) for each in known if each.protocol >= 2}
    return {name: found for name, found in classes.items() if found is not None}


class deferred:
    """Lets kernel calls in the `with` block go on at once where they might wait.

    A kernel that may have faults (an integer division, an index) waits for its result otherwise, to raise the error. Here the block's end
    waits, once, and raises the first of them; results are as undefined as after any error. It holds for calls of this thread with arrays of
    torch or CuPy, on their current streams; others wait as ever. `module`: that of the kernels, else all that are built with CUDA.
    """

    def __init__(self, module: ModuleType | None = None) -> None:
        self._chosen = module
        self._open: list[Any] = []

    def __enter__(self) -> Self:
        if self._open:
            raise RuntimeError("deferred(): this block is open already; accepted: a new one")
        self._open = list(_classes(self._chosen).values())
        for each in self._open:
            each.defer()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        first: Exception | None = None
        for each in self._open:
            try:
                each.settle()
            except Exception as fault:
                first = first or fault
        self._open = []
        if first is not None and error is None:
            raise first
        if first is not None and error is not None:
            error.add_note(f"and of the kernels called in the block: {first}")


class graph:
    """Captures kernel calls, and replays them.

    Calls in the `with` block are not run but noted, all on one stream, with their arrays, which the graph keeps. Outputs are given
    (`out=`), since nothing can be allocated meanwhile. `g.replay()` runs them in their order; `g.replay((old, new), ...)` puts other arrays
    of the same dtype, shape and strides in the place of old ones, from then on.

    `module` is the module whose kernels are called; it may be left out where only one is built with CUDA.
    """

    def __init__(self, module: ModuleType | None = None) -> None:
        found = _classes(module)
        if not found:
            which = "no imported module of kernels" if module is None else module.__name__
            raise RuntimeError(
                f"graph(): {which} is built with CUDA; accepted: a module that is built with the feature `cuda` of Lanecraft"
            )
        if len(found) > 1:
            raise TypeError(f"graph(): several modules are built with CUDA, {', '.join(found)}; accepted: graph(module) with one of them")
        self._class = next(iter(found.values()))
        self._graph: Any = None
        self._ended = False

    def __enter__(self) -> Self:
        if self._ended:
            raise RuntimeError("graph(): this graph has been captured already; accepted: a new one")
        self._class.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._ended = True
        if kind is not None:
            self._class.cancel()
            return
        self._graph = self._class.end()

    def replay(self, *pairs: tuple[object, object]) -> None:
        """Runs the calls, with `new` in the place of `old` for each pair, from now on."""
        if not self._ended:
            raise RuntimeError("replay(): the graph is not captured yet; accepted: after its `with` block")
        if self._graph is not None:
            self._graph.replay(*pairs)
        elif pairs:
            raise ValueError("replay(): the graph has no calls, and so no arrays to replace")

    def __len__(self) -> int:
        return 0 if self._graph is None else len(self._graph)
