//! Runs the programs that were built, and prints what `cargo xtask fuzz` reads: for each mismatch its number, its message and its
//! text, and at the end how many programs there were and how many steps there are to smaller ones.

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let (programs, mismatches) = lanecraft_differential::run();
    for m in mismatches {
        println!("mismatch\t{}\t{}", m.program, m.message.replace(['\n', '\t'], " "));
        m.text.lines().for_each(|line| println!("text\t{line}"));
    }
    println!("done\t{programs}\t{}", lanecraft_differential::STEPS);
}
