//! What generated code decides in front of loops over lanes: whether rows can be one, and which accesses prefetch. That the values are right whatever
//! it decides is shown by tests of the kernels; this is about their speed.

use quote::quote;

fn expanded(body: proc_macro2::TokenStream) -> String {
    let item = quote! {
        fn f(x: View<f32, 3>, k: &[u8], y: ViewMut<f32, 2>) { #body }
    };
    let text = lanecraft_lang::expand_kernel(quote!(signature = "(h,w,c),(h)->(h,w)"), item).to_string();
    assert!(!text.contains("compile_error"), "{text}");
    text
}

/// How often a function of the run time is called.
fn calls(text: &str, of: &str) -> usize {
    text.matches(&format!(" {of} (")).count()
}

#[test]
fn rows_are_one_where_indices_are_the_variables() {
    let one = |body| calls(&expanded(body), "over");
    // Both operands are asked.
    let y = quote!(y[[i, j]]);
    assert_eq!(one(quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j, 2]]; })), 2);
    assert_eq!(one(quote!(for (i, j) in lanes((1..x.dim(0), 2..x.dim(1))) { #y = x[[j, i, 2]] + x[[j, i, 1]]; })), 2);
    for other in [
        // Their values are used.
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j, 2]] + i as f32; }),
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j, j]]; }),
        // Indices that are not the variables alone.
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j + 1, 2]]; }),
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x.at_clamp([i, j, 2]); }),
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[0, j, 2]]; }),
        // An operand in two ways.
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j, 2]] + x[[j, i, 2]]; }),
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j, 2]] + x[[0, 0, 0]]; }),
        // Its length.
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j, 2]] + x.dim(1) as f32; }),
        // An index that may be out of range.
        quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { #y = x[[i, j, 2]] + x[[k[0] as usize, 0, 0]]; let a = k[i] as usize; }),
        // Steps, and a single range.
        quote!(for (i, j) in lanes((0..x.dim(0), (0..x.dim(1)).step_by(2))) { #y = x[[i, j, 2]]; }),
        quote!(for i in lanes(0..x.dim(0)) {
            y[[i, 0]] = x[[i, 0, 2]];
        }),
    ] {
        let text = other.to_string();
        assert_eq!(one(other), 0, "{text}");
    }
}

#[test]
fn what_comes_first_prefetches() {
    // The second of what is known of an access; the body is there twice.
    let leading = |body| expanded(body).matches("_fast , :: lanecraft :: __private :: block :: Known :: < true >").count() / 2;
    // Of the stencil's loads that of the next row; the store.
    let stencil = quote!(x.at_clamp([0, i - 1, j]) + x.at_clamp([0, i + 1, j]) + x.at_clamp([0, i, j - 1]) + x.at_clamp([0, i, j + 1]));
    assert_eq!(leading(quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) { y[[i, j]] = #stencil; })), 2);
    // One of two like ones; what is changed in place once.
    assert_eq!(
        leading(quote!(for (i, j) in lanes((0..x.dim(0), 0..x.dim(2))) {
            y[[i, j]] = x[[i, 0, j]] * x[[i, 0, j]];
        })),
        2
    );
    assert_eq!(
        leading(quote!(for (i, j) in lanes((0..y.dim(0), 0..y.dim(1))) {
            y[[i, j]] *= 2.0;
        })),
        1
    );
    // What moves with a loop inside comes to most elements more than once.
    let inner = quote!(let mut s = 0.0; for n in 0..3 { s += x.at_clamp([i, 0, j + n]); });
    assert_eq!(leading(quote!(for (i, j) in lanes((0..y.dim(0), 0..y.dim(1))) { #inner y[[i, j]] = s; })), 1);
}

#[test]
fn what_can_be_counted() {
    let counted = |body: proc_macro2::TokenStream| {
        let item = quote!(fn f(x: &[u8], v: View<u8, 2>, w: i32, y: &mut [i32]) { #body });
        let text = lanecraft_lang::expand_kernel(quote!(signature = "(n),(h,n),()->(b)"), item).to_string();
        assert!(!text.contains("compile_error"), "{text}");
        calls(&text, ". count")
    };
    for body in [
        quote!(for i in lanes(0..x.len()) {
            atomic_add(&mut y[x[i] as usize], 1);
        }),
        quote!(for i in lanes(0..x.len() - 1) {
            atomic_add(&mut y[x[i + 1] as usize], w);
        }),
        quote!(for (i, j) in lanes((0..v.dim(0), 0..v.dim(1))) {
            atomic_add(&mut y[v[[i, j]] as usize], 1);
        }),
    ] {
        assert_eq!(counted(body.clone()), 1, "{body}");
    }
    for body in [
        // Another value each time, another index, another operation, another order.
        quote!(for i in lanes(0..x.len()) {
            atomic_add(&mut y[x[i] as usize], i as i32);
        }),
        quote!(for i in lanes(0..x.len()) {
            atomic_add(&mut y[(x[i] + 1) as usize], 1);
        }),
        quote!(for i in lanes(0..x.len()) {
            atomic_max(&mut y[x[i] as usize], 1);
        }),
        quote!(for i in lanes(0..x.len()) {
            atomic_add(&mut y[x[x[i] as usize] as usize], 1);
        }),
        quote!(for i in lanes(0..x.len()) {
            atomic_add(&mut y[x.at_clamp(i) as usize], 1);
        }),
        // Something beside it.
        quote!(for i in lanes(0..x.len()) {
            if x[i] > 3 {
                atomic_add(&mut y[x[i] as usize], 1);
            }
        }),
        quote!(let mut s = 0u8; for i in lanes(0..x.len()) { atomic_add(&mut y[x[i] as usize], 1); s += x[i]; } let t = s;),
    ] {
        assert_eq!(counted(body.clone()), 0, "{body}");
    }
}
