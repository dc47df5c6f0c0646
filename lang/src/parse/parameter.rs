//! `#[parameter(..)]` on an argument of a kernel: its compile-time values.

use super::scope::Scope;
use crate::dtype::Dtype;
use crate::error::{Source, did_you_mean};
use crate::model::{Parameter, ParameterValue};
use crate::tree::{Type, VarId};
use proc_macro2::Ident;
use syn::Token;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;

/// What stands inside `#[parameter(..)]`: values, and `..` for the run-time variant.
struct Values {
    values: Vec<syn::Expr>,
    run_time: Option<Token![..]>,
}

impl Parse for Values {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut this = Self { values: Vec::new(), run_time: None };
        while !input.is_empty() {
            if input.peek(Token![..]) {
                this.run_time = Some(input.parse()?);
            } else {
                this.values.push(input.parse()?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(this)
    }
}

/// The attribute among those of an argument, taken off. Other attributes are rejected.
pub fn take(attrs: &mut Vec<syn::Attribute>) -> syn::Result<Option<syn::Attribute>> {
    let mut found = None;
    for attr in attrs.drain(..) {
        if attr.path().segments.last().is_none_or(|s| s.ident != "parameter") {
            let name = attr.path().segments.last().map_or_else(String::new, |s| s.ident.to_string());
            let hint = did_you_mean(&name, ["parameter"]);
            return Err(
                Source::of(&attr).error(format!("this attribute cannot stand on an argument of a kernel; remove it, because `#[parameter(..)]` alone says something there{hint}"))
            );
        }
        if found.is_some() {
            return Err(Source::of(&attr).error("`parameter` cannot be given twice; put all values into one list (`#[parameter(16, 32)]`), because the second would replace the first"));
        }
        found = Some(attr);
    }
    Ok(found)
}

/// The type of a const generic.
pub fn const_dtype(c: &syn::ConstParam) -> syn::Result<Dtype> {
    let dtype = match &c.ty {
        syn::Type::Path(path) => path.path.get_ident().and_then(|name| match name.to_string().as_str() {
            "usize" => Some(Dtype::U64),
            "isize" => Some(Dtype::I64),
            name => Dtype::parse(name).filter(|d| d.is_int() || *d == Dtype::Bool),
        }),
        _ => None,
    };
    dtype.ok_or_else(|| {
        let name = &c.ident;
        Source::of(&c.ty).error(format!("const generic `{name}` cannot be of this type; use `usize`, another integer, or `bool`, because each value has a variant of its own"))
    })
}

/// Reads the values of a const generic.
pub fn parse_const(attr: &syn::Attribute, c: &syn::ConstParam, dtype: Dtype, scope: &mut Scope) -> syn::Result<Parameter> {
    let name = &c.ident;
    let (values, run_time) = values(attr, name, Some(dtype), scope)?;
    if let Some(t) = run_time {
        let message = format!(
            "const generic `{name}` cannot have a run-time variant; remove `..`, or make it an argument (`#[parameter(2, 4, ..)] {}: i32`), because it is known when the kernel is compiled",
            name.to_string().to_lowercase()
        );
        return Err(syn::Error::new(t.span(), message));
    }
    Ok(Parameter { name: name.clone(), var: None, dtype: Some(dtype), values, run_time: false })
}

/// Reads the values. An enum's values are numbered, and their names in the body stand for the numbers.
pub fn parse(attr: &syn::Attribute, name: &Ident, ty: &syn::Type, var: VarId, scope: &mut Scope) -> syn::Result<(Parameter, Type)> {
    let dtype = dtype(name, ty, scope)?;
    let (values, run_time) = values(attr, name, dtype, scope)?;
    let parameter = Parameter { name: name.clone(), var: Some(var), dtype, values, run_time: run_time.is_some() };
    Ok((parameter, Type::Dtype(dtype.unwrap_or(Dtype::I32))))
}

/// The values in the attribute, and the `..` among them.
fn values(
    attr: &syn::Attribute,
    name: &Ident,
    dtype: Option<Dtype>,
    scope: &mut Scope,
) -> syn::Result<(Vec<ParameterValue>, Option<Token![..]>)> {
    let source = Source::of(attr);
    let no_values = || {
        let message = format!(
            "parameter `{name}` cannot be without values; list them (`#[parameter(16, 32, 64)]`), because a variant is built for each"
        );
        source.error(message)
    };
    let syn::Meta::List(list) = &attr.meta else { return Err(no_values()) };
    let values: Values = list.parse_args()?;
    if values.values.is_empty() {
        return Err(no_values());
    }
    if let (None, Some(t)) = (dtype, values.run_time) {
        let message = format!(
            "parameter `{name}` cannot have a run-time variant; remove `..` and list every value of the enum, because lanes know numbers alone"
        );
        return Err(syn::Error::new(t.span(), message));
    }
    let mut parsed: Vec<ParameterValue> = Vec::new();
    for e in &values.values {
        let value = value(e, name, dtype)?;
        if parsed.contains(&value) {
            return Err(Source::of(e).error(format!(
                "value `{value}` of parameter `{name}` cannot be listed twice; remove one, because a variant is built once for each"
            )));
        }
        parsed.push(value);
    }
    let paths = parsed.iter().filter_map(|v| if let ParameterValue::Path(path) = v { Some(path.clone()) } else { None });
    scope.show_values(&paths.collect::<Vec<_>>());
    Ok((parsed, values.run_time))
}

/// The parameter's dtype; `None` for an enum, which the macro knows by its values alone.
fn dtype(name: &Ident, ty: &syn::Type, scope: &Scope) -> syn::Result<Option<Dtype>> {
    let wrong = || {
        let message = format!(
            "parameter `{name}` cannot be of this type; use an integer, a `bool`, or an enum without fields, because each value has a variant of its own"
        );
        Err(Source::of(ty).error(message))
    };
    match (super::ty::parse(ty, scope), ty) {
        (Ok(Type::Dtype(d)), _) if d.is_int() || d == Dtype::Bool => Ok(Some(d)),
        (Err(_) | Ok(Type::Named(_)), syn::Type::Path(p)) if !p.path.is_ident("usize") && !p.path.is_ident("isize") => Ok(None),
        _ => wrong(),
    }
}

fn value(e: &syn::Expr, name: &Ident, dtype: Option<Dtype>) -> syn::Result<ParameterValue> {
    let wrong = |why: &str| Err(Source::of(e).error(format!("this cannot be a value of parameter `{name}`; {why}")));
    match (e, dtype) {
        (syn::Expr::Path(p), None) if p.qself.is_none() => Ok(ParameterValue::Path(p.path.clone())),
        (_, None) => wrong("name a variant of the enum (`Mode::Clamp`), because each has a variant of the kernel"),
        (syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }), Some(Dtype::Bool)) => Ok(ParameterValue::Bool(b.value)),
        (_, Some(Dtype::Bool)) => wrong("write `true` or `false`, because it is a `bool`"),
        (e, Some(d)) => match int(e) {
            Some(v) if d.int_range().is_some_and(|(lo, hi)| lo <= v && v <= hi) => Ok(ParameterValue::Int(v)),
            Some(v) => wrong(&format!("list another, or take a wider type, because {v} is out of the range of `{d}`")),
            None => wrong("write an integer literal (`16`), because variants are listed before types are known"),
        },
    }
}

