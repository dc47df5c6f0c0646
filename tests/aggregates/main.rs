//! Arrays, structs, `Option`s and const generics in kernels: on every level, against plain Rust written by hand.

mod arrays;
mod consts;
mod options;
mod structs;

use lanecraft::{Fault, Level, Variant};

/// Runs a variant of inputs of one type on every level that the machine has.
fn run<T: Copy, U: Copy + Default>(v: &Variant, inputs: &[&[T]]) -> Vec<(Level, Result<Vec<U>, Fault>)> {
    let one = |level| {
        let n = inputs[0].len();
        let mut out = vec![U::default(); n];
        let mut args: Vec<*mut u8> = inputs.iter().map(|i| i.as_ptr() as *mut u8).collect();
        args.push(out.as_mut_ptr().cast());
        let mut steps = vec![size_of::<T>() as isize; inputs.len()];
        steps.push(size_of::<U>() as isize);
        assert_eq!((v.inputs.len(), v.outputs[0].size()), (inputs.len(), size_of::<U>()));
        // SAFETY: one column of `n` elements per operand, the output exclusive; the level is available.
        let done = unsafe { v.run_at(level, &args, n, &steps) };
        (level, done.map(|()| out))
    };
    Level::available().into_iter().map(one).collect()
}

/// Runs a variant on every level, and compares each element with `want`.
#[track_caller]
fn compare<T: Copy + std::fmt::Debug, U: Copy + Default + PartialEq + std::fmt::Debug>(
    v: &Variant,
    inputs: &[&[T]],
    want: impl Fn(usize) -> U,
) {
    for (level, out) in run::<T, U>(v, inputs) {
        let out = out.unwrap_or_else(|fault| panic!("{level}: {fault:?}"));
        for (i, came) in out.iter().enumerate() {
            let x: Vec<T> = inputs.iter().map(|column| column[i]).collect();
            assert_eq!(*came, want(i), "{level}, element {i} of {x:?}");
        }
    }
}

/// The integers from `from`, 0 to 308 of them more than whole gangs.
fn integers(from: i32) -> Vec<i32> {
    (from..from + 309).collect()
}
