//! docs/language.md says what the code does: each row of its tables is tried.

use lanecraft_lang::builtin::{BUILTINS, Gives, Takes};
use lanecraft_lang::dtype::{Class, Dtype, FAMILIES};
use lanecraft_lang::model::Kernel;
use std::path::Path;

/// Each variant of `syn::Expr`, with a statement that holds one.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("Array", "let y = [x, x];"),
    ("Assign", "m = x;"),
    ("Async", "let y = async { x };"),
    ("Await", "let y = x.await;"),
    ("Binary", "let y = x + x;"),
    ("Block", "let y = { x };"),
    ("Break", "loop { break; }"),
    ("Call", "let y = f(x);"),
    ("Cast", "let y = x as i32;"),
    ("Closure", "let f = |y: f32| y;"),
    ("Const", "let y = const { 1.0 };"),
    ("Continue", "for i in 0..3 { continue; }"),
    ("Field", "let y = (x, x).0;"),
    ("ForLoop", "for i in 0..3 {}"),
    ("Group", ""),
    ("If", "let y = if x > 0.0 { 1.0 } else { 2.0 };"),
    ("Index", "let y = [x, x][0];"),
    ("Infer", "let y = _;"),
    ("Let", "if let 1 = n {}"),
    ("Lit", "let y = 1.0;"),
    ("Loop", "loop { break; }"),
    ("Macro", "let y = vec![x];"),
    ("Match", "let y = match n { 0 => 1, _ => 2 };"),
    ("MethodCall", "let y = x.exp();"),
    ("Paren", "let y = (x);"),
    ("Path", "let y = x;"),
    ("Range", "let y = 0..3;"),
    ("RawAddr", "let y = &raw const x;"),
    ("Reference", "let y = &x;"),
    ("Repeat", "let y = [x; 2];"),
    ("Return", "if x > 0.0 { return x; }"),
    ("Struct", "let y = P { a: x };"),
    ("Try", "let y = x?;"),
    ("TryBlock", "let y = try { x };"),
    ("Tuple", "let y = (x, x);"),
    ("Unary", "let y = -x;"),
    ("Unsafe", "let y = unsafe { x };"),
    ("While", "while x > 1e30 { break; }"),
    ("Yield", "let y = yield x;"),
];

/// Each variant of `syn::Pat`, as the arm of a `match`.
const PATTERNS: &[(&str, &str)] = &[
    ("Const", "const { 1 }"),
    ("Ident", "y"),
    ("Lit", "1"),
    ("Macro", "m!()"),
    ("Or", "1 | 2"),
    ("Paren", "(1)"),
    ("Path", "i32::MAX"),
    ("Range", "0..=3"),
    ("Reference", "&y"),
    ("Rest", ".."),
    ("Slice", "[y]"),
    ("Struct", "P { a }"),
    ("Tuple", "(a, b)"),
    ("TupleStruct", "P(a)"),
    ("Wild", "_"),
];

/// Each variant of `syn::Stmt`.
const STATEMENTS: &[(&str, &str)] = &[("Local", "let y = x;"), ("Item", "const K: f32 = 1.0;"), ("Expr", "{ m = x; }"), ("Macro", "m!();")];

/// Each variant of `syn::Item`, inside a body.
const ITEMS: &[(&str, &str)] = &[
    ("Const", "const K: f32 = 1.0;"),
    ("Enum", "enum E {}"),
    ("ExternCrate", "extern crate core;"),
    ("Fn", "fn f() {}"),
    ("ForeignMod", "extern \"C\" {}"),
    ("Impl", "impl S {}"),
    ("Macro", "macro_rules! m { () => {} }"),
    ("Mod", "mod m {}"),
    ("Static", "static S: f32 = 1.0;"),
    ("Struct", "struct S { a: f32 }"),
    ("Trait", "trait T {}"),
    ("TraitAlias", "trait T = Clone;"),
    ("Type", "type T = f32;"),
    ("Union", "union U { a: f32 }"),
    ("Use", "use std::f32;"),
];

/// Each variant of `syn::Type`, as the type of a `let`.
const TYPES: &[(&str, &str)] = &[
    ("Array", "[f32; 2]"),
    ("BareFn", "fn(f32) -> f32"),
    ("Group", ""),
    ("ImplTrait", "impl Float"),
    ("Infer", "_"),
    ("Macro", "m!()"),
    ("Never", "!"),
    ("Paren", "(f32)"),
    ("Path", "f32"),
    ("Ptr", "*const f32"),
    ("Reference", "&f32"),
    ("Slice", "[f32]"),
    ("TraitObject", "dyn Float"),
    ("Tuple", "(f32, f32)"),
];

/// The rows of the table below a heading, cells trimmed and without backquotes.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let start = page.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("the page has a section {heading}"));
    let section = &page[start + 4..];
    let section = section.find("\n## ").map_or(section, |end| &section[..end]);
    let rows = section.lines().filter(|l| l.starts_with('|')).skip(2);
    rows.map(|l| l.trim_matches('|').split('|').map(|c| c.trim().replace('`', "")).collect()).collect()
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    std::fs::read_to_string(path).expect("docs/language.md is there")
}

/// Whether a kernel with these statements is accepted.
fn accepted(statements: &str) -> bool {
    let text = format!("fn k(x: f32, n: i32) -> f32 {{ let mut m = x; {statements} m }}");
    let item: syn::ItemFn = syn::parse_str(&text).unwrap_or_else(|e| panic!("`{text}` is Rust: {e}"));
    Kernel::parse(Default::default(), &item).is_ok()
}

