// What stands for CUDA's own declarations where a host compiler takes a kernel's text, for tests: -std=c++17 -ffp-contract=off.
// A thread sees its own threadIdx; a launch runs the threads one after the other.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct dim3_ { unsigned int x = 1, y = 1, z = 1; };
static thread_local dim3_ threadIdx, blockIdx, blockDim, gridDim;

static inline unsigned int __float_as_uint(float x) { unsigned int u; std::memcpy(&u, &x, 4); return u; }
static inline float __uint_as_float(unsigned int u) { float x; std::memcpy(&x, &u, 4); return x; }
static inline long long __double_as_longlong(double x) { long long u; std::memcpy(&u, &x, 8); return u; }
static inline double __longlong_as_double(long long u) { double x; std::memcpy(&x, &u, 8); return x; }

static inline unsigned long long atomicMin(unsigned long long *p, unsigned long long v) {
    const unsigned long long old = *p;
    if (v < old) *p = v;
    return old;
}
