"""Calls that work at run time: no type checker may complain, and types are what run time gives. The tests run this file too."""

from typing import assert_type

import fastops
import functions
import kernel_shapes
import numpy as np
from numpy.typing import NDArray

f2 = np.ones(3, np.float16)
f4 = np.ones(3, np.float32)
f8 = np.ones(3, np.float64)
i4 = np.ones(3, np.int32)
i8 = np.ones(3, np.int64)
u1 = np.ones(3, np.uint8)
u4 = np.ones(3, np.uint32)
u8 = np.ones(3, np.uint64)
b1 = np.ones(3, np.bool_)

# Arrays keep their dtype; numbers beside them take it.
assert_type(fastops.gelu(f2), NDArray[np.float16])
assert_type(fastops.gelu(f4), NDArray[np.float32])
assert_type(fastops.gelu(f8), NDArray[np.float64])
assert_type(fastops.axpy(2.0, f4, f4), NDArray[np.float32])
assert_type(fastops.axpy(2, f8, 1), NDArray[np.float64])
assert_type(fastops.axpy(2, f2, np.float16(1)), NDArray[np.float16])
assert_type(fastops.axpy(np.float32(2), f4, 1.5), NDArray[np.float32])
assert_type(fastops.clip_scale(f4, 0, 1, 255), NDArray[np.float32])
assert_type(fastops.leaky_relu(f4, 0.1), NDArray[np.float32])
assert_type(fastops.leaky_relu(i4, 3), NDArray[np.int32])
assert_type(fastops.hypot3(f8, f8, f8), NDArray[np.float64])
assert_type(fastops.normalize_u8(u1, 0.5, 0.25), NDArray[np.float32])
assert_type(fastops.normalize_u8(u1, f4, np.float32(1)), NDArray[np.float32])
assert_type(fastops.srgb_to_linear(u1), NDArray[np.float32])
assert_type(fastops.srgb_to_linear_f16(u1), NDArray[np.float16])
assert_type(fastops.quantize(f4, 0.5), NDArray[np.int8])
assert_type(fastops.classify(f8), NDArray[np.uint8])
assert_type(fastops.collatz(u4), NDArray[np.uint32])
assert_type(fastops.collatz(u8), NDArray[np.uint32])

# Numbers alone give NumPy scalars.
assert_type(fastops.exp(1.0), np.float64)
assert_type(fastops.exp(1), np.float64)
assert_type(fastops.exp(np.float32(1)), np.float32)
assert_type(fastops.axpy(1, 2.0, 3), np.float64)
assert_type(fastops.leaky_relu(2, 3), np.float64)
assert_type(fastops.leaky_relu(np.int32(2), np.int32(3)), np.int32)
assert_type(fastops.normalize_u8(np.uint8(2), 0.5, 0.5), np.float32)
assert_type(fastops.collatz(np.uint32(27)), np.uint32)
assert_type(fastops.classify(0.0), np.uint8)

# Keywords.
assert_type(fastops.gelu(f4, f4), NDArray[np.float32])
assert_type(fastops.gelu(f4, out=f4), NDArray[np.float32])
assert_type(fastops.gelu(f4, out=(f4,)), NDArray[np.float32])
assert_type(fastops.axpy(1.0, 2.0, 3.0, out=f4), NDArray[np.float32])
assert_type(fastops.gelu(f4, out=f4, where=b1, casting="same_kind", order="K", subok=True), NDArray[np.float32])
assert_type(fastops.gelu(f4, dtype=np.float64), NDArray[np.float64])
assert_type(fastops.gelu(i4, dtype=np.float32), NDArray[np.float32])
assert_type(fastops.gelu(f4, dtype=np.dtype(np.float64)), NDArray[np.float64])

# Several type parameters, kinds, results.
assert_type(kernel_shapes.same(b1), NDArray[np.bool_])
assert_type(kernel_shapes.same(u1), NDArray[np.uint8])
assert_type(kernel_shapes.same(True), np.bool_)
assert_type(kernel_shapes.same(1), np.int64)
assert_type(kernel_shapes.same(1.0), np.float64)
assert_type(kernel_shapes.half(f4), NDArray[np.float32])
assert_type(kernel_shapes.scaled(f4, f8), NDArray[np.float32])
assert_type(kernel_shapes.scaled(f8, 2), NDArray[np.float64])
assert_type(kernel_shapes.mixed(u1, i8), NDArray[np.int64])
assert_type(kernel_shapes.mixed(f4, i4), NDArray[np.int32])
assert_type(kernel_shapes.is_below(u1, 3), NDArray[np.bool_])
assert_type(kernel_shapes.split(f4), tuple[NDArray[np.float32], NDArray[np.bool_]])
assert_type(kernel_shapes.split(f4, f4, b1), tuple[NDArray[np.float32], NDArray[np.bool_]])
assert_type(kernel_shapes.split(f4, out=(None, b1)), tuple[NDArray[np.float32], NDArray[np.bool_]])
assert_type(kernel_shapes.ends(f8, 0.5), tuple[NDArray[np.float64], NDArray[np.float64]])
assert_type(kernel_shapes.ends(1.0, 2.0), tuple[np.float64, np.float64])

