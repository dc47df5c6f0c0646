//! The types that cross the border to Python.

use crate::dtype::Dtype;
use crate::error::Source;
use proc_macro2::Ident;

/// A type, as Python sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `bool`
    Bool,
    /// An integer of Python that fits: `i64`, `u8`, `usize`.
    Int(Ident),
    /// `f16`, `bf16`, `f32`, `f64`
    Float(Ident),
    /// `&str`
    Text,
    /// `String`
    String,
    /// `&[u8]`: bytes that are not copied.
    Bytes,
    /// `Vec<u8>`: bytes.
    OwnedBytes,
    /// `Vec<T>`
    List(Box<Type>),
    /// `Option<T>`
    Optional(Box<Type>),
    /// `(A, B)`; of a result, `()` too.
    Tuple(Vec<Type>),
    /// `HashMap<K, V>`
    Dict(Box<Type>, Box<Type>),
    /// A NumPy array.
    Array(Array),
    /// A struct that is exported: `&Batch`, `&mut Batch`, `Batch`.
    Struct(Ident, Access),
}

/// An array of NumPy.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The dtype of its elements.
    pub element: Dtype,
    /// How many axes it has.
    pub rank: usize,
    /// Whether the elements have to lie side by side: a slice.
    pub is_slice: bool,
    /// What happens to it.
    pub access: Access,
}

/// How a value is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `&T`
    Read,
    /// `&mut T`
    Write,
    /// `T`
    Owned,
}

/// Where a type stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In front of a function's body.
    Argument,
    /// Behind its arrow.
    Result,
    /// In a struct.
    Field,
}

/// Most axes of an array.
const MAX_RANK: usize = 6;

impl Type {
    /// Reads a type.
    ///
    /// # Errors
    /// A type that Python has nothing for, with what to write instead.
    pub fn parse(ty: &syn::Type, place: Place) -> syn::Result<Self> {
        let reject = |why: &str| Err(Source::of(ty).error(why));
        match ty {
            syn::Type::Paren(inner) => Self::parse(&inner.elem, place),
            syn::Type::Group(inner) => Self::parse(&inner.elem, place),
            syn::Type::Path(path) if path.qself.is_none() => Self::named(ty, &path.path, place),
            syn::Type::Tuple(tuple) => {
                let item = |ty| if place == Place::Result { Self::parse(ty, place) } else { owned(ty, place) };
                tuple.elems.iter().map(item).collect::<syn::Result<_>>().map(Self::Tuple)
            }
            syn::Type::Reference(reference) => Self::reference(ty, reference, place),
            syn::Type::Array(array) if place == Place::Field => fixed(array),
            syn::Type::Array(_) => reject(
                "an array of fixed length cannot cross the border; take a slice (`&[f32]`) and check its length, return an `Array1<f32>`, because Python's arrays have any length",
            ),
            syn::Type::Slice(_) => reject("a slice cannot stand alone; borrow it (`&[f32]`), because it has no size of its own"),
            syn::Type::ImplTrait(_) => reject("`impl Trait` cannot cross the border; name the type, because Python gets one function"),
            syn::Type::TraitObject(_) => reject("`dyn Trait` cannot cross the border; name the type, because the stub says it too"),
            syn::Type::Ptr(_) => reject("a raw pointer cannot cross the border; take a slice (`&[f32]`), because its bounds are known"),
            syn::Type::BareFn(_) => reject(
                "a function pointer cannot cross the border; export two functions, or choose by an argument of type `bool` or `&str`, because Python has no address of a Rust function",
            ),
            syn::Type::Never(_) => reject("`!` cannot be returned to Python; return a `Result`, because its error becomes an exception"),
            _ => reject(
                "this type cannot cross the border to Python; write a number, `&str`, `Vec`, `Option`, a tuple, a slice or a struct, because Python has something like them alone",
            ),
        }
    }

    /// Goes through the structs in it.
    pub fn each_struct(&mut self, f: &mut impl FnMut(&mut Ident)) {
        match self {
            Self::Struct(name, _) => f(name),
            Self::List(inner) | Self::Optional(inner) => inner.each_struct(f),
            Self::Tuple(items) => items.iter_mut().for_each(|item| item.each_struct(f)),
            Self::Dict(key, value) => {
                key.each_struct(f);
                value.each_struct(f);
            }
            Self::Bool | Self::Int(_) | Self::Float(_) | Self::Text | Self::String | Self::Bytes | Self::OwnedBytes | Self::Array(_) => {}
        }
    }