fn int(e: &syn::Expr) -> Option<i128> {
    match e {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().ok(),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => int(expr).map(|v| -v),
        _ => None,
    }
}

/// Every choice of one value per parameter; `None` is the run-time variant. The last parameter changes fastest, and its
/// run-time variant comes last, so that the first choice that fits is the most special one.
pub fn choices(parameters: &[Parameter]) -> Vec<Vec<Option<usize>>> {
    parameters.iter().fold(vec![Vec::new()], |choices: Vec<Vec<Option<usize>>>, p| {
        let options: Vec<Option<usize>> = (0..p.values.len()).map(Some).chain(p.run_time.then_some(None)).collect();
        let extend = |choice: &Vec<Option<usize>>, option: &Option<usize>| choice.iter().copied().chain([*option]).collect();
        choices.iter().flat_map(|choice| options.iter().map(|o| extend(choice, o)).collect::<Vec<_>>()).collect()
    })
}

/// The limit on variants, unless the kernel's option `variants` raises it.
pub const MAX_VARIANTS: usize = 256;

/// Rejects a kernel with too many variants.
pub fn check_count(count: usize, limit: usize, name: &Ident) -> syn::Result<()> {
    if count <= limit {
        return Ok(());
    }
    Err(Source::of(name).error(format!(
        "kernel `{name}` cannot have {count} variants (dtypes times parameter values); shorten its lists, or raise the limit of {limit} \
         (`#[kernel(variants = {count}, ..)]`), because each variant is compiled for every CPU level"
    )))
}
