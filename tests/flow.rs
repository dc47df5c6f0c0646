//! Control flow per lane, against plain Rust.

use lanecraft::prelude::*;
use lanecraft::{Kernel, Level};

#[kernel]
fn mandelbrot(re: f32, im: f32) -> i32 {
    let (mut x, mut y) = (0.0f32, 0.0);
    let mut n = 0;
    while n < 50 {
        if x * x + y * y > 4.0 {
            break;
        }
        let t = x * x - y * y + re;
        y = 2.0 * x * y + im;
        x = t;
        n += 1;
    }
    n
}

#[kernel]
fn early(a: i32, b: i32) -> i32 {
    if a < 0 {
        return -1;
    }
    let mut sum = 0;
    for i in 0..a {
        if i % 3 == 2 {
            continue;
        }
        if i > b {
            return sum * 10;
        }
        sum += i;
    }
    match sum {
        0 => 7,
        1 | 3 => 8,
        s @ 4..=20 if s > b => s * 2,
        5.. => {
            let k = sum - 1;
            k
        }
        _ => b,
    }
}

#[kernel(dtypes(int, uint))]
fn collatz<T: Int>(a: T) -> T {
    let mut n = T::ZERO;
    let mut x = a;
    let r = 'outer: loop {
        if x <= 1 {
            break n;
        }
        for j in 0..3 {
            if j == 2 && x > 100 {
                break 'outer n + 100;
            }
            if x % 2 == 0 {
                x /= 2;
                n += 1;
                continue 'outer;
            }
        }
        x = x * 3 + 1;
        n += 1;
        if n > 60 {
            break T::MAX;
        }
    };
    for k in (0..=3).rev().step_by(2) {
        n = n + k;
    }
    if let 5 = n { r } else { r + n }
}

#[always_inline]
fn tri<T: Float>(x: T) -> T {
    if x > 2.0 {
        return x - 2.0;
    }
    let mut s = x;
    for k in 0..4 {
        const W: f32 = 0.5;
        let w = W * (k as f32);
        if w > 1.2 {
            break;
        }
        s += w as T;
    }
    let (1, z) = (s.floor() as i32, s) else { return s * 3.0 };
    while s > z {
        s -= 1.0;
    }
    s
}
#[kernel(dtypes(f32, f64))]
fn fl<T: Float>(x: T) -> T {
    let a = tri(x) + tri(x * 0.5);
    let c = if a > 3.0 {
        return a;
    } else {
        2.0
    };
    a * c
}

fn run<const N: usize, T: Copy, U: Copy + Default>(v: &lanecraft::Variant, ins: [&[T]; N]) -> Vec<(Level, Vec<U>)> {
    Level::available()
        .into_iter()
        .map(|l| {
            let n = ins[0].len();
            let mut out = vec![U::default(); n];
            let mut args: Vec<*mut u8> = ins.iter().map(|i| i.as_ptr() as *mut u8).collect();
            args.push(out.as_mut_ptr().cast());
            let mut steps = vec![size_of::<T>() as isize; N];
            steps.push(size_of::<U>() as isize);
            // SAFETY: one column of `n` elements per operand, the output exclusive; the level is available.
            unsafe { v.run_at(l, &args, n, &steps).unwrap() };
            (l, out)
        })
        .collect()
}

#[test]
fn flow() {
    let re: Vec<f32> = (0..1000).map(|i| (i % 40) as f32 * 0.07 - 2.0).collect();
    let im: Vec<f32> = (0..1000).map(|i| (i / 40) as f32 * 0.1 - 1.2).collect();
    for (l, o) in run::<2, f32, i32>(&mandelbrot::INFO.variants[0], [&re, &im]) {
        for i in 0..1000 {
            let (c_re, c_im) = (re[i], im[i]);
            let (mut x, mut y, mut n) = (0.0f32, 0.0f32, 0);
            while n < 50 && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + c_re, 2.0 * x * y + c_im);
                n += 1;
            }
            assert_eq!(o[i], n, "{l} {i}");
            assert_eq!(mandelbrot(c_re, c_im), n);
        }
    }
    let a: Vec<i32> = (0..300).map(|i| i % 17 - 3).collect();
    let b: Vec<i32> = (0..300).map(|i| (i * 7) % 13 - 2).collect();
    for (l, o) in run::<2, i32, i32>(&early::INFO.variants[0], [&a, &b]) {
        for i in 0..300 {
            assert_eq!(o[i], early(a[i], b[i]), "{l} {i}");
        }
    }
    let a: Vec<i32> = (0..300).collect();
    for (l, o) in run::<1, i32, i32>(&collatz::INFO.variants[2], [&a]) {
        for i in 0..300 {
            assert_eq!(o[i], collatz(a[i]), "{l} {i}");
        }
    }
    let a: Vec<u8> = (0..=255).collect();
    for (l, o) in run::<1, u8, u8>(&collatz::INFO.variants[4], [&a]) {
        for i in 0..256 {
            assert_eq!(o[i], collatz(a[i]), "{l} {i}");
        }
    }
    let a: Vec<f64> = (0..300).map(|i| i as f64 * 0.05 - 3.0).collect();
    for (l, o) in run::<1, f64, f64>(&fl::INFO.variants[1], [&a]) {
        for i in 0..300 {
            assert_eq!(o[i], fl(a[i]), "{l} {i}");
        }
    }
}

#[kernel(dtypes(f32, f64))]
fn closures<T: Float>(x: T, y: T) -> (T, T) {
    let k = 2.0;
    let scale = |a: T| a * k;
    let k = 100.0;
    let mut count = T::ZERO;
    let mut bump = |by| count += by;
    bump(x);
    bump(1.0);
    let pick = |a, b| -> T { if a > b { scale(a) } else { b } };
    (pick(x, y) + k, count)
}

#[test]
fn closures_see_what_stood_before_them() {
    for (x, y) in [(1.0, 2.0), (3.0, -1.0)] {
        let want = if x > y { x * 2.0 } else { y };
        assert_eq!(closures(x, y), (want + 100.0, x + 1.0));
        let (mut a, mut b) = ([0.0], [0.0]);
        closures::map(&[x], &[y], &mut a, &mut b).unwrap();
        assert_eq!((a[0], b[0]), closures(x, y));
    }
}

#[kernel(dtypes(f32, f64, u8))]
fn limits<T: Num>(a: T, b: T) -> (T, T, T, T) {
    let lesser = if a < b { a } else { b };
    let not_lesser = if a < b { b } else { a };
    let greater = if a > b { a } else { b };
    let not_greater = if a > b { b } else { a };
    (lesser, not_lesser, greater, not_greater)
}

/// These are one instruction over lanes; which operand a NaN or a zero's sign comes from stays as it is written.
#[test]
fn limits_are_chosen_as_they_are_written() {
    let special = [0.0_f32, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 2.5];
    let pairs: Vec<(f32, f32)> = special.iter().flat_map(|a| special.iter().map(|b| (*a, *b))).collect();
    let (a, b): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
    let mut out: [Vec<f32>; 4] = std::array::from_fn(|_| vec![0.0; a.len()]);
    let [w, x, y, z] = &mut out;
    limits::map(&a, &b, w, x, y, z).unwrap();
    for (i, (a, b)) in pairs.into_iter().enumerate() {
        let (less, more) = (a < b, a > b);
        let wanted = [if less { a } else { b }, if less { b } else { a }, if more { a } else { b }, if more { b } else { a }];
        let got = [out[0][i], out[1][i], out[2][i], out[3][i]];
        assert_eq!(got.map(f32::to_bits), wanted.map(f32::to_bits), "{a} {b}");
    }
}
