//! The attribute macros of Lanecraft: a shell over `lanecraft_lang`.

mod report;

use proc_macro::TokenStream;

/// Makes kernels of a function: the plain function stays, and beside it stands a type of the same name that runs it over
/// arrays, as SIMD code for every CPU level.
///
/// A map kernel takes values and returns a value, or a tuple of values:
///
/// ```ignore
/// #[kernel(dtypes(f32, f64))]
/// pub fn axpy<T: Float>(a: T, x: T, y: T) -> T { a * x + y }
///
/// axpy::map(2.0, &xs, &ys, &mut out)?;
/// ```
///
/// Options: `dtypes(f32, f64)`, or with several type parameters `dtypes(A: [u8, i16], B: [f32])`; a family (`float`, `int`,
/// `uint`, `all`) stands for its members. `crate = path` names the crate `lanecraft` where it is not `::lanecraft`.
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    if std::env::var(lanecraft_lang::report::VARIABLE).is_ok_and(|value| value != "0") {
        report::print(&attr, &item);
    }
    lanecraft_lang::expand_kernel(attr.into(), item.into()).into()
}

/// Makes a function callable from kernels, of this crate or another; it may call others of its kind.
#[proc_macro_attribute]
pub fn always_inline(attr: TokenStream, item: TokenStream) -> TokenStream {
    lanecraft_lang::expand_always_inline(attr.into(), item.into()).into()
}

/// Exports a kernel (below `#[kernel]`, which reads it), an ordinary function or a struct to Python.
///
/// ```ignore
/// #[python_export(raises = ValueError, signature(text, *, seed = 0))]
/// pub fn checksum(text: &str, seed: u32) -> Result<u64, Error> { .. }
/// ```
///
/// Options: `module = "math"` puts it into a submodule; of functions, `raises = ValueError` is the exception that the error of a
/// `Result` becomes, `keep_gil` keeps the GIL while it runs, and `signature(..)` has default values, and `/` and `*` as Python has them.
#[proc_macro_attribute]
pub fn python_export(attr: TokenStream, item: TokenStream) -> TokenStream {
    // Cargo tells it to rustc; without Cargo, Python's messages name a class without its module.
    let crate_name = std::env::var("CARGO_CRATE_NAME").unwrap_or_default();
    lanecraft_lang::expand_python_export(attr.into(), item.into(), &crate_name).into()
}

/// On an argument of a kernel: the values that a variant is built for at compile time, `#[parameter(16, 32, 64)] tile: i32`. With
/// `..` among them, one more variant takes any other value at run time.
#[proc_macro_attribute]
pub fn parameter(attr: TokenStream, item: TokenStream) -> TokenStream {
    lanecraft_lang::misplaced_parameter(attr.into(), item.into()).into()
}
