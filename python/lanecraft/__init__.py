"""Tools for Python modules that are built with Lanecraft.

Kernels do not need them: a wheel works without this package. It talks to each module through the module's attribute
`__lanecraft__`, so that modules which were built with different versions of Lanecraft live in one process.
"""

from . import cuda
from ._debug import RaceError, UnwrittenError, debug
from ._doctor import Finding, doctor
from ._explain import Explanation, Operand, explain
from ._inspect import Report, inspect
from ._memory import Memory, memory, release_memory
from ._modules import Module, modules

__all__ = [
    "Explanation",
    "Finding",
    "Memory",
    "Module",
    "Operand",
    "RaceError",
    "Report",
    "UnwrittenError",
    "__version__",
    "cuda",
    "debug",
    "doctor",
    "explain",
    "inspect",
    "memory",
    "modules",
    "release_memory",
]

__version__ = "0.1.0"
