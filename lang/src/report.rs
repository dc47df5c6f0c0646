//! What is built of a kernel, as text: `LANECRAFT_REPORT=1 cargo build`.

use crate::block::BlockKernel;
use crate::dtype::Dtype;
use crate::model::{Kernel, Parameter, TypeParam};
use std::fmt::Write as _;

/// The environment variable that asks for the report. Generated code names it, so that Cargo compiles a crate anew when it changes.
pub const VARIABLE: &str = "LANECRAFT_REPORT";

/// The CPU levels of a family of targets that a build has code for.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The targets: `x86-64`.
    pub target: &'static str,
    /// The levels' names.
    pub names: Vec<&'static str>,
}

/// What the report needs of a kernel, be it a map kernel or a block kernel.
#[derive(Debug)]
pub struct Built<'k> {
    name: String,
    type_params: &'k [TypeParam],
    variants: &'k [Vec<Dtype>],
    parameters: &'k [Parameter],
    choices: Vec<&'k [Option<usize>]>,
}

impl<'k> From<&'k Kernel> for Built<'k> {
    fn from(kernel: &'k Kernel) -> Self {
        let choices = kernel.choices.iter().map(Vec::as_slice).collect();
        let (name, type_params, variants) = (kernel.name.to_string(), &kernel.type_params, &kernel.variants);
        Self { name, type_params, variants, parameters: &kernel.parameters, choices }
    }
}

/// A block kernel has no parameters: there is one choice of their values.
impl<'k> From<&'k BlockKernel> for Built<'k> {
    fn from(kernel: &'k BlockKernel) -> Self {
        let (name, type_params, variants) = (kernel.name.to_string(), &kernel.type_params, &kernel.variants);
        Self { name, type_params, variants, parameters: &[], choices: vec![&[]] }
    }
}

/// The lines on a kernel: how many functions over arrays are built of it, and its variants.
pub fn text(kernel: &Built<'_>, crate_name: &str, levels: &[Levels]) -> String {
    let count = kernel.choices.len() * kernel.variants.len();
    let mut text = format!("lanecraft: kernel `{}` of `{crate_name}`: {count} variants\n", kernel.name);
    for Levels { target, names } in levels.iter().filter(|levels| !levels.names.is_empty()) {
        let n = names.len();
        let _ = writeln!(text, "  on {target}: {count} variants x {n} levels ({}) = {} functions", names.join(" "), count * n);
    }
    for choice in &kernel.choices {
        for dtypes in kernel.variants {
            let _ = writeln!(text, "  - {}", variant(kernel, choice, dtypes));
        }
    }
    text
}

/// `T = f32; degree = 2, negate = true`
fn variant(kernel: &Built<'_>, choice: &[Option<usize>], dtypes: &[Dtype]) -> String {
    let dtypes = kernel.type_params.iter().zip(dtypes).map(|(p, d)| format!("{} = {d}", p.name)).collect::<Vec<_>>().join(", ");
    let values = kernel.parameters.iter().zip(choice).map(|(p, value)| match value.and_then(|k| p.values.get(k)) {
        Some(value) => format!("{} = {value}", p.name),
        None => format!("{} at run time", p.name),
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let parts: Vec<String> = [dtypes, values].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "its own dtypes".to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::Levels;

    fn of(attr: &str, item: &str) -> String {
        let levels = [Levels { target: "x86-64", names: vec!["portable", "avx2"] }, Levels { target: "64-bit ARM", names: Vec::new() }];
        crate::report_kernel(attr.parse().unwrap(), item.parse().unwrap(), "hello", &levels).unwrap()
    }

    #[test]
    fn a_block_kernel_is_built_for_its_dtypes() {
        let item = "fn f<T: Num>(x: &[T], y: &mut [T]) { for i in lanes(0..x.len()) { y[i] = x[i]; } }";
        assert_eq!(
            of("dtypes(f32, i8), signature = \"(n)->(n)\"", item),
            "lanecraft: kernel `f` of `hello`: 2 variants
  on x86-64: 2 variants x 2 levels (portable avx2) = 4 functions
  - T = f32
  - T = i8
"
        );
    }

    #[test]
    fn variants_are_dtypes_times_values() {
        let item = "fn f<T: Float>(x: T, #[parameter(2, ..)] n: i32, #[parameter(true, false)] b: bool) -> T { x }";
        assert_eq!(
            of("dtypes(f32, f64)", item),
            "lanecraft: kernel `f` of `hello`: 8 variants
  on x86-64: 8 variants x 2 levels (portable avx2) = 16 functions
  - T = f32; n = 2, b = true
  - T = f64; n = 2, b = true
  - T = f32; n = 2, b = false
  - T = f64; n = 2, b = false
  - T = f32; n at run time, b = true
  - T = f64; n at run time, b = true
  - T = f32; n at run time, b = false
  - T = f64; n at run time, b = false
"
        );
    }

    #[test]
    fn a_kernel_on_concrete_types_is_one_variant() {
        let lines = of("", "fn f(x: u8) -> f32 { x as f32 }");
        assert_eq!(
            lines,
            "lanecraft: kernel `f` of `hello`: 1 variants\n  on x86-64: 1 variants x 2 levels (portable avx2) = 2 functions\n  - its own dtypes\n"
        );
    }
}
