//! The table of errors, and what must hold of it.

use crate::functions::{Function, Reference};
use crate::measure::{Measured, Stats};
use lanecraft::Level;

/// The table's head.
pub const HEAD: &str = "function dtype  level            inputs   max ULP  bound     mean  results' hash     worst at";

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
        Reference::Bounded { bounds, .. } => {
            let [f32, f64] = if level == Level::Sse2 { bounds.sse2 } else { bounds.fused };
            if dtype == "f32" { f32 } else { f64 }
        }
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
        // Written so that NaN fails.
        if !(stats.worst <= bound) {
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
    use super::problems;
    use crate::functions::FUNCTIONS;
    use crate::measure::{Measured, Stats};
    use lanecraft::Level;

    fn measured(levels: &[(Level, f64, u64)]) -> Measured {
        let levels = levels.iter().map(|(level, worst, hash)| (*level, Stats { worst: *worst, at: [1.0; 2], sum: 0.0, hash: *hash }));
        Measured { levels: levels.collect(), inputs: 1, unsound: 0, unlike_plain: 0 }
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
