//! Attributes: `#[kernel(..)]`, `#[always_inline(..)]`, `#[python_export]`, doc comments.

use crate::dtype::{Class, Dtype, FAMILIES};
use crate::error::{Errors, Source, did_you_mean, list};
use crate::model::Generic;
use crate::paths::Root;
use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Token, bracketed, parenthesized, token};

/// The options that `#[kernel]` knows.
const OPTIONS: &[&str] = &["dtypes", "signature", "nonempty", "gang", "fast_math", "variants", "crate"];
/// The options of kernels that are not built yet, and what they wait for.
const LATER: &[&str] = &["grad"];

/// `#[kernel(..)]`
pub struct KernelAttr {
    /// Where the run time is, if `crate` says so.
    root: Option<Root>,
    /// The limit on variants, where it is raised.
    pub variants: Option<usize>,
    /// The signature of a block kernel.
    pub signature: Option<syn::LitStr>,
    /// The dimensions of the signature that hold an element at least.
    pub nonempty: Vec<Ident>,
    /// Elements that are computed together.
    pub gang: usize,
    /// Whether sums may be contracted and reordered.
    pub fast_math: bool,
    dtypes: Option<(Source, Dtypes)>,
}

enum Dtypes {
    /// `dtypes(f32, f64)`
    One(Vec<Dtype>),
    /// `dtypes(A: [u8], B: [f32, f64])`
    PerParam(Vec<(Ident, Vec<Dtype>)>),
}

enum KernelOption {
    Root(Source, Root),
    Dtypes(Source, Dtypes),
    Variants(usize),
    FastMath,
    Signature(syn::LitStr),
    Nonempty(Vec<Ident>),
    Gang(usize),
}

impl Parse for KernelOption {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.peek(Token![crate]) {
            let at = Source::of(&input.fork().parse::<Token![crate]>()?);
            return root(input).map(|root| Self::Root(at, root));
        }
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "dtypes" => {
                if !input.peek(token::Paren) {
                    return Err(input.error(
                        "`dtypes` needs its list in parentheses; write `dtypes(f32, f64)`, because a kernel may be built for several",
                    ));
                }
                let content;
                parenthesized!(content in input);
                Ok(Self::Dtypes(Source::of(&name), content.parse()?))
            }
            "variants" => {
                input.parse::<Token![=]>()?;
                input.parse::<syn::LitInt>()?.base10_parse().map(Self::Variants)
            }
            "fast_math" if input.peek(Token![=]) => {
                Err(input.error("`fast_math` cannot take a value; write `fast_math` alone, or leave it out, because it has no degrees"))
            }
            "fast_math" => Ok(Self::FastMath),
            "signature" => {
                input.parse::<Token![=]>()?;
                input.parse().map(Self::Signature)
            }
            "nonempty" => {
                if !input.peek(token::Paren) {
                    return Err(
                        input.error("`nonempty` needs its dimensions in parentheses; write `nonempty(n)`, because it may be several")
                    );
                }
                let content;
                parenthesized!(content in input);
                let dims = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
                Ok(Self::Nonempty(dims.into_iter().collect()))
            }
            "gang" => {
                input.parse::<Token![=]>()?;
                let size: syn::LitInt = input.parse()?;
                match size.base10_parse() {
                    Ok(gang @ (16 | 32 | 64)) => Ok(Self::Gang(gang)),
                    _ => {
                        let message = format!(
                            "a gang cannot have {size} elements; write `gang = 32` or `gang = 64` (16 without the option), because registers hold powers of two"
                        );
                        Err(syn::Error::new(size.span(), message))
                    }
                }
            }
            other if LATER.contains(&other) => Err(syn::Error::new(
                name.span(),
                format!("option `{other}` of `kernel` cannot be used yet; remove it, because nothing would come of it"),
            )),
            other if Dtype::parse(other).is_some() || FAMILIES.iter().any(|(f, _)| *f == other) => Err(syn::Error::new(
                name.span(),
                format!("`{other}` cannot stand alone; write `dtypes({other})`, because a dtype is one of a list"),
            )),
            other => {
                let hint = did_you_mean(other, OPTIONS.iter().copied());
                Err(syn::Error::new(
                    name.span(),
                    format!(
                        "option `{other}` cannot be given to `kernel`; use one of its own (`dtypes(f32, f64)`), because it has {} alone{hint}",
                        list(OPTIONS)
                    ),
                ))
            }
        }
    }
}

/// `crate = path`
fn root(input: ParseStream) -> syn::Result<Root> {
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    input.call(syn::Path::parse_mod_style).map(Root::new)
}

