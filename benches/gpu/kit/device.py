"""Where kernels run: torch's tensors, on a GPU or on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import cases
from .values import Bits, unsigned


class Device:
    """Arrays of torch on a device."""

    def __init__(self, torch: Any, kind: str) -> None:
        self.torch, self.kind = torch, kind
        self.is_gpu = kind == "cuda"

    def put(self, found: Bits, dtype: str) -> Any:
        """A tensor of the dtype with these bits."""
        signed = np.ascontiguousarray(found).view(f"i{found.dtype.itemsize}")
        tensor = self.torch.from_numpy(signed.copy())
        return tensor.view(getattr(self.torch, dtype)).reshape(found.shape).to(self.kind)

    def get(self, array: Any, dtype: str) -> Bits:
        """A tensor's bits."""
        signed = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}[unsigned(dtype).itemsize]
        flat = array.contiguous().cpu().reshape(-1).view(getattr(self.torch, signed))
        found: Bits = flat.numpy().view(unsigned(dtype)).reshape(tuple(array.shape))
        return found

    def lay(self, found: Bits, dtype: str, layout: str) -> Any:
        """A tensor with these bits, laid out as asked for."""
        if layout == cases.TRANSPOSED:
            return self.view(found.T, dtype, lambda x: x.T)
        if not found.ndim or layout == cases.PLAIN:
            return self.view(found, dtype, lambda x: x)
        if layout == cases.SHIFTED:
            room = np.zeros((found.size + 1,), found.dtype)
            room[1:] = found.reshape(-1)
            return self.view(room, dtype, lambda x: x[1:].reshape(found.shape))
        room = np.zeros((*found.shape[:-1], 2 * found.shape[-1]), found.dtype)
        room[..., ::2] = found
        return self.view(room, dtype, lambda x: x[..., ::2])

    def view(self, found: Bits, dtype: str, of: Callable[[Any], Any]) -> Any:
        """A part of a tensor."""
        return of(self.put(found, dtype))

    def filled(self, shape: tuple[int, ...], dtype: str) -> Any:
        """A tensor for a result, full of what no kernel gives by itself."""
        return self.put(np.full(shape, 0x5B, unsigned(dtype)), dtype)
