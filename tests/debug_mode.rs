//! Debug mode: what a kernel's checked form finds, where in the source, and that it computes what the others do.

#![cfg(feature = "debug")]

use lanecraft::Error;
use lanecraft::debug::{self, Settings};
use lanecraft::prelude::*;

fn checked<R>(f: impl FnOnce() -> R) -> R {
    debug::with(Settings::default(), f)
}

/// The text of what was found, in the line of this file that ends with the mark, or has it below.
#[track_caller]
fn text<R: std::fmt::Debug>(found: Result<R, Error>, mark: &str) -> String {
    let error = found.unwrap_err();
    let Error::Found { report, .. } = &error else { panic!("{error}") };
    let place = report.place.expect("the finding has a place");
    let ending = format!("// [{mark}]");
    let lines = include_str!("debug_mode.rs").lines().enumerate();
    let (above, marked) = lines.filter(|(_, line)| line.ends_with(&ending)).last().expect("the mark is there");
    let line = above as u32 + u32::from(marked.trim() != ending);
    assert_eq!((place.file, place.line), (file!(), line), "{error}");
    error.to_string().replace(&format!(" ({}:{line})", file!()), "")
}

mod arithmetic {
    use super::*;

    #[always_inline]
    fn twice<T: Int>(x: T) -> T {
        x + x // [twice]
    }

    #[kernel(dtypes(i32, u8))]
    fn sums<T: Int>(a: T, b: T) -> T {
        let c = a + b; // [sum]
        twice(c)
    }

    #[kernel(dtypes(i8, u8))]
    fn operations<T: Int>(which: i32, a: T, b: T) -> T {
        match which {
            0 => a - b,           // [sub]
            1 => a * b,           // [mul]
            2 => a / b,           // [div]
            3 => a % b,           // [rem]
            4 => a << b,          // [shl]
            5 => a >> b,          // [shr]
            6 => a.pow(b as u32), // [pow]
            7 => a.wrapping_mul(b),
            _ => a.count_ones() as T,
        }
    }

    #[kernel]
    fn signs(which: i32, a: i16) -> i16 {
        if which == 0 {
            -a // [neg]
        } else {
            a.abs() // [abs]
        }
    }

    #[test]
    fn a_sum_that_does_not_fit_is_found_where_it_is_made() {
        let mut out = [0_i32; 3];
        let found = checked(|| sums::map(&[1, i32::MAX, 3], &[1, 1, 1], &mut out));
        assert_eq!(text(found, "sum"), "sums: 2147483647 + 1 overflows i32 at index [1] of shape [3]");
        let found = checked(|| sums::map(&[1_u8, 100, 3], &[1, 100, 1], &mut [0; 3]));
        assert_eq!(text(found, "twice"), "sums: 200 + 200 overflows u8 at index [1] of shape [3]");
        // Elements before the finding are computed.
        assert_eq!(checked(|| sums::map(&[1], &[1], &mut out[..1])), Ok(()));
        assert_eq!(out[0], 4);
    }

    #[test]
    fn every_operation_has_its_own_rule() {
        let run = |which: i32, a: i8, b: i8| checked(|| operations::map(which, a, b, &mut [0_i8; 1][..]));
        for (which, a, b, mark, expected) in [
            (0, -128, 1, "sub", "-128 - 1 overflows i8"),
            (1, 64, 2, "mul", "64 * 2 overflows i8"),
            (2, -128, -1, "div", "-128 / -1 overflows i8"),
            (2, 1, 0, "div", "integer division by zero"),
            (3, -128, -1, "rem", "-128 % -1 overflows i8"),
            (3, 1, 0, "rem", "integer division by zero"),
            (4, 1, 8, "shl", "1 << 8 shifts by more than the 8 bits of i8"),
            (5, 1, -1, "shr", "1 >> -1 shifts by more than the 8 bits of i8"),
            (6, 3, 5, "pow", "(3).pow(5) overflows i8"),
        ] {
            assert_eq!(text(run(which, a, b), mark), format!("operations: {expected} at index [0] of shape [1]"));
        }
        // What Rust's development build computes without a panic.
        for (which, a, b) in
            [(0, -128, 0), (1, -64, 2), (2, -128, 1), (3, -128, 3), (4, 127, 7), (5, -1, 7), (6, -2, 7), (7, 127, 127), (8, -1, 0)]
        {
            assert_eq!(run(which, a, b), Ok(()), "{which} {a} {b}");
        }
        let found = checked(|| operations::map(0, 1_u8, 2, &mut [0_u8; 1][..]));
        assert_eq!(text(found, "sub"), "operations: 1 - 2 overflows u8 at index [0] of shape [1]");
    }

