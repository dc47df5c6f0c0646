//! Arrays that the lanes of an item share: on every level what loops written here give.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

/// Blocks of 40 elements backwards, each plus its block's first; in `odd` every other one of the blocks.
#[kernel(dtypes(f16, f32, i64), signature = "(n),(k)->(n),(n)")]
fn shared<T: Num>(x: &[T], at: &[u8], y: &mut [T], odd: &mut [T]) {
    let n = x.len();
    let table = [T::ONE, T::ZERO, T::ONE];
    let mut block = [T::ZERO; 40];
    let mut wide = [[T::ZERO; 80]; 2];
    let mut start = 0;
    while start < n {
        let count = (n - start).min(40);
        for i in lanes(0..count) {
            block[i] = x[start + i] * 3;
            wide[1][2 * i + 1] = x[start + i];
        }
        block[0] += table[0];
        let first = block[0];
        for i in lanes(0..count) {
            let mut v = block[count - 1 - i] + first;
            if i < at.len() {
                v += block[(at[i] as usize).min(block.len() - 1)] * table[i % 3];
            }
            y[start + i] = v;
        }
        for i in lanes(0..count) {
            if x[start + i] > 2 {
                block[i] = T::ZERO;
            }
            odd[start + i] = block[i] + wide[1][2 * i + 1];
        }
        start += 40;
    }
}

/// A matrix turned by way of tiles of 16 by 16.
#[kernel(dtypes(f32, bool), signature = "(m,n)->(n,m)")]
fn turned<T: Dtype, #[parameter(16, 5)] const SIDE: usize>(x: View<T, 2>, y: ViewMut<T, 2>) {
    let (m, n) = x.shape();
    if m > 0 && n > 0 {
        let mut tile = [[x[[0, 0]]; SIDE]; SIDE];
        for a in (0..m).step_by(5) {
            for b in (0..n).step_by(5) {
                let (h, w) = ((m - a).min(5), (n - b).min(5));
                for (i, j) in lanes((0..h, 0..w)) {
                    tile[i][j] = x[[a + i, b + j]];
                }
                for (j, i) in lanes((0..w, 0..h)) {
                    y[[b + j, a + i]] = tile[i][j];
                }
            }
        }
    }
}

/// The same by a tile that is written down its columns.
#[kernel(signature = "(n,n)->(n,n)")]
fn by_columns(x: View<i16, 2>, y: ViewMut<i16, 2>) {
    let n = x.dim(0);
    let mut tile = [[0i16; 20]; 20];
    for (i, j) in lanes((0..n, 0..n)) {
        tile[j][i] = x[[i, j]];
    }
    for (i, j) in lanes((0..n, 0..n)) {
        y[[i, j]] = tile[i][j];
    }
}

/// Arrays out of a helper's tuple: the reverse of each block of 8, times 1, 2, 4 and so on.
#[kernel(signature = "(n)->(n)")]
fn from_a_tuple(x: &[i32], y: &mut [i32]) {
    let (mut block, factors): ([i32; 8], [i32; 8]) = two_arrays(1);
    for start in (0..x.len()).step_by(8) {
        let count = (x.len() - start).min(8);
        for i in lanes(0..count) {
            block[i] = x[start + i];
        }
        for i in lanes(0..count) {
            y[start + i] = block[count - 1 - i] * factors[i];
        }
    }
}

#[always_inline]
fn two_arrays(first: i32) -> ([i32; 8], [i32; 8]) {
    let mut powers = [first; 8];
    for k in 1..8 {
        powers[k] = 2 * powers[k - 1];
    }
    ([0; 8], powers)
}

#[kernel(signature = "(n)->(n)")]
fn beyond(x: &[i32], y: &mut [i32]) {
    let mut t = [0; 20];
    for i in lanes(0..x.len()) {
        t[i] = x[i];
    }
    for i in lanes(0..x.len()) {
        y[i] = t[i];
    }
}

fn levels() -> Vec<Level> {
    Level::available().into_iter().filter(|level| *level != Level::Sse2).collect()
}

