//! `map` over `ndarray` arrays.

use super::maps::{axpy, divrem, sub};
use crate::{Error, InPlace};
use ndarray::{Array, Array1, Array2, Array3, ArrayD, ArrayView, Axis, Dimension, IxDyn, ShapeBuilder, arr0, s};

fn counting<D: Dimension, Sh: ShapeBuilder<Dim = D>>(shape: Sh) -> Array<f32, D> {
    let mut next = 0.0;
    Array::from_shape_simple_fn(shape, || {
        next += 1.0;
        next
    })
}

/// `a - b` with inputs broadcast to the output's shape by `ndarray` itself, against `sub`.
macro_rules! check {
    ($a:expr, $b:expr, $out:expr) => {{
        let (a, b) = (&$a, &$b);
        let shape = $out.raw_dim();
        let wanted = &a.broadcast(shape.clone()).unwrap() - &b.broadcast(shape).unwrap();
        sub(a, b, &mut $out).unwrap();
        assert_eq!($out, wanted);
    }};
}

#[test]
fn broadcasting() {
    for rows in [0, 1, 2, 5, 40] {
        for columns in [0, 1, 3, 16, 70] {
            let (full, row) = (counting((rows, columns)), counting(columns));
            let column = counting((rows, 1));
            let mut out = Array2::zeros((rows, columns));
            check!(full, row, out);
            check!(row, full, out);
            check!(column, row, out);
            check!(column, full, out);
            check!(full, column, out);
            check!(arr0(3.0), full, out);
            check!(counting(1), column, out);
            // Into and from column-major memory.
            let mut out = Array2::zeros((rows, columns).f());
            check!(full, row, out);
            check!(counting((rows, columns).f()), row, out);
        }
    }
}

/// Rows of few elements, and operands that lie along the rows of others, are run by tiles.
#[test]
fn tiles() {
    // Pixels, of which the row is the same for all, or the column.
    for (rows, columns) in [(5000, 3), (2051, 1), (700, 63), (3, 5000)] {
        let (full, row, column) = (counting((rows, columns)), counting(columns), counting((rows, 1)));
        let mut out = Array2::zeros((rows, columns));
        check!(full, row, out);
        check!(column, full, out);
        check!(column, row, out);
        // With gaps in the output, which are left alone.
        let mut memory = Array3::from_elem((rows, columns, 2), -1.0_f32);
        let wanted = &full - &row;
        sub(&full, &row, memory.slice_mut(s![.., .., 0])).unwrap();
        assert_eq!(memory.slice(s![.., .., 0]), wanted);
        assert!(memory.slice(s![.., .., 1]).iter().all(|x| *x == -1.0));
        // In place.
        let mut out = full.clone();
        sub(InPlace, &row, &mut out).unwrap();
        assert_eq!(out, wanted);
    }
    // Three short axes, the longest of which is outside.
    let mut out = Array3::zeros((900, 3, 3));
    check!(counting((900, 3, 3)), counting((3, 1)), out);
    check!(counting((1, 3, 3)), counting((900, 1, 1)), out);
    // Transposed.
    for (rows, columns) in [(64, 128), (65, 129), (200, 1000), (17, 300), (300, 70)] {
        let (along, down) = (counting((rows, columns)), counting((rows, columns).f()));
        let mut out = Array2::zeros((rows, columns));
        check!(down, along, out);
        check!(down, counting(columns), out);
        check!(along, down.slice(s![..;-1, ..]), out);
        let mut out = Array2::zeros((rows, columns).f());
        check!(along, counting((rows, 1)), out);
    }
    let turned = counting((70, 90, 20)).permuted_axes([2, 0, 1]);
    let mut out = Array3::zeros((20, 70, 90));
    check!(turned, counting((20, 70, 90)), out);
    check!(turned, counting((20, 1, 90)), out);
    let mut out = Array3::zeros((90, 20, 70)).permuted_axes([1, 2, 0]);
    check!(turned, counting((20, 70, 90)), out);
}

/// What the rows of a tile share may begin where it began in the tile before, and have more columns.
#[test]
fn tiles_of_windows() {
    let memory: Vec<f32> = (0..1000).map(|k| k as f32).collect();
    let down = counting((2, 200, 64)).permuted_axes([0, 2, 1]);
    let mut out = Array3::zeros((2, 64, 200));
    // As far on as the last tile of a row begins, which has the columns that are left.
    for columns in [128, 192] {
        let windows = ArrayView::from_shape((2, 64, 200).strides((columns * 2, 0, 2)), &memory).unwrap();
        check!(windows, down, out);
    }
}

/// Two outputs, of which one lies as the input, and the other across it.
#[test]
fn outputs_that_lie_otherwise() {
    let b = Array2::from_shape_fn((90, 210), |(i, j)| (i * 7 + j) as i32 % 11 - 20);
    let (mut q, mut r) = (Array2::zeros((90, 210).f()), Array2::zeros((90, 210)));
    divrem(1000, &b, &mut q, &mut r).unwrap();
    assert_eq!(q, b.mapv(|b| 1000 / b));
    assert_eq!(r, b.mapv(|b| 1000 % b));
}

