//! Writes the random programs. `LANECRAFT_FUZZ_SEED` says which, `LANECRAFT_FUZZ_FIRST` and `LANECRAFT_FUZZ_COUNT` how many; with
//! `LANECRAFT_FUZZ_SHRINK=7:3,0` those that are one step smaller than program 7 after its steps 3 and 0.

#[path = "generator/mod.rs"]
mod generator;

fn main() {
    println!("cargo::rerun-if-changed=generator");
    println!("cargo::rerun-if-changed=build.rs");
    let text = |name: &str| {
        println!("cargo::rerun-if-env-changed={name}");
        std::env::var(name).unwrap_or_default()
    };
    let number = |name: &str, default: u64| text(name).parse().unwrap_or(default);
    let (seed, first, count) = (number("LANECRAFT_FUZZ_SEED", 1), number("LANECRAFT_FUZZ_FIRST", 0), number("LANECRAFT_FUZZ_COUNT", 4));
    let shrink = text("LANECRAFT_FUZZ_SHRINK");
    let programs = match shrink.split_once(':') {
        Some((index, path)) => {
            let path: Vec<u64> = path.split(',').filter_map(|step| step.parse().ok()).collect();
            generator::smaller(seed, index.parse().expect("the number of a program"), &path, first..first + count)
        }
        None => generator::programs(seed, first..first + count),
    };
    let out = std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&out).join("programs.rs"), programs).expect("OUT_DIR can be written");
}
