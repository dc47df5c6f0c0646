//! Block kernels: on every level the bits of the plain function, whose reductions are those of a loop written here.

use lanecraft::block::{Call, Level, run_on};
use lanecraft::prelude::*;
use lanecraft::{BlockFunction, DtypeId, Error};

const SIZES: [usize; 14] = [0, 1, 2, 15, 16, 17, 63, 64, 65, 100, 4095, 4096, 4097, 13000];

/// exp(x) over its sum.
#[kernel(dtypes(float), signature = "(n)->(n)")]
pub fn softmax<T: Float>(x: &[T], y: &mut [T]) {
    let mut m = T::NEG_INFINITY;
    for i in lanes(0..x.len()) {
        m = m.max(x[i]);
    }
    let mut s = T::ZERO;
    for i in lanes(0..x.len()) {
        y[i] = (x[i] - m).exp();
        s += y[i];
    }
    for i in lanes(0..x.len()) {
        y[i] /= s;
    }
}

#[kernel(dtypes(f32, f64, u8, i64), signature = "(n)->(),(),(),()")]
fn reductions<T: Num>(x: &[T]) -> (T, T, T, T) {
    let (mut s, mut p, mut lo, mut hi) = (T::ONE, T::ONE, T::MAX, T::MIN);
    for i in lanes(0..x.len()) {
        s += x[i];
        p *= x[i];
        lo = lo.min(x[i]);
        hi = hi.max(x[i]);
    }
    (s, p, lo, hi)
}

#[kernel(dtypes(u16), signature = "(n)->(),(),()")]
fn bits<T: Int>(x: &[T]) -> (T, T, T) {
    let (mut a, mut o, mut e) = (!T::ZERO, T::ZERO, T::ZERO);
    for i in lanes(0..x.len()) {
        a &= x[i];
        o |= x[i];
        e ^= x[i];
    }
    (a, o, e)
}

/// Control flow in a lane, a neighbour, a reduction that some lanes take no part in.
#[kernel(dtypes(f32, f64), signature = "(n),()->(n),()")]
fn flow<T: Float>(x: &[T], limit: T, y: &mut [T]) -> T {
    let n = x.len();
    let mut s = T::ZERO;
    for i in lanes(0..n) {
        if x[i] < limit {
            y[i] = 0.0;
            continue;
        }
        let mut a = x[i];
        let mut k = 0;
        while a > 1.0 && k < 10 {
            a *= 0.5;
            k += 1;
        }
        if i > 0 {
            a += x[i - 1];
        }
        if i + 1 < n {
            a -= x[i + 1];
        }
        y[i] = a + k as T;
        s += a;
    }
    s
}

/// Uniform code around lanes, a step, a scalar result of another type.
#[kernel(signature = "(n),(m)->(n),()")]
fn polynomial(x: &[f32], c: &[f32], y: &mut [f32]) -> i32 {
    for i in lanes(0..x.len()) {
        y[i] = 0.0;
    }
    let mut rounds = 0;
    for k in 0..c.len() {
        if c[k] == 0.0 {
            continue;
        }
        for i in lanes((0..x.len()).step_by(3)) {
            let mut p = 1.0;
            for _ in 0..k {
                p *= x[i];
            }
            y[i] += c[k] * p;
        }
        rounds += 1;
    }
    rounds
}

#[kernel(signature = "(n),(k)->(k)")]
fn take(x: &[f32], at: &[i32], y: &mut [f32]) {
    for i in lanes(0..at.len()) {
        y[i] = x[at[i] as usize];
    }
}

#[kernel(signature = "(n),(),()->(n)")]
fn shift(x: &[f32], by: isize, n: usize, y: &mut [f32]) {
    for i in lanes(0..n) {
        y[i] = x[i + by as usize];
    }
}

/// The levels that give the same bits.
fn levels() -> Vec<Level> {
    Level::available().into_iter().filter(|level| *level != Level::Sse2).collect()
}

fn wave(n: usize) -> impl Iterator<Item = f64> {
    (0..n).map(|i| (i as f64 * 0.731).sin() * 4.0 + (i % 7) as f64 * 0.1)
}

/// Runs one item of a kernel, all operands side by side, on one level.
fn on<K: BlockFunction>(level: Level, dtype: DtypeId, dims: &[usize], args: &[*mut u8]) -> Result<(), Error> {
    let info = const { &K::INFO };
    let variant = info.variants.iter().find(|v| v.operands().contains(&dtype)).expect("the dtype has a variant");
    let mut core_steps = Vec::new();
    for (k, own) in info.signature.operands.iter().enumerate() {
        let mut step = variant.operands()[k].size() as isize;
        let mut steps = Vec::new();
        for d in own.iter().rev() {
            steps.insert(0, step);
            step *= dims[*d] as isize;
        }
        core_steps.extend(steps);
    }
    let steps = vec![0; args.len()];
    // SAFETY: the tests pass pointers to as many elements as the dims say.
    unsafe { run_on(info, variant, level, &Call { args, count: 1, steps: &steps, dims, core_steps: &core_steps, fresh: 0 }) }
}