#[test]
fn one_axis() {
    macro_rules! check {
        ($t:ty, $variant:literal, $of:expr, $exact:ty) => {
            for n in [0_usize, 1, 15, 16, 17, 39, 40, 41, 100, 1000] {
                let x: Vec<$t> = (0..n).map(|i| $of((i * 7 % 23) as f32 * 0.25)).collect();
                let at: Vec<u8> = (0..20).map(|i| i * 13 % 50).collect();
                let (mut expected, mut odd) = (vec![$of(0.0); n], vec![$of(0.0); n]);
                // What the kernel computes with: of f16, f32, rounded when it is stored.
                let wide = |v: $t| <$exact>::from(v);
                let mut block = [<$exact>::default(); 40];
                for start in (0..n).step_by(40) {
                    let count = (n - start).min(40);
                    for i in 0..count {
                        block[i] = wide(x[start + i]) * (3 as $exact);
                    }
                    block[0] += 1 as $exact;
                    let first = block[0];
                    for i in 0..count {
                        let mut v = block[count - 1 - i] + first;
                        if i < 20 {
                            v += block[usize::from(at[i]).min(39)] * (if i % 3 == 1 { 0 as $exact } else { 1 as $exact });
                        }
                        expected[start + i] = <$t>::store(v);
                    }
                    for i in 0..count {
                        if wide(x[start + i]) > 2 as $exact {
                            block[i] = 0 as $exact;
                        }
                        odd[start + i] = <$t>::store(block[i] + wide(x[start + i]));
                    }
                }
                let info = const { &<shared as BlockFunction>::INFO };
                let s = size_of::<$t>() as isize;
                let (mut y, mut z) = (vec![$of(9.0); n], vec![$of(9.0); n]);
                shared(&x, &at, &mut y, &mut z);
                assert_eq!((&y, &z), (&expected, &odd), "{n}");
                for level in levels() {
                    let (mut y, mut z) = (vec![$of(9.0); n], vec![$of(9.0); n]);
                    let args: [*mut u8; 4] =
                        [x.as_ptr().cast_mut().cast(), at.as_ptr().cast_mut(), y.as_mut_ptr().cast(), z.as_mut_ptr().cast()];
                    let call = Call { args: &args, count: 1, steps: &[0; 4], dims: &[n, 20], core_steps: &[s, 1, s, s], fresh: 0 };
                    // SAFETY: as many elements as the dims say.
                    unsafe { run_on(info, &info.variants[$variant], level, &call) }.unwrap();
                    assert_eq!((&y, &z), (&expected, &odd), "{level} {n}");
                }
            }
        };
    }
    trait Stored<W> {
        fn store(w: W) -> Self;
    }
    impl Stored<f32> for f16 {
        fn store(w: f32) -> Self {
            f16::from_f32(w)
        }
    }
    impl Stored<f32> for f32 {
        fn store(w: f32) -> Self {
            w
        }
    }
    impl Stored<i64> for i64 {
        fn store(w: i64) -> Self {
            w
        }
    }
    check!(f16, 0, f16::from_f32, f32);
    check!(f32, 1, |v: f32| v, f32);
    check!(i64, 2, |v: f32| (v * 4.0) as i64, i64);
}

#[test]
fn two_axes() {
    for (m, n) in [(0, 3), (1, 1), (5, 5), (7, 33), (40, 21)] {
        let x: Vec<f32> = (0..m * n).map(|i| i as f32).collect();
        let turn = |y: &[f32]| (0..m * n).all(|k| y[(k % n) * m + k / n] == x[k]);
        let mut y = vec![-1.0; m * n];
        turned::<f32, 5>(View::new(&x, [m, n]).unwrap(), ViewMut::new(&mut y, [n, m]).unwrap());
        assert!(turn(&y), "{m} {n}");
        let info = const { &<turned as BlockFunction>::INFO };
        let bits: Vec<bool> = (0..m * n).map(|i| i % 3 == 1).collect();
        for level in levels() {
            for variant in info.variants {
                let (mut y, mut b) = (vec![-1.0_f32; m * n], vec![false; m * n]);
                let is_bool = variant.operands()[0] == lanecraft::DtypeId::Bool;
                let args: [*mut u8; 2] = if is_bool {
                    [bits.as_ptr().cast_mut().cast(), b.as_mut_ptr().cast()]
                } else {
                    [x.as_ptr().cast_mut().cast(), y.as_mut_ptr().cast()]
                };
                let s = if is_bool { 1 } else { 4 };
                let call = Call {
                    args: &args,
                    count: 1,
                    steps: &[0; 2],
                    dims: &[m, n],
                    core_steps: &[n as isize * s, s, m as isize * s, s],
                    fresh: 0,
                };
                // SAFETY: as many elements as the dims say.
                unsafe { run_on(info, variant, level, &call) }.unwrap();
                if is_bool {
                    assert!((0..m * n).all(|k| b[(k % n) * m + k / n] == bits[k]), "{level} {m} {n}");
                } else {
                    assert!(turn(&y), "{level} {m} {n}");
                }
            }
        }
    }
}

#[test]
fn columns() {
    let (info, step) = (const { &<by_columns as BlockFunction>::INFO }, size_of::<i16>() as isize);
    for n in [0, 1, 16, 20, 21] {
        let x: Vec<i16> = (0..n * n).map(|k| k as i16 + 1).collect();
        for level in levels() {
            let mut y = vec![0_i16; n * n];
            let args: [*mut u8; 2] = [x.as_ptr().cast_mut().cast(), y.as_mut_ptr().cast()];
            let core_steps = [n as isize * step, step, n as isize * step, step];
            let call = Call { args: &args, count: 1, steps: &[0; 2], dims: &[n], core_steps: &core_steps, fresh: 0 };
            // SAFETY: as many elements as the dims say.
            let done = unsafe { run_on(info, &info.variants[0], level, &call) };
            assert_eq!(done.is_ok(), n <= 20, "{level} {n}");
            assert!(n > 20 || (0..n * n).all(|k| y[k % n * n + k / n] == x[k]), "{level} {n}");
        }
    }
    let (x, mut y) = ([0_i16; 441], [0_i16; 441]);
    let error = by_columns::run(View::new(&x, [21, 21]).unwrap(), ViewMut::new(&mut y, [21, 21]).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "by_columns: index 20 is out of range for an array of length 20");
}

