//! Running an operation over many inputs, and comparing with plain Rust.

use crate::level::Level;
use crate::values::Value;
use core::fmt::Debug;
use lanecraft_core::isa::{Isa, MemoryOps, Registers, V};
use lanecraft_core::{Dtype, isa};

/// The right values. It is a whole level of one lane, so that the compiler asks for every operation there is; `tables.rs`
/// writes its operations.
#[derive(Clone, Copy, Debug)]
pub struct Oracle {
    /// Whether `fma` rounds once on the level under test.
    pub fused: bool,
}

impl Registers for Oracle {
    const LANES: usize = 1;
    type V<T: Dtype> = T::Scalar;
}
impl<T: Dtype> MemoryOps<T> for Oracle {
    unsafe fn load(self, p: *const T) -> T::Scalar {
        // SAFETY: the caller's promise.
        unsafe { p.read_unaligned().widen() }
    }
    unsafe fn store(self, p: *mut T, a: T::Scalar) {
        // SAFETY: the caller's promise.
        unsafe { p.write_unaligned(T::narrow(a)) }
    }
}
impl isa::BitsOps for Oracle {
    fn bitmask(self, m: bool) -> u64 {
        if m { 1 } else { 0 }
    }
    fn f32_to_bits(self, a: f32) -> u32 {
        u32::from_ne_bytes(a.to_ne_bytes())
    }
    fn f32_from_bits(self, a: u32) -> f32 {
        f32::from_ne_bytes(a.to_ne_bytes())
    }
    fn f64_to_bits(self, a: f64) -> u64 {
        u64::from_ne_bytes(a.to_ne_bytes())
    }
    fn f64_from_bits(self, a: u64) -> f64 {
        f64::from_ne_bytes(a.to_ne_bytes())
    }
    fn u32_shl(self, a: u32, n: u32) -> u32 {
        a << n
    }
    fn u32_shr(self, a: u32, n: u32) -> u32 {
        a >> n
    }
    fn f32_scale(self, a: f32, t: f32) -> f32 {
        // Exact in f64, then rounded.
        (f64::from(a) * 2_f64.powi((t - isa::shims::SCALE_F32) as i32)) as f32
    }
    fn f64_scale(self, a: f64, t: f64) -> f64 {
        let n = (t - isa::shims::SCALE_F64) as i32;
        // Of the two factors only the second can round.
        if n < -1000 { a * 2_f64.powi(-900) * 2_f64.powi(n + 900) } else { a * 2_f64.powi(n / 2) * 2_f64.powi(n - n / 2) }
    }
    fn f32_look_up(self, table: &[f32; 16], at: u32) -> f32 {
        table[at as usize % 16]
    }
}

// `half.rs` has its own tests.
macro_rules! half {
    ($($t:ty)*) => {$(
        lanecraft_core::__half_ops! { $t: [] Oracle }
        impl isa::half::HalfOps<$t> for Oracle {
            fn widen(self, bits: u16) -> f32 {
                <$t>::from_bits(bits).to_f32()
            }
            fn narrow(self, a: f32) -> u16 {
                <$t>::from_f32(a).to_bits()
            }
            fn of_f32(self, a: f32) -> f32 {
                a
            }
        }
    )*};
}
half!(half::f16 half::bf16);

const _: fn() = || {
    fn is_complete<I: Isa>() {}
    is_complete::<Oracle>();
};

/// The longest gang.
const GANG: usize = 16;

fn pad<A: Copy>(mut a: Vec<A>) -> Vec<A> {
    let last = *a.last().expect("there are inputs");
    a.resize(a.len().next_multiple_of(GANG), last);
    a
}

/// Every pair.
pub fn cross<A: Copy, B: Copy>(a: &[A], b: &[B]) -> Vec<(A, B)> {
    a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y))).collect()
}

/// What is being tested, for messages and comparison.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub operation: &'static str,
    /// The bits of a NaN count too.
    pub strict: bool,
}

#[track_caller]
fn compare<X: Debug + Copy, R: Value>(case: Case, level: &str, inputs: &[X], got: &[R], expected: impl Fn(X) -> R) {
    for (&x, &y) in inputs.iter().zip(got) {
        let right = expected(x);
        let same = if case.strict { y.pattern() == right.pattern() } else { y.same(right) };
        if !same {
            let Case { operation, .. } = case;
            panic!("{operation} on {level}: {x:?} gave {y:?} ({:#x}), not {right:?} ({:#x})", y.pattern(), right.pattern());
        }
    }
}

// There are thousands of pairs of operation and level, so `checkN` holds only what belongs to one; the rest, `drive`, is
// compiled once for its types. Everything in one function took three times as long to compile.

