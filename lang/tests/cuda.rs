//! The CUDA C++ text of functions, as it is written. What it means is shown by `tests/cuda`, which compiles and runs it.

use lanecraft_lang::cuda;
use lanecraft_lang::model::Helper;
use lanecraft_lang::parse::attr::KernelAttr;
use quote::quote;
use syn::parse_quote;

fn text(item: &syn::ItemFn) -> Result<String, String> {
    let helper = Helper::parse(quote!(), item).map_err(|e| e.to_string())?;
    cuda::function(&helper.function).map(|t| t.text).map_err(|e| e.0)
}

fn body(item: &syn::ItemFn) -> String {
    let text = text(item).unwrap_or_else(|e| panic!("{e}"));
    text.split_once("$constants$\n").map_or_else(|| text.clone(), |(_, body)| body.to_owned())
}

#[test]
fn floats_are_infix_and_integers_wrap() {
    let f = parse_quote! {
        fn f(x: f32, n: i32, k: u32) -> f32 {
            let a = -(x - 1.0) * (x + 0.1);
            let b = n * 2 - 1;
            let c = (k + 1) << 3;
            a / (b as f32 + c as f32)
        }
    };
    let want = "    const f32 a = -(x - 1.0f) * (x + 0x1.99999ap-4f);\n    \
                const i32 b = lc::sub(lc::mul(n, 2), 1);\n    \
                const u32 c = k + 1u << 3;\n    \
                return a / (lc::cast<f32>(b) + lc::cast<f32>(c));\n}\n";
    assert_eq!(body(&f), want);
}

#[test]
fn generic_functions_are_templates() {
    let f = parse_quote! {
        fn f<T: Float, const N: usize>(a: [T; N]) -> T {
            let mut s = T::ZERO;
            for x in a { s += x; }
            s * 0.5
        }
    };
    let text = text(&f).unwrap();
    assert!(text.starts_with("template <class T, u64 N>\nLC_FN T $n$(lc::Cx &cx, lc::array<T, N> a) {\n"), "{text}");
    assert!(text.contains("return s * lc::lit<T>(0.5f, 0.5);"), "{text}");
    assert!(
        text.contains(
            "return $n$<lc::real<lc::hint_t<H, 0>, lc::item_t<A0>, R>, u64(lc::number<lc::hint_t<H, 1>, lc::len_t<A0>>::value)>(cx, a0);"
        ),
        "{text}"
    );
}

#[test]
fn values_with_statements_come_before_what_uses_them() {
    let f = parse_quote! {
        fn f(x: i32) -> i32 {
            let mut y = x;
            let z = y + { y = 2 * y; y };
            if z > 3 { let w = z * z; w - 1 } else { z }
        }
    };
    // The left operand is kept from before the assignment on its right.
    let want = "    i32 y = x;\n    const auto held = y;\n    y = lc::mul(2, y);\n    const i32 z = lc::add(held, y);\n    \
                if (z > 3) {\n        const i32 w = lc::mul(z, z);\n        return lc::sub(w, 1);\n    } else {\n        return z;\n    }\n}\n";
    assert_eq!(body(&f), want);
}

