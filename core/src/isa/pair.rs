//! A gang twice as wide: each operation on two register sets of a level, one after the other.
//!
//! The results of one are not waited for by the other, so that a kernel of one long chain of operations keeps the CPU's
//! units busy: gangs of 32 and, as a pair of pairs, of 64. (Not by `array::map`, which is not always inlined.)

use super::{BitsOps, MemoryOps, Registers, V};
use crate::dtype::Dtype;
use crate::isa::half::HalfOps;

/// Two register sets of level `I` as one.
#[derive(Clone, Copy, Debug)]
pub struct Pair<I>(pub I);

impl<I: Registers> Registers for Pair<I> {
    const LANES: usize = 2 * I::LANES;
    type V<T: Dtype> = [I::V<T>; 2];

    const BASELINE: bool = I::BASELINE;

    #[inline(always)]
    fn apart<R>(self, operation: impl FnOnce() -> R) -> R {
        self.0.apart(operation)
    }

    #[inline(always)]
    unsafe fn stream_line(self, from: *const u64, to: *mut u64) {
        // SAFETY: the caller's promise.
        unsafe { self.0.stream_line(from, to) }
    }
}

impl<T: Dtype, I: MemoryOps<T>> MemoryOps<T> for Pair<I> {
    #[inline(always)]
    unsafe fn load(self, p: *const T) -> [V<T, I>; 2] {
        // SAFETY: the caller's promise, for each half.
        unsafe { [self.0.load(p), self.0.load(p.add(I::LANES))] }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut T, [a, b]: [V<T, I>; 2]) {
        // SAFETY: the caller's promise, for each half.
        unsafe {
            self.0.store(p, a);
            self.0.store(p.add(I::LANES), b);
        }
    }
}

impl<T: Dtype, I: HalfOps<T>> HalfOps<T> for Pair<I> {
    #[inline(always)]
    fn widen(self, [a, b]: V<u16, Self>) -> V<T, Self> {
        [self.0.widen(a), self.0.widen(b)]
    }
    #[inline(always)]
    fn narrow(self, [a, b]: V<T, Self>) -> V<u16, Self> {
        [self.0.narrow(a), self.0.narrow(b)]
    }
    #[inline(always)]
    fn of_f32(self, [a, b]: V<f32, Self>) -> V<T, Self> {
        [self.0.of_f32(a), self.0.of_f32(b)]
    }
}

impl<I: BitsOps> BitsOps for Pair<I> {
    #[inline(always)]
    fn bitmask(self, [a, b]: V<bool, Self>) -> u64 {
        const { assert!(Self::LANES <= 64, "a gang has at most 64 lanes") };
        self.0.bitmask(a) | self.0.bitmask(b) << I::LANES
    }
    #[inline(always)]
    fn f32_to_bits(self, [a, b]: V<f32, Self>) -> V<u32, Self> {
        [self.0.f32_to_bits(a), self.0.f32_to_bits(b)]
    }
    #[inline(always)]
    fn f32_from_bits(self, [a, b]: V<u32, Self>) -> V<f32, Self> {
        [self.0.f32_from_bits(a), self.0.f32_from_bits(b)]
    }
    #[inline(always)]
    fn f64_to_bits(self, [a, b]: V<f64, Self>) -> V<u64, Self> {
        [self.0.f64_to_bits(a), self.0.f64_to_bits(b)]
    }
    #[inline(always)]
    fn f64_from_bits(self, [a, b]: V<u64, Self>) -> V<f64, Self> {
        [self.0.f64_from_bits(a), self.0.f64_from_bits(b)]
    }
    #[inline(always)]
    fn u32_shl(self, [a, b]: V<u32, Self>, n: u32) -> V<u32, Self> {
        [self.0.u32_shl(a, n), self.0.u32_shl(b, n)]
    }
    #[inline(always)]
    fn u32_shr(self, [a, b]: V<u32, Self>, n: u32) -> V<u32, Self> {
        [self.0.u32_shr(a, n), self.0.u32_shr(b, n)]
    }
    #[inline(always)]
    fn f32_scale(self, [a, b]: V<f32, Self>, [t, u]: V<f32, Self>) -> V<f32, Self> {
        [self.0.f32_scale(a, t), self.0.f32_scale(b, u)]
    }
    #[inline(always)]
    fn f64_scale(self, [a, b]: V<f64, Self>, [t, u]: V<f64, Self>) -> V<f64, Self> {
        [self.0.f64_scale(a, t), self.0.f64_scale(b, u)]
    }
    #[inline(always)]
    fn f32_look_up(self, table: &[f32; 16], [a, b]: V<u32, Self>) -> V<f32, Self> {
        [self.0.f32_look_up(table, a), self.0.f32_look_up(table, b)]
    }
}
