//! `#[python_export(..)]` on a kernel.

use crate::error::{Source, did_you_mean, list};
use crate::model::{Export, Kernel, Reduction};
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Lit, Token};

/// The options on a kernel.
const OPTIONS: &[&str] = &["module", "identity", "reorderable"];

/// Removes `#[python_export]` and says what it said, if it was there.
pub fn take(item: &mut syn::ItemFn) -> syn::Result<Option<Export>> {
    let is_export = |a: &syn::Attribute| a.path().segments.last().is_some_and(|s| s.ident == "python_export");
    let export = item.attrs.iter().find(|a| is_export(a)).cloned();
    item.attrs.retain(|a| !is_export(a));
    match export {
        None => Ok(None),
        Some(a) if matches!(a.meta, syn::Meta::Path(_)) => Ok(Some(Export::default())),
        Some(a) => a.parse_args().map(Some),
    }
}

impl Parse for Export {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut export = Self::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            let twice = match name.to_string().as_str() {
                "module" => export.module.replace(submodule(input)?).is_some(),
                "identity" => {
                    input.parse::<Token![=]>()?;
                    let value: Expr = input.parse()?;
                    export.reduction.replace((Source::of(&value), identity(&value)?)).is_some()
                }
                "reorderable" => export.reduction.replace((Source::of(&name), Reduction::AnyOrder)).is_some(),
                other => {
                    let hint = did_you_mean(other, OPTIONS.iter().copied());
                    let known = list(OPTIONS);
                    return Err(syn::Error::new(
                        name.span(),
                        format!(
                            "option `{other}` cannot be given to `python_export` on a kernel; use one of its own, because it has {known} alone{hint}"
                        ),
                    ));
                }
            };
            if twice {
                let message = if name == "module" {
                    "option `module` cannot be given twice; keep one, because they might differ"
                } else {
                    "`identity` and `reorderable` cannot stand twice, or both; keep `identity`, because it says that the order is free too"
                };
                return Err(syn::Error::new(name.span(), message));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(export)
    }
}

/// `0`, `-1`, `1.5`, `true`, `f64::INFINITY`
fn identity(value: &Expr) -> syn::Result<Reduction> {
    let error = || {
        Source::of(value).error(
            "an identity cannot be this; write `identity = 0`, `identity = true`, `identity = f64::NEG_INFINITY`, because NumPy wants a number, a `bool` or an infinity",
        )
    };
    let (inner, minus) = match value {
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => (&**expr, true),
        value => (value, false),
    };
    let signed = |x: f64| Ok(Reduction::FromFloat(if minus { -x } else { x }));
    match inner {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) if int.suffix().is_empty() => {
                format!("{}{}", if minus { "-" } else { "" }, int.base10_digits()).parse().map(Reduction::FromInt).map_err(|_| error())
            }
            Lit::Float(float) => signed(float.base10_parse()?),
            Lit::Bool(bool) if !minus => Ok(Reduction::FromBool(bool.value)),
            _ => Err(error()),
        },
        Expr::Path(path) => match path.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("INFINITY") => signed(f64::INFINITY),
            Some("NEG_INFINITY") => signed(f64::NEG_INFINITY),
            _ => Err(error()),
        },
        _ => Err(error()),
    }
}

/// Rejects what is said of reductions by a kernel that has none.
pub fn check_reduction(kernel: &Kernel) -> syn::Result<()> {
    let Some((source, _)) = kernel.export.as_ref().and_then(|export| export.reduction.as_ref()) else { return Ok(()) };
    match (kernel.operands.as_slice(), kernel.results.as_slice()) {
        ([a, b], [result]) if a.ty == b.ty && a.ty == *result => Ok(()),
        _ => Err(source.error(
            "a reduction needs a kernel of two operands and one result, all of one type (`fn f<T: Float>(a: T, b: T) -> T`); remove it, because NumPy puts results back in (`f(f(a, b), c)`)",
        )),
    }
}

/// `= "math"`
pub(crate) fn submodule(input: ParseStream) -> syn::Result<String> {
    input.parse::<Token![=]>()?;
    let name: syn::LitStr = input.parse()?;
    let text = name.value();
    if syn::parse_str::<Ident>(&text).is_err() || !text.is_ascii() {
        let message =
            format!("`{text}` cannot name a submodule; write one ASCII word (`module = \"math\"`), because Python imports it by that name");
        return Err(syn::Error::new(name.span(), message));
    }
    Ok(text)
}
