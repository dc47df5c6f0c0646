//! Writes at indices that are not shown to differ: promised to, or the last one wins.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

/// The inverse of a permutation, and for each bin the last element that falls into it.
#[kernel(dtypes(f16, f32, u8), signature = "(n),(n),(n)->(n),(b),(b,n)")]
fn scattered<T: Num>(x: &[T], order: &[u32], bin: &[u8], y: &mut [T], last: &mut [T], grid: ViewMut<T, 2>) {
    for b in lanes(0..last.len()) {
        last[b] = 7;
    }
    for i in lanes(0..x.len()) {
        y[unsafe { disjoint(order[i] as usize) }] = x[i];
        if x[i] != 3 {
            scatter_last(last, bin[i] as usize, x[i]);
        }
    }
    for (b, i) in lanes((0..last.len(), 0..x.len())) {
        grid[[b, i]] = T::ZERO;
    }
    for i in lanes(0..x.len()) {
        grid[[bin[i] as usize, unsafe { disjoint(order[i] as usize) }]] += x[i];
    }
    if x.len() > 0 {
        scatter_last(last, 0, x[0]);
    }
}

#[test]
fn every_level() {
    macro_rules! check {
        ($t:ty, $variant:literal, $of:expr) => {
            for n in [0_usize, 1, 15, 16, 17, 100, 5000] {
                let bins = 5;
                let x: Vec<$t> = (0..n).map(|i| $of((i * 7 % 11) as u8)).collect();
                // 37 is prime to each of the sizes.
                let order: Vec<u32> = (0..n).map(|i| (i * 37 % n) as u32).collect();
                let bin: Vec<u8> = (0..n).map(|i| (i * i % bins) as u8).collect();
                let start = || (vec![$of(9); n], vec![$of(9); bins], vec![$of(9); bins * n]);
                let mut expected = (vec![$of(9); n], vec![$of(7); bins], vec![$of(0); bins * n]);
                for i in 0..n {
                    expected.0[order[i] as usize] = x[i];
                    expected.2[bin[i] as usize * n + order[i] as usize] = x[i];
                    if x[i] != $of(3) {
                        expected.1[bin[i] as usize] = x[i];
                    }
                }
                if n > 0 {
                    expected.1[0] = x[0];
                }
                let mut y = start();
                scattered(&x, &order, &bin, &mut y.0, &mut y.1, ViewMut::new(&mut y.2, [bins, n]).unwrap());
                assert_eq!(y, expected, "{n}");
                let mut y = start();
                scattered::run(&x, &order, &bin, &mut y.0, &mut y.1, ViewMut::new(&mut y.2, [bins, n]).unwrap()).unwrap();
                assert_eq!(y, expected, "{n}");
                let info = const { &<scattered as BlockFunction>::INFO };
                let s = size_of::<$t>() as isize;
                for level in Level::available() {
                    let mut y = start();
                    let args = [
                        x.as_ptr().cast_mut().cast(),
                        order.as_ptr().cast_mut().cast(),
                        bin.as_ptr().cast_mut(),
                        y.0.as_mut_ptr().cast(),
                        y.1.as_mut_ptr().cast(),
                        y.2.as_mut_ptr().cast(),
                    ];
                    let core_steps = [s, 4, 1, s, s, n as isize * s, s];
                    let call = Call { args: &args, count: 1, steps: &[0; 6], dims: &[n, bins], core_steps: &core_steps, fresh: 0 };
                    // SAFETY: as many elements as the dims say; no two iterations have the same order.
                    unsafe { run_on(info, &info.variants[$variant], level, &call) }.unwrap();
                    assert_eq!(y, expected, "{level} {n}");
                }
            }
        };
    }
    check!(f16, 0, |v: u8| f16::from_f32(f32::from(v)));
    check!(f32, 1, |v: u8| f32::from(v));
    check!(u8, 2, |v: u8| v);
}

/// A large item is split over threads: its promised writes too.
#[test]
fn a_large_item() {
    let n = 300_000;
    let x: Vec<f32> = (0..n).map(|i| (i % 9) as f32).collect();
    let order: Vec<u32> = (0..n as u64).map(|i| (i * 37 % n as u64) as u32).collect();
    let bin: Vec<u8> = (0..n).map(|i| (i % 2) as u8).collect();
    let (mut y, mut last, mut grid) = (vec![0.0; n], vec![0.0; 2], vec![0.0; 2 * n]);
    scattered::run(&x, &order, &bin, &mut y, &mut last, ViewMut::new(&mut grid, [2, n]).unwrap()).unwrap();
    assert!((0..n).all(|i| y[order[i] as usize] == x[i]));
    assert_eq!(last, [x[0], x[n - 1]]);
}
