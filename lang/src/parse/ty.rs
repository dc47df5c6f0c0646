//! Types.

use super::scope::Scope;
use crate::dtype::Dtype;
use crate::error::{Source, did_you_mean, list};
use crate::tree::Type;

/// A type of the kernel language.
pub fn parse(ty: &syn::Type, scope: &Scope) -> syn::Result<Type> {
    let reject = |why: &str| Err(Source::of(ty).error(why));
    match ty {
        syn::Type::Path(path) => match path.path.get_ident() {
            Some(name) if path.qself.is_none() => scope.type_named(name).ok_or_else(|| {
                let name = name.to_string();
                let hint = did_you_mean(&name, Dtype::ALL.iter().map(|d| d.name()));
                Source::of(ty).error(format!(
                    "type `{name}` cannot be used in a kernel; the types are {}, the type parameters and tuples{hint}",
                    list(Dtype::ALL)
                ))
            }),
            _ => reject("a type path cannot be used in a kernel; name a dtype (`f32`) or a type parameter (`T`)"),
        },
        syn::Type::Tuple(tuple) => tuple.elems.iter().map(|t| parse(t, scope)).collect::<syn::Result<_>>().map(Type::Tuple),
        syn::Type::Paren(inner) => parse(&inner.elem, scope),
        syn::Type::Group(inner) => parse(&inner.elem, scope),
        syn::Type::Infer(_) => Ok(Type::Infer),
        syn::Type::Reference(_) => {
            reject("a reference cannot be used in a map kernel; take the value (`x: T`), because a map kernel sees one element at a time")
        }
        syn::Type::Slice(_) => {
            reject("a slice cannot be used in a map kernel; take the value (`x: T`), because a map kernel sees one element at a time")
        }
        syn::Type::Array(_) => reject("arrays are not supported in kernels yet; use a tuple or several variables"),
        syn::Type::ImplTrait(_) => reject(
            "`impl Trait` cannot be used in a kernel; declare a type parameter (`<T: Float>`), because the dtypes are listed by its name",
        ),
        syn::Type::TraitObject(_) => reject("`dyn Trait` cannot be used in a kernel; declare a type parameter (`<T: Float>`)"),
        syn::Type::BareFn(_) => reject("a function pointer cannot be used in a kernel; call an `#[always_inline]` function by its name"),
        syn::Type::Macro(_) => reject("a macro cannot stand for a type in a kernel; write the type"),
        syn::Type::Never(_) => reject("`!` cannot be used in a kernel; a kernel returns a value for each element"),
        syn::Type::Ptr(_) => reject("a raw pointer cannot be used in a kernel; take the value (`x: T`)"),
        syn::Type::Verbatim(_) => reject("this type cannot be understood"),
        _ => reject("this type is unknown to the kernel language"),
    }
}
