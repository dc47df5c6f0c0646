//! `dbg!`, the one macro of the kernel language: what it takes, and that lanes know nothing of it.

use lanecraft_lang::model::Kernel;

fn error(body: &str) -> String {
    let item = syn::parse_str(&format!("fn f(x: f32, n: i32) -> f32 {{ {body} }}")).unwrap();
    Kernel::parse(proc_macro2::TokenStream::new(), &item).err().map_or_else(String::new, |e| e.to_string())
}

#[test]
fn it_takes_one_value_of_a_dtype() {
    for right in ["dbg!(x)", "dbg!(x); x", "dbg!(n * 2) as f32 + x", "if dbg!(x > 0.0) { x } else { dbg!(-x) }", "let y = dbg!(x.exp()); y"]
    {
        assert_eq!(error(right), "", "{right}");
    }
    let one =
        "`dbg!` cannot take another number of values than one in a kernel; write one for each (`dbg!(x)`), because it gives its value back";
    for wrong in ["dbg!()", "dbg!(x, n)", "dbg!(x;)"] {
        assert_eq!(error(&format!("{wrong}; x")), one, "{wrong}");
    }
    let tuple = "`dbg!` cannot be applied to `(f32, i32)`; use its elements (`t.0`)";
    assert!(error("dbg!((x, n)); x").starts_with(tuple), "{}", error("dbg!((x, n)); x"));
    let other =
        "macro `println!` cannot be used in a kernel; write its code, because the kernel language sees a macro before it is expanded";
    assert_eq!(error("println!(\"{x}\"); x"), other);
}
