//! Random programs of the kernel language, printed twice from one tree: as a kernel, and as plain Rust that spells out what
//! the kernel language means (`wrapping_add`, `wrapping_shl`, a `max` that says which of two equal values it gives).

mod grow;
mod print;
mod tree;

use std::fmt::Write as _;
use std::ops::Range;

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

/// The Rust text of the programs of a seed: a module each, and a table of them.
pub fn programs(seed: u64, indices: Range<u64>) -> String {
    let mut text = String::new();
    let mut table = String::new();
    for index in indices {
        let mut rng = Rng(seed.wrapping_mul(0x1234_5677_89ab_cdef) ^ index.wrapping_mul(0x9e37_79b9));
        rng.next();
        let program = grow::program(&mut rng);
        let _ = writeln!(text, "/// Program {index} of seed {seed}.\n#[allow(unused, clippy::all, clippy::pedantic)]\npub mod p{index} {{");
        let _ = writeln!(text, "use lanecraft::prelude::*;\n{}", print::kernel(&program));
        let _ = writeln!(text, "mod plain {{ use crate::plain::*;\n{} }}", print::plain(&program));
        let (ins, outs) = (print::types(&program.main.args), print::types(&program.main.results));
        let names: String = program.main.args.iter().map(|(name, _)| format!("{name}, ")).collect();
        let call = |f: &str| if program.main.results.len() == 1 { format!("({f}({names}),)") } else { format!("{f}({names})") };
        let _ = writeln!(
            text,
            "/// Compares the two.\npub fn check() {{ crate::harness::check::<k, ({ins}), ({outs})>(|({names})| {}, |({names})| {}, {}); }}\n}}",
            call("k"),
            call("plain::k"),
            program.fused
        );
        let _ = write!(table, "({index}, p{index}::check), ");
    }
    let _ = writeln!(text, "/// The programs.\npub const PROGRAMS: &[(u64, fn())] = &[{table}];");
    text
}
