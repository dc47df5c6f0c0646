"""The special cases that the Python array API standard (2024.12) gives for elementwise functions, on every float dtype and level."""

from __future__ import annotations

from typing import Any

import fastops
import numpy as np
import pytest

INF, NAN, PI = np.inf, np.nan, np.pi
Case = tuple[str, tuple[float, ...], float]


def same(name: str, *values: float) -> list[Case]:
    return [(name, (x,), x) for x in values]


def each(name: str, *pairs: tuple[float, float]) -> list[Case]:
    return [(name, (x,), want) for x, want in pairs]


def two(name: str, *rows: tuple[float, float, float]) -> list[Case]:
    return [(name, (x, y), want) for x, y, want in rows]


WHOLE = [0.0, -0.0, 3.0, -3.0, INF, -INF, NAN]
CASES: list[Case] = [
    *each("abs", (NAN, NAN), (-0.0, 0.0), (INF, INF), (-INF, INF)),
    *each("acos", (NAN, NAN), (1.5, NAN), (-1.5, NAN), (1.0, 0.0)),
    *each("acosh", (NAN, NAN), (0.5, NAN), (-2.0, NAN), (1.0, 0.0), (INF, INF)),
    *each("asin", (NAN, NAN), (1.5, NAN), (-1.5, NAN), (0.0, 0.0), (-0.0, -0.0)),
    *same("asinh", NAN, 0.0, -0.0, INF, -INF),
    *each("atan", (NAN, NAN), (0.0, 0.0), (-0.0, -0.0), (INF, PI / 2), (-INF, -PI / 2)),
    *each("atanh", (NAN, NAN), (1.5, NAN), (-1.5, NAN), (-1.0, -INF), (1.0, INF), (0.0, 0.0), (-0.0, -0.0)),
    *[case for name in ("ceil", "floor", "trunc", "rint") for case in same(name, *WHOLE)],
    *each("rint", (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0), (-1.5, -2.0)),
    *each("cos", (NAN, NAN), (0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)),
    *each("cosh", (NAN, NAN), (0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF)),
    *each("exp", (NAN, NAN), (0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0)),
    *each("expm1", (NAN, NAN), (0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0)),
    *[
        case
        for name in ("log", "log2", "log10")
        for case in each(name, (NAN, NAN), (-1.0, NAN), (-INF, NAN), (0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF))
    ],
    *each("log1p", (NAN, NAN), (-1.5, NAN), (-1.0, -INF), (-0.0, -0.0), (0.0, 0.0), (INF, INF)),
    *each("sin", (NAN, NAN), (0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)),
    *same("sinh", NAN, 0.0, -0.0, INF, -INF),
    *each("sqrt", (NAN, NAN), (-1.0, NAN), (0.0, 0.0), (-0.0, -0.0), (INF, INF)),
    *each("tan", (NAN, NAN), (0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)),
    *each("tanh", (NAN, NAN), (0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0)),
    *two("atan2", (NAN, 1.0, NAN), (1.0, NAN, NAN), (2.0, 0.0, PI / 2), (2.0, -0.0, PI / 2), (0.0, 2.0, 0.0), (0.0, 0.0, 0.0)),
    *two("atan2", (0.0, -0.0, PI), (0.0, -2.0, PI), (-0.0, 2.0, -0.0), (-0.0, 0.0, -0.0), (-0.0, -0.0, -PI), (-0.0, -2.0, -PI)),
    *two("atan2", (-2.0, 0.0, -PI / 2), (-2.0, -0.0, -PI / 2), (2.0, INF, 0.0), (2.0, -INF, PI), (-2.0, INF, -0.0), (-2.0, -INF, -PI)),
    *two("atan2", (INF, 2.0, PI / 2), (-INF, 2.0, -PI / 2), (INF, INF, PI / 4), (INF, -INF, 3 * PI / 4), (-INF, INF, -PI / 4)),
    *two("atan2", (-INF, -INF, -3 * PI / 4)),
    *two("copysign", (1.0, -0.0, -1.0), (-1.0, 0.0, 1.0), (0.0, -2.0, -0.0), (INF, -1.0, -INF), (NAN, 1.0, NAN)),
    *two(
        "hypot", (INF, NAN, INF), (NAN, -INF, INF), (-INF, 2.0, INF), (NAN, 2.0, NAN), (2.0, NAN, NAN), (0.0, -3.0, 3.0), (-3.0, -0.0, 3.0)
    ),
    *two("pow", (2.0, NAN, NAN), (NAN, 0.0, 1.0), (NAN, -0.0, 1.0), (NAN, 2.0, NAN), (1.0, NAN, 1.0), (1.0, INF, 1.0)),
    *two(
        "pow", (2.0, INF, INF), (-2.0, INF, INF), (2.0, -INF, 0.0), (-1.0, INF, 1.0), (-1.0, -INF, 1.0), (0.5, INF, 0.0), (0.5, -INF, INF)
    ),
    *two(
        "pow",
        (INF, 2.0, INF),
        (INF, -2.0, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, 2.5, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
    ),
    *two(
        "pow",
        (0.0, 2.0, 0.0),
        (0.0, -2.0, INF),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 2.5, 0.0),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
    ),
    *two("pow", (-0.0, -2.5, INF), (-2.0, 0.5, NAN), (-2.0, -1.5, NAN), (-2.0, 3.0, -8.0)),
]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("name", "args", "want"), CASES, ids=[f"{name}{args}" for name, args, _ in CASES])
def test_special_case(name: str, args: tuple[float, ...], want: float, dtype: Any) -> None:
    kernel = getattr(fastops.math, name)
    got = kernel(*[np.full(37, x, dtype) for x in args])  # two gangs, and the rest of one
    exact = want in (0.0, 1.0, -1.0) or not np.isfinite(want) or want == round(want)
    assert np.allclose(got, want, rtol=0 if exact else 2 * np.finfo(dtype).eps, atol=0, equal_nan=True), got
    assert np.isnan(want) or (np.signbit(got) == np.signbit(want)).all(), got
