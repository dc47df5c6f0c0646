//! Code that is being typed: the function stands there all the same, with what is typed so far, so that an editor goes on completing.

use lanecraft_lang::{expand_always_inline, expand_kernel, expand_python_export};
use proc_macro2::TokenStream;
use quote::ToTokens;

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap()
}

/// Both forms of an attribute's expansion.
fn expansions(options: &str, item: &str) -> [TokenStream; 2] {
    [expand_kernel(tokens(options), tokens(item)), expand_always_inline(TokenStream::new(), tokens(item))]
}

fn is_error(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Macro(m) if m.mac.path.segments.last().is_some_and(|s| s.ident == "compile_error"))
}

#[test]
fn what_rust_can_read_keeps_its_signature_and_body() {
    let bodies = ["x.ex", "let y: f3 = x; y", "hel(x)", "if x > 0 { x }", "Foo { a: x }", "x as usiz", "todo!()"];
    let mut count = 0;
    for body in bodies {
        let item = format!("pub fn half(x: f32) -> f32 {{ {body} }}");
        let parsed: syn::ItemFn = syn::parse_str(&item).unwrap();
        for expansion in expansions("", &item) {
            let file = syn::parse2::<syn::File>(expansion).unwrap();
            let functions = file.items.iter().filter_map(|item| match item {
                syn::Item::Fn(f) if f.sig.ident == "half" => Some(f),
                _ => None,
            });
            let [function] = functions.collect::<Vec<_>>()[..] else { panic!("{body}: no function, or several") };
            assert_eq!(function.sig, parsed.sig, "{body}");
            let (written, whole) = (parsed.block.stmts[0].to_token_stream().to_string(), function.block.to_token_stream().to_string());
            let is_wrong = file.items.iter().any(is_error);
            assert!(!is_wrong || whole.contains(&written), "{body}: gone from {whole}");
            // Beside it stands what `use` and calls in other kernels need.
            assert!(file.items.iter().any(|item| matches!(item, syn::Item::Enum(e) if e.ident == "half")), "{body}");
            count += usize::from(is_wrong);
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn what_rust_cannot_read_stays_as_it_is() {
    for item in [
        "pub fn half(x: f32) -> f32 { x. }",
        "fn half(x: f32) -> f32 { let y = }",
        "fn half(x: f32) -> { x + }",
        "fn half(x: ) -> f32 { x }",
    ] {
        let typed = tokens(item);
        let exported = expand_python_export(TokenStream::new(), typed.clone(), "crate_name");
        for expansion in expansions("dtypes(f32)", item).into_iter().chain([exported]) {
            let (whole, typed) = (expansion.to_string(), typed.to_string());
            assert!(whole.contains("compile_error") && whole.contains(&typed), "{item}: {whole}");
            assert!(!whole.contains("this item cannot be"), "{item}: {whole}");
        }
    }
}

#[test]
fn options_may_be_half_typed_too() {
    let item = "fn half<T: Float>(x: T) -> T { x }";
    for options in ["dtypes", "dty", "dtypes()", "dtypes(f3)", "dtypes(f32), signature =", "dtypes(f32), sig"] {
        let file = syn::parse2::<syn::File>(expand_kernel(tokens(options), tokens(item))).unwrap();
        assert!(file.items.iter().any(|item| matches!(item, syn::Item::Fn(f) if f.sig.ident == "half")), "{options}");
        assert!(file.to_token_stream().to_string().contains("compile_error"), "{options}");
    }
}
