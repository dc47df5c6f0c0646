import math

import cookbook
import numpy as np


def steps(c: complex, max_iter: int) -> float:
    z = 0j
    for n in range(max_iter):
        if abs(z) ** 2 > 256:
            return n + 1 - math.log2(math.log2(abs(z)))
        z = z * z + c
    return max_iter


def test_against_complex_numbers() -> None:
    x, y = np.linspace(-2, 0.6, 40), np.linspace(-1.2, 1.2, 31)[:, None]
    expected = [[steps(complex(a, b), 100) for a in x] for b in y[:, 0]]
    np.testing.assert_allclose(cookbook.mandelbrot(x, y, max_iter=100), expected, rtol=1e-6)


def test_the_inside() -> None:
    assert cookbook.mandelbrot(0.0, 0.0, max_iter=256) == 256
