"""Calls that are wrong or change the dtype behind the user's back. bad.expected names the errors of mypy and of basedpyright.

Not run: some of these calls work, with a result of another dtype than the arguments'.
"""

import fastops
import functions
import kernel_shapes
import numpy as np

f4 = np.ones(3, np.float32)
f8 = np.ones(3, np.float64)
i4 = np.ones(3, np.int32)
u1 = np.ones(3, np.uint8)
c8 = np.ones(3, np.complex64)

_ = fastops.gelu(c8)
_ = fastops.gelu(i4)
_ = fastops.gelu("text")
_ = fastops.gelu([1.0, 2.0])
_ = fastops.gelu()
_ = fastops.gelu(x=f4)
_ = fastops.gelu(f4, f4, f4)
_ = fastops.gelu(f4, slop=1)
_ = fastops.gelu(f4, casting="bad")
_ = fastops.gelu(f4, out=i4)
_ = fastops.gelu(f4, out=[0.0])
_ = fastops.gelu(f4, dtype=np.int32)
_ = fastops.axpy(1.0, f4, f8)
_ = fastops.axpy(1.0, f4)
_ = fastops.leaky_relu(i4, 0.5)
_ = fastops.normalize_u8(i4, 0.5, 0.5)
_ = fastops.normalize_u8(f4, 0.5, 0.5)
_ = kernel_shapes.half(f8)
_ = kernel_shapes.split(f4, out=f4)
_ = kernel_shapes.scaled(f4, i4)
a, b, c = kernel_shapes.split(f4)
fastops.gelu.nin = 3
_ = fastops.geluu(f4)
_ = fastops.variants()[0]["dtype"]
_ = kernel_shapes.powers(f4)
_ = kernel_shapes.powers(f4, degree=2)
_ = kernel_shapes.powers(f4, 2, True)
_ = kernel_shapes.powers(f4, degree=2.5, negate=True)
_ = kernel_shapes.powers(f4, degree=2, negate=1)
_ = kernel_shapes.place(i4, 9, mode="wrap", lambda_=1)
_ = kernel_shapes.place(i4, 9, mode="Wrap", lambda_=3)
_ = kernel_shapes.powers.ufunc
_ = fastops.mandelbrot(f4, f4)
_ = fastops.mandelbrot(f4, f4, 256)
_ = fastops.mandelbrot(f4, f4, max_iter="256")
_ = fastops.mandelbrot(i4, f4, max_iter=256)
_ = fastops.collatz(i4)
_ = fastops.collatz(1.5)
_ = fastops.srgb_to_linear(f4)
_ = fastops.srgb_to_linear_f16(u1, out=f4)
_ = fastops.quantize(f4, f8)
_ = fastops.classify(u1)
functions.py("1")
functions.py(1.5)
functions.floats("1", 0, True)
functions.repeat(text="a")
functions.repeat("a", 2, ", ")
functions.repeat("a", spacing=2)
functions.length(3)
functions.mean(["a"])
functions.inverse({"a": 1})
functions.backwards("abc")
functions.weighted(f4)
functions.weighted(f8.reshape(3, 1))
functions.weighted([1.0])
functions.sum3(i4.reshape(3, 1))
functions.body_count(functions.cost_of(1))
functions.in_a_row(3)[0].as_tensor("dt")
functions.in_a_row(3)[0].take("bounds")
functions.in_a_row(3)[0].dt = "x"
_ = functions.in_a_row(3)[0].speed
functions.Bodies("name")