    #[test]
    fn the_smallest_integer_has_no_negative() {
        for (which, mark, expected) in [(0, "neg", "-(-32768) overflows i16"), (1, "abs", "(-32768).abs() overflows i16")] {
            let found = checked(|| signs::map(which, &[-32767, -32768], &mut [0; 2]));
            assert_eq!(text(found, mark), format!("signs: {expected} at index [1] of shape [2]"));
        }
    }

    #[test]
    fn outside_of_debug_mode_integers_wrap() {
        let mut out = [0_i32; 1];
        assert_eq!(sums::map(&[i32::MAX], &[1], &mut out), Ok(()));
        assert_eq!(out, [0]);
        assert_eq!(sums(i32::MAX, 1), 0);
    }
}

mod indices {
    use super::*;

    const TABLE: [i32; 3] = [10, 20, 30];

    #[kernel]
    fn table(k: i32) -> i32 {
        TABLE[k as usize] // [table]
    }

    #[kernel(signature = "(n),(m)->(n)")]
    fn take(x: &[f32], k: &[i32], y: &mut [f32]) {
        for i in lanes(0..x.len()) {
            y[i] = x[k[i] as usize]; // [take]
        }
    }

    #[kernel(signature = "(n)->(n)")]
    fn shifted(x: &[f32], y: &mut [f32]) {
        for i in lanes(0..x.len()) {
            y[i + 1] = x[i]; // [shifted]
        }
    }

    #[kernel(signature = "(n)->(n)")]
    fn blurred(x: &[f32], y: &mut [f32]) {
        for i in lanes(0..x.len()) {
            y[i] = x.at_clamp(i - 1) + x.at_wrap(i - 1) + x.at_mirror(i - 2 + 1) + x.at_or(i - 1, 0.5);
        }
    }

    #[kernel(signature = "(n)->()")]
    fn before(x: &[f32]) -> f32 {
        let k = x.len() - 2;
        x.at_clamp(k - 1) + x[k - 1] // [before]
    }

    #[kernel(signature = "(n),(n)->(n)")]
    fn looked_up(x: &[f32], order: &[u32], y: &mut [f32]) {
        for i in lanes(0..x.len()) {
            y[i] = x.at_clamp(order[i - 1] as usize); // [looked_up]
        }
    }

    #[kernel(signature = "(n)->()")]
    fn first(x: &[i32]) -> i32 {
        let weights = [1, 2];
        weights[x[0] as usize] // [first]
    }

    #[test]
    fn an_index_beyond_an_edge_may_be_below_zero() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let mut y = [0.0; 4];
        assert_eq!(checked(|| blurred::run(&x, &mut y)), Ok(()));
        let mut wanted = [0.0; 4];
        blurred::run(&x, &mut wanted).unwrap();
        assert_eq!(y, wanted);
        assert_eq!(y, [1.0 + 4.0 + 2.0 + 0.5, 1.0 + 1.0 + 1.0 + 1.0, 2.0 + 2.0 + 2.0 + 2.0, 3.0 + 3.0 + 3.0 + 3.0]);
        // Elsewhere it is a mistake, in an element's index beside it and within it too.
        assert_eq!(text(checked(|| before::run(&[1.0, 2.0])), "before"), "before: 0 - 1 overflows u64");
        let found = checked(|| looked_up::run(&x, &[0; 4], &mut [0.0; 4]));
        assert_eq!(text(found, "looked_up"), "looked_up: 0 - 1 overflows u64, in iteration [0]");
    }

    #[test]
    fn an_index_beyond_the_end_has_its_line() {
        let found = checked(|| table::map(&[2, -1], &mut [0; 2]));
        assert_eq!(text(found, "table"), "table: index -1 is out of range for an array of length 3 at index [1] of shape [2]");
        let found = checked(|| take::run(&[1.0, 2.0, 3.0], &[0, 1, 5], &mut [0.0; 3]));
        assert_eq!(text(found, "take"), "take: index [5] of argument 'x' is out of range for shape [3], in iteration [2]");
        let found = checked(|| take::run(&[1.0, 2.0, 3.0], &[0, 1], &mut [0.0; 3]));
        assert_eq!(text(found, "take"), "take: index [2] of argument 'k' is out of range for shape [2], in iteration [2]");
        let found = checked(|| shifted::run(&[1.0, 2.0], &mut [0.0; 2]));
        assert_eq!(text(found, "shifted"), "shifted: index [2] of argument 'y' is out of range for shape [2], in iteration [1]");
        let found = checked(|| first::run(&[7]));
        assert_eq!(text(found, "first"), "first: index 7 is out of range for an array of length 2");
    }

    #[cfg(feature = "ndarray")]
    #[test]
    fn of_a_batch_the_item_is_named() {
        let x = ndarray::arr2(&[[1, 0], [0, 1], [2, 0]]);
        let found = checked(|| first::run_batch(&x, &mut [0; 3]));
        assert_eq!(text(found, "first"), "first: index 2 is out of range for an array of length 2 at index [2] of shape [3]");
    }
}

