"""The modules of this process, each with the object that it has for this package."""

from __future__ import annotations

import sys
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Module(Protocol):
    """What a module answers; `protocol` says how much of it there is."""

    @property
    def protocol(self) -> int:
        """The number of the protocol. Each has what those before it have."""

    @property
    def lanecraft(self) -> str:
        """The version of Lanecraft that the module was built with."""

    @property
    def module(self) -> str:
        """The name under which it is imported."""

    @property
    def version(self) -> str:
        """The module's own version."""

    def isa(self) -> str:
        """The CPU level in use; RuntimeError where the environment asks for one that is not there."""

    def memory(self) -> dict[str, int]:
        """The memory of large results."""

    def release_memory(self) -> int:
        """Gives back what is kept; how many bytes that were."""

    def trace(self, kernel: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Calls a kernel and reports what happened."""


@runtime_checkable
class Checkable(Module, Protocol):
    """What a module of protocol 2 answers besides."""

    def enter_debug(self, variable: object, /) -> None:
        """A block begins in which kernels run in debug mode where the context variable says so."""

    def exit_debug(self) -> None:
        """Such a block ends."""

    def code(self, kernel: object, /) -> dict[str, Any]:
        """The source of a kernel, and where its code is."""

    def cuda_text(self, kernel: object, /) -> str | None:
        """Its CUDA C++ text; None in a build without such texts."""


def modules() -> list[Module]:
    """The modules that are imported, by name."""
    found: dict[int, Module] = {}
    # A module may be imported while this runs.
    for module in list(sys.modules.values()):
        # Not `getattr`: some modules import others when asked for what they do not have.
        answer = getattr(module, "__dict__", {}).get("__lanecraft__")
        if isinstance(answer, Module):
            found[id(answer)] = answer
    return sorted(found.values(), key=lambda module: module.module)


def module_of(kernel: object) -> Module:
    """The module of a kernel."""
    answer = getattr(kernel, "__lanecraft__", None)
    # A module has one too, but is no kernel.
    if not isinstance(answer, Module) or not callable(kernel):
        raise TypeError(f"{kernel!r} is no kernel; accepted: a function of a module that is built with Lanecraft, for example fastops.gelu")
    return answer