fn at<T>(x: &[T]) -> *mut u8 {
    x.as_ptr().cast_mut().cast()
}
fn at_mut<T>(x: &mut [T]) -> *mut u8 {
    x.as_mut_ptr().cast()
}
fn one<T>(x: &mut T) -> *mut u8 {
    std::ptr::from_mut(x).cast()
}

macro_rules! same {
    ($a:expr, $b:expr, $($note:tt)*) => {
        assert!($a.iter().zip(&$b).all(|(a, b)| a.to_bits() == b.to_bits()), $($note)*)
    };
}

#[test]
fn softmax_on_every_level() {
    macro_rules! check {
        ($t:ty, $id:ident, $of:expr) => {
            for n in SIZES {
                let x: Vec<$t> = wave(n).map($of).collect();
                let mut plain = vec![<$t>::ZERO; n];
                softmax(&x, &mut plain);
                let total: f64 = plain.iter().map(|y| f64::from(*y)).sum();
                assert!(n == 0 || (total - 1.0).abs() < 0.02, "{total}");
                for level in levels() {
                    let mut y = vec![<$t>::ZERO; n];
                    on::<softmax>(level, DtypeId::$id, &[n], &[at(&x), at_mut(&mut y)]).unwrap();
                    same!(y, plain, "{level} {n}");
                }
                let mut y = vec![<$t>::ZERO; n];
                softmax::run(&x, &mut y).unwrap();
            }
        };
    }
    check!(f32, F32, |x| x as f32);
    check!(f64, F64, |x| x);
    check!(f16, F16, f16::from_f64);
    check!(bf16, Bf16, bf16::from_f64);
}

/// The canonical order of docs/language.md, as plainly as it can be written.
fn canonical<T: Copy>(x: &[T], identity: T, op: impl Fn(T, T) -> T + Copy) -> T {
    let accumulators = if size_of::<T>() == 8 { 32 } else { 64 };
    fn tree<T: Copy>(x: &[T], op: impl Fn(T, T) -> T + Copy) -> Vec<T> {
        let half = x.len() / 2;
        (0..half).map(|j| op(x[j], x[j + half])).collect()
    }
    let mut chunks: Vec<T> = x
        .chunks(4096)
        .map(|chunk| {
            let mut slots = vec![identity; accumulators];
            for (k, v) in chunk.iter().enumerate() {
                slots[k % accumulators] = op(slots[k % accumulators], *v);
            }
            while slots.len() > 1 {
                slots = tree(&slots, op);
            }
            slots[0]
        })
        .collect();
    if chunks.is_empty() {
        return identity;
    }
    // Pairwise: the largest power of two on the left.
    fn pairs<T: Copy>(x: &[T], op: impl Fn(T, T) -> T + Copy) -> T {
        match x {
            [one] => *one,
            x => {
                let left = x.len().next_power_of_two() / 2;
                op(pairs(&x[..left], op), pairs(&x[left..], op))
            }
        }
    }
    let all = std::mem::take(&mut chunks);
    pairs(&all, op)
}

#[test]
fn reductions_on_every_level() {
    macro_rules! check {
        ($t:ty, $id:ident, $of:expr, $bits:ident, $add:expr, $mul:expr, $zero:expr) => {
            for n in SIZES {
                let x: Vec<$t> = wave(n).map($of).collect();
                let (s, p, lo, hi) = reductions(&x[..]);
                let sum = $add(1 as $t, canonical(&x, $zero, $add));
                let product = $mul(1 as $t, canonical(&x, 1 as $t, $mul));
                assert_eq!((s.$bits(), p.$bits()), (sum.$bits(), product.$bits()), "{n}");
                assert_eq!(lo, x.iter().copied().fold(<$t>::MAX, |a, b| if b < a { b } else { a }));
                assert_eq!(hi, x.iter().copied().fold(<$t>::MIN, |a, b| if b > a { b } else { a }));
                for level in levels() {
                    let mut r = [0 as $t; 4];
                    let [a, b, c, d] = &mut r;
                    on::<reductions>(level, DtypeId::$id, &[n], &[at(&x), one(a), one(b), one(c), one(d)]).unwrap();
                    assert_eq!(r.map(|v| v.$bits()), [s, p, lo, hi].map(|v| v.$bits()), "{level} {n}");
                }
            }
        };
    }
    trait Same: Sized {
        fn itself(self) -> Self {
            self
        }
    }
    impl Same for u8 {}
    impl Same for i64 {}
    check!(f32, F32, |x| x as f32 * 0.3, to_bits, |a, b| a + b, |a, b| a * b, -0.0);
    check!(f64, F64, |x| x * 0.3, to_bits, |a, b| a + b, |a, b| a * b, -0.0);
    check!(u8, U8, |x| (x * 40.0).abs() as u8, itself, u8::wrapping_add, u8::wrapping_mul, 0);
    check!(i64, I64, |x| (x * 1e17) as i64, itself, i64::wrapping_add, i64::wrapping_mul, 0);
}

