//! Runs the programs that were built, and prints what `cargo xtask fuzz` reads: for each mismatch its number, its message and its
//! text, for each program without a CUDA text its number and why, and at the end how many programs there were and how many steps there are to
//! smaller ones.

use lanecraft_differential::{Outcome, STEPS, run};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let Outcome { programs, mismatches, without_text } = run();
    let in_a_line = |message: &str| message.replace(['\n', '\t'], " ");
    for m in mismatches {
        println!("mismatch\t{}\t{}", m.program, in_a_line(&m.message));
        m.text.lines().for_each(|line| println!("text\t{line}"));
    }
    for (program, why) in without_text {
        println!("without\t{program}\t{}", in_a_line(&why));
    }
    println!("done\t{programs}\t{STEPS}");
}