mod races {
    use super::*;

    #[kernel(signature = "(n),(n)->(n)")]
    fn permute(x: &[f32], order: &[u32], y: &mut [f32]) {
        for i in lanes(0..x.len()) {
            y[i] = 0.0;
        }
        for i in lanes(0..x.len()) {
            y[unsafe { disjoint(order[i] as usize) }] = x[i]; // [permute]
        }
    }

    #[kernel(signature = "(n),(n)->(n)")]
    fn push(x: &[f32], order: &[u32], y: &mut [f32]) {
        for i in lanes(0..x.len()) {
            y[i] = 0.0;
        }
        for i in lanes(0..x.len()) {
            y[unsafe { disjoint(order[i] as usize) }] += x[i]; // [push]
        }
    }

    #[cfg(feature = "ndarray")]
    #[kernel(signature = "(h,w),(h,w)->(h,w)")]
    fn permute_all(x: View<f32, 2>, order: View<u32, 2>, y: ViewMut<f32, 2>) {
        for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
            y[[0, unsafe { disjoint(order[[i, j]] as usize) }]] = x[[i, j]]; // [permute_all]
        }
    }

    #[kernel(signature = "(n),(m)->(m)")]
    fn count(x: &[u32], _like: &[u32], y: &mut [u32]) {
        for k in lanes(0..y.len()) {
            y[k] = 0;
        }
        for i in lanes(0..x.len()) {
            atomic_add(&mut y[x[i] as usize], 1);
        }
    }

    #[test]
    fn two_iterations_that_write_one_element_are_found() {
        let x = [1.0, 2.0, 3.0, 4.0];
        let mut y = [0.0; 4];
        assert_eq!(checked(|| permute::run(&x, &[3, 2, 1, 0], &mut y)), Ok(()));
        assert_eq!(y, [4.0, 3.0, 2.0, 1.0]);
        let found = checked(|| permute::run(&x, &[3, 2, 1, 2], &mut y));
        let expected = "permute: iteration [3] writes element [2] of argument 'y', which iteration [1] of the same loop wrote";
        assert_eq!(text(found, "permute"), expected);
    }

    #[test]
    fn so_are_an_iteration_that_reads_and_one_that_writes() {
        let found = checked(|| push::run(&[1.0, 2.0, 3.0], &[1, 0, 1], &mut [0.0; 3]));
        assert_eq!(
            text(found, "push"),
            "push: iteration [2] reads element [1] of argument 'y', which iteration [0] of the same loop wrote"
        );
    }

    #[cfg(feature = "ndarray")]
    #[test]
    fn of_a_loop_over_two_axes_both_variables_are_named() {
        let x = ndarray::arr2(&[[1.0, 2.0], [3.0, 4.0]]);
        let order = ndarray::arr2(&[[0, 1], [1, 0]]);
        let mut y = ndarray::arr2(&[[0.0; 2]; 2]);
        let found = checked(|| permute_all::run(&x, &order, &mut y));
        let expected = "permute_all: iteration [1, 0] writes element [0, 1] of argument 'y', which iteration [0, 1] of the same loop wrote";
        assert_eq!(text(found, "permute_all"), expected);
    }

    #[test]
    fn atomic_updates_are_no_race() {
        let mut y = [9; 3];
        assert_eq!(checked(|| count::run(&[1, 1, 2, 1], &[0; 3], &mut y)), Ok(()));
        assert_eq!(y, [0, 3, 1]);
    }
}