impl Parse for Dtypes {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if !input.peek2(Token![:]) {
            return dtype_list(input).map(Self::One);
        }
        let entry = |input: ParseStream| {
            let name: Ident = input.parse()?;
            input.parse::<Token![:]>()?;
            if !input.peek(token::Bracket) {
                return Err(input.error(format!("the dtypes of one type parameter cannot stand without brackets; write `{name}: [f32, f64]`, because each parameter has a list of its own")));
            }
            let content;
            bracketed!(content in input);
            Ok((name, dtype_list(&content)?))
        };
        let entries = Punctuated::<_, Token![,]>::parse_terminated_with(input, entry)?;
        Ok(Self::PerParam(entries.into_iter().collect()))
    }
}

/// `f32, f64`, `float`, `int, f32`
fn dtype_list(input: ParseStream) -> syn::Result<Vec<Dtype>> {
    let mut dtypes = Vec::new();
    let mut errors = Errors::default();
    let names = Punctuated::<Ident, Token![,]>::parse_terminated(input)?;
    if names.is_empty() {
        return Err(syn::Error::new(
            input.span(),
            "a list of dtypes cannot be empty; name one at least (`dtypes(f32, f64)`), because a kernel is built ahead of time for each",
        ));
    }
    for ident in names {
        let name = ident.to_string();
        let family = FAMILIES.iter().find(|(f, _)| *f == name).map(|(_, members)| members.to_vec());
        let Some(members) = family.or_else(|| Dtype::parse(&name).map(|d| vec![d])) else {
            let known = || Dtype::ALL.iter().map(|d| d.name()).chain(FAMILIES.iter().map(|(f, _)| *f));
            // NumPy's names are a likely mistake too.
            let numpy = Dtype::ALL.iter().find(|d| d.numpy_name() == name).map(|d| format!("; did you mean `{d}`?"));
            let hint = numpy.unwrap_or_else(|| did_you_mean(&name, known()));
            let message = format!(
                "`{name}` cannot be a dtype; use one of them or a family (`dtypes(f32, f64)`, `dtypes(float)`), because there are {} alone{hint}",
                list(known())
            );
            errors.push(syn::Error::new(ident.span(), message));
            continue;
        };
        for d in members {
            if dtypes.contains(&d) {
                errors.push(syn::Error::new(
                    ident.span(),
                    format!(
                        "dtype `{d}` cannot be listed twice; remove `{name}` or the other mention, because a kernel is built once for each"
                    ),
                ));
            } else {
                dtypes.push(d);
            }
        }
    }
    errors.finish(dtypes)
}

impl KernelAttr {
    /// Parses what stands inside `#[kernel(..)]`.
    pub fn parse(attr: TokenStream) -> syn::Result<Self> {
        let mut this = Self { root: None, variants: None, gang: 16, fast_math: false, signature: None, nonempty: Vec::new(), dtypes: None };
        for option in Punctuated::<KernelOption, Token![,]>::parse_terminated.parse2(attr)? {
            match option {
                KernelOption::Root(at, _) if this.root.is_some() => {
                    return Err(at.error("option `crate` cannot be given twice; keep one, because they might differ"));
                }
                KernelOption::Root(_, root) => this.root = Some(root),
                KernelOption::Signature(text) if this.signature.is_some() => {
                    return Err(Source::of(&text).error("option `signature` cannot be given twice; keep one, because they might differ"));
                }
                KernelOption::Signature(text) => this.signature = Some(text),
                KernelOption::Nonempty(dims) => this.nonempty.extend(dims),
                KernelOption::Variants(n) => this.variants = Some(n),
                KernelOption::Gang(n) => this.gang = n,
                KernelOption::FastMath => this.fast_math = true,
                KernelOption::Dtypes(source, _) if this.dtypes.is_some() => {
                    return Err(source.error("option `dtypes` cannot be given twice; put all dtypes into one list (`dtypes(f32, f64)`), because the second would replace the first"));
                }
                KernelOption::Dtypes(source, dtypes) => this.dtypes = Some((source, dtypes)),
            }
        }
        Ok(this)
    }

    /// Where the run time is.
    pub fn root(&self) -> Root {
        self.root.clone().unwrap_or_default()
    }

