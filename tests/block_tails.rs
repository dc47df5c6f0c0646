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
                let call = Call { args: &args, count: 1, steps: &[0; 3], dims: &[n], core_steps: &[s, s, s] };
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