    fn reference(ty: &syn::Type, reference: &syn::TypeReference, place: Place) -> syn::Result<Self> {
        let source = Source::of(ty);
        if place == Place::Result {
            return Err(
                source.error("a reference cannot be returned to Python; return what it refers to (`String`, `Vec<T>`, `Array1<T>`), because Python keeps it as long as it likes")
            );
        }
        if place == Place::Field {
            return Err(source
                .error("a field of an exported struct cannot borrow; own it (`String`, `Array1<f32>`), because Python keeps the object"));
        }
        no_lifetime(reference.lifetime.as_ref())?;
        let access = if reference.mutability.is_some() { Access::Write } else { Access::Read };
        match (&*reference.elem, access) {
            (syn::Type::Path(path), Access::Read) if path.path.is_ident("str") => Ok(Self::Text),
            (syn::Type::Path(path), Access::Write) if path.path.is_ident("str") => {
                Err(source.error("`&mut str` cannot come from Python; take `&str` and return a `String`, because Python's strings do not change"))
            }
            (syn::Type::Slice(slice), _) => match (element(&slice.elem)?, access) {
                (Dtype::U8, Access::Read) => Ok(Self::Bytes),
                (element, access) => Ok(Self::Array(Array { element, rank: 1, is_slice: true, access })),
            },
            // A struct is nowhere by value but in a result.
            (syn::Type::Path(path), _) if path.qself.is_none() => match Self::named(&reference.elem, &path.path, Place::Result) {
                Ok(Self::Struct(name, _)) => Ok(Self::Struct(name, access)),
                Ok(Self::String) => Err(source.error("`&String` cannot cross the border; write `&str`, because nothing is copied then")),
                Ok(Self::List(_) | Self::OwnedBytes) => Err(source.error(
                    "a reference to a `Vec` cannot cross the border; write a slice (`&[f32]`, a NumPy array) or the `Vec` itself (a list), because a list is copied in any case",
                )),
                Ok(Self::Array(array)) => Err(source.error(format!(
                    "a reference to an array cannot cross the border; write `ArrayView{0}<{1}>` or `ArrayViewMut{0}<{1}>`, because Python owns the memory",
                    array.rank,
                    array.element.name()
                ))),
                Ok(_) => Err(source.error("a reference to this type cannot cross the border; take the value, because it is made for the call")),
                Err(e) => Err(e),
            },
            _ => Err(source.error("a reference to this type cannot cross the border; write `&str`, a slice (`&[f32]`) or `&Struct`, because Python has no others to lend")),
        }
    }

    fn named(ty: &syn::Type, path: &syn::Path, place: Place) -> syn::Result<Self> {
        let source = Source::of(ty);
        let Some(last) = path.segments.last() else { return Err(source.error("this type cannot cross the border")) };
        let name = last.ident.to_string();
        let types = arguments(&last.arguments)?;
        match (name.as_str(), types.as_slice()) {
            ("bool", []) => Ok(Self::Bool),
            ("i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize", []) => Ok(Self::Int(last.ident.clone())),
            ("f16" | "bf16" | "f32" | "f64", []) => Ok(Self::Float(last.ident.clone())),
            ("i128" | "u128", []) => Err(source.error(format!("`{name}` cannot cross the border; write `i64` or `u64`, because NumPy has none of 128 bits"))),
            ("char", []) => Err(source.error("`char` cannot cross the border; write `&str`, because Python has no type of one character")),
            ("str", []) => Err(source.error("`str` cannot stand alone; write `&str` or `String`, because it has no size of its own")),
            ("String", []) => Ok(Self::String),
            ("Vec", [item]) if is_name(item, "u8") => Ok(Self::OwnedBytes),
            ("Vec", [item]) => owned(item, place).map(|item| Self::List(Box::new(item))),
            ("Option", [inner]) => match Self::parse(inner, place)? {
                Self::Optional(_) => Err(source.error("an `Option` of an `Option` cannot cross the border; take one, because Python has one `None`")),
                inner => Ok(Self::Optional(Box::new(inner))),
            },
            ("HashMap", [key, value]) => {
                let key = owned(key, place)?;
                if matches!(key, Self::Float(_) | Self::List(_) | Self::Dict(..) | Self::Array(_) | Self::Struct(..)) {
                    return Err(source.error("a key of a `HashMap` from Python cannot be this; use a number, `bool`, `String`, or a tuple of them, because they do not change"));
                }
                Ok(Self::Dict(Box::new(key), Box::new(owned(value, place)?)))
            }
            ("Result", _) => Err(source.error("a `Result` cannot be part of something; write it behind the arrow (`-> Result<T, E>`), because its error becomes an exception")),
            (_, types) if array_rank(&name).is_some() => array(ty, &name, types, place),
            ("Box" | "Rc" | "Arc" | "Cow" | "RefCell" | "Cell" | "Mutex", _) => {
                Err(source.error(format!("`{name}` cannot cross the border; write the type inside it, because Python shares objects its own way")))
            }
            ("BTreeMap" | "HashSet" | "BTreeSet" | "VecDeque" | "ArrayView" | "ArrayViewMut" | "Array" | "View" | "ViewMut", _) => {
                Err(source.error(format!("`{name}` cannot cross the border; write a `Vec`, a `HashMap`, a slice, or ndarray's `ArrayView2<f32>` and `Array2<f32>`, because Python has something like them alone")))
            }
            (_, []) if is_struct(&last.ident) && matches!(last.arguments, syn::PathArguments::None) => {
                Ok(Self::Struct(last.ident.clone(), Access::Owned))
            }
            (_, []) => Err(source.error(format!("type `{name}` cannot cross the border to Python; name an exported struct in capitals (`Batch`), because a macro cannot look types up"))),
            _ => Err(source.error(format!("`{name}` cannot cross the border; remove its type parameters, because a class of Python's has none"))),
        }
    }
}

