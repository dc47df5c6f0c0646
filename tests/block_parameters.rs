//! Parameters of block kernels: each choice of values against a loop written here, on every level.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

/// How far neighbours are, and how a sum of them is scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Not at all.
    None,
    /// By their number.
    Mean,
}

/// The sum of `radius` neighbours on each side.
#[kernel(dtypes(f32, f64), signature = "(n)->(n)")]
fn window<T: Float>(x: &[T], #[parameter(1, 3)] radius: usize, #[parameter(Scale::None, Scale::Mean)] scale: Scale, y: &mut [T]) {
    for i in lanes(0..x.len()) {
        let mut s = T::ZERO;
        for k in 0..2 * radius + 1 {
            s += x.at_clamp(i + k - radius);
        }
        y[i] = match scale {
            Scale::None => s,
            Scale::Mean => s / (2 * radius + 1) as T,
        };
    }
}

/// Blocks of `N` elements, each the sum of its own.
#[kernel(signature = "(n)->(m),()")]
fn blocks<#[parameter(2, 4)] const N: usize, #[parameter(true, false)] const NEGATE: bool>(x: &[i32], y: &mut [i32]) -> i32 {
    let mut total = 0;
    for b in lanes(0..y.len()) {
        let mut own = [0; N];
        for k in 0..N {
            own[k] = x[N as usize * b + k as usize];
        }
        let mut s = 0;
        for k in 0..N {
            s += own[k];
        }
        y[b] = if NEGATE { -s } else { s };
        total += y[b];
    }
    total
}

/// A product whose rows are computed by blocks: the sums of one are an array of each lane's own.
#[kernel(signature = "(m,k),(k,n)->(m,n)")]
fn product<#[parameter(1, 3, 8)] const ROWS: usize>(a: View<f32, 2>, b: View<f32, 2>, c: ViewMut<f32, 2>) {
    let (m, depth) = a.shape();
    for (block, j) in lanes((0..m / ROWS, 0..b.dim(1))) {
        let mut sums = [0.0; ROWS];
        for k in 0..depth {
            for r in 0..ROWS {
                sums[r] += a[[ROWS * block + r, k]] * b[[k, j]];
            }
        }
        for r in 0..ROWS {
            c[[block * ROWS + r, j]] = sums[r];
        }
    }
    for (i, j) in lanes((m - m % ROWS..m, 0..b.dim(1))) {
        c[[i, j]] = 0.0;
        for k in 0..=depth - 1 {
            c[[i, j]] += a[[i, k]] * b[[k, j]];
        }
    }
}

fn levels() -> Vec<Level> {
    Level::available().into_iter().filter(|level| *level != Level::Sse2).collect()
}

#[test]
fn arguments() {
    let x: Vec<f64> = (0..100).map(|i| (f64::from(i) * 0.7).sin()).collect();
    let n = x.len() as i64;
    for (r, radius) in [1_usize, 3].into_iter().enumerate() {
        for (s, scale) in [Scale::None, Scale::Mean].into_iter().enumerate() {
            let expected: Vec<f64> = (0..n)
                .map(|i| {
                    let mut sum = 0.0;
                    for k in 0..2 * radius + 1 {
                        sum += x[(i + k as i64 - radius as i64).clamp(0, n - 1) as usize];
                    }
                    if scale == Scale::Mean { sum / (2 * radius + 1) as f64 } else { sum }
                })
                .collect();
            let mut y = vec![0.0; x.len()];
            window(&x, radius, scale, &mut y);
            assert_eq!(y, expected);
            let mut y = vec![0.0; x.len()];
            window::run(&x, radius, scale, &mut y).unwrap();
            assert_eq!(y, expected);
            let info = const { &<window as BlockFunction>::INFO };
            let variant = info.variants.iter().find(|v| v.choice == [Some(r), Some(s)] && v.operands()[0] == lanecraft::DtypeId::F64);
            for level in levels() {
                let mut y = vec![0.0_f64; x.len()];
                let args = [x.as_ptr().cast_mut().cast(), y.as_mut_ptr().cast()];
                let call = Call { args: &args, count: 1, steps: &[0, 0], dims: &[x.len()], core_steps: &[8, 8], fresh: 0 };
                // SAFETY: as many elements as the dims say.
                unsafe { run_on(info, variant.unwrap(), level, &call) }.unwrap();
                assert_eq!(y, expected, "{level}");
            }
        }
    }
    assert_eq!(<window as BlockFunction>::INFO.variants.len(), 8);
    let error = window::run(&x, 2, Scale::Mean, &mut vec![0.0; x.len()]).unwrap_err();
    assert_eq!(error.to_string(), "window: parameter `radius` came as 2; accepted are 1, 3");
}

#[test]
fn const_generics() {
    let x: Vec<i32> = (0..80).collect();
    let mut y = vec![0; 20];
    assert_eq!(blocks::run::<4, true>(&x, &mut y), Ok(-(0..80).sum::<i32>()));
    assert_eq!(y[..2], [-6, -22]);
    assert_eq!(blocks::<2, false>(&x, &mut y), (0..40).sum::<i32>());
    assert_eq!(y[..2], [1, 5]);
    let (mut y, mut total) = (vec![0; 40], vec![0; 2]);
    let x = View::new(&x, [2, 40]).unwrap();
    blocks::run_batch::<2, false>(x, ViewMut::new(&mut y, [2, 20]).unwrap(), &mut total).unwrap();
    assert_eq!((y[39], total), (78 + 79, vec![(0..40).sum::<i32>(), (40..80).sum::<i32>()]));
    let error = blocks::run_batch::<3, false>(x, ViewMut::new(&mut y, [2, 20]).unwrap(), &mut vec![0; 2]).unwrap_err();
    assert_eq!(error.to_string(), "blocks: parameter `N` came as 3; accepted are 2, 4");
}

#[test]
fn blocks_of_rows() {
    for (m, k, n) in [(1, 1, 1), (8, 3, 16), (17, 5, 37), (9, 2, 20)] {
        let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32).collect();
        let b: Vec<f32> = (0..k * n).map(|i| (i % 5) as f32).collect();
        let mut expected = vec![0.0; m * n];
        for i in 0..m {
            for j in 0..n {
                expected[i * n + j] = (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
            }
        }
        let mut c = vec![9.0; m * n];
        product::<3>(View::new(&a, [m, k]).unwrap(), View::new(&b, [k, n]).unwrap(), ViewMut::new(&mut c, [m, n]).unwrap());
        assert_eq!(c, expected);
        let info = const { &<product as BlockFunction>::INFO };
        for level in levels() {
            for variant in info.variants {
                let mut c = vec![9.0_f32; m * n];
                let args = [a.as_ptr().cast_mut().cast(), b.as_ptr().cast_mut().cast(), c.as_mut_ptr().cast()];
                let [k4, n4] = [k, n].map(|n| n as isize * 4);
                let call = Call { args: &args, count: 1, steps: &[0; 3], dims: &[m, k, n], core_steps: &[k4, 4, n4, 4, n4, 4], fresh: 0 };
                // SAFETY: as many elements as the dims say.
                unsafe { run_on(info, variant, level, &call) }.unwrap();
                assert_eq!(c, expected, "{level} {m} {k} {n} {:?}", variant.choice);
            }
        }
    }
}
