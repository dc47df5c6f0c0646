//! Reductions by operations of a kernel's own: on every level what the canonical order written here gives.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

/// Count, mean and the squares' sum around it, of two parts together.
#[always_inline]
fn merged<T: Float>(a: (T, T, T), b: (T, T, T)) -> (T, T, T) {
    let n = a.0 + b.0;
    let part = if n == 0.0 { T::ZERO } else { b.0 / n };
    let d = b.1 - a.1;
    (n, d.mul_add(part, a.1), a.2 + b.2 + d * d * a.0 * part)
}

/// Mean and sum of squares, of the values that are not negative.
#[kernel(dtypes(f16, f32, f64), signature = "(n)->(),()")]
fn moments<T: Float>(x: &[T]) -> (T, T) {
    let mut all = (T::ZERO, T::ZERO, T::ZERO);
    for i in lanes(0..x.len()) {
        if x[i] < 0.0 {
            continue;
        }
        all = reduce(all, (T::ONE, x[i], T::ZERO), |a, b| merged(a, b));
    }
    (all.1, all.2)
}

/// The least value of a matrix and where it is first; an offset that is not the loop's takes part in the operation.
#[kernel(signature = "(m,n),()->(),(),()")]
fn least(x: View<i32, 2>, offset: i32) -> (i32, u32, u32) {
    let mut best = (i32::MAX, u32::MAX, u32::MAX);
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        best = reduce(best, (x[[i, j]], i as u32, j as u32), |(v, i, j), other| {
            let (w, k, l) = other;
            let earlier = k < i || k == i && l < j;
            if w - offset < v - offset || w == v && earlier { (w, k, l) } else { (v, i, j) }
        });
    }
    best
}

/// One value, of 8 bytes, by an operation that is not commutative; with a step.
#[kernel(signature = "(n)->()")]
fn chained(x: &[u64]) -> u64 {
    let mut h = 0;
    for i in lanes((0..x.len()).step_by(3)) {
        h = reduce(h, x[i], |a, b| {
            if a == 0 {
                b
            } else if b == 0 {
                a
            } else {
                (a * 31) ^ b
            }
        });
    }
    h
}

#[always_inline]
fn half_of(x: f32) -> f32 {
    0.5 * x
}

/// A sum of what a helper gives, and handed to one: of its type only rustc knows.
#[kernel(signature = "(n)->()")]
fn halves(x: &[f32]) -> f32 {
    let mut s = 0.0;
    for i in lanes(0..x.len()) {
        s += half_of(x[i]);
    }
    half_of(s)
}

#[test]
fn a_sum_of_a_type_that_only_rustc_finds() {
    let x: Vec<f32> = (0..5000).map(|k| k as f32).collect();
    assert_eq!((halves(&x), halves::run(&x).unwrap()), (3_124_375.0, 3_124_375.0));
}

fn levels() -> Vec<Level> {
    Level::available().into_iter().filter(|level| *level != Level::Sse2).collect()
}

/// The canonical order of docs/language.md, as plainly as it can be written. `None`: no element for that iteration.
fn canonical<V: Copy>(rows: &[Vec<Option<V>>], accumulators: usize, identity: V, op: impl Fn(V, V) -> V + Copy) -> V {
    let mut chunks = Vec::new();
    for row in rows {
        for chunk in row.chunks(4096) {
            let mut slots = vec![identity; accumulators];
            for (k, v) in chunk.iter().enumerate() {
                if let Some(v) = v {
                    slots[k % accumulators] = op(slots[k % accumulators], *v);
                }
            }
            while slots.len() > 1 {
                let half = slots.len() / 2;
                slots = (0..half).map(|j| op(slots[j], slots[j + half])).collect();
            }
            chunks.push(slots[0]);
        }
    }
    fn pairs<V: Copy>(x: &[V], op: impl Fn(V, V) -> V + Copy) -> V {
        match x {
            [one] => *one,
            x => {
                let left = x.len().next_power_of_two() / 2;
                op(pairs(&x[..left], op), pairs(&x[left..], op))
            }
        }
    }
    if chunks.is_empty() { identity } else { pairs(&chunks, op) }
}

fn run<K: BlockFunction>(variant: usize, level: Level, dims: &[usize], core_steps: &[isize], args: &[*mut u8]) {
    let info = const { &K::INFO };
    let steps = vec![0; args.len()];
    let call = Call { args, count: 1, steps: &steps, dims, core_steps, fresh: 0 };
    // SAFETY: the tests pass pointers to as many elements as the dims say.
    unsafe { run_on(info, &info.variants[variant], level, &call) }.unwrap();
}

