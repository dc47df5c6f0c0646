//! What must hold of a kernel's entries: judged on the functions that can be reached from each.

use super::parse::{Function, Functions};
use std::collections::{BTreeMap, BTreeSet};

/// One entry: a kernel, on one choice of dtypes, on one level.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The kernel's name.
    pub kernel: String,
    /// Its type arguments, as Rust writes the tuple.
    pub dtypes: String,
    /// The level, as the function of `lanecraft_backends::entry` is called.
    pub level: String,
    /// The symbol.
    pub symbol: String,
}

/// What was found at an entry and behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Instructions.
    pub instructions: usize,
    /// Vector instructions of the width that the level should have.
    pub vector: usize,
    /// Instructions on one floating-point number.
    pub scalar: usize,
    /// Calls.
    pub calls: usize,
    /// Loops.
    pub loops: usize,
    /// What is wrong.
    pub problems: Vec<String>,
}

/// Functions outside of the program that every kernel may call: they move memory, or end the call.
const MEMORY: [&str; 5] = ["memcpy", "memmove", "memset", "_Unwind_Resume", "__stack_chk_fail"];
/// Functions that levels without these instructions may call.
const MATH: [&str; 10] = ["fma", "fmaf", "floor", "floorf", "ceil", "ceilf", "trunc", "truncf", "rint", "rintf"];

/// Rust's `%` of floats, which no level has an instruction for, and the kernels that are nothing else.
const REMAINDER: [&str; 2] = ["fmod", "fmodf"];

/// Kernels that read a table for each lane, and do nothing else.
const LOOKUP: [&str; 2] = ["srgb_to_linear", "srgb_to_linear_f16"];
/// What notes a fault: cold, and not part of a kernel's code.
const FAULTS: &str = "lanecraft_core::cx::FaultCell::";
/// The large arguments of f64's trigonometry go lane by lane where there are the baseline's instructions only.
const BASELINE: &str = "lanecraft_core::math::reduce::lane_by_lane::<";

/// The fused multiply-add of the portable level, on targets without the instruction.
const FUSED: &str = "lanecraft_core::isa::portable::fused_";

/// The entries among the functions.
pub fn entries(functions: &Functions) -> Vec<Entry> {
    let mut entries: Vec<Entry> = functions.keys().filter_map(|symbol| entry_of(symbol)).collect();
    entries.sort();
    entries
}

/// Reads `lanecraft_backends::entry::avx2::<fastops::gelu, (f32,)>`.
fn entry_of(symbol: &str) -> Option<Entry> {
    let name = name_of(symbol);
    let (level, arguments) = name.strip_prefix("lanecraft_backends::entry::")?.split_once("::<")?;
    let (kernel, dtypes) = arguments.strip_suffix('>')?.split_once(", (")?;
    let kernel = kernel.split_once('<').map_or(kernel, |(path, _)| path);
    let kernel = kernel.rsplit("::").next().unwrap_or(kernel);
    let dtypes = dtypes.trim_end_matches(')').trim_end_matches(',');
    // A choice of parameters stands behind the dtypes: `f32, lanecraft_core::map::Choice<1>`.
    let dtypes = dtypes.split(", ").map(|part| match part.split_once("::Choice<") {
        Some((_, number)) => format!("#{}", number.trim_end_matches('>')),
        None => part.to_owned(),
    });
    let dtypes = dtypes.collect::<Vec<_>>().join(", ");
    Some(Entry { kernel: kernel.to_owned(), dtypes, level: level.to_owned(), symbol: symbol.to_owned() })
}

