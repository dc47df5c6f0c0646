# The gelu of an array of float32, as an extension module for Python. See run.py.

from algorithm import vectorize
from math import exp
from memory import UnsafePointer
from os import abort
from python import PythonObject
from python.bindings import PythonModuleBuilder
from sys import simd_width_of


@export
def PyInit_gelu() -> PythonObject:
    try:
        var module = PythonModuleBuilder("gelu")
        module.def_function[gelu]("gelu")
        return module.finalize()
    except error:
        abort(String("gelu cannot be made: ", error))


def gelu(x_at: PythonObject, out_at: PythonObject, size: PythonObject) raises -> PythonObject:
    var x = UnsafePointer[Float32](unsafe_from_address=Int(x_at))
    var out = UnsafePointer[Float32](unsafe_from_address=Int(out_at))

    @parameter
    def step[width: Int](i: Int):
        var v = x.load[width=width](i)
        out.store(i, v / (1 + exp(v * (v * v * -0.07135481627260025 - 1.5957691216057308))))

    vectorize[step, simd_width_of[DType.float32]()](Int(size))
    return PythonObject(None)
