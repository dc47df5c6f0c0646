//! Loops whose last gang is short: it writes what is the loop's and no more, on every level, of every dtype.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

/// A copy, and another of where `x` is not its first element.
#[kernel(dtypes(all), signature = "(n)->(n),(n)")]
fn copies<T: Dtype>(x: &[T], y: &mut [T], z: &mut [T]) {
    for i in lanes(0..x.len()) {
        y[i] = x[i];
        if x[i] != x[0] {
            z[i] = x[i];
        }
    }
}

#[test]
fn nothing_beyond() {
    let info = const { &<copies as BlockFunction>::INFO };
    for variant in info.variants {
        let size = variant.operands()[0].size();
        let is_bool = variant.operands()[0] == lanecraft::DtypeId::Bool;
        for n in 0..40 {
            // Bytes that are numbers of every dtype; those of a `bool` are 0 or 1.
            let x: Vec<u8> = (0..n * size).map(|k| if is_bool { k as u8 % 2 } else { (k % 59) as u8 + 1 }).collect();
            for level in Level::available() {
                let (mut y, mut z) = (vec![0x55_u8; n * size + 130], vec![0x55_u8; n * size + 130]);
                let args = [x.as_ptr().cast_mut(), y.as_mut_ptr(), z.as_mut_ptr()];
                let s = size as isize;
                let call = Call { args: &args, count: 1, steps: &[0; 3], dims: &[n], core_steps: &[s, s, s], fresh: 0 };
                // SAFETY: as many elements as the dims say.
                unsafe { run_on(info, variant, level, &call) }.unwrap();
                let dtype = variant.operands()[0];
                assert_eq!(y[..n * size], x[..], "{level} {dtype} {n}");
                for i in 0..n {
                    let own = &x[i * size..(i + 1) * size];
                    let wanted = if own == &x[..size] { vec![0x55; size] } else { own.to_vec() };
                    assert_eq!(z[i * size..(i + 1) * size], wanted, "{level} {dtype} {n} {i}");
                }
                assert!(y[n * size..].iter().chain(&z[n * size..]).all(|b| *b == 0x55), "{level} {dtype} {n}");
            }
        }
    }
}

/// Whole gangs begin where memory has them: in front of them stands a shorter one.
#[test]
fn shifted() {
    let info = const { &<copies as BlockFunction>::INFO };
    for variant in info.variants {
        let (size, dtype) = (variant.operands()[0].size(), variant.operands()[0]);
        for n in [255, 256, 257, 300] {
            let x: Vec<u8> = (0..n * size).map(|k| (k % 59 % 2) as u8).collect();
            for (level, shift) in Level::available().into_iter().flat_map(|level| (0..70).step_by(3).map(move |shift| (level, shift))) {
                let (mut y, mut z) = (vec![0x55_u8; n * size + 130], vec![0x55_u8; n * size + 130]);
                let args = [x.as_ptr().cast_mut(), y[shift..].as_mut_ptr(), z.as_mut_ptr()];
                let s = size as isize;
                let call = Call { args: &args, count: 1, steps: &[0; 3], dims: &[n], core_steps: &[s, s, s], fresh: 0 };
                // SAFETY: as many elements as the dims say, wherever they begin.
                unsafe { run_on(info, variant, level, &call) }.unwrap();
                assert_eq!(y[shift..shift + n * size], x[..], "{level} {dtype} {n} {shift}");
                assert!(y[..shift].iter().chain(&y[shift + n * size..]).all(|b| *b == 0x55), "{level} {dtype} {n} {shift}");
            }
        }
    }
}

/// Outputs that go past the caches, from a cache line on and not.
#[test]
fn past_the_caches() {
    let info = const { &<copies as BlockFunction>::INFO };
    let bytes = 33 << 20;
    let x: Vec<u8> = (0..bytes).map(|k| (k % 251) as u8).collect();
    let (mut y, mut z) = (vec![0x55_u8; bytes + 200], vec![0_u8; bytes]);
    for dtype in [lanecraft::DtypeId::U8, lanecraft::DtypeId::F32, lanecraft::DtypeId::F64] {
        let variant = info.variants.iter().find(|v| v.operands()[0] == dtype).unwrap();
        let size = dtype.size();
        let line = y.as_ptr().align_offset(64);
        for (level, shift) in Level::available().into_iter().flat_map(|level| [(level, line), (level, line + 16)]) {
            y.fill(0x55);
            let args = [x.as_ptr().cast_mut(), y[shift..].as_mut_ptr(), z.as_mut_ptr()];
            let s = size as isize;
            let call = Call { args: &args, count: 1, steps: &[0; 3], dims: &[bytes / size], core_steps: &[s, s, s], fresh: 0 };
            // SAFETY: as many elements as the dims say.
            unsafe { run_on(info, variant, level, &call) }.unwrap();
            assert!(y[shift..shift + bytes] == x[..], "{level} {dtype} {shift}");
            assert!(y[..shift].iter().chain(&y[shift + bytes..]).all(|b| *b == 0x55), "{level} {dtype} {shift}");
        }
    }
}

/// The channels of pixels, one after the other.
#[kernel(dtypes(u8, bool, i16, f32), signature = "(n,c)->(c,n)")]
fn channels<T: Dtype>(x: View<T, 2>, y: ViewMut<T, 2>) {
    for c in 0..x.dim(1) {
        for i in lanes(0..x.dim(0)) {
            y[[c, i]] = x[[i, c]];
        }
    }
}

/// Elements a few bytes apart.
#[test]
fn apart() {
    let info = const { &<channels as BlockFunction>::INFO };
    for variant in info.variants {
        let (size, dtype) = (variant.operands()[0].size(), variant.operands()[0]);
        for (n, c) in (0..70).flat_map(|n| (1..6).map(move |c| (n, c))) {
            let x: Vec<u8> = (0..n * c * size).map(|k| if size == 1 { (k % 59 % 2) as u8 } else { (k % 59) as u8 }).collect();
            for level in Level::available() {
                let mut y = vec![0x55_u8; n * c * size];
                let s = size as isize;
                let core_steps = [c as isize * s, s, n as isize * s, s];
                let args = [x.as_ptr().cast_mut(), y.as_mut_ptr()];
                let call = Call { args: &args, count: 1, steps: &[0; 2], dims: &[n, c], core_steps: &core_steps, fresh: 0 };
                // SAFETY: as many elements as the dims say.
                unsafe { run_on(info, variant, level, &call) }.unwrap();
                for (at, own) in y.chunks(size).enumerate() {
                    let from = (at % n * c + at / n) * size;
                    assert_eq!(own, &x[from..from + size], "{level} {dtype} {n} {c} {at}");
                }
            }
        }
    }
}
