import cookbook
import numpy as np
import pytest


def sine(rate: int, hertz: float) -> np.ndarray:
    return np.sin(2 * np.pi * hertz * np.arange(rate // 2) / rate).astype(np.float32)


@pytest.mark.parametrize(("old", "new"), [(44_100, 48_000), (48_000, 44_100), (48_000, 16_000), (16_000, 48_000)])
def test_a_sine_stays_a_sine(old: int, new: int) -> None:
    y = cookbook.gain_resample(sine(old, 440), 6.0, out=np.empty(new // 2, np.float32))
    middle = slice(200, -200)  # away from the silence at the ends
    np.testing.assert_allclose(y[middle], 10 ** (6 / 20) * sine(new, 440)[middle], atol=4e-3)


def test_what_the_new_rate_cannot_carry_is_gone() -> None:
    y = cookbook.gain_resample(sine(48_000, 15_000), 0.0, out=np.empty(8000, np.float32))
    assert np.abs(y[200:-200]).max() < 4e-3


def test_the_same_rate() -> None:
    x = np.random.default_rng(1).standard_normal(1000).astype(np.float32)
    np.testing.assert_allclose(cookbook.gain_resample(x, 0.0, out=np.empty_like(x)), x, atol=1e-5)
