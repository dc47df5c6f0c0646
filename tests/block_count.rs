//! Bytes as indices of updates: counted without an update for each on AVX-512, from 8192 iterations on. The same counts and errors anyway.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

/// How often each value occurs.
#[kernel(dtypes(u8, i32), signature = "(n)->(b)")]
fn histogram<T: Int>(x: &[T], counts: &mut [i64]) {
    for b in lanes(0..counts.len()) {
        counts[b] = 0;
    }
    for i in lanes(0..x.len()) {
        atomic_add(&mut counts[x[i] as usize], 1);
    }
}

/// By a value of the kernel's, in sums that overflow, from the fourth byte on; of every other byte; and of what is no integer.
#[kernel(signature = "(n),()->(256),(256),(256)")]
fn weighted(x: &[u8], w: u16, sums: &mut [u16], every_other: &mut [u8], floats: &mut [f32]) {
    for b in lanes(0..256) {
        sums[b] = 7;
        every_other[b] = 0;
        floats[b] = 0.5;
    }
    for i in lanes(2..x.len() - 1) {
        atomic_add(&mut sums[x[i + 1] as usize], w);
    }
    for i in lanes(0..x.len() / 2) {
        atomic_add(&mut every_other[x[2 * i] as usize], 3);
    }
    for i in lanes(0..x.len()) {
        atomic_add(&mut floats[x[i] as usize], 1.0);
    }
}

/// Of the rows of an image, all of them and one; the column on its other side.
#[kernel(signature = "(h,w),()->(256),(256),(256)")]
fn of_rows(x: View<u8, 2>, row: usize, all: &mut [u32], one: &mut [u32], last: &mut [u32]) {
    for b in lanes(0..256) {
        all[b] = 0;
        one[b] = 0;
        last[b] = 0;
    }
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        atomic_add(&mut all[x[[i, j]] as usize], 1);
    }
    for j in lanes(0..x.dim(1)) {
        atomic_add(&mut one[x[[row, j]] as usize], 1);
    }
    for i in lanes(0..x.dim(0)) {
        atomic_add(&mut last[x[[i, x.dim(1) - 1]] as usize], 1);
    }
}

/// Bytes without a pattern; of `most` values.
fn bytes(n: usize, most: u32) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 7) % most
    };
    (0..n).map(|_| next() as u8).collect()
}

fn counted(x: &[u8], bins: usize) -> Vec<i64> {
    let mut counts = vec![0; bins];
    x.iter().for_each(|b| counts[usize::from(*b)] += 1);
    counts
}

/// One item on one level, `step` bytes from element to element of `x`, whose first one is element `first`. Gives whether there was no error.
fn on(level: Level, x: &[u8], first: usize, step: isize, n: usize, counts: &mut [i64]) -> bool {
    let info = const { &<histogram as BlockFunction>::INFO };
    let args = [x[first..].as_ptr().cast_mut(), counts.as_mut_ptr().cast()];
    let call = Call { args: &args, count: 1, steps: &[0; 2], dims: &[n, counts.len()], core_steps: &[step, 8], fresh: 0 };
    // SAFETY: the tests pass places of as many elements.
    unsafe { run_on(info, &info.variants[0], level, &call) }.is_ok()
}

#[test]
fn every_length() {
    let all = bytes((3 << 20) + 5000, 256);
    // Around the fewest that are counted, the units in which they are, and the most in one go.
    let around = |n: usize| [n - 1, n, n + 1, n + 17];
    let long = [8192, 8192 + 2048, 3 * 8192, 1 << 20, (1 << 20) + 2048, (1 << 20) + 8192, 3 << 20].map(around);
    for level in Level::available() {
        for n in (0..2000).chain(long.as_flattened().iter().copied()) {
            for start in if n < 100_000 { 0..3 } else { 1..2 } {
                let x = &all[start..start + n];
                let mut counts = vec![9; 256];
                assert!(on(level, x, 0, 1, n, &mut counts));
                assert_eq!(counts, counted(x, 256), "{level} {n} from {start}");
            }
        }
    }
}

#[test]
fn every_value() {
    for level in Level::available() {
        for value in 0..=255 {
            let mut counts = vec![9; 256];
            assert!(on(level, &[value; 20_001], 0, 1, 20_001, &mut counts));
            assert!(
                counts.iter().enumerate().all(|(k, count)| *count == if k == usize::from(value) { 20_001 } else { 0 }),
                "{level} {value}"
            );
        }
    }
}

