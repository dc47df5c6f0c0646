"""Debug mode: kernels run as checked code, and end with an exception at the first thing that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ._modules import Checkable, modules

#: None: off. Otherwise whether NaN is looked for.
_mode: ContextVar[bool | None] = ContextVar("lanecraft.debug", default=None)


class RaceError(RuntimeError):
    """Two iterations of a loop over lanes use one element, which one of them writes."""


class UnwrittenError(RuntimeError):
    """An element of an output is read that the kernel has not written, or it leaves one of a fresh output as it is."""


@contextmanager
def debug(*, nan: bool = False) -> Iterator[None]:
    """Kernels that this context calls run as checked code, on one thread, many times slower.

    They raise with the line of the Rust source: IndexError, ZeroDivisionError, OverflowError where an integer does not fit its type,
    RaceError, UnwrittenError, and with `nan` FloatingPointError where an operation on numbers gives a NaN. It covers the modules that are
    imported when the block begins. The environment variable LANECRAFT_DEBUG=1 (with `nan`: LANECRAFT_DEBUG=nan) covers a whole process, and
    needs no such block.
    """
    if not isinstance(nan, bool):
        raise TypeError(f"debug(): nan={nan!r}; accepted: True or False")
    able = [module for module in modules() if isinstance(module, Checkable)]
    token = _mode.set(nan)
    for module in able:
        module.enter_debug(_mode)
    try:
        yield
    finally:
        for module in able:
            module.exit_debug()
        _mode.reset(token)
