//! Loops over lanes whose step has a name: each value against loops written here, on every level.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

const EVERY: usize = 3;

/// Elements `step` apart and their neighbours; a sum of those that are 3 apart; how often each byte occurs among them.
#[kernel(dtypes(f32, i64), signature = "(n),(n)->(n),(256),(n),()")]
fn apart<T: Num>(x: &[T], k: &[u8], #[parameter(1, 2, 5)] step: usize, y: &mut [T], counts: &mut [i32], sums: &mut [T]) -> T {
    for i in lanes(0..y.len()) {
        y[i] = T::ZERO;
        sums[i] = T::ZERO;
    }
    for b in lanes(0..counts.len()) {
        counts[b] = 0;
    }
    for i in lanes((1..x.len()).step_by(step)) {
        if x[i] != 4 {
            y[i] = x[i] + x[i - 1] + x.at_or(2 * i, T::ONE) + i as T;
        }
    }
    let mut s = T::ZERO;
    for i in lanes((0..x.len()).step_by(EVERY)) {
        s += x[i];
    }
    for i in lanes((0..k.len()).step_by(step)) {
        atomic_add(&mut counts[k[i] as usize], 1);
    }
    let mut sum = T::ZERO;
    for i in lanes((0..x.len()).step_by(step)) {
        sums[i] = scan(&mut sum, x[i]);
    }
    s
}

/// On several axes, with a constant of the function's own and a const generic.
#[kernel(signature = "(h,w)->(h,w)")]
fn grid<#[parameter(1, 4)] const BY: usize>(x: View<i32, 2>, y: ViewMut<i32, 2>) {
    const TWO: usize = 2;
    for (i, j) in lanes((0..y.dim(0), 0..y.dim(1))) {
        y[[i, j]] = -1;
    }
    for (i, j) in lanes(((0..x.dim(0)).step_by(BY), (1..x.dim(1)).step_by(TWO))) {
        y[[i, j]] = 10 * x[[i, j]] + x.at_clamp([i - 1, j + 1]);
    }
    for i in 0..x.dim(0) {
        for j in lanes((0..x.dim(1)).step_by(BY)) {
            y[[i, j]] += 1;
        }
    }
}

/// What `apart` gives, by loops over single elements.
type Results<T> = (Vec<T>, Vec<i32>, Vec<T>, T);

macro_rules! expected {
    ($x:ident, $k:ident, $step:ident, $t:ty) => {{
        let n = $x.len();
        let (mut y, mut counts, mut sums) = (vec![0 as $t; n], vec![0; 256], vec![0 as $t; n]);
        for i in (1..n).step_by($step) {
            if $x[i] != 4 as $t {
                y[i] = $x[i] + $x[i - 1] + $x.get(2 * i).copied().unwrap_or(1 as $t) + i as $t;
            }
        }
        $k.iter().step_by($step).for_each(|b| counts[usize::from(*b)] += 1);
        let mut sum = 0 as $t;
        for i in (0..n).step_by($step) {
            sum += $x[i];
            sums[i] = sum;
        }
        // Small whole numbers: the order of a float sum makes no difference.
        (y, counts, sums, $x.iter().step_by(EVERY).sum::<$t>())
    }};
}

macro_rules! check {
    ($t:ty, $dtype:ident) => {
        for n in [1_usize, 2, 15, 16, 17, 31, 33, 100, 4097, 30_000] {
            let x: Vec<$t> = (0..n).map(|i| (i * 7 % 11) as $t).collect();
            let k: Vec<u8> = (0..n).map(|i| (i * i % 253) as u8).collect();
            for (choice, step) in [1, 2, 5].into_iter().enumerate() {
                let expected: Results<$t> = expected!(x, k, step, $t);
                let start = || (vec![9 as $t; n], vec![9; 256], vec![9 as $t; n]);
                let mut out = start();
                let s = apart(&x, &k, step, &mut out.0, &mut out.1, &mut out.2);
                assert_eq!((out.0, out.1, out.2, s), expected, "{n} {step}");
                for threads in [1, 3] {
                    let mut out = start();
                    let run = || apart::run(&x, &k, step, &mut out.0, &mut out.1, &mut out.2);
                    let s = lanecraft::with_threads(threads, run).unwrap();
                    assert_eq!((out.0, out.1, out.2, s), expected, "{n} {step} {threads}");
                }
                let info = const { &<apart as BlockFunction>::INFO };
                let is_it =
                    |v: &&lanecraft::block::BlockVariant| v.choice == [Some(choice)] && v.operands()[0] == lanecraft::DtypeId::$dtype;
                let variant = info.variants.iter().find(is_it).unwrap();
                for level in Level::available() {
                    let (mut out, mut s) = (start(), [0 as $t]);
                    let size = size_of::<$t>() as isize;
                    let args = [
                        x.as_ptr().cast_mut().cast(),
                        k.as_ptr().cast_mut(),
                        out.0.as_mut_ptr().cast(),
                        out.1.as_mut_ptr().cast(),
                        out.2.as_mut_ptr().cast(),
                        s.as_mut_ptr().cast(),
                    ];
                    let call =
                        Call { args: &args, count: 1, steps: &[0; 6], dims: &[n, 256], core_steps: &[size, 1, size, 4, size], fresh: 0 };
                    // SAFETY: as many elements as the dims say.
                    unsafe { run_on(info, variant, level, &call) }.unwrap();
                    assert_eq!((out.0, out.1, out.2, s[0]), expected, "{level} {n} {step}");
                }
            }
        }
    };
}

#[test]
fn one_axis() {
    check!(f32, F32);
    check!(i64, I64);
}

#[test]
fn several_axes() {
    for (h, w) in [(1, 1), (5, 40), (9, 17), (33, 100)] {
        let x: Vec<i32> = (0..h * w).map(|i| (i % 23) as i32).collect();
        for by in [1, 4] {
            let mut expected = vec![-1; h * w];
            for i in (0..h).step_by(by) {
                for j in (1..w).step_by(2) {
                    expected[i * w + j] = 10 * x[i * w + j] + x[i.saturating_sub(1) * w + (j + 1).min(w - 1)];
                }
            }
            (0..h).for_each(|i| (0..w).step_by(by).for_each(|j| expected[i * w + j] += 1));
            let v = View::new(&x, [h, w]).unwrap();
            for plain in [true, false] {
                let mut y = vec![7; h * w];
                let out = ViewMut::new(&mut y, [h, w]).unwrap();
                match (plain, by) {
                    (true, 1) => grid::<1>(v, out),
                    (true, _) => grid::<4>(v, out),
                    (false, 1) => grid::run::<1>(v, out).unwrap(),
                    (false, _) => grid::run::<4>(v, out).unwrap(),
                }
                assert_eq!(y, expected, "{h} {w} {by} {plain}");
            }
        }
    }
}

/// An index beyond the end is one whose step has a name, too.
#[kernel(signature = "(n)->(n)")]
fn beyond(x: &[i32], #[parameter(2, 3)] step: usize, y: &mut [i32]) {
    for i in lanes((0..y.len()).step_by(step)) {
        y[i] = x[i + 1];
    }
}

#[test]
fn out_of_range() {
    for (n, step, bad) in [(100, 3, Some(100)), (99, 3, None), (99, 2, Some(99)), (100, 2, None)] {
        let error = beyond::run(&vec![1; n], step, &mut vec![0; n]).err().map(|e| e.to_string());
        assert_eq!(error, bad.map(|k| format!("beyond: index [{k}] of argument `x` is out of range for shape [{n}]")), "{n} {step}");
    }
}
