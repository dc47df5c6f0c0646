//! Gives the library the driver's name: once it is loaded, whoever asks the loader for `libcuda.so` gets it.

fn main() {
    // Elsewhere libraries have no such names, and the tests do not run.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libcuda.so");
    }
}
