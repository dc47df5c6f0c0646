"""The kernels of a module."""

from __future__ import annotations

import importlib
from typing import Any

from ._modules import modules


def load(name: str) -> Any:
    """A module that is built with Lanecraft."""
    module = importlib.import_module(name)
    if all(known.module != module.__name__ for known in modules()):
        raise TypeError(f"{name} is not built with Lanecraft, or with a version that this package does not know")
    return module


def kernels(module: Any) -> dict[str, tuple[Any, list[dict[str, Any]]]]:
    """Each kernel by its name (`math.sin` in a submodule), with its rows of `variants()`."""
    found: dict[str, tuple[Any, list[dict[str, Any]]]] = {}
    for row in module.variants():
        kernel = module
        for part in row["kernel"].split("."):
            kernel = getattr(kernel, part)
        found.setdefault(row["kernel"], (kernel, []))[1].append(row)
    return found
