"""`fastops.hash_feature` and `hash_column`, against published values and PyPI's `mmh3`."""

from __future__ import annotations

import fastops
import mmh3
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.any_level


@pytest.mark.parametrize(
    ("seed", "text", "want"),
    [
        # Guava's tests of its Murmur3_128, taken from the reference implementation in C++.
        (0, "hell", 0x629942693E10F867),
        (1, "hello", 0xA78DDFF5ADAE8D10),
        (2, "hello ", 0x8A486B23F422E826),
        (0, "hello", 0xCBD8A7B341BD9B02),
        (0, "The quick brown fox jumps over the lazy dog", 0xE34BBC7BBC071B6C),
        (0, "", 0),
    ],
)
def test_published_values(seed: int, text: str, want: int) -> None:
    assert fastops.hash_feature(text, seed=seed) == want


@given(st.text(max_size=70), st.integers(0, 2**32 - 1))
def test_texts(text: str, seed: int) -> None:
    assert fastops.hash_feature(text, seed=seed) == mmh3.hash64(text, seed, signed=False)[0]


@given(st.lists(st.binary(max_size=40)), st.integers(0, 2**32 - 1))
def test_columns(texts: list[bytes], seed: int) -> None:
    offsets = np.cumsum([0, *map(len, texts)])
    hashes = fastops.hash_column(b"".join(texts), offsets, seed=seed)
    assert hashes.dtype == np.uint64
    assert hashes.tolist() == [mmh3.hash64(text, seed, signed=False)[0] for text in texts]


def test_offsets() -> None:
    data = np.arange(8, dtype=np.uint8)
    assert fastops.hash_column(data, np.array([], np.int64)).shape == (0,)
    assert fastops.hash_column(data, np.array([2, 5])) == [mmh3.hash64(bytes([2, 3, 4]), signed=False)[0]]
    for offsets, i in [([0, 9], 0), ([3, 2], 0), ([0, 1, -1], 1), ([-1, 2], 0)]:
        with pytest.raises(ValueError) as raised:
            fastops.hash_column(data, np.array(offsets))
        assert str(raised.value) == (
            f"hash_column(): offsets[{i}] is {offsets[i]} and offsets[{i + 1}] is {offsets[i + 1]}; "
            "accepted: offsets that do not decrease, from 0 to 8"
        )