# Compile-time parameters.
assert_type(kernel_shapes.powers(f4, degree=2, negate=True), NDArray[np.float32])
assert_type(kernel_shapes.powers(f8, degree=int("7"), negate=bool(1)), NDArray[np.float64])
assert_type(kernel_shapes.powers(2.0, degree=3, negate=False), np.float64)
assert_type(kernel_shapes.powers(f4, out=f4, degree=2, negate=True, where=b1), NDArray[np.float32])
assert_type(kernel_shapes.powers(i4, degree=2, negate=True, dtype=np.float32), NDArray[np.float32])
assert_type(kernel_shapes.place(i4, 9, mode="Wrap", lambda_=4), NDArray[np.int32])
assert_type(kernel_shapes.shifted(i4, 9, by=200), tuple[NDArray[np.int32], NDArray[np.int32]])
assert_type(kernel_shapes.shifted(i4, 9, out=(i4, None), by=0), tuple[NDArray[np.int32], NDArray[np.int32]])
assert_type(fastops.mandelbrot(f4, 0.5, max_iter=256), NDArray[np.int32])
assert_type(fastops.mandelbrot(f8, f8, max_iter=77, out=i4), NDArray[np.int32])
assert_type(fastops.mandelbrot(0.0, 0.5, max_iter=256), np.int32)
assert_type(kernel_shapes.powers.ufuncs[2, True], np.ufunc)
assert_type(kernel_shapes.powers.parameters["degree"], tuple[int | str, ...])
assert_type(kernel_shapes.powers.variants[0]["parameters"]["degree"], int | str | None)

# The objects.
assert_type(fastops.gelu.ufunc, np.ufunc)
assert_type(fastops.gelu.types, list[str])
assert_type(fastops.gelu.nin + fastops.gelu.nout - fastops.gelu.nargs, int)
assert_type(fastops.gelu.__name__, str)
assert_type(fastops.variants()[0]["level"], str)
assert_type(fastops.gelu.variants[0]["inputs"], tuple[str, ...])
assert_type(fastops.isa(), str)
assert_type(fastops.__version__, str)

# Block kernels: the core dimensions' arrays, compile-time parameters, threads.
assert_type(fastops.softmax(f4, axis=0, threads=2), NDArray[np.float32])
assert_type(fastops.gelu(f8, threads=None), NDArray[np.float64])
assert_type(kernel_shapes.neighbours(f4, radius=3, MEAN=True), NDArray[np.float32])
assert_type(kernel_shapes.product(f8, f8), np.float64 | NDArray[np.float64])

# Ordinary functions.
assert_type(functions.py(True) + functions.py(np.int8(1)), int)
assert_type(functions.floats(1, np.float32(2), np.True_), tuple[float, float, bool])
assert_type(functions.repeat("a", 3, between="-", reverse=True), str)
assert_type(functions.backwards(b"abc"), bytes)
assert_type(functions.backwards(u1), bytes)
assert_type(functions.mean([1, 2.5]), float | None)
assert_type(functions.mean((1, np.float32(2))), float | None)
assert_type(functions.count_words(["a"]), dict[str, int])
assert_type(functions.inverse({"a": (1, True)}), list[tuple[tuple[int, bool], str]])
assert_type(functions.length(), int | None)
assert_type(functions.limited(limit=None), int | None)
assert_type(functions.parsing.number("1"), int)
assert_type(functions.weighted(f8), float | None)
assert_type(functions.weighted(f8, weights=None), float | None)
rows, columns = functions.sums(np.ones((2, 3)))
assert_type(rows, np.ndarray[tuple[int], np.dtype[np.float64]])
assert_type(functions.zeros(2, 3)[0], np.ndarray[tuple[int, int], np.dtype[np.float32]])
functions.add_to(f8, f8.copy())

# Structs.
bodies, _ = functions.in_a_row(3)
assert_type(bodies, functions.Bodies)
assert_type(bodies.dt, float)
assert_type(bodies.mark, int | None)
assert_type(bodies.as_tensor("bounds"), np.ndarray[tuple[int, int], np.dtype[np.float32]])
assert_type(functions.body_count(bodies), int)
assert_type(bodies.take("masses"), np.ndarray[tuple[int], np.dtype[np.float64]])
assert_type(functions.cost_of(2), functions.parsing.Cost)
assert_type(functions.steps_of(functions.cost_of(2)), int | None)
