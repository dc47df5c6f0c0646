//! `map` over slices and scalars.

use super::kernels::{Axpy, DivRem, Panics, Scale, Sub};
use crate::{Error, InPlace, Input, Output, map};
use lanecraft_core::map::MapKernel;
use lanecraft_core::{FaultKind, Num};

/// What the macro emits for a kernel of one type parameter.
pub(super) fn axpy<T: Num>(a: impl Input<T>, x: impl Input<T>, y: impl Input<T>, out: impl Output<T>) -> Result<(), Error>
where
    Axpy: MapKernel<(T,), In = (T, T, T), Out = (T,)>,
{
    map::<Axpy, (T,), 3, 1>([a.into_operand(), x.into_operand(), y.into_operand()], [out.into_operand()])
}
pub(super) fn sub<T: Num>(a: impl Input<T>, b: impl Input<T>, out: impl Output<T>) -> Result<(), Error>
where
    Sub: MapKernel<(T,), In = (T, T), Out = (T,)>,
{
    map::<Sub, (T,), 2, 1>([a.into_operand(), b.into_operand()], [out.into_operand()])
}
pub(super) fn divrem(a: impl Input<i32>, b: impl Input<i32>, q: impl Output<i32>, r: impl Output<i32>) -> Result<(), Error> {
    map::<DivRem, (i32,), 2, 2>([a.into_operand(), b.into_operand()], [q.into_operand(), r.into_operand()])
}
fn scale(x: impl Input<u8>, scale: impl Input<f32>, out: impl Output<f32>) -> Result<(), Error> {
    map::<Scale, (u8, f32), 2, 1>([x.into_operand(), scale.into_operand()], [out.into_operand()])
}

#[test]
fn dtypes_are_inferred_from_what_comes() {
    let xs = vec![1.0_f32, 2.0, 3.0];
    let ys = [0.5, 0.5, 0.5];
    let mut out = vec![0.0; 3];
    axpy(2.0, &xs, &ys, &mut out).unwrap();
    assert_eq!(out, [2.5, 4.5, 6.5]);
    axpy(2.0, &xs[..], InPlace, &mut out).unwrap();
    assert_eq!(out, [4.5, 8.5, 12.5]);
    let mut ints = [10, 20, 30_i64];
    sub(InPlace, 1, &mut ints[..]).unwrap();
    assert_eq!(ints, [9, 19, 29]);
    sub(InPlace, InPlace, &mut ints).unwrap();
    assert_eq!(ints, [0; 3]);
    scale(&[0, 128, 255], 2.0, &mut out).unwrap();
    assert_eq!(out, [0.0, 256.0, 510.0]);
    // All inputs scalars.
    sub(5.0, 2.0, &mut out).unwrap();
    assert_eq!(out, [3.0; 3]);
    // Length 1 broadcasts, to length 0 too.
    sub(&[7.0], 2.0, &mut out).unwrap();
    assert_eq!(out, [5.0; 3]);
    sub(&[7.0_f32], 2.0, &mut []).unwrap();
}

#[test]
fn a_shape_that_does_not_fit_is_an_error_value() {
    let mut out = [0.0_f32; 4];
    let error = axpy(1.0, &[1.0, 2.0, 3.0], 0.0, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "axpy: argument `x` came with shape [3]; accepted is a scalar, or a shape that broadcasts to the output's shape [4]: counted from the \
         last, each axis of its length or of length 1"
    );
    assert!(matches!(sub(&[1.0_f32, 2.0], 1.0, &mut [0.0]), Err(Error::Shape { argument, .. }) if argument == "a"));
    let error = divrem(1, 1, &mut [0; 3], &mut [0; 2]).unwrap_err();
    assert_eq!(error.to_string(), "divrem: argument `output 2` came with shape [2]; accepted is the shape of the first output, [3]");
    let error = scale(InPlace, 1.0, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "scale: argument `x` came with `InPlace`, to be read as u8, where the output has f32 elements; accepted is an array or a scalar of u8"
    );
    assert_eq!(out, [0.0; 4]);
}

#[test]
fn a_fault_is_an_error_value() {
    let (mut q, mut r) = ([0; 40], [0; 40]);
    let mut b = [3; 40];
    b[37] = 0;
    let error = divrem(10, &b, &mut q, &mut r).unwrap_err();
    assert_eq!(error.to_string(), "divrem: integer division by zero at index [37] of shape [40]");
    assert_eq!(error, Error::Fault { kernel: "divrem", kind: FaultKind::DivisionByZero, index: vec![37], shape: vec![40] });
    divrem(InPlace, &[3; 40], &mut q, &mut r).unwrap();
}

#[test]
fn a_panic_is_an_error_value() {
    let error = map::<Panics, (f32,), 1, 1>([1.0_f32.into_operand()], [Output::<f32>::into_operand(&mut [0.0_f32])]).unwrap_err();
    assert_eq!(error.to_string(), "panics: panic: as no kernel should");
}