#[test]
fn apart_and_backwards() {
    let x = bytes(90_003, 256);
    for level in Level::available() {
        for (first, step) in [(0, 3), (90_002, -3), (30_000, -1), (17, 0)] {
            let n = 30_001;
            let own: Vec<u8> = (0..n as isize).map(|k| x[(first as isize + step * k) as usize]).collect();
            let mut counts = vec![9; 256];
            assert!(on(level, &x, first, step, n, &mut counts));
            assert_eq!(counts, counted(&own, 256), "{level} {step}");
        }
    }
}

/// Any number of bins: those beyond 256 stay empty, and of bytes beyond fewer the first one is told.
#[test]
fn every_number_of_bins() {
    let x = bytes(30_001, 256);
    for bins in (0..300).chain([511, 512, 513, 3000]) {
        let bad = x.iter().position(|b| usize::from(*b) >= bins);
        let text = bad.map(|k| format!("histogram: index [{}] of argument `counts` is out of range for shape [{bins}]", x[k]));
        for threads in [1, 3] {
            let mut counts = vec![9; bins];
            let done = lanecraft::with_threads(threads, || histogram::run(&x, &mut counts));
            assert_eq!(done.err().map(|e| e.to_string()), text, "{bins} {threads}");
            if bad.is_none() {
                assert_eq!(counts, counted(&x, bins), "{bins} {threads}");
            }
        }
        for level in Level::available() {
            assert_eq!(on(level, &x, 0, 1, x.len(), &mut vec![9; bins]), bad.is_none(), "{level} {bins}");
        }
    }
}

/// One byte beyond, wherever it is.
#[test]
fn one_out_of_range() {
    let good = bytes(50_000, 200);
    for at in [0, 1, 15, 16, 2047, 2048, 8191, 8192, 30_000, 49_151, 49_152, 49_999] {
        let mut x = good.clone();
        (x[at], x[49_999]) = (231, 232);
        let first = x[at];
        for threads in 1..=8 {
            let error = lanecraft::with_threads(threads, || histogram::run(&x, &mut vec![0; 200])).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("histogram: index [{first}] of argument `counts` is out of range for shape [200]"),
                "{at}"
            );
        }
    }
}

#[test]
fn threads() {
    let x = bytes(5_000_011, 256);
    let expected = counted(&x, 256);
    for threads in 1..=8 {
        let mut counts = vec![9; 256];
        lanecraft::with_threads(threads, || histogram::run(&x, &mut counts)).unwrap();
        assert_eq!(counts, expected, "{threads}");
    }
    let few = bytes(30_000, 3).into_iter().map(i32::from).collect::<Vec<_>>();
    let mut counts = vec![9; 3];
    histogram::run(&few, &mut counts).unwrap();
    assert_eq!(counts.iter().sum::<i64>(), 30_000);
}

#[test]
fn other_forms() {
    for n in [4, 100, 8195, 8196, 50_000] {
        let x = bytes(n, 256);
        let start = || (vec![0; 256], vec![0; 256], vec![0.0; 256]);
        let (mut expected, mut y) = (start(), start());
        weighted(&x, 40_503, &mut expected.0, &mut expected.1, &mut expected.2);
        weighted::run(&x, 40_503, &mut y.0, &mut y.1, &mut y.2).unwrap();
        assert_eq!(y, expected, "{n}");
        for b in 0..256 {
            let times = x[3..].iter().filter(|x| usize::from(**x) == b).count();
            assert_eq!(y.0[b], (7 + 40_503 * times) as u16, "{n} {b}");
        }
    }
}

#[test]
fn rows() {
    for (h, w) in [(1, 20_000), (3, 9000), (40, 700), (0, 9000), (2, 8191)] {
        let x = bytes(h * w, 256);
        let mut y = (vec![9; 256], vec![9; 256], vec![9; 256]);
        let row = h.saturating_sub(1);
        let done = of_rows::run(View::new(&x, [h, w]).unwrap(), row as u64, &mut y.0, &mut y.1, &mut y.2);
        if h == 0 {
            let text = "of_rows: index [0, 0] of argument `x` is out of range for shape [0, 9000]";
            assert_eq!(done.unwrap_err().to_string(), text);
            continue;
        }
        done.unwrap();
        let as_u32 = |x: &[u8]| counted(x, 256).into_iter().map(|n| n as u32).collect::<Vec<_>>();
        assert_eq!(y.0, as_u32(&x));
        assert_eq!(y.1, as_u32(&x[row * w..]));
        assert_eq!(y.2, as_u32(&x.chunks(w).map(|row| row[w - 1]).collect::<Vec<_>>()));
    }
}
