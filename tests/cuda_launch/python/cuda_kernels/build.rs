//! Writes the typed stub from the kernels in `src/`.

fn main() -> Result<(), lanecraft::build::Error> {
    lanecraft::build::stubs()
}
