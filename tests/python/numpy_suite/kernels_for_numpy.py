"""A pytest plugin: the kernels of fastops stand in NumPy for its functions of the same meaning, while NumPy's own tests run.

What NumPy has and the kernels do not claim is known by how a test fails, and by nothing else:

- an argument of a dtype that no kernel has (complex, longdouble, objects, times): NumPy finds no loop;
- a floating-point warning that does not come: kernels raise none (docs/python.md, Errors).

Such a test counts as an expected failure. The few others are listed by name.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

import fastops
import numpy as np

# It adds loops to functions that it looks up in NumPy, as C structs: to NumPy's own ones, then.
import numpy._core._rational_tests
import pytest

#: By NumPy's name, where ours is another one.
OTHER_NAMES = {"arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2"}
OTHER_NAMES |= {"arctanh": "atanh", "fabs": "abs", "float_power": "pow"}
SAME_NAMES = ["cbrt", "ceil", "copysign", "cos", "cosh", "exp", "exp2", "expm1", "floor", "fmax", "fmin", "fmod", "hypot", "log", "log10"]
SAME_NAMES += ["log1p", "log2", "rint", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"]

#: Why a test fails that none of the rules above explains.
KNOWN = {
    "TestRoundingFunctions::test_output_dtype": "integers become floats: the kernels have float dtypes alone",
    "TestFloat_power::test_type_conversion": "float_power makes float64 of float32, and pow keeps it",
    "TestLog2::test_log2_special": "counts the warnings",
    "TestHypotErrorMessages::": "the text names hypot.ufunc",
    "TestHypot::test_reduce": "hypot of nothing is 0 there; a kernel has no identity",
    "TestUfunc::test_pickle_withstring": "a pickle of NumPy's own function",
    "TestUfunc::test_invalid_args": "the text names exp.ufunc",
}

for _name in [*OTHER_NAMES, *SAME_NAMES]:
    _ufunc = getattr(fastops.math, OTHER_NAMES.get(_name, _name)).ufunc
    setattr(np, _name, _ufunc)
    # Where the tests that go through all functions look.
    if hasattr(np._core.umath, _name):
        setattr(np._core.umath, _name, _ufunc)

#: How a test fails that asks for what the kernels do not claim.
RULES = {
    # Floats up to float64, integers and bools all have a loop that they can be cast to safely, so none of them comes here.
    re.compile(r"^ufunc '\w+\.ufunc' not supported for the input types"): "no kernel has such a dtype",
    re.compile(
        r"FloatingPointError not raised|DID NOT RAISE FloatingPointError|DID NOT WARN\. No warnings of type .*RuntimeWarning"
    ): "kernels raise no floating-point warnings",
}


def why(error: BaseException) -> str | None:
    """The rule that explains a failure."""
    return next((reason for rule, reason in RULES.items() if rule.search(str(error))), None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    known = next((reason for name, reason in KNOWN.items() if name in item.nodeid), None)
    if call.when == "call" and call.excinfo is not None and report.outcome == "failed":
        reason = known or why(call.excinfo.value)
        if reason is not None:
            report.outcome, report.wasxfail = "skipped", reason
    return report
