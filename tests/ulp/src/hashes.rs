//! The hashes of results that the project has committed to: the same on every machine and in every version, until a function is changed on
//! purpose.

use crate::functions::Function;
use crate::measure::Measured;
use lanecraft::Level;
use std::collections::BTreeMap;
use std::path::PathBuf;

const HEAD: &str = "\
# Hashes of results: function, dtype, how many inputs, hash. Any level but `sse2` must give them. Written by `cargo xtask ulp --bless`.
";

/// The committed hashes, by function, dtype and number of inputs.
#[derive(Debug)]
pub struct Hashes(BTreeMap<(String, String, u64), u64>);

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hashes.txt")
}

impl Hashes {
    /// Reads them.
    ///
    /// # Errors
    /// A line that is not as [`write`](Self::write) writes it.
    pub fn read() -> Result<Self, String> {
        let text = std::fs::read_to_string(path()).map_err(|error| format!("{}: {error}", path().display()))?;
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| parse(line).ok_or_else(|| format!("{}: `{line}`", path().display()))).collect::<Result<_, _>>().map(Self)
    }

    /// Whether the results are the committed ones, as far as there are any for so many inputs.
    pub fn check(&self, function: &Function, dtype: &str, measured: &Measured) -> bool {
        let Some(found) = hash(measured) else { return true };
        match self.0.get(&key(function, dtype, measured)) {
            Some(committed) if *committed != found => {
                println!(
                    "FAILED: {} {dtype}: the results' hash is {found:016x}, and {committed:016x} is committed (`cargo xtask ulp --bless` if the \
                     function was changed on purpose)",
                    function.info.name
                );
                false
            }
            _ => true,
        }
    }

    /// Commits to what was measured.
    pub fn bless(&mut self, function: &Function, dtype: &str, measured: &Measured) {
        if let Some(hash) = hash(measured) {
            self.0.insert(key(function, dtype, measured), hash);
        }
    }

    /// Writes them.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self) -> Result<(), String> {
        let lines = self.0.iter().map(|((function, dtype, inputs), hash)| format!("{function} {dtype} {inputs} {hash:016x}\n"));
        std::fs::write(path(), HEAD.to_owned() + &lines.collect::<String>()).map_err(|error| format!("{}: {error}", path().display()))
    }
}

fn key(function: &Function, dtype: &str, measured: &Measured) -> (String, String, u64) {
    (function.info.name.to_owned(), dtype.to_owned(), measured.inputs)
}

/// That of the levels that agree; `None` if `sse2` is alone.
fn hash(measured: &Measured) -> Option<u64> {
    measured.levels.iter().rev().find(|(level, _)| *level != Level::Sse2).map(|(_, stats)| stats.hash)
}

fn parse(line: &str) -> Option<((String, String, u64), u64)> {
    let mut words = line.split(' ');
    let (function, dtype, inputs, hash) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let key = (function.to_owned(), dtype.to_owned(), inputs.parse().ok()?);
    words.next().is_none().then_some((key, u64::from_str_radix(hash, 16).ok()?))
}
