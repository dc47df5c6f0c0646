//! docs/language.md says what block kernels may hold: each row of its table is tried.

use lanecraft_lang::block;
use lanecraft_lang::parse::attr::KernelAttr;
use std::path::Path;

/// Whether a block kernel with these statements is accepted.
fn accepted(statements: &str) -> bool {
    let text = format!(
        "fn a(x: &[f32], k: &[u32], v: View<f32, 2>, n: usize, y: &mut [f32], w: ViewMut<f32, 2>) -> f32 {{ let mut s = 0.0; {statements} s }}"
    );
    let item: syn::ItemFn = syn::parse_str(&text).unwrap_or_else(|e| panic!("`{text}` is Rust: {e}"));
    let attr = KernelAttr::parse(quote::quote!(signature = "(n),(k),(a,b),()->(n),(c,d),()")).expect("an attribute");
    block::kernel(attr, &item).is_ok()
}

#[test]
fn rows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/language.md")).expect("docs/language.md is there");
    let start = page.find("| in a block kernel |").expect("the page has the table");
    let rows: Vec<&str> = page[start..].lines().take_while(|l| l.starts_with('|')).skip(2).collect();
    assert!(rows.len() > 20, "{}", rows.len());
    for row in rows {
        // In a cell a bar is written with a backslash.
        let row = row.replace("\\|", "\u{1}");
        let cells: Vec<String> = row.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let [code, says, _, file] = &cells[..] else { panic!("{row} has four cells") };
        assert!(root.join(file).is_file(), "{row}: there is no {file}");
        assert_eq!(accepted(code.trim_matches('`')), says == "yes", "{row}");
    }
}