#[test]
fn views_of_any_strides() {
    let big = counting((12, 20, 9));
    let other = counting((12, 20, 9)) * 0.5;
    let mut memory = Array3::<f32>::zeros((12, 20, 9));
    for (rows, columns) in [(1, 1), (2, 3), (-1, 1), (1, -1), (-3, -2), (-1, -1)] {
        let at = s![..;rows, 1..18;columns, ..;2];
        {
            let mut out = memory.slice_mut(at);
            let wanted = &big.slice(at) - &other.slice(at);
            sub(big.slice(at), other.slice(at), out.view_mut()).unwrap();
            assert_eq!(out, wanted);
            // Axes in another order.
            let wanted = &big.slice(at).reversed_axes() - &other.slice(at).reversed_axes();
            sub(big.slice(at).reversed_axes(), other.slice(at).reversed_axes(), out.view_mut().reversed_axes()).unwrap();
            assert_eq!(out.view().reversed_axes(), wanted);
            // A reversed input beside an output that is not.
            let mut reversed = big.slice(at);
            reversed.invert_axis(Axis(1));
            let wanted = &reversed - &out;
            sub(reversed, InPlace, &mut out).unwrap();
            assert_eq!(out, wanted);
        }
        memory.fill(-1.0);
        memory.slice_mut(at).fill(7.0);
        let wanted = memory.mapv(|x| if x == 7.0 { 5.0 } else { x });
        sub(InPlace, 2.0, memory.slice_mut(at)).unwrap();
        assert_eq!(memory, wanted, "nothing else is written");
    }
}

#[test]
fn slices_with_arrays_and_many_axes() {
    let row = [1.0_f32, 2.0, 3.0];
    let mut out = Array2::from_elem((2, 3), 10.0_f32);
    sub(InPlace, &row, &mut out).unwrap();
    assert_eq!(out, ndarray::arr2(&[[9.0, 8.0, 7.0], [9.0, 8.0, 7.0]]));
    let mut line = vec![0.0_f32; 3];
    sub(&Array1::from_elem(3, 4.0), &row, &mut line).unwrap();
    assert_eq!(line, [3.0, 2.0, 1.0]);
    // 0 axes, and many.
    let mut point = arr0(1.0_f32);
    axpy(2.0, &arr0(3.0), InPlace, &mut point).unwrap();
    assert_eq!(point, arr0(7.0));
    let shape: Vec<usize> = (0..40).map(|k| if k % 8 == 0 { 2 } else { 1 }).collect();
    let a = counting(IxDyn(&shape));
    let mut out = ArrayD::zeros(IxDyn(&shape)).reversed_axes();
    let wanted = a.view().reversed_axes().mapv(|x| 2.0 * x + 1.0);
    axpy(2.0, a.view().reversed_axes(), 1.0, &mut out).unwrap();
    assert_eq!(out, wanted);
}

#[test]
fn shared_arrays_are_copied_before_they_are_written() {
    let kept = counting((3, 4)).into_shared();
    let mut changed = kept.clone();
    sub(&kept, 1.0, &mut changed).unwrap();
    assert_eq!(changed, &kept - 1.0);
    assert_eq!(kept, counting((3, 4)));
}

#[test]
fn shapes_that_do_not_fit() {
    let mut out = Array2::<f32>::zeros((3, 4));
    let came = |error: Error| match error {
        Error::Shape { argument, came, .. } => format!("{argument}: {came}"),
        other => other.to_string(),
    };
    assert_eq!(came(sub(&counting((4, 3)), 1.0, &mut out).unwrap_err()), "a: shape [4, 3]");
    assert_eq!(came(sub(1.0, &counting(3), &mut out).unwrap_err()), "b: shape [3]");
    assert_eq!(came(sub(1.0, &counting((1, 3, 4)), &mut out).unwrap_err()), "b: shape [1, 3, 4]");
    assert_eq!(came(sub(1.0, &counting((2, 4)), &mut [0.0; 4]).unwrap_err()), "b: shape [2, 4]");
    let (mut q, mut r) = (Array2::<i32>::zeros((2, 3)), Array2::<i32>::zeros((3, 2)));
    assert_eq!(came(divrem(1, 1, &mut q, &mut r).unwrap_err()), "output 2: shape [3, 2]");
}

#[test]
fn a_fault_has_its_place_in_the_outputs_shape() {
    for (i, j, k) in [(0, 0, 0), (2, 49, 3), (1, 7, 2)] {
        let mut b = Array3::<i32>::ones((3, 50, 4));
        b[[i, j, k]] = 0;
        let error = |b: ndarray::ArrayView3<'_, i32>, fortran: bool| {
            let shape = b.raw_dim().set_f(fortran);
            let (mut q, mut r) = (Array3::zeros(shape), Array3::zeros(shape));
            match divrem(1, b, q.slice_mut(s![.., ..;-1, ..]), r.slice_mut(s![.., ..;-1, ..])) {
                Err(Error::Fault { index, shape, .. }) => (index, shape),
                other => panic!("{other:?}"),
            }
        };
        for fortran in [false, true] {
            assert_eq!(error(b.view(), fortran), (vec![i, j, k], vec![3, 50, 4]));
            assert_eq!(error(b.view().reversed_axes(), fortran), (vec![k, j, i], vec![4, 50, 3]));
        }
    }
}

#[test]
fn of_several_faults_the_first_one_is_told() {
    for (shape, first, second) in [([200, 1000], [3, 900], [190, 1]), ([4000, 3], [40, 1], [3000, 0]), ([40, 70], [0, 60], [30, 0])] {
        for fortran in [false, true] {
            let mut b = Array2::<i32>::ones(shape.set_f(fortran));
            b[first] = 0;
            b[second] = 0;
            let (mut q, mut r) = (Array2::zeros(shape), Array2::zeros(shape));
            match divrem(1, &b, &mut q, &mut r) {
                Err(Error::Fault { index, .. }) => assert_eq!(index, first),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn many_strips_go_to_threads() {
    let big = counting((1030, 1100));
    let view = big.slice(s![.., ..1050]);
    let mut out = Array2::zeros((1030, 1050));
    check!(view, counting((1030, 1)), out);
    // And tiles.
    check!(counting((1030, 1050).f()), view, out);
    let mut out = Array2::zeros((400_000, 3));
    check!(counting((400_000, 3)), counting(3), out);
}