mod unwritten {
    use super::*;

    #[kernel(signature = "(n)->(n)")]
    fn accumulate(x: &[f32], y: &mut [f32]) {
        for i in lanes(0..x.len()) {
            if x[i] > 0.0 {
                y[i] = 0.0;
            }
        }
        for i in lanes(0..x.len()) {
            y[i] += x[i]; // [accumulate]
        }
    }

    #[kernel(signature = "(n),(m)->(m)")]
    fn count(x: &[u32], _like: &[u32], y: &mut [u32]) {
        for i in lanes(0..x.len()) {
            atomic_add(&mut y[x[i] as usize], 1); // [count]
        }
    }

    #[kernel(signature = "(m,n)->(m,n)")]
    fn upper(x: View<f32, 2>, y: ViewMut<f32, 2>) {
        for i in lanes(0..x.dim(0)) {
            for j in i..x.dim(1) {
                y[[i, j]] = x[[i, j]];
            }
        }
    }

    #[cfg(feature = "ndarray")]
    #[test]
    fn what_is_left_of_a_fresh_output_is_found() {
        let fresh = |x: &ndarray::Array2<f32>| {
            let mut y = ndarray::Array2::zeros(x.dim());
            debug::with(Settings { fresh: 1, ..Settings::default() }, || upper::run(x, &mut y))
        };
        assert_eq!(fresh(&ndarray::arr2(&[[1.0, 2.0]])), Ok(()));
        assert_eq!(fresh(&ndarray::Array2::zeros((3, 0))), Ok(()));
        let x = ndarray::Array2::ones((3, 4));
        let expected = "upper: element [1, 0] of argument 'y' is never written, of a fresh output of shape [3, 4]";
        assert_eq!(fresh(&x).unwrap_err().to_string(), expected);
        assert_eq!(checked(|| upper::run(&x, &mut ndarray::Array2::zeros((3, 4)))), Ok(()));
    }

    #[test]
    fn reading_what_the_kernel_has_not_written_is_found() {
        let mut y = [7.0; 3];
        assert_eq!(checked(|| accumulate::run(&[1.0, 2.0, 3.0], &mut y)), Ok(()));
        let found = checked(|| accumulate::run(&[1.0, -2.0, 3.0], &mut y));
        let expected = "accumulate: element [1] of argument 'y' is read before the kernel has written it, in iteration [1]";
        assert_eq!(text(found, "accumulate"), expected);
        let found = checked(|| count::run(&[2], &[0; 3], &mut [0; 3]));
        assert_eq!(text(found, "count"), "count: element [2] of argument 'y' is read before the kernel has written it, in iteration [0]");
    }
}

mod nan {
    use super::*;

    fn with_nan<R>(f: impl FnOnce() -> R) -> R {
        debug::with(Settings { nan: true, ..Settings::default() }, f)
    }

    #[kernel(dtypes(f16, f32, f64))]
    fn log_of_difference<T: Float>(a: T, b: T) -> T {
        let d = a - b; // [difference]
        d.ln() // [ln]
    }

    #[test]
    fn a_nan_that_comes_of_numbers_is_found_where_it_is_made() {
        let inf = f32::INFINITY;
        let found = with_nan(|| log_of_difference::map(&[1.0, inf], &[0.0, inf], &mut [0.0; 2]));
        assert_eq!(text(found, "difference"), "log_of_difference: `-` of numbers gives a NaN at index [1] of shape [2]");
        let found = with_nan(|| log_of_difference::map(&[1.0, 1.0], &[0.0, 2.0], &mut [0.0; 2]));
        assert_eq!(text(found, "ln"), "log_of_difference: `ln` of numbers gives a NaN at index [1] of shape [2]");
        let half = f16::from_f32;
        let found = with_nan(|| log_of_difference::map(&[half(1.0)], &[half(2.0)], &mut [half(0.0)]));
        assert_eq!(text(found, "ln"), "log_of_difference: `ln` of numbers gives a NaN at index [0] of shape [1]");
    }

