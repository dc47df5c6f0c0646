"""JPEG files, and what one does with them before a network sees them: decoded by Pillow for all, then resized and normalized by each."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def photo(height: int, width: int) -> bytes:
    """A file of the size that a photograph has: shapes of all sizes, and some noise."""
    random, pixels = np.random.default_rng(3), np.zeros((height, width, 3))
    for size in (4, 16, 64, 256):
        colours = random.integers(0, 256, (size, size, 3), np.uint8)
        pixels += np.asarray(Image.fromarray(colours).resize((width, height), Image.Resampling.BICUBIC))
    pixels = np.clip(pixels / 4 + random.normal(0, 3, pixels.shape), 0, 255)
    file = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(file, "JPEG", quality=90)
    return file.getvalue()


def decode(file: bytes) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(file)))


def of_numpy(file: bytes, mean: Any, std: Any, out: Any) -> Any:
    """Bilinear, by indexing."""
    image, (rows, columns) = decode(file), out.shape[1:]
    (y0, y1, b), (x0, x1, a) = (between(new, old) for new, old in zip((rows, columns), image.shape[:2], strict=True))
    a, b = a[:, None], b[:, None, None]
    top, bottom = (image[y][:, x0] * (1 - a) + image[y][:, x1] * a for y in (y0, y1))
    resized = top * (1 - b) + bottom * b
    return np.subtract((resized / (255 * std)).transpose(2, 0, 1), (mean / std)[:, None, None], out=out)


def between(new: int, old: int) -> tuple[Any, Any, Any]:
    """For each pixel of a line the two of the source that it lies between, and where."""
    at = np.maximum((np.arange(new, dtype=np.float32) + np.float32(0.5)) * np.float32(old / new) - np.float32(0.5), 0)
    below = at.astype(int)
    return below, np.minimum(below + 1, old - 1), at - below
