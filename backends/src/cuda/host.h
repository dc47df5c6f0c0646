// What stands for CUDA's own declarations where a host compiler takes a kernel's text, for tests: -std=c++17 -ffp-contract=off.
// A thread sees its own threadIdx; a launch runs the threads one after the other, or, of a block whose threads meet, in turns (run_block).
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ucontext.h>
#include <vector>

#define __device__
#define __global__
#define __shared__ static
#define __forceinline__ inline
#define __launch_bounds__(...)

struct dim3_ { unsigned int x = 1, y = 1, z = 1; };
static thread_local dim3_ threadIdx, blockIdx, blockDim, gridDim;

static inline unsigned int __float_as_uint(float x) { unsigned int u; std::memcpy(&u, &x, 4); return u; }
static inline float __uint_as_float(unsigned int u) { float x; std::memcpy(&x, &u, 4); return x; }
static inline long long __double_as_longlong(double x) { long long u; std::memcpy(&u, &x, 8); return u; }
static inline double __longlong_as_double(long long u) { double x; std::memcpy(&x, &u, 8); return x; }

// GCC makes one instruction of `-fma(a, b, c)`, which rounds as it does but gives the other zero where the sum is one: a value that went through memory
// it leaves alone.
template <class T> static inline T fused_(T a, T b, T c) {
    T x = std::fma(a, b, c);
    asm("" : "+m"(x));
    return x;
}
#define fma(a, b, c) fused_<double>(a, b, c)
#define fmaf(a, b, c) fused_<float>(a, b, c)

static inline unsigned long long atomicMin(unsigned long long *p, unsigned long long v) {
    const unsigned long long old = *p;
    if (v < old) *p = v;
    return old;
}

// The threads of a block, each with a stack of its own: at a barrier the next one goes on, and all have come there before the first goes on.
struct Block_ {
    std::vector<ucontext_t> threads;
    std::vector<std::vector<char>> stacks;
    std::vector<bool> done;
    ucontext_t main;
    unsigned int current = 0;
    int any = 0, any_before = 0;
    void (*body)(const void *const *) = nullptr;
    const void *const *arguments = nullptr;
};
static thread_local Block_ block_;

static inline void __syncthreads() { swapcontext(&block_.threads[block_.current], &block_.main); }
static inline int __syncthreads_or(int x) {
    block_.any |= x != 0;
    __syncthreads();
    return block_.any_before;
}
static void thread_() {
    block_.body(block_.arguments);
    block_.done[block_.current] = true;
    swapcontext(&block_.threads[block_.current], &block_.main);
}
static void run_block(unsigned int threads, void (*body)(const void *const *), const void *const *arguments) {
    const unsigned int stack = 256 << 10;
    block_.threads.resize(threads);
    block_.stacks.resize(threads);
    block_.done.assign(threads, false);
    block_.body = body;
    block_.arguments = arguments;
    block_.any = block_.any_before = 0;
    for (unsigned int t = 0; t < threads; ++t) {
        block_.stacks[t].resize(stack);
        getcontext(&block_.threads[t]);
        block_.threads[t].uc_stack.ss_sp = block_.stacks[t].data();
        block_.threads[t].uc_stack.ss_size = stack;
        block_.threads[t].uc_link = &block_.main;
        makecontext(&block_.threads[t], thread_, 0);
    }
    for (bool left = true; left;) {
        left = false;
        for (unsigned int t = 0; t < threads; ++t) {
            if (block_.done[t]) continue;
            left = true;
            block_.current = threadIdx.x = t;
            swapcontext(&block_.main, &block_.threads[t]);
        }
        block_.any_before = block_.any;
        block_.any = 0;
    }
}