#[test]
fn labels_become_gotos() {
    let f = parse_quote! {
        fn f(n: u32) -> u32 {
            let mut k = 0;
            'outer: for i in 0..n {
                for j in 0..i {
                    if j == 3 { continue 'outer; }
                    if j == 5 { break 'outer; }
                }
                k += 1;
            }
            k
        }
    };
    let body = body(&f);
    for part in ["goto next_0;", "goto end_0;", "next_0:;\n    }\n    end_0:;\n"] {
        assert!(body.contains(part), "{part} in\n{body}");
    }
}

#[test]
fn names_of_cpp_are_not_used() {
    let f = parse_quote! { fn f(int: f32, double: f32, NAN: f32, cx: f32) -> f32 { let int = int + NAN; int + double * cx } };
    let want = "    const f32 int2 = int_ + NAN_;\n    return int2 + double_ * cx_;\n}\n";
    assert_eq!(body(&f), want);
}

#[test]
fn a_type_that_only_rustc_finds_is_that_of_a_call() {
    let f = parse_quote! {
        fn f(x: f32, n: i32) -> f32 {
            let mut s = 0.0;
            for i in 0..n {
                let y = x * 2.0;
                s += helper(y, 1);
            }
            other(s)
        }
    };
    let body = body(&f);
    let want = "    decltype($g0$$<$lc::any, lc::hints<>$>$(cx, lc::any_of<f32>(), lc::Int{1})) s = lc::Float{0.0f, 0.0};\n";
    assert!(body.contains(want), "{want} in\n{body}");
}

#[test]
fn a_constant_tells_a_type_too() {
    let f = parse_quote! { fn f(x: f32) -> f32 { const K: f32 = 1.5; let mut s = [(K - 0.5); 2]; s[0] += LIMIT; other(s[0]) } };
    let body = body(&f);
    let want = "    lc::array<decltype(lc::any_of<lc::real<decltype(K)>>()), 2> s = ";
    assert!(body.contains(want), "{want} in\n{body}");
}

#[test]
fn a_reduction_of_such_a_type_is_its_variable_s() {
    let f: syn::ItemFn = parse_quote! {
        fn f(x: &[f32]) -> f32 {
            let mut s = 0.0;
            for i in lanes(0..x.len()) { s += helper(x[i]); }
            other(s)
        }
    };
    let kernel = lanecraft_lang::block::kernel(KernelAttr::parse(quote!(signature = "(n)->()")).unwrap(), &f).unwrap();
    let text = cuda::function(&kernel.function).unwrap().text;
    for part in
        ["    decltype($f0$$<$lc::any, lc::hints<>$>$(cx, lc::any_of<f32>())) s = ", "    lc::Reduction<lc::Sum, decltype(s)> total;\n"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn parts_of_such_a_type_are_parts_of_a_call_s() {
    let f = parse_quote! {
        fn f(x: f32) -> f32 {
            let mut s = [0.0; 2];
            let (a, b) = helper(x);
            s[0] += b;
            other(s[0], a)
        }
    };
    let body = body(&f);
    let want =
        "    lc::array<lc::part_t<decltype($f0$$<$lc::any, lc::hints<>$>$(cx, lc::any_of<f32>())), 1>, 2> s = lc::repeat<lc::part_t<";
    assert!(body.contains(want), "{want} in\n{body}");
}

#[test]
fn what_is_missing_is_named() {
    let f = parse_quote! { fn f(x: f32) -> f32 { let mut s = 0.0; if x > 1.0 { const LIMIT: f32 = 2.0; s += LIMIT; } other(s) } };
    assert_eq!(text(&f).unwrap_err(), "variable `s`, whose type only rustc finds (write it: `let mut s: f32 = ..`),");
    let f = parse_quote! { fn f(x: f32) -> f32 { let a = [x; length(2)]; a[0] } };
    assert_eq!(text(&f).unwrap_err(), "the length of an array by anything but numbers, constants and operators");
}

#[test]
fn block_kernels_share_out_loops_and_write_once() {
    let f: syn::ItemFn = parse_quote! {
        fn f(x: &[f32], y: &mut [f32]) {
            let mut s = 0.0;
            for i in lanes(0..x.len()) { s += x[i]; }
            y[0] = s;
        }
    };
    let attr = KernelAttr::parse(quote!(signature = "(n)->(m)")).unwrap();
    let kernel = lanecraft_lang::block::kernel(attr, &f).unwrap();
    let text = cuda::function(&kernel.function).unwrap().text;
    let want = "    f32 s = 0.0f;\n    \
                team.meet(cx);\n    \
                lc::Reduction<lc::Sum, f32> total;\n    \
                lc::reduce(cx, team, lc::count(0ull, x.shape[0], 1), [&](u64 k, f32 &s) {\n        \
                const u64 i = u64(0ull) + k * 1;\n        \
                s = s + x.load(cx, u64(i));\n    \
                }, total);\n    \
                s = lc::Sum::of(s, total.all());\n    \
                team.meet(cx);\n    \
                team.meet(cx);\n    \
                if (team.first()) y.store(cx, s, u64(0ull));\n    \
                team.meet(cx);\n    \
                return {};\n}\n";
    assert!(text.ends_with(want), "{text}");
}
