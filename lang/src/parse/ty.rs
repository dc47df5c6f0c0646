//! Types.

use super::scope::Scope;
use crate::dtype::Dtype;
use crate::error::{Source, did_you_mean, list};
use crate::tree::{Length, Type};
use proc_macro2::Ident;

/// A type of the kernel language.
pub fn parse(ty: &syn::Type, scope: &Scope) -> syn::Result<Type> {
    let reject = |why: &str| Err(Source::of(ty).error(why));
    match ty {
        syn::Type::Path(path) if path.qself.is_some() => reject(
            "a qualified type (`<T as Trait>::X`) cannot be used in a kernel; name a dtype (`f32`), a type parameter (`T`) or a struct, because a macro cannot look types up",
        ),
        syn::Type::Path(path) => match path.path.get_ident() {
            Some(name) => match scope.type_named(name) {
                Some(ty) => Ok(ty),
                // `usize` is what lengths and indexes are; lanes have it as 64 bits.
                None if name == "usize" => Ok(Type::Dtype(Dtype::U64)),
                None if name == "isize" => Ok(Type::Dtype(Dtype::I64)),
                // By the naming convention a struct, or another name of a type.
                None if NEVER.contains(&name.to_string().as_str()) => Err(never(ty, name)),
                None if is_upper(name) => Ok(Type::Named(Box::new(ty.clone()))),
                None => {
                    let name = name.to_string();
                    let hint = did_you_mean(&name, Dtype::ALL.iter().map(|d| d.name()));
                    reject(&format!(
                        "type `{name}` cannot be used in a kernel; use a dtype (`f32`), because lanes hold {}, the type parameters, and tuples, arrays and structs of them alone{hint}",
                        list(Dtype::ALL)
                    ))
                }
            },
            None => match (option_of(&path.path), path.path.segments.last()) {
                (Some(item), _) => parse(item, scope).map(|item| Type::Option(Box::new(item))),
                (_, Some(last)) if NEVER.contains(&last.ident.to_string().as_str()) => Err(never(ty, &last.ident)),
                _ => Ok(Type::Named(Box::new(ty.clone()))),
            },
        },
        syn::Type::Array(array) => Ok(Type::Array(Box::new(parse(&array.elem, scope)?), length(&array.len, scope)?)),
        syn::Type::Tuple(tuple) => tuple.elems.iter().map(|t| parse(t, scope)).collect::<syn::Result<_>>().map(Type::Tuple),
        syn::Type::Paren(inner) => parse(&inner.elem, scope),
        syn::Type::Group(inner) => parse(&inner.elem, scope),
        syn::Type::Infer(_) => Ok(Type::Infer),
        syn::Type::Reference(reference) if matches!(&*reference.elem, syn::Type::Slice(_)) => reject(
            "an array cannot be an operand of a map kernel; give the kernel a signature (`#[kernel(.., signature = \"(n)->(n)\")]`), or take the value (`x: T`), because a map kernel sees one element at a time",
        ),
        syn::Type::Reference(_) => {
            reject("a reference cannot be used in a map kernel; take the value (`x: T`), because a map kernel sees one element at a time")
        }
        syn::Type::Slice(_) => {
            reject("a slice cannot be used in a map kernel; take the value (`x: T`), because a map kernel sees one element at a time")
        }
        syn::Type::ImplTrait(_) => reject(
            "`impl Trait` cannot be used in a kernel; declare a type parameter (`<T: Float>`), because the dtypes are listed by its name",
        ),
        syn::Type::TraitObject(_) => {
            reject("`dyn Trait` cannot be used in a kernel; declare a type parameter (`<T: Float>`), because every lane runs the same code")
        }
        syn::Type::BareFn(_) => reject(
            "a function pointer cannot be used in a kernel; call an `#[always_inline]` function by its name, because lanes would call several functions at once",
        ),
        syn::Type::Macro(_) => {
            reject("a macro cannot stand for a type in a kernel; write the type, because it is expanded after the kernel")
        }
        syn::Type::Never(_) => {
            reject("`!` cannot be used in a kernel; return a value (`-> T`), because a kernel has a result for each element")
        }
        syn::Type::Ptr(_) => reject("a raw pointer cannot be used in a kernel; take the value (`x: T`), because lanes hold values only"),
        syn::Type::Verbatim(_) => reject("this type cannot be understood"),
        _ => reject("this type is unknown to the kernel language"),
    }
}

/// Types of the standard library that no kernel can hold, and that are a likely mistake.
const NEVER: &[&str] = &["String", "Vec", "Box", "Rc", "Arc", "Cow", "Cell", "RefCell", "HashMap", "Result"];

fn never(ty: &syn::Type, name: &Ident) -> syn::Error {
    let next = match name.to_string().as_str() {
        "Vec" => "use an array (`[f32; 4]`)",
        "Result" => "use an `Option`",
        "String" => "use a number, or an enum as `#[parameter]`",
        _ => "use the value itself",
    };
    Source::of(ty).error(format!("type `{name}` cannot be used in a kernel; {next}, because lanes hold plain values"))
}

/// Rejects a field of a struct that no kernel can hold.
pub fn reject_field(ty: &syn::Type) -> syn::Result<()> {
    if let syn::Type::Path(path) = ty
        && let Some(last) = path.path.segments.last().filter(|s| NEVER.contains(&s.ident.to_string().as_str()))
    {
        return Err(never(ty, &last.ident));
    }
    reject_sizes(ty, "a field of a kernel's struct")
}

/// Whether a name begins as those of structs do.
pub fn is_upper(name: &Ident) -> bool {
    name.to_string().chars().next().is_some_and(char::is_uppercase)
}

/// `Option<T>`
fn option_of(path: &syn::Path) -> Option<&syn::Type> {
    let last = path.segments.last().filter(|s| s.ident == "Option")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(ty)) if args.args.len() == 1 => Some(ty),
        _ => None,
    }
}

/// The length of an array, which rustc has to know.
pub fn length(e: &syn::Expr, scope: &Scope) -> syn::Result<Length> {
    if let syn::Expr::Path(path) = e
        && let Some(name) = path.path.get_ident().filter(|name| scope.is_var(name))
    {
        return Err(Source::of(e).error(format!(
            "the length of an array cannot be variable `{name}`; use a constant, or a const generic (`#[parameter(2, 4)] const N: usize`), because it has to be known at compile time"
        )));
    }
    Ok(Length(Box::new(e.clone())))
}

/// Rejects `usize` and `isize` in signatures, where memory would have them.
pub fn reject_sizes(ty: &syn::Type, what: &str) -> syn::Result<()> {
    match ty {
        syn::Type::Path(path) => {
            if let Some(name) = path.path.get_ident().filter(|name| *name == "usize" || *name == "isize") {
                let (small, large) = if name == "usize" { ("u32", "u64") } else { ("i32", "i64") };
                return Err(Source::of(ty).error(format!(
                    "{what} cannot be `{name}`; use `{small}` or `{large}`, because `{name}` has another size on other machines"
                )));
            }
            option_of(&path.path).map_or(Ok(()), |ty| reject_sizes(ty, what))
        }
        syn::Type::Tuple(tuple) => tuple.elems.iter().try_for_each(|ty| reject_sizes(ty, what)),
        syn::Type::Array(array) => reject_sizes(&array.elem, what),
        syn::Type::Paren(inner) => reject_sizes(&inner.elem, what),
        _ => Ok(()),
    }
}
