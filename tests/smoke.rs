//! One kernel from attribute to arrays.

use lanecraft::prelude::*;

/// a * x + y
#[kernel(dtypes(f32, f64))]
#[python_export]
fn axpy<T: Float>(a: T, x: T, y: T) -> T {
    a * x + y
}

#[kernel(dtypes(f32, f64))]
fn gelu<T: Float>(x: T) -> T {
    0.5 * x * (1.0 + (0.7978845608 * (x + 0.044715 * x * x * x)).tanh())
}

#[kernel]
fn normalize_u8(x: u8, mean: f32, std: f32) -> f32 {
    (x as f32 / 255.0 - mean) / std
}

#[kernel(dtypes(int))]
fn div_rem<T: Int>(a: T, b: T) -> (T, T) {
    (a / b, a % b)
}

#[test]
fn arrays() -> Result<(), lanecraft::Error> {
    let (x, y) = (vec![1.0_f32, 2.0, 3.0], vec![10.0, 20.0, 30.0]);
    let mut out = vec![0.0; 3];
    axpy::map(2.0, &x, &y, &mut out)?;
    assert_eq!(out, [12.0, 24.0, 36.0]);
    axpy::map(2.0, &x, InPlace, &mut out)?;
    assert_eq!(out, [14.0, 28.0, 42.0]);
    gelu::map(&x, &mut out)?;
    assert_eq!(out, x.iter().map(|x| gelu(*x)).collect::<Vec<_>>());
    normalize_u8::map(&[0, 255, 51], 0.5, 0.25, &mut out)?;
    assert_eq!(out, [normalize_u8(0, 0.5, 0.25), 2.0, normalize_u8(51, 0.5, 0.25)]);
    let (mut q, mut r) = ([0i16; 3], [0i16; 3]);
    div_rem::map(&[-7, 7, i16::MIN], &[2, -2, -1], &mut q, &mut r)?;
    assert_eq!((q, r), ([-3, -3, i16::MIN], [-1, 1, 0]));
    let e = div_rem::map(&[1, 2], &[1, 0], &mut [0; 2], &mut [0; 2]).unwrap_err();
    println!("{e}");
    Ok(())
}