    #[test]
    fn a_nan_that_comes_in_is_none_of_the_kernel() {
        let mut out = [0.0; 2];
        assert_eq!(with_nan(|| log_of_difference::map(&[1.0, f64::NAN], &[0.0, 1.0], &mut out)), Ok(()));
        assert!(out[0] == 0.0 && out[1].is_nan());
        assert_eq!(checked(|| log_of_difference::map(&[1.0], &[2.0], &mut out[..1])), Ok(()));
    }
}

mod values {
    use super::*;

    #[kernel(dtypes(f32, f64), signature = "(n)->(n)")]
    fn softmax<T: Float>(x: &[T], y: &mut [T]) {
        let mut m = T::NEG_INFINITY;
        for i in lanes(0..x.len()) {
            m = m.max(x[i]);
        }
        let mut s = T::ZERO;
        for i in lanes(0..x.len()) {
            y[i] = (x[i] - m).exp();
            s += y[i];
        }
        for i in lanes(0..x.len()) {
            y[i] /= s;
        }
    }

    #[kernel(signature = "(n)->()")]
    fn total(x: &[i32]) -> i32 {
        let mut s = 0;
        for i in lanes(0..x.len()) {
            // [total]
            s += x[i];
        }
        s
    }

    #[kernel]
    fn counted(n: u8) -> u32 {
        let mut k = 0;
        for i in 0..=n {
            k += i as u32;
        }
        for i in (0..n).rev().step_by(100) {
            k += i as u32;
        }
        k
    }

    #[test]
    fn debug_mode_computes_what_the_other_forms_do() {
        let x: Vec<f32> = (0..10_000).map(|k| (k as f32).sin()).collect();
        let (mut plain, mut found) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        // The plain function, since plain SSE2 has other bits.
        softmax(&x, &mut plain);
        checked(|| softmax::run(&x, &mut found)).unwrap();
        assert!(plain.iter().zip(&found).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert_eq!(checked(|| total::run(&[1, 2, 3])), Ok(6));
        // A counter of a loop may reach the end of its type.
        let mut out = [0; 1];
        assert_eq!(checked(|| counted::map(&[255], &mut out)), Ok(()));
        assert_eq!(out, [255 * 128 + 254 + 154 + 54]);
    }

    #[test]
    fn a_sum_may_overflow_where_partial_sums_meet() {
        assert!(text(checked(|| total::run(&[i32::MAX, 1])), "total").starts_with("total: 2147483647 + 1 overflows i32"));
    }
}

mod printing {
    use super::*;
    use std::sync::Mutex;

    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

    #[kernel(dtypes(f16, i32))]
    fn scaled<T: Num>(a: T, b: T) -> T {
        dbg!(a); // [a]
        dbg!(a * b) + b // [product]
    }

    #[kernel(signature = "(n)->(n)")]
    fn copied(x: &[u8], y: &mut [u8]) {
        let n = dbg!(x.len()); // [n]
        for i in lanes(0..n) {
            y[dbg!(i)] = x[i]; // [i]
        }
    }

    /// The line with a mark, and what is printed for it.
    fn printed(mark: &str, rest: &str) -> String {
        let ending = format!("// [{mark}]");
        let line = include_str!("debug_mode.rs").lines().position(|line| line.ends_with(&ending)).expect("the mark is there") + 1;
        format!("[{}:{line}] {rest}", file!())
    }

    #[test]
    fn dbg_gives_its_value_and_prints_it_in_debug_mode_alone() {
        debug::print_by(|line| LINES.lock().unwrap().push(line.to_owned()));
        let mut out = [0; 2];
        scaled::map(&[1, 2], 10, &mut out).unwrap();
        assert_eq!((out, scaled(3, 10)), ([20, 30], 40));
        assert!(LINES.lock().unwrap().is_empty());
        checked(|| scaled::map(&[1, 2], 10, &mut out)).unwrap();
        checked(|| copied::run(&[7, 8], &mut [0; 2])).unwrap();
        assert_eq!(out, [20, 30]);
        let expected = [
            printed("a", "element 0: a = 1"),
            printed("product", "element 0: a * b = 10"),
            printed("a", "element 1: a = 2"),
            printed("product", "element 1: a * b = 20"),
            printed("n", "element 0: x.len() = 2"),
            printed("i", "element 0, iteration [0]: i = 0"),
            printed("i", "element 0, iteration [1]: i = 1"),
        ];
        assert_eq!(*LINES.lock().unwrap(), expected);
    }
}