/// A symbol as Rust writes the path, without hashes.
fn name_of(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

/// Judges an entry.
pub fn judge(entry: &Entry, functions: &Functions) -> Verdict {
    let mut verdict = Verdict::default();
    let mut vector: BTreeMap<u32, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![entry.symbol.as_str()];
    let mut outside = BTreeSet::new();
    while let Some(symbol) = open.pop() {
        if !seen.insert(symbol) {
            continue;
        }
        if let Some(name) = intrinsic(symbol) {
            verdict.problems.push(format!("calls the intrinsic `{name}` as a function"));
        }
        let Some(function) = functions.get(symbol) else {
            outside.insert(symbol);
            continue;
        };
        verdict.instructions += function.instructions;
        verdict.scalar += function.scalar;
        verdict.loops += function.loops;
        // The jump from the entry to the level's own function is none of the kernel's calls.
        verdict.calls += function.calls - usize::from(symbol == entry.symbol && function.called.iter().any(|name| is_level_function(name)));
        for (width, count) in &function.vector {
            *vector.entry(*width).or_default() += count;
        }
        let called = targets(function, functions);
        if function.is_indirect && function.taken.is_empty() {
            verdict.problems.push(format!("calls through a pointer in `{}`", name_of(symbol)));
        }
        open.extend(called);
    }
    for symbol in outside {
        if intrinsic(symbol).is_none() && !may_call(&entry.level, symbol) {
            verdict.problems.push(format!("calls `{}`", name_of(symbol)));
        }
    }
    if let Some(width) = width_of(&entry.level, &entry.dtypes) {
        verdict.vector = vector.get(&width).copied().unwrap_or(0);
        let kernel = entry.kernel.as_str();
        if verdict.vector == 0 && !REMAINDER.contains(&kernel) && !LOOKUP.contains(&kernel) {
            verdict.problems.push(format!("has no {width}-bit vector instruction"));
        }
    } else {
        verdict.vector = vector.values().sum();
    }
    verdict
}

/// A kernel that loops up to a parameter, and the first of its choices in which the parameter is left to the run time.
const UNROLLED: (&str, usize) = ("powers", 6);

/// That loops over a parameter unroll: an entry for a value has no loop but those over gangs, as many as the entry for the value 1. The entries
/// for a value at run time have more, which shows that loops are seen.
pub fn unrolled(entries: &[Entry], functions: &Functions) -> Vec<(Entry, Result<usize, String>)> {
    let (kernel, at_run_time) = UNROLLED;
    let split = |entry: &Entry| {
        let (dtypes, choice) = entry.dtypes.split_once(", #")?;
        Some(((entry.level.clone(), dtypes.to_owned()), choice.parse::<usize>().ok()?))
    };
    let of_kernel = entries.iter().filter(|entry| entry.kernel == kernel).filter_map(|entry| Some((entry, split(entry)?)));
    let of_kernel: Vec<_> = of_kernel.map(|(entry, of)| (entry, of, judge(entry, functions).loops)).collect();
    // Of each level and dtype, the loops for the value 1.
    let least: BTreeMap<_, usize> = of_kernel.iter().filter(|(_, (_, choice), _)| *choice == 0).map(|(_, (of, _), n)| (of, *n)).collect();
    let verdict = |(entry, (of, choice), loops): &(&Entry, _, usize)| {
        let result = match least.get(of) {
            None => return None,
            Some(gangs) if *choice < at_run_time && loops != gangs => {
                Err(format!("has {loops} loops, and not the {gangs} over gangs alone"))
            }
            Some(gangs) if *choice >= at_run_time && loops <= gangs => Err(format!("has no loop for a value at run time ({loops})")),
            Some(_) => Ok(*loops),
        };
        Some(((*entry).clone(), result))
    };
    of_kernel.iter().filter_map(verdict).collect()
}

/// The symbols that a function calls, or may call through pointers.
fn targets<'a>(function: &'a Function, functions: &'a Functions) -> Vec<&'a str> {
    let taken = function.taken.iter().filter(|symbol| functions.contains_key(*symbol) || (function.is_indirect && !is_data(symbol)));
    function.called.iter().chain(taken).map(String::as_str).collect()
}

/// Whether a symbol that is not defined here is data: a vtable or static of Rust has no lower-case last segment that a
/// function could be told by, so this goes by what the C library has.
fn is_data(symbol: &str) -> bool {
    symbol.starts_with("_R") || symbol.starts_with("_ZN") || symbol.starts_with("anon.")
}

/// The function that carries a level's instructions: `vectorize_avx2` and the like.
fn is_level_function(symbol: &str) -> bool {
    name_of(symbol).contains("::vectorize::vectorize_")
}

/// The name of an intrinsic of `core::arch`, if the symbol is one.
fn intrinsic(symbol: &str) -> Option<String> {
    let name = name_of(symbol);
    let path = name.split("::<").next().unwrap_or(&name);
    let last = path.rsplit("::").next().unwrap_or(path);
    let is_x86 = ["_mm_", "_mm256_", "_mm512_"].iter().any(|prefix| last.starts_with(prefix));
    let is_neon = last.starts_with('v')
        && last.rsplit_once('_').is_some_and(|(op, kind)| op.ends_with('q') && kind.starts_with(['f', 's', 'u', 'p']));
    (path.contains("core_arch::") || is_x86 || is_neon).then(|| last.to_owned())
}

/// Whether a kernel on the level may call a function that is defined elsewhere.
fn may_call(level: &str, symbol: &str) -> bool {
    let name = name_of(symbol);
    MEMORY.contains(&symbol)
        || REMAINDER.contains(&symbol)
        || name.starts_with("core::panicking::")
        || name.starts_with(FAULTS)
        || (matches!(level, "sse2" | "sse2_exact") && name.starts_with(BASELINE))
        || (level == "portable" && name.starts_with(FUSED))
        || (matches!(level, "sse2" | "sse2_exact" | "portable") && MATH.contains(&symbol))
}

/// The width of the level's vectors, in bits, for 16 lanes of the widest dtype; none for the portable level.
fn width_of(level: &str, dtypes: &str) -> Option<u32> {
    let registers = match level {
        "sse2" | "sse2_exact" | "neon" => 128,
        "avx2" => 256,
        "avx512" => 512,
        _ => return None,
    };
    let sizes = dtypes.split(", ").filter(|part| !part.starts_with('#')).map(|dtype| match dtype {
        "bool" | "i8" | "u8" => 1,
        "i16" | "u16" => 2,
        _ => 4,
    });
    Some(registers.min(sizes.max().unwrap_or(4) * 16 * 8))
}

#[cfg(test)]
mod tests {
    use super::super::parse::{Functions, add};
    use super::{Entry, entries, entry_of, intrinsic, judge, unrolled, width_of};

    const ENTRY: &str = "_RINvNtCsfIStAWbIqRg_18lanecraft_backends5entry6avx512NtCs7vTwKAb0bFP_7fastops3expTfEEBY_";

    fn entry(level: &str, symbol: &str) -> Entry {
        Entry { kernel: "exp".into(), dtypes: "f32".into(), level: level.into(), symbol: symbol.into() }
    }

    fn problems(level: &str, text: &str) -> Vec<String> {
        let mut functions = Functions::new();
        add(&mut functions, text);
        judge(&entry(level, "entry"), &functions).problems
    }

    #[test]
    fn entries_are_found_by_name() {
        assert_eq!(entry_of(ENTRY), Some(entry("avx512", ENTRY)));
        assert_eq!(entry_of("memcpy"), None);
        let mut functions = Functions::new();
        add(&mut functions, &format!("{ENTRY}:\n\tretq\nother:\n\tretq\n"));
        assert_eq!(entries(&functions), [entry("avx512", ENTRY)]);
    }

    #[test]
    fn good_code_passes() {
        let good = "
entry:
	jmp	level
level:
	vmovups	(%rdi), %zmm0
	vmulps	%zmm0, %zmm0, %zmm0
	callq	*memcpy@GOTPCREL(%rip)
	retq
";
        assert_eq!(problems("avx512", good), Vec::<String>::new());
    }

    #[test]
    fn an_outlined_body_is_caught() {
        // A body that was compiled at the baseline: the intrinsics could not be inlined into it.
        let outlined = "
entry:
	jmp	level
level:
	vmulps	%zmm0, %zmm0, %zmm0
	callq	body
	retq
body:
	callq	_RNvNtNtNtCs1_4core9core_arch3x867avx512f13__mm512_mul_ps
	retq
_RNvNtNtNtCs1_4core9core_arch3x867avx512f13__mm512_mul_ps:
	vmulps	(%rsi), %zmm0, %zmm0
	retq
";
        assert_eq!(problems("avx512", outlined), ["calls the intrinsic `_mm512_mul_ps` as a function"]);
    }

    #[test]
    fn code_of_another_width_is_caught() {
        let narrow = "entry:\n\tvmulps\t%ymm0, %ymm0, %ymm0\n\tretq\n";
        assert_eq!(problems("avx512", narrow), ["has no 512-bit vector instruction"]);
        assert_eq!(problems("avx2", narrow), Vec::<String>::new());
        let scalar = "entry:\n\tmulss\t%xmm0, %xmm0\n\tmovups\t%xmm0, (%rdi)\n\tretq\n";
        assert_eq!(problems("sse2", scalar), ["has no 128-bit vector instruction"]);
        assert_eq!(problems("portable", scalar), Vec::<String>::new());
    }

    #[test]
    fn stray_calls_are_caught() {
        let libm = "entry:\n\tvmulps\t%ymm0, %ymm0, %ymm0\n\tmulps\t%xmm0, %xmm1\n\tjmpq\t*fmaf@GOTPCREL(%rip)\n";
        assert_eq!(problems("avx2", libm), ["calls `fmaf`"]);
        assert_eq!(problems("sse2", libm), Vec::<String>::new());
        let through_register = "entry:\n\tvmulps\t%ymm0, %ymm0, %ymm0\n\tmovq\tfma@GOTPCREL(%rip), %rbp\n\tcallq\t*%rbp\n";
        assert_eq!(problems("avx2", through_register), ["calls `fma`"]);
        let pointer = "entry:\n\tvmulps\t%ymm0, %ymm0, %ymm0\n\tcallq\t*24(%rdi)\n";
        assert_eq!(problems("avx2", pointer), ["calls through a pointer in `entry`"]);
        let exp = "entry:\n\tmulps\t%xmm0, %xmm1\n\tcallq\texpf@PLT\n";
        assert_eq!(problems("sse2", exp), ["calls `expf`"]);
    }

    #[test]
    fn a_loop_over_a_parameter_is_caught() {
        let mut functions = Functions::new();
        let body = |loops: usize| ".L:\n\tjne\t.L\n".to_owned() + &"\tjne\t.L\n".repeat(loops - 1);
        let entries: Vec<Entry> = [(0, 1), (2, 1), (4, 3), (6, 2), (7, 1)]
            .map(|(choice, loops)| {
                let symbol = format!("entry{choice}");
                add(&mut functions, &format!("{symbol}:\n{}", body(loops)));
                Entry { kernel: "powers".into(), dtypes: format!("f32, #{choice}"), level: "avx2".into(), symbol }
            })
            .into();
        let results: Vec<Result<usize, String>> = unrolled(&entries, &functions).into_iter().map(|(_, result)| result).collect();
        let (rolled, none) = ("has 3 loops, and not the 1 over gangs alone", "has no loop for a value at run time (1)");
        assert_eq!(results, [Ok(1), Ok(1), Err(rolled.into()), Ok(2), Err(none.into())]);
    }

    #[test]
    fn intrinsics_are_told_from_other_functions() {
        assert_eq!(intrinsic("_RNvNtNtNtCs1_4core9core_arch3x863sse10__mm_add_ps").as_deref(), Some("_mm_add_ps"));
        assert_eq!(intrinsic("vaddq_f32").as_deref(), Some("vaddq_f32"));
        for other in ["memcpy", "_RNvCs1_7fastops4gelu", "vec_from_iter", "_Unwind_Resume"] {
            assert_eq!(intrinsic(other), None, "{other}");
        }
    }

    #[test]
    fn sixteen_small_lanes_need_no_wide_register() {
        assert_eq!(width_of("avx512", "f32"), Some(512));
        assert_eq!(width_of("avx512", "i16"), Some(256));
        assert_eq!(width_of("avx512", "u8, i16"), Some(256));
        assert_eq!(width_of("avx512", "bool"), Some(128));
        assert_eq!(width_of("avx2", "f64"), Some(256));
        assert_eq!(width_of("avx512", ""), Some(512));
        // The first choice of parameters.
        assert_eq!(width_of("avx512", "u8, #0"), Some(128));
        assert_eq!(width_of("portable", "f32"), None);
    }
}