/// Compares a table with what is accepted.
fn compare(heading: &str, samples: &[(&str, &str)], statements: impl Fn(&str, &str) -> String) {
    let page = page();
    let rows = table(&page, heading);
    let names: Vec<&str> = rows.iter().map(|r| r[0].as_str()).collect();
    let known: Vec<&str> = samples.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known, "the rows of {heading}");
    for (row, (name, sample)) in rows.iter().zip(samples) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&row[3]);
        assert!(row[3] == "-" || file.is_file(), "{heading}, {name}: there is no test {}", row[3]);
        if sample.is_empty() {
            // Groups without delimiters come from macros alone.
            continue;
        }
        let says = match row[1].as_str() {
            "yes" => true,
            "no" => false,
            other => panic!("{heading}, {name}: `{other}` is neither yes nor no"),
        };
        let text = statements(name, sample);
        assert_eq!(accepted(&text), says, "{heading}, {name}: `{text}`");
    }
}

#[test]
fn expressions() {
    compare("Expressions", EXPRESSIONS, |_, s| s.to_owned());
    for (name, sample) in EXPRESSIONS.iter().filter(|(_, s)| !s.is_empty()) {
        let block: syn::Block = syn::parse_str(&format!("{{ {sample} }}")).expect("a sample is Rust");
        let shown = format!("{block:?}");
        assert!(shown.contains(&format!("Expr::{name} ")), "`{sample}` holds Expr::{name}");
    }
}

#[test]
fn patterns() {
    compare("Patterns", PATTERNS, |name, p| match name {
        "Tuple" => format!("m = match (x, x) {{ {p} => a + b }};"),
        "Ident" => format!("m = match x {{ {p} => y }};"),
        "Slice" => format!("m = match [x] {{ {p} => y }};"),
        "Struct" => format!("m = match (P {{ a: x }}) {{ {p} => a }};"),
        "TupleStruct" => format!("m = match P(x) {{ {p} => a }};"),
        "Rest" => format!("m = match (x, x) {{ ({p}) => x }};"),
        _ => format!("m = match n {{ {p} => x, _ => m }};"),
    });
}

#[test]
fn statements() {
    compare("Statements", STATEMENTS, |_, s| s.to_owned());
}

#[test]
fn items() {
    compare("Items inside a kernel", ITEMS, |_, s| s.to_owned());
    for (name, sample) in ITEMS.iter().filter(|(name, _)| *name != "TraitAlias") {
        let item: syn::Item = syn::parse_str(sample).expect("a sample is Rust");
        assert!(format!("{item:?}").starts_with(&format!("Item::{name} ")), "`{sample}` is Item::{name}");
    }
}

#[test]
fn types() {
    compare("Types", TYPES, |name, t| match name {
        "Tuple" => format!("let y: {t} = (x, x);"),
        "Array" => format!("let y: {t} = [x, x];"),
        _ => format!("let y: {t} = x;"),
    });
    for (name, sample) in TYPES.iter().filter(|(_, s)| !s.is_empty()) {
        let ty: syn::Type = syn::parse_str(sample).expect("a sample is Rust");
        assert!(format!("{ty:?}").starts_with(&format!("Type::{name} ")), "`{sample}` is Type::{name}");
    }
}

#[test]
fn methods() {
    let page = page();
    let rows = table(&page, "Methods");
    let names: Vec<&str> = rows.iter().map(|r| r[0].as_str()).collect();
    let known: Vec<&str> = BUILTINS.iter().map(|b| b.name).collect();
    assert_eq!(names, known, "the rows of Methods");
    for (row, b) in rows.iter().zip(BUILTINS) {
        let takes = b.takes.iter().map(|t| match t {
            Takes::Same => "same",
            Takes::Always(d) => d.name(),
        });
        let takes = takes.collect::<Vec<_>>().join(", ");
        let gives = match b.gives {
            Gives::Same => "the same type",
            Gives::Always(d) => d.name(),
            Gives::Bits => "the bits",
            Gives::Unsigned => "the unsigned type",
            Gives::Overflowing => "the same type, bool",
            Gives::Pair => "the same type, twice",
            Gives::Checked => "Option of it",
        };
        let takes = if takes.is_empty() { "-" } else { &takes };
        assert_eq!((row[1].as_str(), row[2].as_str(), row[3].as_str()), (takes, b.class.name(), gives), "{}", b.name);
    }
}

#[test]
fn bounds_and_families() {
    let page = page();
    let list = |dtypes: Vec<Dtype>| dtypes.iter().map(|d| d.name()).collect::<Vec<_>>().join(", ");
    let rows = table(&page, "Bounds");
    let known: Vec<Vec<String>> = Class::ALL
        .iter()
        .map(|c| vec![c.name().to_owned(), list(Dtype::ALL.iter().copied().filter(|d| c.contains(*d)).collect())])
        .collect();
    let said: Vec<Vec<String>> = rows.iter().map(|r| r[..2].to_vec()).collect();
    assert_eq!(said, known);
    let rows = table(&page, "Families");
    let known: Vec<Vec<String>> = FAMILIES.iter().map(|(name, dtypes)| vec![(*name).to_owned(), list(dtypes.to_vec())]).collect();
    assert_eq!(rows, known);
}