#[test]
fn bit_reductions() {
    for n in SIZES {
        let x: Vec<u16> = (0..n).map(|i| (i as u16).wrapping_mul(40503) | 9).collect();
        let expected = x.iter().fold((!0, 0, 0), |(a, o, e), v| (a & v, o | v, e ^ v));
        assert_eq!(bits(&x[..]), expected);
        for level in levels() {
            let mut r = [0_u16; 3];
            let [a, b, c] = &mut r;
            on::<bits>(level, DtypeId::U16, &[n], &[at(&x), one(a), one(b), one(c)]).unwrap();
            assert_eq!((r[0], r[1], r[2]), expected, "{level} {n}");
        }
    }
}

#[test]
fn nan_loses_and_zero_keeps_its_sign() {
    assert_eq!(reductions(&[f32::NAN, 3.0, f32::NAN][..]).2, 3.0);
    assert_eq!(reductions(&[f32::NAN, 3.0, f32::NAN][..]).3, 3.0);
    let x = [-0.0_f32; 20];
    assert_eq!(canonical(&x, -0.0, |a, b| a + b).to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn control_flow() {
    for n in SIZES {
        let x: Vec<f32> = wave(n).map(|x| x as f32).collect();
        let mut plain = vec![9.0; n];
        let sum = flow(&x, 0.5, &mut plain);
        let mut by_hand = vec![0.0_f32; n];
        for i in 0..n {
            if x[i] < 0.5 {
                continue;
            }
            let (mut a, mut k) = (x[i], 0);
            while a > 1.0 && k < 10 {
                a *= 0.5;
                k += 1;
            }
            a += if i > 0 { x[i - 1] } else { 0.0 };
            a -= if i + 1 < n { x[i + 1] } else { 0.0 };
            by_hand[i] = a + k as f32;
        }
        assert_eq!(plain, by_hand);
        for level in levels() {
            let (mut y, mut s, limit) = (vec![9.0_f32; n], 0.0_f32, [0.5_f32]);
            on::<flow>(level, DtypeId::F32, &[n], &[at(&x), at(&limit), at_mut(&mut y), one(&mut s)]).unwrap();
            same!(y, plain, "{level} {n}");
            assert_eq!(s.to_bits(), sum.to_bits(), "{level} {n}");
        }
    }
}

#[test]
fn uniform_code() {
    let c = [0.5_f32, 0.0, 2.0, -1.0];
    for n in SIZES {
        let x: Vec<f32> = wave(n).map(|x| x as f32).collect();
        let mut plain = vec![9.0; n];
        assert_eq!(polynomial(&x, &c, &mut plain), 3);
        for (i, y) in plain.iter().enumerate() {
            let x = x[i];
            let all = 0.5 + 2.0 * (1.0 * x * x) + -(1.0 * x * x * x);
            assert_eq!(*y, if i % 3 == 0 { all } else { 0.0 });
        }
        for level in levels() {
            let (mut y, mut rounds) = (vec![9.0_f32; n], 0_i32);
            on::<polynomial>(level, DtypeId::F32, &[n, 4], &[at(&x), at(&c), at_mut(&mut y), one(&mut rounds)]).unwrap();
            same!(y, plain, "{level} {n}");
            assert_eq!(rounds, 3);
        }
    }
}

#[test]
fn gathers() {
    let x: Vec<f32> = (0..50).map(|i| i as f32).collect();
    let index: Vec<i32> = (0..37).map(|i| (i * 13) % 50).collect();
    let expected: Vec<f32> = index.iter().map(|i| *i as f32).collect();
    for level in levels() {
        let mut y = vec![0.0_f32; 37];
        on::<take>(level, DtypeId::F32, &[50, 37], &[at(&x), at(&index), at_mut(&mut y)]).unwrap();
        assert_eq!(y, expected, "{level}");
    }
}

#[test]
fn out_of_range() {
    let x: Vec<f32> = (0..50).map(|i| i as f32).collect();
    let mut index = vec![0; 40];
    index[21] = -1;
    index[30] = 50;
    let mut y = vec![0.0; 40];
    let error = take::run(&x, &index, &mut y).unwrap_err();
    assert_eq!(error.to_string(), "take: index [-1] of argument `x` is out of range for shape [50]");
    for (n, by, bad) in
        [(40_usize, 0_isize, None), (40, 10, None), (40, 11, Some(50)), (40, -1, Some(-1)), (50, 1, Some(50)), (3, -2, Some(-2))]
    {
        for level in levels() {
            let mut y = vec![0.0_f32; 50];
            let (mut by, mut n_) = (by as i64, n as u64);
            let done = on::<shift>(level, DtypeId::F32, &[50], &[at(&x), one(&mut by), one(&mut n_), at_mut(&mut y)]);
            match bad {
                None => {
                    done.unwrap();
                    assert_eq!(y[..n], x[by as usize..by as usize + n]);
                    assert!(y[n..].iter().all(|y| *y == 0.0));
                }
                Some(bad) => {
                    let text = format!("shift: index [{bad}] of argument `x` is out of range for shape [50]");
                    assert_eq!(done.unwrap_err().to_string(), text, "{level} {n} {by}");
                }
            }
        }
    }
    // The end of the output.
    let error = shift::run(&x, 0_i64, 51_u64, &mut vec![0.0; 50]).unwrap_err();
    assert_eq!(error.to_string(), "shift: index [50] of argument `x` is out of range for shape [50]");
    let plain = std::panic::catch_unwind(|| shift(&[1.0, 2.0], 1, 2, &mut [0.0, 0.0])).unwrap_err();
    assert_eq!(plain.downcast_ref::<String>().unwrap(), "index [2] is out of range for shape [2]");
}

#[test]
fn shapes() {
    let error = softmax::run(&[1.0_f32, 2.0], &mut [0.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "softmax: argument `y` came with shape [3]; accepted is shape (n) with n = 2, which is that of `x`");
}

#[cfg(feature = "ndarray")]
mod arrays {
    use super::*;
    use ndarray::{Array2, Array3, Axis, array, s};

    #[test]
    fn batches() {
        let x = Array3::from_shape_fn((3, 5, 37), |(a, b, c)| ((a * 7 + b * 3 + c) as f32 * 0.37).sin());
        let mut expected = Array3::zeros(x.dim());
        for (x, mut y) in x.lanes(Axis(2)).into_iter().zip(expected.lanes_mut(Axis(2))) {
            // Not the plain function: plain SSE2 rounds `fma` twice.
            softmax::run(&x.to_vec(), y.as_slice_mut().unwrap()).unwrap();
        }
        let mut y = Array3::zeros(x.dim());
        softmax::run_batch(&x, &mut y).unwrap();
        assert_eq!(y, expected);
        // Axes in another order, backwards, every other one, of length one.
        let mut y = Array3::zeros((37, 5, 3));
        softmax::run_batch(&x, y.view_mut().reversed_axes().permuted_axes([0, 1, 2])).unwrap();
        assert_eq!(y.view().reversed_axes(), expected);
        let mut y = Array3::zeros((3, 5, 37));
        softmax::run_batch(x.slice(s![..;-1, .., ..]), y.slice_mut(s![..;-1, .., ..])).unwrap();
        assert_eq!(y, expected);
        let backwards = x.slice(s![.., .., ..;-1]);
        softmax::run_batch(backwards, y.slice_mut(s![.., .., ..;-1])).unwrap();
        assert!(y.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6));
        let one = Array2::from_elem((1, 1), 3.0_f32);
        let mut y = Array2::zeros((1, 1));
        softmax::run_batch(one.broadcast((1, 1)).unwrap(), &mut y).unwrap();
        assert_eq!(y, array![[1.0]]);
    }

    #[test]
    fn broadcast_inputs() {
        let x = Array2::from_shape_fn((4, 20), |(a, b)| (a * b) as f32);
        let (mut y, mut s) = (Array2::zeros((4, 20)), vec![0.0; 4]);
        flow::run_batch(&x, 0.5, &mut y, &mut s).unwrap();
        let mut row = vec![0.0; 20];
        assert_eq!(flow(x.row(3).as_slice().unwrap(), 0.5, &mut row), s[3]);
        let error = flow::run_batch(&x, &vec![0.5; 3], &mut y, &mut s).unwrap_err();
        assert_eq!(
            error.to_string(),
            "flow: argument `limit` came with shape [3]; accepted is axes before () that broadcast to [4], those of the inputs before it"
        );
        let index = Array2::from_shape_fn((3, 5), |(a, b)| (a + b) as i32);
        let mut y = Array2::zeros((3, 5));
        let error = take::run_batch(&vec![1.0; 6], &index, &mut y).unwrap_err();
        assert_eq!(error.to_string(), "take: index [6] of argument `x` is out of range for shape [6], in item [2]");
    }
}
