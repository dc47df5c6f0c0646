//! Writes the random kernels. `LANECRAFT_FUZZ_SEED` says which, `LANECRAFT_FUZZ_COUNT` how many.

#[path = "generator.rs"]
mod generator;

fn main() {
    println!("cargo::rerun-if-changed=generator.rs");
    let number = |name: &str, default: u64| {
        println!("cargo::rerun-if-env-changed={name}");
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let text = generator::kernels(number("LANECRAFT_FUZZ_SEED", 1), number("LANECRAFT_FUZZ_COUNT", 2));
    let out = std::env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&out).join("kernels.rs"), text).expect("OUT_DIR can be written");
}
