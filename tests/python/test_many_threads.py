"""Many threads at once: each gets what one alone gets, and none waits for ever."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any

import fastops
import numpy as np
import pytest

pytestmark = pytest.mark.any_level
SECONDS = 60 if os.environ.get("LANECRAFT_FULL") == "1" else 2
THREADS = 8


def calls(seed: int) -> list[tuple[Callable[[], Any], Any]]:
    """Calls of every form, on arrays of a thread's own and on shared ones, and what they give."""
    rng = np.random.default_rng(seed)
    small, large = rng.standard_normal(100), rng.standard_normal((60, 40_000)).astype(np.float32)
    pixels = rng.integers(0, 256, 5000).astype(np.uint8)
    forms: list[Callable[[], Any]] = [
        lambda: fastops.gelu(small),
        lambda: fastops.exp(large[::2, ::3]),
        lambda: fastops.axpy(2.0, small, small[::-1]),
        lambda: fastops.softmax(large),
        lambda: fastops.softmax(large, threads=3),
        lambda: fastops.normalize_u8(pixels, 0.5, 0.25),
        lambda: fastops.mandelbrot(small, 0.1, max_iter=50),
        lambda: fastops.hash_feature(str(seed)),
    ]
    return [(form, form()) for form in forms]


def test_threads() -> None:
    end, failed, counts = time.monotonic() + SECONDS, [], [0] * THREADS

    def work(k: int) -> None:
        mine = calls(k)
        # Once at least: a busy machine may give a thread its first turn late.
        while not (counts[k] and time.monotonic() >= end) and not failed:
            for call, want in mine:
                if not np.array_equal(call(), want):
                    failed.append(k)
                counts[k] += 1

    threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS + 60)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"
    assert not failed and min(counts) > 0
