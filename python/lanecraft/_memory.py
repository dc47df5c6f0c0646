"""The memory of large results."""

from __future__ import annotations

from typing import TypedDict

from ._modules import modules


class Memory(TypedDict):
    """The blocks of 1 MiB and more that a module's results lie in."""

    in_use: int
    """Bytes of the results that are alive."""
    kept: int
    """Bytes that are kept for the next results."""
    limit: int
    """Bytes that are kept at most."""
    blocks_new: int
    """Blocks that came from the system, since the module was imported."""
    blocks_reused: int
    """Blocks that had been kept."""


def memory() -> dict[str, Memory]:
    """The memory of large results, by module."""
    return {
        module.module: Memory(
            in_use=report["in_use"],
            kept=report["kept"],
            limit=report["limit"],
            blocks_new=report["blocks_new"],
            blocks_reused=report["blocks_reused"],
        )
        for module in modules()
        for report in [module.memory()]
    }


def release_memory() -> int:
    """Gives back to the system what all modules keep; how many bytes that were."""
    return sum(module.release_memory() for module in modules())
