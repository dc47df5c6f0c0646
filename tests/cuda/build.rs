//! The kernels of the other tests, as they are, in a form that a list can name: public, without the tests around them.

use quote::quote;
use std::fmt::Write;
use std::path::Path;

/// Test files with kernels, by the name of their group.
const FILES: &[(&str, &str)] = &[
    ("arrays", "../aggregates/arrays.rs"),
    ("consts", "../aggregates/consts.rs"),
    ("options", "../aggregates/options.rs"),
    ("structs", "../aggregates/structs.rs"),
    ("flow", "../flow.rs"),
    ("half", "../half.rs"),
    ("hygiene", "../hygiene.rs"),
    ("loops", "../acceptance/loops.rs"),
    ("matching", "../acceptance/matching.rs"),
    ("parameter", "../parameter.rs"),
    ("randoms", "../random.rs"),
    ("regressions", "../acceptance/regressions.rs"),
    ("reports", "../acceptance/reports.rs"),
    ("block", "../block.rs"),
    ("block_count", "../block_count.rs"),
    ("block_fold", "../block_fold.rs"),
    ("block_parameters", "../block_parameters.rs"),
    ("block_scatter", "../block_scatter.rs"),
    ("block_steps", "../block_steps.rs"),
    ("block_tiles", "../block_tiles.rs"),
    ("block_views", "../block_views.rs"),
    ("control", "../language/control.rs"),
    ("helpers", "../language/helpers.rs"),
    ("literals", "../language/literals.rs"),
    ("signatures", "../language/signatures.rs"),
    ("variables", "../language/variables.rs"),
];

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let (mut modules, mut groups) = (String::new(), String::new());
    for (name, file) in FILES {
        let path = Path::new(&here).join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut kernels = Kernels::default();
        let items: Vec<syn::Item> = parsed.items.into_iter().filter_map(|item| kept(item, None, &mut kernels)).collect();
        let Kernels { map, block } = kernels;
        let list = quote! {
            pub const KERNELS: &[lanecraft::cuda::CudaInfo] = &[#(lanecraft::cuda::CudaInfo::of::<#map>()),*];
            pub const BLOCKS: &[lanecraft::cuda::CudaBlockInfo] = &[#(lanecraft::cuda::CudaBlockInfo::of::<#block>()),*];
        };
        let file = syn::File { shebang: None, attrs: Vec::new(), items };
        let written = write!(modules, "pub mod {name} {{\n{}\n{list}\n}}\n", prettyplease::unparse(&file));
        let listed = write!(groups, "(\"{name}\", {name}::KERNELS, {name}::BLOCKS),");
        written.and(listed).unwrap_or_else(|e| panic!("{e}"));
    }
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    let text =
        format!("{modules}\npub const GROUPS: &[(&str, &[lanecraft::cuda::CudaInfo], &[lanecraft::cuda::CudaBlockInfo])] = &[{groups}];\n");
    std::fs::write(Path::new(&out).join("tests.rs"), text).unwrap_or_else(|e| panic!("{e}"));
}

/// The kernels of a file.
#[derive(Default)]
struct Kernels {
    map: Vec<syn::Path>,
    block: Vec<syn::Path>,
}

/// An item that kernels are made of; map kernels are made public and noted.
fn kept(item: syn::Item, module: Option<&syn::Path>, kernels: &mut Kernels) -> Option<syn::Item> {
    match item {
        syn::Item::Fn(mut f) => {
            let attribute = |name: &str| f.attrs.iter().find(|a| a.path().is_ident(name));
            if let Some(kernel) = attribute("kernel") {
                let options = quote!(#kernel).to_string();
                if options.contains("fast_math") {
                    return None;
                }
                f.vis = syn::parse_quote!(pub);
                let name = &f.sig.ident;
                let list = if options.contains("signature") { &mut kernels.block } else { &mut kernels.map };
                list.push(module.map_or_else(|| name.clone().into(), |module| syn::parse_quote!(#module::#name)));
                return Some(f.into());
            }
            attribute("always_inline").is_some().then(|| f.into())
        }
        // What tests use to compare.
        syn::Item::Use(u) => {
            let text = quote!(#u).to_string();
            let of_tests = ["compare", "harness", "agrees", "lanecraft :: {", "lanecraft :: Kernel"].iter().any(|p| text.contains(p));
            (!of_tests).then(|| u.into())
        }
        syn::Item::Mod(mut m) => {
            let (brace, items) = m.content?;
            let name = &m.ident;
            let path = module.map_or_else(|| name.clone().into(), |module| syn::parse_quote!(#module::#name));
            m.content = Some((brace, items.into_iter().filter_map(|item| kept(item, Some(&path), kernels)).collect()));
            Some(m.into())
        }
        syn::Item::Struct(_) | syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Enum(_) | syn::Item::Type(_) => Some(item),
        _ => None,
    }
}
