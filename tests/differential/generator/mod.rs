//! Random programs of the kernel language, printed twice from one tree: as a kernel, and as plain Rust that spells out what
//! the kernel language means (`wrapping_add`, `wrapping_shl`, a `max` that says which of two equal values it gives).

mod grow;
mod print;
mod shrink;
mod tree;

use std::fmt::Write as _;
use std::ops::Range;
use tree::{Program, Ty};

/// Random numbers (splitmix64).
pub struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Below `n`.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True once in `n`.
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Program `index` of a seed.
fn program(seed: u64, index: u64) -> Program {
    let mut rng = Rng(seed.wrapping_mul(0x1234_5677_89ab_cdef) ^ index.wrapping_mul(0x9e37_79b9));
    rng.next();
    grow::program(&mut rng)
}

/// The Rust text of the programs of a seed.
pub fn programs(seed: u64, indices: Range<u64>) -> String {
    table(indices.map(|index| (index, program(seed, index))), 0)
}

/// The Rust text of the programs that are one step smaller than program `index` of a seed after the steps of `path`; the
/// smallest first, `indices` of them.
pub fn smaller(seed: u64, index: u64, path: &[u64], indices: Range<u64>) -> String {
    let mut program = program(seed, index);
    for step in path {
        let mut smaller = shrink::smaller(&program);
        if (*step as usize) < smaller.len() {
            program = smaller.swap_remove(*step as usize);
        }
    }
    let all = shrink::smaller(&program);
    let count = all.len();
    let wanted = all.into_iter().enumerate().map(|(k, program)| (k as u64, program)).filter(|(k, _)| indices.contains(k));
    table(wanted, count)
}

/// A module for each program, and a table of them.
fn table(programs: impl Iterator<Item = (u64, Program)>, steps: usize) -> String {
    let (mut text, mut table, mut cuda) = (String::new(), String::new(), String::new());
    for (index, program) in programs {
        let kernel = print::kernel(&program);
        let _ = writeln!(
            text,
            "/// A program.\n#[allow(unused, unreachable_patterns, irrefutable_let_patterns, nonstandard_style, overlapping_range_endpoints, invalid_nan_comparisons, \
             clippy::all, \
             clippy::pedantic)]\npub mod p{index} {{\nuse lanecraft::prelude::*;\n{kernel}\nmod plain {{ use crate::plain::*;\n{} }}\n{}}}",
            print::plain(&program),
            check(index, &program)
        );
        let _ = write!(cuda, "({index}, lanecraft::cuda::CudaInfo::of::<p{index}::k>()), ");
        let _ = write!(table, "({index}, p{index}::check, r####\"{kernel}\"####), ");
    }
    let _ = writeln!(
        text,
        "/// The programs: number, check, text.\npub const PROGRAMS: &[(u64, fn() -> Result<(), String>, &str)] = &[{table}];\n\
         /// How many there are of this kind.\npub const STEPS: usize = {steps};\n\
         /// Their CUDA texts.\n#[cfg(feature = \"cuda\")]\npub const CUDA: &[(u64, lanecraft::cuda::CudaInfo)] = &[{cuda}];"
    );
    text
}

/// The function that compares the two forms.
fn check(index: u64, program: &Program) -> String {
    let main = &program.main;
    let of: Vec<Option<Ty>> = if program.dtypes.is_empty() { vec![None] } else { program.dtypes.iter().copied().map(Some).collect() };
    let mut cases = String::new();
    for of in of {
        let ids = |tys: &mut dyn Iterator<Item = Ty>| tys.map(|ty| format!("D::{}, ", id(ty.with(of)))).collect::<String>();
        let inputs = ids(&mut main.args.iter().map(|(_, ty)| *ty));
        let outputs = ids(&mut main.results.iter().copied());
        let parameters = |plain: bool| -> String {
            let of_form = main.parameters.iter().enumerate().filter(|(_, p)| plain || !p.is_const);
            of_form
                .map(|(k, p)| if p.ty == tree::BOOL { format!("p[{k}] != 0, ") } else { format!("p[{k}] as {}, ", p.ty.name()) })
                .collect()
        };
        let args = |plain: bool| {
            let arg = |(k, ty): (usize, Ty)| match ty.with(of) {
                ty if plain && ty.is_half() => format!("load_{}(v[{k}]), ", ty.name()),
                ty => format!("of::<{}>(v[{k}]), ", ty.name()),
            };
            main.args.iter().map(|(_, ty)| *ty).enumerate().map(arg).collect::<String>() + &parameters(plain)
        };
        let store = |plain: bool| {
            let one = |(k, ty): (usize, Ty)| {
                let place = if main.results.len() == 1 { "y".to_owned() } else { format!("y.{k}") };
                match ty.with(of) {
                    ty if plain && ty.is_half() => format!("store_{}({place}), ", ty.name()),
                    _ => format!("bits({place}), "),
                }
            };
            main.results.iter().copied().enumerate().map(one).collect::<String>()
        };
        // A const generic is chosen by its value.
        let call = |constant: Option<&str>| {
            let generics = of.map(|ty| ty.name()).into_iter().chain(constant).collect::<Vec<_>>().join(", ");
            let generics = if generics.is_empty() { generics } else { format!("::<{generics}>") };
            format!("k{generics}({})", args(false))
        };
        let call = match main.parameters.iter().position(|p| p.is_const) {
            None => call(None),
            Some(k) => {
                let arms: String = main.parameters[k].values.iter().map(|value| format!("{value} => {}, ", call(Some(value)))).collect();
                format!("match p[{k}] {{ {arms}_ => unreachable!() }}")
            }
        };
        let _ = writeln!(
            cases,
            "Case {{ inputs: &[{inputs}], outputs: &[{outputs}], \
             function: |v, p| {{ let y = {call}; vec![{}] }}, \
             plain: |v, p| {{ let y = plain::{}({}); vec![{}] }} }},",
            store(false),
            print::instance("k", of),
            args(true),
            store(true)
        );
    }
    format!(
        "/// Compares the forms.\npub fn check() -> Result<(), String> {{\nuse crate::check::*; use crate::plain::*; use lanecraft::DtypeId as D;\n\
         check({index}, &<k as lanecraft::Kernel>::INFO, {}, &[{cases}])\n}}\n",
        program.fused
    )
}

/// The name of a `DtypeId`.
fn id(ty: Ty) -> String {
    match ty.name() {
        "bool" => "Bool".to_owned(),
        "bf16" => "Bf16".to_owned(),
        name => name.to_uppercase(),
    }
}
