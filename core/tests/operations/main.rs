//! Every operation of every dtype on every level this machine has, against plain Rust.
//!
//! `tables.rs` states what each operation means, in rows that are at once the implementation of [`oracle::Oracle`] and
//! the list of what is tested: a level operation without a row does not compile.

mod count;
mod division;
mod fma;
mod half;
mod language;
mod level;
mod memory;
mod methods;
mod oracle;
mod order;
mod tables;
mod values;

#[test]
fn levels() {
    fn level<I: level::Level>(_: I) {
        println!("{} (fused: {})", I::name(), I::FUSED);
    }
    level::on_every_level!(level);
}
