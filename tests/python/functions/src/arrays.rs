//! Arrays: seen where they are, and given away with their memory.

use lanecraft::ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayView3, ArrayViewMut1, ArrayViewMut2};
use lanecraft::prelude::*;

/// The address of a slice's first element, and its length.
#[python_export]
pub fn place_of_slice(x: &[f32]) -> (usize, usize) {
    (x.as_ptr() as usize, x.len())
}

/// The address of a view's first element, and its strides in elements.
#[python_export]
pub fn place_of_view(x: ArrayView2<'_, f64>) -> (usize, Vec<isize>) {
    (x.as_ptr() as usize, x.strides().to_vec())
}

/// The address of bytes.
#[python_export]
pub fn place_of_bytes(data: &[u8]) -> usize {
    data.as_ptr() as usize
}

/// The sum of all elements.
#[python_export]
pub fn sum3(x: ArrayView3<i32>) -> i64 {
    x.iter().map(|x| i64::from(*x)).sum()
}

/// How many are true.
#[python_export]
pub fn count_true(mask: &[bool]) -> usize {
    mask.iter().filter(|x| **x).count()
}

/// The sums of rows and of columns.
#[python_export]
pub fn sums(x: ArrayView2<f64>) -> (Array1<f64>, Array1<f64>) {
    (x.rows().into_iter().map(|row| row.sum()).collect(), x.columns().into_iter().map(|column| column.sum()).collect())
}

/// Adds `y` to `x`, in place.
#[python_export(raises = ValueError)]
pub fn add_to(x: &mut [f64], y: &[f64]) -> Result<(), String> {
    if x.len() != y.len() {
        return Err(format!("x has {} elements, and y {}", x.len(), y.len()));
    }
    x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
    Ok(())
}

/// Doubles all elements, in place.
#[python_export]
pub fn double(mut x: ArrayViewMut2<u16>) {
    x.mapv_inplace(|x| x.wrapping_mul(2));
}

/// A matrix of zeros, the address of which comes along.
#[python_export]
pub fn zeros(rows: usize, columns: usize) -> (Array2<f32>, usize) {
    let zeros = Array2::zeros((rows, columns));
    let at = zeros.as_ptr() as usize;
    (zeros, at)
}

/// `x` scaled by `weights`, where there are any.
#[python_export(signature(x, weights = None))]
pub fn weighted(x: ArrayView1<f64>, weights: Option<&[f64]>) -> Option<f64> {
    match weights {
        None => Some(x.sum()),
        Some(weights) if weights.len() == x.len() => Some(x.iter().zip(weights).map(|(x, w)| x * w).sum()),
        Some(_) => None,
    }
}

/// Writes to `x` for this many seconds.
#[python_export]
pub fn busy(x: &mut [i64], seconds: f64) {
    std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
    x.fill(1);
}

/// The sum of float16s.
#[python_export]
pub fn sum_of_halves(x: &[f16]) -> f64 {
    x.iter().map(|x| f64::from(*x)).sum()
}

/// `x` with the other sign, as a new array, and in place.
#[python_export]
pub fn negated(x: ArrayView1<bf16>, mut y: ArrayViewMut1<bf16>) -> Array1<bf16> {
    y.mapv_inplace(|y| -y);
    x.mapv(|x| -x)
}