/// A type inside of a list or a dict, where nothing can be borrowed.
fn owned(ty: &syn::Type, place: Place) -> syn::Result<Type> {
    match ty {
        syn::Type::Reference(_) => Err(Source::of(ty).error("a reference cannot stand in a collection; own what it refers to (`String`, `Vec<f64>`), because it is copied")),
        _ => match Type::parse(ty, place)? {
            Type::Array(_) => {
                Err(Source::of(ty).error("arrays cannot stand in a collection yet; take or return one array, or a tuple of arrays, because each is checked by its name"))
            }
            ty => Ok(ty),
        },
    }
}

/// `ArrayView2<f32>`, `ArrayViewMut1<f64>`, `Array3<u8>`
fn array(ty: &syn::Type, name: &str, types: &[syn::Type], place: Place) -> syn::Result<Type> {
    let source = Source::of(ty);
    let (Some((rank, access)), [item]) = (array_rank(name), types) else {
        return Err(
            source.error(format!("`{name}` cannot be without its elements' type; write `{name}<f32>`, because the stub says it too"))
        );
    };
    if rank == 0 || rank > MAX_RANK {
        return Err(source.error(format!("an array at the border has 1 to {MAX_RANK} axes")));
    }
    match (access, place) {
        (Access::Owned, Place::Argument) => Err(source.error(format!(
            "an array from Python cannot be owned; take `{}<{}>`, because its elements are not copied",
            name.replace("Array", "ArrayView"),
            quote::quote!(#item)
        ))),
        (Access::Read | Access::Write, Place::Result | Place::Field) => {
            Err(source.error(format!("a view cannot be handed to Python; own the elements (`Array{rank}<{}>`)", quote::quote!(#item))))
        }
        _ => Ok(Type::Array(Array { element: element(item)?, rank, is_slice: false, access })),
    }
}

fn array_rank(name: &str) -> Option<(usize, Access)> {
    let kinds = [("ArrayViewMut", Access::Write), ("ArrayView", Access::Read), ("Array", Access::Owned)];
    let (digits, access) = kinds.iter().find_map(|(prefix, access)| name.strip_prefix(prefix).map(|rest| (rest, *access)))?;
    digits.parse().ok().map(|rank| (rank, access))
}

/// `[f32; 3]` and `[[f32; 4]; 4]`, as a field.
fn fixed(array: &syn::TypeArray) -> syn::Result<Type> {
    let (mut rank, mut inner) = (1, &*array.elem);
    while let syn::Type::Array(array) = inner {
        (rank, inner) = (rank + 1, &array.elem);
    }
    Ok(Type::Array(Array { element: element(inner)?, rank, is_slice: true, access: Access::Read }))
}

/// The type of an array's elements.
fn element(ty: &syn::Type) -> syn::Result<Dtype> {
    let name = match ty {
        syn::Type::Path(path) => single(&path.path).map(ToString::to_string).unwrap_or_default(),
        _ => String::new(),
    };
    match Dtype::parse(&name) {
        Some(dtype) => Ok(dtype),
        None => Err(Source::of(ty)
            .error("elements of an array at the border cannot be these; use `bool`, `i8` to `i64`, `u8` to `u64`, `f16`, `bf16`, `f32` or `f64`, because NumPy has the same")),
    }
}

fn arguments(arguments: &syn::PathArguments) -> syn::Result<Vec<syn::Type>> {
    let syn::PathArguments::AngleBracketed(list) = arguments else { return Ok(Vec::new()) };
    let types = list.args.iter().map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Ok(Some(ty.clone())),
        syn::GenericArgument::Lifetime(lifetime) => no_lifetime(Some(lifetime)).map(|()| None),
        other => Err(Source::of(other).error("this argument of a type cannot cross the border")),
    });
    types.filter_map(Result::transpose).collect()
}

fn no_lifetime(lifetime: Option<&syn::Lifetime>) -> syn::Result<()> {
    match lifetime {
        Some(lifetime) if lifetime.ident != "_" => Err(Source::of(lifetime)
            .error("a named lifetime cannot be kept at the border; leave it out, because what comes from Python is borrowed for the call")),
        _ => Ok(()),
    }
}

fn single(path: &syn::Path) -> Option<&Ident> {
    path.segments.last().filter(|last| last.arguments.is_empty()).map(|last| &last.ident)
}

fn is_name(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident(name))
}

/// By the naming convention.
fn is_struct(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}