fn one<T>(x: &mut T) -> *mut u8 {
    std::ptr::from_mut(x).cast()
}

const SIZES: [usize; 12] = [0, 1, 15, 16, 17, 63, 64, 65, 100, 4096, 4097, 13000];

#[test]
fn moments_of_floats() {
    macro_rules! check {
        ($t:ty, $w:ty, $variant:literal, $accumulators:literal, $of:expr, $wide:expr) => {
            for n in SIZES {
                let x: Vec<$t> = (0..n).map(|i| $of((i as f64 * 0.731).sin() * 4.0 + 1.0)).collect();
                let op = |a: ($w, $w, $w), b: ($w, $w, $w)| {
                    let n = a.0 + b.0;
                    let part = if n == 0.0 { 0.0 } else { b.0 / n };
                    let d = b.1 - a.1;
                    (n, d.mul_add(part, a.1), a.2 + b.2 + d * d * a.0 * part)
                };
                let row = x.iter().map(|v| $wide(*v)).map(|v| (v >= 0.0).then_some((1.0, v, 0.0))).collect();
                let (_, mean, squares) = canonical(&[row], $accumulators, (0.0, 0.0, 0.0), op);
                let expected = ($of(mean.into()).to_bits(), $of(squares.into()).to_bits());
                let plain = moments(&x[..]);
                assert_eq!((plain.0.to_bits(), plain.1.to_bits()), expected, "{n}");
                for level in levels() {
                    let (mut m, mut s) = ($of(9.0), $of(9.0));
                    let args = [x.as_ptr().cast_mut().cast(), one(&mut m), one(&mut s)];
                    run::<moments>($variant, level, &[n], &[size_of::<$t>() as isize], &args);
                    assert_eq!((m.to_bits(), s.to_bits()), expected, "{level} {n}");
                }
            }
        };
    }
    check!(f16, f32, 0, 64, f16::from_f64, |v: f16| v.to_f32());
    check!(f32, f32, 1, 64, |v: f64| v as f32, |v: f32| v);
    check!(f64, f64, 2, 32, |v: f64| v, |v: f64| v);
}

#[test]
fn the_first_of_the_least() {
    for (m, n) in [(0, 5), (1, 1), (3, 17), (2, 5000), (70, 16)] {
        let x: Vec<i32> = (0..m * n).map(|i| ((i * 7919) % 101) as i32 - 7).collect();
        let at = (0..m * n).min_by_key(|i| (x[*i], *i));
        let expected = at.map_or((i32::MAX, u32::MAX, u32::MAX), |i| (x[i], (i / n) as u32, (i % n) as u32));
        assert_eq!(least(View::new(&x, [m, n]).unwrap(), 5), expected);
        for level in levels() {
            let (mut v, mut i, mut j, mut offset) = (0_i32, 0_u32, 0_u32, 5_i32);
            let args = [x.as_ptr().cast_mut().cast(), one(&mut offset), one(&mut v), one(&mut i), one(&mut j)];
            run::<least>(0, level, &[m, n], &[4 * n as isize, 4], &args);
            assert_eq!((v, i, j), expected, "{level} {m} {n}");
        }
    }
}

#[test]
fn one_value() {
    for n in SIZES {
        let x: Vec<u64> = (0..n as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).collect();
        let op = |a: u64, b: u64| {
            if a == 0 {
                b
            } else if b == 0 {
                a
            } else {
                a.wrapping_mul(31) ^ b
            }
        };
        let expected = canonical(&[x.iter().step_by(3).copied().map(Some).collect()], 32, 0, op);
        assert_eq!(chained(&x[..]), expected);
        for level in levels() {
            let mut h = 0_u64;
            run::<chained>(0, level, &[n], &[8], &[x.as_ptr().cast_mut().cast(), one(&mut h)]);
            assert_eq!(h, expected, "{level} {n}");
        }
    }
}

#[test]
fn the_same_on_several_threads() {
    let x: Vec<f32> = (0..1_000_003).map(|i| (i as f32 * 0.37).sin() + 0.5).collect();
    let alone = lanecraft::with_threads(1, || moments::run(&x)).unwrap();
    for threads in [2, 3, 8] {
        let (m, s) = lanecraft::with_threads(threads, || moments::run(&x)).unwrap();
        assert_eq!((m.to_bits(), s.to_bits()), (alone.0.to_bits(), alone.1.to_bits()), "{threads}");
    }
}