    /// Gives each type parameter its dtypes.
    pub fn assign_dtypes(&self, generics: &mut [Generic], sig: &syn::Signature, errors: &mut Errors) {
        let Some((source, dtypes)) = &self.dtypes else {
            for g in generics {
                let name = &g.name;
                let message = format!(
                    "type parameter `{name}` cannot be without dtypes; list them (`#[kernel(dtypes(f32, f64))]`), because a kernel is built ahead of time for each"
                );
                errors.push(g.source.error(message));
            }
            return;
        };
        match dtypes {
            Dtypes::One(list) => match &mut *generics {
                [one] => one.dtypes = Some(list.clone()),
                [] => {
                    let name = &sig.ident;
                    errors.push(source.error(format!(
                        "`dtypes` cannot be given to `{name}`, which has no type parameter; remove it, or make `{name}` generic (`fn {name}<T: Float>`), because its types are fixed"
                    )));
                }
                several => {
                    let example = several.iter().map(|g| format!("{}: [..]", g.name)).collect::<Vec<_>>().join(", ");
                    errors.push(source.error(format!(
                        "one list of dtypes cannot serve {} type parameters; give each its own (`dtypes({example})`), because every combination is built",
                        several.len()
                    )));
                }
            },
            Dtypes::PerParam(lists) => {
                for (name, list_) in lists {
                    match generics.iter_mut().find(|g| g.name == *name) {
                        Some(g) if g.dtypes.is_some() => {
                            errors.push(syn::Error::new(name.span(), format!("type parameter `{name}` cannot be given dtypes twice; put them into one list, because the second would replace the first")));
                        }
                        Some(g) => g.dtypes = Some(list_.clone()),
                        None => {
                            let known = list(generics.iter().map(|g| &g.name));
                            errors.push(syn::Error::new(
                                name.span(),
                                format!(
                                    "`{name}` cannot be given dtypes; name one of {known}, because this kernel has no other type parameter"
                                ),
                            ));
                        }
                    }
                }
                for g in generics.iter().filter(|g| g.dtypes.is_none()) {
                    errors.push(
                        g.source.error(format!("type parameter `{0}` cannot be without dtypes; add `{0}: [..]` to `dtypes`, because a kernel is built ahead of time for each", g.name)),
                    );
                }
            }
        }
        for g in generics {
            let missing = |d: &Dtype| g.classes.iter().copied().find(|c| !c.contains(*d)).map(|c| (*d, c));
            if let Some((d, class)) = g.dtypes.iter().flatten().find_map(missing) {
                let fitting = list(Dtype::ALL.iter().filter(|d| g.classes.iter().all(|c| c.contains(**d))));
                let (name, class) = (&g.name, Class::name(class));
                errors.push(
                    source.error(format!(
                        "dtype `{d}` cannot be a `{name}`; remove it or change the bound, because `{class}` leaves {fitting}"
                    )),
                );
            }
        }
    }
}

/// Parses what stands inside `#[always_inline(..)]`.
pub fn helper(attr: TokenStream) -> syn::Result<Root> {
    let option = |input: ParseStream| {
        if input.is_empty() {
            return Ok(Root::default());
        }
        if !input.peek(Token![crate]) {
            return Err(input.error("`always_inline` cannot take this option; remove it, because it has `crate` alone"));
        }
        root(input)
    };
    option.parse2(attr)
}

/// Parses what stands inside `#[kernel(..)]` on a struct.
pub fn struct_(attr: TokenStream) -> syn::Result<Root> {
    let option = |input: ParseStream| {
        if input.is_empty() {
            return Ok(Root::default());
        }
        if !input.peek(Token![crate]) {
            return Err(input.error("`kernel` on a struct has no such option; it has `crate`, because a struct is not built for dtypes"));
        }
        root(input)
    };
    option.parse2(attr)
}

/// Rejects attributes that would be lost or change what the code says: those inside the body, inner ones, and a second
/// attribute of this library.
pub fn reject_misplaced(item: &syn::ItemFn, errors: &mut Errors) {
    for attr in &item.attrs {
        let last = attr.path().segments.last().map(|s| s.ident.to_string());
        match (&attr.style, last.as_deref()) {
            (syn::AttrStyle::Inner(_), _) => {
                errors.push(Source::of(attr).error("an inner attribute cannot stand in a kernel; write it above the function (`#[..]`), because the body is written anew for lanes"));
            }
            (_, Some(name @ ("kernel" | "always_inline"))) => errors.push(Source::of(attr).error(format!(
                "`{name}` cannot be added here; keep one of `#[kernel]` and `#[always_inline]`, because kernels can call kernels too"
            ))),
            _ => {}
        }
    }
    let mut found = InBody(errors);
    syn::visit::visit_block(&mut found, &item.block);
}

/// Finds the attributes inside a body.
struct InBody<'e>(&'e mut Errors);

impl<'ast> syn::visit::Visit<'ast> for InBody<'_> {
    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        self.0.push(Source::of(attr).error(
            "an attribute cannot stand inside a kernel; write it above the function, because the body is compiled in several forms",
        ));
    }

    /// Constants are left to rustc as they stand; other items are rejected as a whole.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The attributes that say whether an item exists: what is generated beside the function bears them too.
pub fn cfgs(attrs: &[syn::Attribute]) -> impl Iterator<Item = &syn::Attribute> + Clone {
    attrs.iter().filter(|a| a.path().is_ident("cfg"))
}

/// The doc comment of an item.
pub fn docs(attrs: &[syn::Attribute]) -> String {
    let line = |a: &syn::Attribute| match &a.meta {
        syn::Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }), .. })
            if path.is_ident("doc") =>
        {
            let s = s.value();
            Some(s.strip_prefix(' ').map_or(s.clone(), str::to_owned))
        }
        _ => None,
    };
    attrs.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}