/// Checks `op`, run gang by gang on the level, against `expected` of each element.
#[inline(always)]
pub fn check1<A: Value, R: Value, I: Level>(isa: I, case: Case, a: Vec<A>, op: impl Fn(V<A, I>) -> V<R, I>, expected: impl Fn(A) -> R) {
    fn drive<A: Value, R: Value>(case: Case, level: &str, a: Vec<A>, run: &dyn Fn(&[A], &mut [R]), expected: &dyn Fn(A) -> R) {
        let a = pad(a);
        let mut got = vec![R::default(); a.len()];
        run(&a, &mut got);
        compare(case, level, &a, &got, expected);
    }
    let run = |a: &[A], got: &mut [R]| {
        isa.enter(
            #[inline(always)]
            || {
                let mut k = 0;
                while k < a.len() {
                    // SAFETY: the lengths are multiples of the gang.
                    unsafe { R::store(isa, got.as_mut_ptr().add(k), op(A::load(isa, a.as_ptr().add(k)))) };
                    k += <I as Registers>::LANES;
                }
            },
        );
    };
    drive(case, I::name(), a, &run, &expected);
}

/// Two operands.
#[inline(always)]
pub fn check2<A: Value, B: Value, R: Value, I: Level>(
    isa: I,
    case: Case,
    inputs: Vec<(A, B)>,
    op: impl Fn(V<A, I>, V<B, I>) -> V<R, I>,
    expected: impl Fn(A, B) -> R,
) {
    type Run<'a, A, B, R> = &'a dyn Fn(&[A], &[B], &mut [R]);
    fn drive<A: Value, B: Value, R: Value>(case: Case, level: &str, inputs: Vec<(A, B)>, run: Run<A, B, R>, expected: &dyn Fn(A, B) -> R) {
        let inputs = pad(inputs);
        let (a, b): (Vec<A>, Vec<B>) = inputs.iter().copied().unzip();
        let mut got = vec![R::default(); a.len()];
        run(&a, &b, &mut got);
        compare(case, level, &inputs, &got, |(a, b)| expected(a, b));
    }
    let run = |a: &[A], b: &[B], got: &mut [R]| {
        isa.enter(
            #[inline(always)]
            || {
                let mut k = 0;
                while k < a.len() {
                    // SAFETY: the lengths are equal, and multiples of the gang.
                    unsafe { R::store(isa, got.as_mut_ptr().add(k), op(A::load(isa, a.as_ptr().add(k)), B::load(isa, b.as_ptr().add(k)))) };
                    k += <I as Registers>::LANES;
                }
            },
        );
    };
    drive(case, I::name(), inputs, &run, &expected);
}

/// Three operands.
#[inline(always)]
pub fn check3<A: Value, B: Value, C: Value, R: Value, I: Level>(
    isa: I,
    case: Case,
    inputs: Vec<((A, B), C)>,
    op: impl Fn(V<A, I>, V<B, I>, V<C, I>) -> V<R, I>,
    expected: impl Fn(A, B, C) -> R,
) {
    type Run<'a, A, B, C, R> = &'a dyn Fn(&[A], &[B], &[C], &mut [R]);
    fn drive<A: Value, B: Value, C: Value, R: Value>(
        case: Case,
        level: &str,
        inputs: Vec<((A, B), C)>,
        run: Run<A, B, C, R>,
        expected: &dyn Fn(A, B, C) -> R,
    ) {
        let inputs = pad(inputs);
        let (ab, c): (Vec<(A, B)>, Vec<C>) = inputs.iter().copied().unzip();
        let (a, b): (Vec<A>, Vec<B>) = ab.into_iter().unzip();
        let mut got = vec![R::default(); a.len()];
        run(&a, &b, &c, &mut got);
        compare(case, level, &inputs, &got, |((a, b), c)| expected(a, b, c));
    }
    let run = |a: &[A], b: &[B], c: &[C], got: &mut [R]| {
        isa.enter(
            #[inline(always)]
            || {
                let mut k = 0;
                while k < a.len() {
                    // SAFETY: the lengths are equal, and multiples of the gang.
                    unsafe {
                        let x = (A::load(isa, a.as_ptr().add(k)), B::load(isa, b.as_ptr().add(k)), C::load(isa, c.as_ptr().add(k)));
                        R::store(isa, got.as_mut_ptr().add(k), op(x.0, x.1, x.2));
                    }
                    k += <I as Registers>::LANES;
                }
            },
        );
    };
    drive(case, I::name(), inputs, &run, &expected);
}
