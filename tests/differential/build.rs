//! Writes the random programs: `LANECRAFT_FUZZ_SEED` says which, `LANECRAFT_FUZZ_FIRST` and `LANECRAFT_FUZZ_COUNT` how many.

#[path = "generator/mod.rs"]
mod generator;

fn main() {
    println!("cargo::rerun-if-changed=generator");
    let number = |name: &str, default: u64| {
        println!("cargo::rerun-if-env-changed={name}");
        std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
    };
    let (seed, first, count) = (number("LANECRAFT_FUZZ_SEED", 1), number("LANECRAFT_FUZZ_FIRST", 0), number("LANECRAFT_FUZZ_COUNT", 24));
    let text = generator::programs(seed, first..first + count);
    let out = std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&out).join("programs.rs"), text).expect("OUT_DIR can be written");
}
