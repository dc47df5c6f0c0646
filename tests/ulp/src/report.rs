//! The table of errors, and what must hold of it.

use crate::functions::{Function, Reference};
use crate::measure::{Measured, Stats};
use lanecraft::Level;

/// The table's head.
pub const HEAD: &str = "function dtype  level            inputs   max ULP  bound     mean  results' hash     worst at";

/// What docs/accuracy.md says above its table.
const PAGE: &str = "\
# Accuracy of the math functions

Written by `cargo xtask ulp --page docs/accuracy.md`; the numbers are its measurements. Errors are in units in the last place (ULP) of the
exact value. f16 and bf16: all 65536 bit patterns; f32: each K-th of all 2^32 bit patterns, so many in all; all three against CORE-MATH's
f64 function. f64, and functions of two variables: samples (uniform bits, the function's interval, near 0, subnormal, near edges), against
a double-double value that is itself checked against CORE-MATH (f16 and bf16: against its f64 function). A NaN, an infinity or a sign that
is not right is an infinite error, and so breaks every bound. Functions without a bound are exact. f16 and bf16 are computed in f32 and
rounded once, so that their bound is half a unit and a little more. `erfc_fast` and its kin, at the end, are what `erfc` is in a kernel
with `fast_math`.

Every level gives the same bits, and so does the plain function (but without `fast_math`): portable, SSE2 in its exact mode (`LANECRAFT_EXACT=1`), AVX2, AVX-512, NEON.
The one exception is level `sse2` outside that mode, on CPUs without a fused multiply-add: there each is rounded twice, but for the few
that cancel (range reductions, what a product lost), which are made in software. The last columns have its bound and error.

| function | dtype | bound | max error | at | mean error | inputs | bound, sse2 | max error, sse2 |
|---|---|---|---|---|---|---|---|---|
";

/// docs/accuracy.md, from what was measured.
pub fn page(rows: &[(&Function, &str, Measured)]) -> String {
    let mut page = PAGE.to_owned();
    for (function, dtype, measured) in rows {
        let row = |wanted: fn(Level) -> bool| measured.levels.iter().rev().find(|(level, _)| wanted(*level));
        let bound = |level: Level| match bound(function, dtype, level) {
            0.0 => "exact".to_owned(),
            bound if bound > 0.5 && bound < 0.501 => format!("{bound:.5}"),
            bound => bound.to_string(),
        };
        let error = |stats: &Stats| if stats.worst < 1e4 { format!("{:.4}", stats.worst) } else { format!("{:.1e}", stats.worst) };
        let Some((level, stats)) = row(|level| level != Level::Sse2) else { continue };
        let sse2 = row(|level| level == Level::Sse2)
            .map_or_else(|| ["-".to_owned(), "-".to_owned()], |(level, stats)| [bound(*level), error(stats)]);
        let at = if stats.worst == 0.0 { "-".to_owned() } else { at(function, stats) };
        let mean = stats.sum / measured.inputs as f64;
        page += &format!(
            "| `{}` | {dtype} | {} | {} | {at} | {mean:.4} | {} | {} | {} |\n",
            function.info.name,
            bound(*level),
            error(stats),
            measured.inputs,
            sse2[0],
            sse2[1]
        );
    }
    page
}

/// Prints a row per level. Whether the bounds hold, and all levels but `sse2` give the same bits.
pub fn print(function: &Function, dtype: &str, measured: &Measured) -> bool {
    for (level, stats) in &measured.levels {
        let Stats { worst, sum, hash, .. } = stats;
        let (bound, mean, at) = (bound(function, dtype, *level), sum / measured.inputs as f64, at(function, stats));
        println!(
            "{:8} {dtype:6} {:10} {:12} {worst:9.4} {bound:6.1} {mean:8.5}  {hash:016x}  {at}",
            function.info.name,
            level.name(),
            measured.inputs
        );
    }
    let problems = problems(function, dtype, measured);
    for problem in &problems {
        println!("FAILED: {} {dtype}: {problem}", function.info.name);
    }
    problems.is_empty()
}

/// The input with the largest error, as text.
fn at(function: &Function, stats: &Stats) -> String {
    let [x, y] = stats.at;
    if function.is_binary() { format!("{x:?} {y:?}") } else { format!("{x:?}") }
}

fn bound(function: &Function, dtype: &str, level: Level) -> f64 {
    match function.reference {
        Reference::Bounded { bounds, .. } => bounds.of(dtype, level),
        Reference::Equal { .. } => 0.0,
    }
}

fn problems(function: &Function, dtype: &str, measured: &Measured) -> Vec<String> {
    let mut problems = Vec::new();
    if measured.unsound > 0 {
        problems.push(format!("at {} inputs the double-double reference does not round to CORE-MATH's value", measured.unsound));
    }
    if measured.unlike_plain > 0 {
        problems.push(format!("at {} inputs the plain function gives other bits", measured.unlike_plain));
    }
    for (level, stats) in &measured.levels {
        let bound = bound(function, dtype, *level);
        if stats.worst.is_nan() || stats.worst > bound {
            problems.push(format!("on {level} the error is {} ULP at {}; the bound is {bound}", stats.worst, at(function, stats)));
        }
    }
    let mut same = measured.levels.iter().filter(|(level, _)| *level != Level::Sse2);
    if let Some((first, stats)) = same.next() {
        for (level, other) in same {
            if other.hash != stats.hash {
                problems.push(format!("{level} and {first} give different bits"));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::{bound, problems};
    use crate::functions::FUNCTIONS;
    use crate::measure::{Measured, Stats};
    use lanecraft::Level;

    fn measured(levels: &[(Level, f64, u64)]) -> Measured {
        let levels = levels.iter().map(|(level, worst, hash)| (*level, Stats { worst: *worst, at: [1.0; 2], sum: 0.0, hash: *hash }));
        Measured { levels: levels.collect(), inputs: 1, unsound: 0, unlike_plain: 0 }
    }

    /// The bounds that docs/language.md promises are the ones held here.
    #[test]
    fn the_language_page_has_the_bounds() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md")).unwrap();
        for function in FUNCTIONS {
            let name = function.info.name;
            let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap_or_else(|| panic!("a row for {name}"));
            let [f32, f64] = ["f32", "f64"].map(|dtype| bound(function, dtype, Level::Portable));
            let said = match (f32, f64) {
                (0.0, 0.0) => continue,
                (a, b) if a == b => format!("| {a} ULP"),
                (a, b) => format!("| {a}, {b} ULP"),
            };
            assert!(row.contains(&said), "{row}: {said}");
        }
    }

    /// So are those that the functions of `fastops.math` are documented with.
    #[test]
    fn fastops_has_the_bounds() {
        let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/fastops/src/math.rs")).unwrap();
        let documented: Vec<(String, &str)> = source
            .split("\n\n")
            .filter_map(|item| {
                let lines = item.lines();
                let doc: Vec<&str> = lines.clone().filter_map(|line| line.strip_prefix("/// ")).collect();
                Some((doc.join(" "), lines.clone().find(|line| line.starts_with("    x") || line.starts_with("    y"))?))
            })
            .collect();
        let mut found = 0;
        for function in FUNCTIONS {
            let call = format!(".{}(", function.info.name);
            let Some((doc, _)) = documented.iter().find(|(_, body)| body.contains(&call)) else {
                panic!("fastops.math lacks {}", function.info.name)
            };
            let said = match ["f32", "f64"].map(|dtype| bound(function, dtype, Level::Portable)) {
                [0.0, 0.0] => {
                    assert!(!doc.contains("ULP"), "{doc}");
                    continue;
                }
                [a, b] if a == b => format!(" Within {a} ULP."),
                [a, b] => format!(" Within {a} ULP (float32), {b} ULP (float64)."),
            };
            assert!(doc.ends_with(&said), "{doc}: {said}");
            found += 1;
        }
        assert!(found > 20);
    }

    #[test]
    fn what_must_hold_is_checked() {
        let exp = FUNCTIONS.iter().find(|f| f.info.name == "exp").unwrap();
        let count = |levels: &[_]| problems(exp, "f32", &measured(levels)).len();
        assert_eq!(count(&[(Level::Portable, 0.9, 1), (Level::Sse2, 1.2, 2), (Level::Avx2, 0.9, 1)]), 0);
        assert_eq!(count(&[(Level::Portable, 1.01, 1), (Level::Avx2, 1.01, 1)]), 2);
        assert_eq!(count(&[(Level::Portable, 0.9, 1), (Level::Avx2, 0.9, 2)]), 1);
        assert_eq!(count(&[(Level::Avx2, f64::NAN, 1)]), 1);
        assert_eq!(problems(exp, "f32", &Measured { unsound: 1, ..measured(&[]) }).len(), 1);
        assert_eq!(problems(exp, "f32", &Measured { unlike_plain: 1, ..measured(&[]) }).len(), 1);
    }
}