#[test]
fn out_of_range() {
    let x = [1; 21];
    let mut y = [0; 21];
    assert!(beyond::run(&x[..20], &mut y[..20]).is_ok());
    assert_eq!(y[..20], x[..20]);
    let error = beyond::run(&x, &mut y).unwrap_err();
    assert_eq!(error.to_string(), "beyond: index 20 is out of range for an array of length 20");
    let plain = std::panic::catch_unwind(|| beyond(&[1; 25], &mut [0; 25])).unwrap_err();
    assert_eq!(plain.downcast_ref::<String>().unwrap(), "index 20 is out of range for an array of length 20");
}

#[test]
fn arrays_out_of_a_tuple() {
    for n in [0_usize, 1, 8, 21] {
        let x: Vec<i32> = (0..n as i32).map(|i| i * 3 - 7).collect();
        let expected: Vec<i32> = x.chunks(8).flat_map(|block| block.iter().rev().enumerate().map(|(k, x)| x << k)).collect();
        let (mut plain, mut y) = (vec![0; n], vec![0; n]);
        from_a_tuple(&x, &mut plain);
        from_a_tuple::run(&x, &mut y).unwrap();
        assert_eq!((&plain, &y), (&expected, &expected));
    }
}

/// A product by way of strips of eight rows of `b`, each element times `at`'s: loops over lanes inside of a plain one.
#[kernel(dtypes(f32, i64), signature = "(m,k),(k,n),(k)->(m,n)")]
fn product<T: Num>(a: View<T, 2>, b: View<T, 2>, at: &[u32], c: ViewMut<T, 2>) {
    let (m, depth, n) = (a.dim(0), a.dim(1), b.dim(1));
    for (i, j) in lanes((0..m, 0..n)) {
        c[[i, j]] = T::ZERO;
    }
    let mut strip = [[T::ZERO; 64]; 8];
    for first in (0..depth).step_by(8) {
        let part = (depth - first).min(8);
        for left in (0..n).step_by(64) {
            let width = (n - left).min(64);
            for (k, j) in lanes((0..part, 0..width)) {
                strip[k][j] = b[[first + k, left + j]];
            }
            for (i, j) in lanes((0..m, 0..width)) {
                let mut sum = T::ZERO;
                for k in 0..part {
                    sum += a[[i, first + at[first + k] as usize]] * strip[k][j];
                }
                c[[i, left + j]] += sum;
            }
        }
    }
}

#[test]
fn threads_share_out_loops_inside_of_plain_ones() {
    const SHAPE: [usize; 3] = [401, 19, 383];
    fn check<T: Copy + PartialEq + core::fmt::Debug>(
        run: impl Fn(&[u32], &mut [T]) -> Result<(), String>,
        zero: T,
        wanted: impl Fn(usize, usize) -> T,
    ) {
        let [m, depth, n] = SHAPE;
        let mut at: Vec<u32> = (0..depth as u32).map(|k| k % 8).collect();
        for threads in [1, 2, 3, 8] {
            let mut c = vec![zero; m * n];
            lanecraft::with_threads(threads, || run(&at, &mut c)).unwrap();
            for (k, got) in c.iter().enumerate() {
                assert_eq!(*got, wanted(k / n, k % n), "{threads} threads, {k}");
            }
        }
        // An index out of range in the last turn: all threads leave, with the same error.
        at[depth - 1] = 8;
        let alone = lanecraft::with_threads(1, || run(&at, &mut vec![zero; m * n])).unwrap_err();
        for threads in [2, 8] {
            assert_eq!(lanecraft::with_threads(threads, || run(&at, &mut vec![zero; m * n])).unwrap_err(), alone);
        }
    }
    let [m, depth, n] = SHAPE;
    let (a, b): (Vec<i64>, Vec<i64>) =
        ((0..m * depth).map(|k| k as i64 * 7 % 23 - 9).collect(), (0..depth * n).map(|k| k as i64 * 5 % 31 - 14).collect());
    let element = |i: usize, j: usize| (0..depth).map(|k| a[i * depth + k] * b[k * n + j]).sum::<i64>();
    let run = |at: &[u32], c: &mut [i64]| {
        let (a, b) = (View::new(&a, [m, depth]).unwrap(), View::new(&b, [depth, n]).unwrap());
        product::run(a, b, at, ViewMut::new(c, [m, n]).unwrap()).map_err(|error| error.to_string())
    };
    check(run, 0, element);
    // Small whole numbers: f32 is exact, whatever the order.
    let [a32, b32] = [&a, &b].map(|x| x.iter().map(|v| *v as f32).collect::<Vec<_>>());
    let run = |at: &[u32], c: &mut [f32]| {
        let (a, b) = (View::new(&a32, [m, depth]).unwrap(), View::new(&b32, [depth, n]).unwrap());
        product::run(a, b, at, ViewMut::new(c, [m, n]).unwrap()).map_err(|error| error.to_string())
    };
    check(run, 0.0, |i, j| element(i, j) as f32);
}
