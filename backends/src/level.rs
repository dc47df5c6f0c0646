//! CPU levels: which are compiled in, which this CPU has, and which one is in use.

use std::fmt;
use std::sync::OnceLock;

/// The environment variable that forces a level.
const ISA: &str = "LANECRAFT_ISA";
/// The environment variable that asks level SSE2 for the same bits as the other levels.
const EXACT: &str = "LANECRAFT_EXACT";

/// A CPU level: the instructions that a kernel's code is made of.
///
/// A level is a Cargo feature of `lanecraft`, all on by default. A target that has no such instructions ignores the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// No instructions beyond the target's baseline.
    Portable,
    /// x86 before 2013. A fused multiply-add is rounded twice here: the one level whose results may differ in the last bits.
    Sse2,
    /// SSE2 with every fused multiply-add rounded once, in software: the same bits as the other levels, several times slower.
    /// In use when `LANECRAFT_EXACT=1` and the level is SSE2.
    Sse2Exact,
    /// x86-64-v3: AVX2 and FMA.
    Avx2,
    /// AVX-512 as of Ice Lake.
    Avx512,
    /// 64-bit ARM.
    Neon,
}

impl Level {
    /// How many levels there are.
    pub(crate) const COUNT: usize = 6;
    /// Every level, worst to best.
    const WORST_TO_BEST: [Self; Self::COUNT] = [Self::Portable, Self::Sse2Exact, Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon];
    /// The levels that `LANECRAFT_ISA` names.
    const NAMED: [Self; 5] = [Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon, Self::Portable];

    /// The level's name; but for `sse2-exact` it is also the value of `LANECRAFT_ISA` that forces the level.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Sse2 => "sse2",
            Self::Sse2Exact => "sse2-exact",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    /// The levels that are compiled in and that this CPU has, worst to best.
    pub fn available() -> Vec<Self> {
        Self::WORST_TO_BEST.into_iter().filter(|level| level.is_compiled_in() && level.is_on_cpu()).collect()
    }

    /// The level in use, found once per process: the one that the environment variable `LANECRAFT_ISA` names (`sse2`, `avx2`,
    /// `avx512`, `neon`, `portable`), else the best available one.
    ///
    /// # Errors
    /// `LANECRAFT_ISA` holds another word, or a level that is not available; `LANECRAFT_EXACT` is neither 0 nor 1; no level
    /// is available.
    pub fn active() -> Result<Self, LevelError> {
        static ACTIVE: OnceLock<Result<Level, LevelError>> = OnceLock::new();
        match ACTIVE.get_or_init(|| choose(variable(ISA).as_deref(), variable(EXACT).as_deref(), &Self::available())) {
            Ok(level) => Ok(*level),
            Err(error) => Err(error.clone()),
        }
    }

    /// Whether the target can have the level at all.
    const fn is_of_target(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Sse2 | Self::Sse2Exact | Self::Avx2 | Self::Avx512 => cfg!(any(target_arch = "x86", target_arch = "x86_64")),
            Self::Neon => cfg!(target_arch = "aarch64"),
        }
    }

    /// Whether kernels carry code for the level.
    const fn is_compiled_in(self) -> bool {
        let feature = match self {
            Self::Portable => cfg!(feature = "portable"),
            Self::Sse2 | Self::Sse2Exact => cfg!(feature = "sse2"),
            Self::Avx2 => cfg!(feature = "avx2"),
            Self::Avx512 => cfg!(feature = "avx512"),
            Self::Neon => cfg!(feature = "neon"),
        };
        feature && self.is_of_target()
    }

    fn is_on_cpu(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse2 | Self::Sse2Exact => fearless_simd::Level::new().as_sse2().is_some(),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => fearless_simd::Level::new().as_avx2().is_some(),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512 => fearless_simd::Level::new().as_avx512().is_some(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => fearless_simd::Level::new().as_neon().is_some(),
            #[allow(unreachable_patterns, reason = "the levels of other targets")]
            _ => false,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No level to run on. The message names the environment variable, the value that came, the valid values, and which of
/// them this build and machine have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError {
    message: String,
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LevelError {}

/// The value of an environment variable; empty is unset.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned())
}

/// The level to use, given the two environment variables and the levels that are available, worst to best.
pub(crate) fn choose(isa: Option<&str>, exact: Option<&str>, available: &[Level]) -> Result<Level, LevelError> {
    let exact = match exact {
        None | Some("0") => false,
        Some("1") => true,
        Some(other) => {
            return Err(LevelError { message: format!("environment variable {EXACT} is `{other}`; the valid values are 0 and 1") });
        }
    };
    let level = match isa {
        Some(word) => forced(word, available)?,
        None => *available.last().ok_or_else(no_level)?,
    };
    Ok(if exact && level == Level::Sse2 { Level::Sse2Exact } else { level })
}

/// The level that `LANECRAFT_ISA` names.
fn forced(word: &str, available: &[Level]) -> Result<Level, LevelError> {
    let named = Level::NAMED.into_iter().find(|level| level.name() == word);
    let problem = match named {
        Some(level) if available.contains(&level) => return Ok(level),
        None => "which is not a CPU level".to_owned(),
        Some(level) if !level.is_of_target() => format!("which {} processors do not have", std::env::consts::ARCH),
        Some(level) if !level.is_compiled_in() => {
            format!("which this program is built without (Cargo feature `{}` of `lanecraft`)", level.name())
        }
        Some(_) => "which this CPU does not have".to_owned(),
    };
    let usable: Vec<Level> = Level::NAMED.into_iter().filter(|level| available.contains(level)).collect();
    Err(LevelError {
        message: format!(
            "environment variable {ISA} is `{word}`, {problem}; the valid values are {}; of these this program can use {} here",
            list(&Level::NAMED),
            list(&usable)
        ),
    })
}

fn no_level() -> LevelError {
    let target: Vec<Level> = Level::NAMED.into_iter().filter(|level| level.is_of_target()).collect();
    LevelError {
        message: format!(
            "no CPU level to run on: this program is built without the levels of this {} machine; turn on one of the Cargo features of `lanecraft`: {}",
            std::env::consts::ARCH,
            list(&target)
        ),
    }
}

fn list(levels: &[Level]) -> String {
    if levels.is_empty() {
        return "none".to_owned();
    }
    levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ")
}
