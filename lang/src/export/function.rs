//! An exported function: what its signature and its attribute say.

use super::attr::{Entry, ExportAttr};
use super::ty::{Place, Type};
use crate::error::{Errors, Source};
use crate::parse::attr::docs;
use proc_macro2::{Ident, TokenStream};

/// A function that Python can call.
#[derive(Debug)]
pub struct ExportedFunction {
    /// The function as it stands.
    pub item: syn::ItemFn,
    /// Its name.
    pub name: Ident,
    /// Its doc comment.
    pub docs: String,
    /// The submodule that it goes into.
    pub module: Option<String>,
    /// Its arguments, in order.
    pub arguments: Vec<Argument>,
    /// What it returns; of a `Result`, the value.
    pub output: Type,
    /// The exception that the error of its `Result` becomes, if it returns one.
    pub raises: Option<Ident>,
    /// Whether the GIL is kept while it runs.
    pub keep_gil: bool,
}

/// An argument.
#[derive(Debug)]
pub struct Argument {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Type,
    /// How a call names it.
    pub kind: Kind,
    /// What it is where a call leaves it out.
    pub default: Option<DefaultValue>,
}

/// How a call gives an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By position alone.
    Positional,
    /// Either way.
    Either,
    /// By name alone.
    Keyword,
}

/// A default value.
#[derive(Debug)]
pub enum DefaultValue {
    /// `None`
    None,
    /// A literal.
    Literal {
        /// As Rust has it.
        value: Box<syn::Expr>,
        /// As Python has it.
        python: String,
    },
}

impl DefaultValue {
    /// As Python writes it.
    pub fn python(&self) -> &str {
        match self {
            Self::None => "None",
            Self::Literal { python, .. } => python,
        }
    }
}

impl ExportedFunction {
    /// Parses and checks `#[python_export(attr)] item`.
    ///
    /// # Errors
    /// Whatever Python cannot call, all of it together, at its spans.
    pub fn parse(attr: TokenStream, item: &syn::ItemFn) -> syn::Result<Self> {
        let mut errors = Errors::default();
        let attr = errors.ok(ExportAttr::of_function(attr));
        reject_form(item, &mut errors);
        let mut arguments: Vec<Argument> = item.sig.inputs.iter().filter_map(|input| errors.ok(argument(input)).flatten()).collect();
        let (output, is_result) = errors.ok(output(&item.sig.output)).unwrap_or((Type::Tuple(Vec::new()), false));
        let (mut module, mut raises, mut keep_gil) = (None, None, false);
        if let Some(attr) = attr {
            if let Some((at, entries)) = attr.signature
                && errors.count() == 0
            {
                errors.ok(sign(&mut arguments, entries, at));
            }
            match (is_result, &attr.raises) {
                (true, None) => errors.push(Source::of(&item.sig.output).error(
                    "an error cannot be without a Python exception; write `#[python_export(raises = ValueError)]`, because nothing else says which",
                )),
                (false, Some(name)) => {
                    errors.push(
                        Source::of(name).error("`raises` cannot stand on this function; remove it, because it returns no `Result`"),
                    );
                }
                _ => {}
            }
            (module, raises, keep_gil) = (attr.module, attr.raises, attr.keep_gil);
        }
        let name = item.sig.ident.clone();
        errors.finish(Self { item: item.clone(), name, docs: docs(&item.attrs), module, arguments, output, raises, keep_gil })
    }
}

/// Rejects what makes a function more or less than one plain function.
fn reject_form(item: &syn::ItemFn, errors: &mut Errors) {
    let sig = &item.sig;
    if let Some(attr) = item.attrs.iter().find(|a| a.path().segments.last().is_some_and(|s| s.ident == "kernel")) {
        errors.push(
            Source::of(attr).error("`#[kernel]` stands below `#[python_export]`; write it above, because a kernel reads what is exported"),
        );
    }
    if let Some(receiver) = sig.receiver() {
        errors
            .push(Source::of(receiver).error("a method cannot be exported; write a free function that takes the struct (`batch: &Batch`), because a macro on it does not see the `impl`"));
    }
    if let Some(token) = &sig.asyncness {
        errors.push(
            Source::of(token)
                .error("an `async` function cannot be exported; block on it in an ordinary one, because that runs without the GIL"),
        );
    }
    if let Some(token) = &sig.unsafety {
        errors.push(
            Source::of(token)
                .error("an `unsafe` function cannot be exported, because Python promises nothing; check its conditions in a safe one"),
        );
    }
    if let Some(abi) = &sig.abi {
        errors.push(Source::of(abi).error("a function for C cannot be exported; leave `extern` out, because Python calls a wrapper of it"));
    }
    if let Some(dots) = &sig.variadic {
        errors.push(
            Source::of(dots).error("a variable number of arguments cannot be exported; take a `Vec`, because Rust has them for C alone"),
        );
    }
    for param in &sig.generics.params {
        errors.push(Source::of(param).error(match param {
            syn::GenericParam::Lifetime(_) => {
                "a lifetime cannot be declared at the border; leave it out, because what comes from Python is borrowed for the call"
            }
            syn::GenericParam::Type(_) => {
                "a generic function cannot be exported, because Python calls compiled code; name the type, or write a `#[kernel]`, which is built for several dtypes"
            }
            syn::GenericParam::Const(_) => "a const generic cannot be exported, because Python calls compiled code; make it an argument",
        }));
    }
    if let (Some(clause), true) = (&sig.generics.where_clause, sig.generics.params.is_empty()) {
        errors
            .push(Source::of(clause).error("a `where` clause cannot be exported; remove it, because the function has no type parameters"));
    }
}

/// `None` for `self`, which is rejected elsewhere.
fn argument(input: &syn::FnArg) -> syn::Result<Option<Argument>> {
    let syn::FnArg::Typed(input) = input else { return Ok(None) };
    match &*input.pat {
        syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            let ty = Type::parse(&input.ty, Place::Argument)?;
            if ty == Type::Tuple(Vec::new()) {
                return Err(Source::of(&input.ty).error("an empty tuple cannot be an argument; remove it, because it carries nothing"));
            }
            Ok(Some(Argument { name: pat.ident.clone(), ty, kind: Kind::Either, default: None }))
        }
        pat => Err(Source::of(pat).error("an argument for Python cannot be a pattern; name it, and take it apart in the body (`let (a, b) = pair;`), because Python calls it by its name")),
    }
}

/// The type of the value, and whether it comes in a `Result`.
fn output(output: &syn::ReturnType) -> syn::Result<(Type, bool)> {
    let syn::ReturnType::Type(_, ty) = output else { return Ok((Type::Tuple(Vec::new()), false)) };
    if let syn::Type::Path(path) = &**ty
        && let Some(last) = path.path.segments.last()
        && last.ident == "Result"
        && let syn::PathArguments::AngleBracketed(list) = &last.arguments
        && let Some(syn::GenericArgument::Type(value)) = list.args.first()
    {
        return Type::parse(value, Place::Result).map(|ty| (ty, true));
    }
    Type::parse(ty, Place::Result).map(|ty| (ty, false))
}

/// Gives arguments the kinds and defaults of `signature(..)`.
fn sign(arguments: &mut [Argument], entries: Vec<Entry>, at: proc_macro2::Span) -> syn::Result<()> {
    let mut rest = arguments.iter_mut();
    let (mut kind, mut optional, mut seen) = (Kind::Either, false, 0_usize);
    let mut slash = None;
    for entry in entries {
        match entry {
            Entry::Positional(span) if slash.is_none() && seen > 0 && kind == Kind::Either => slash = Some((seen, span)),
            Entry::Keyword(_) if kind == Kind::Either => kind = Kind::Keyword,
            Entry::Positional(span) | Entry::Keyword(span) => {
                return Err(syn::Error::new(
                    span,
                    "a signature cannot have `/` and `*` so; write one `/` behind an argument, and one `*` after it (`signature(a, /, b, *, c)`), because Python has them so",
                ));
            }
            Entry::Argument(name, default) => {
                let Some(argument) = rest.next().filter(|argument| argument.name == name) else {
                    return Err(
                        Source::of(&name).error("`signature` cannot list other arguments than the function, or in another order; list them as they are declared, because Rust passes them so")
                    );
                };
                argument.default = default.map(|value| DefaultValue::parse(value, &argument.ty)).transpose()?;
                argument.kind = kind;
                if optional && kind == Kind::Either && argument.default.is_none() {
                    return Err(Source::of(&name)
                        .error(format!("`{name}` needs a default value, because an argument before it has one; or move it behind a `*`")));
                }
                optional |= argument.default.is_some();
                seen += 1;
            }
        }
    }
    if let Some(left) = rest.next() {
        return Err(syn::Error::new(
            at,
            format!(
                "`signature` cannot lack the argument `{}`; list all of them in the function's order, because Rust passes them so",
                left.name
            ),
        ));
    }
    if let Some((count, _)) = slash {
        arguments.iter_mut().take(count).for_each(|argument| argument.kind = Kind::Positional);
    }
    Ok(())
}

impl DefaultValue {
    /// A default is a literal, so that the stub can say it too.
    fn parse(value: Box<syn::Expr>, ty: &Type) -> syn::Result<Self> {
        let (inner, takes_none) = match ty {
            Type::Optional(inner) => (&**inner, true),
            ty => (ty, false),
        };
        if takes_none && matches!(&*value, syn::Expr::Path(path) if path.path.is_ident("None")) {
            return Ok(Self::None);
        }
        let (literal, minus) = match &*value {
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => (&**expr, true),
            value => (value, false),
        };
        let syn::Expr::Lit(syn::ExprLit { lit, .. }) = literal else {
            return Err(Source::of(&value).error(
                "a default value cannot be this; write a literal (`0`, `1.5`, `true`, `\"text\"`) or, of an `Option`, `None`, because the stub says it too",
            ));
        };
        let sign = if minus { "-" } else { "" };
        let python = match (inner, lit) {
            (Type::Int(_), syn::Lit::Int(int)) => format!("{sign}{}", int.base10_digits()),
            (Type::Float(_), syn::Lit::Float(float)) => format!("{sign}{}", float.base10_digits()),
            (Type::Bool, syn::Lit::Bool(b)) if !minus => if b.value { "True" } else { "False" }.to_owned(),
            (Type::Text | Type::String, syn::Lit::Str(text)) if !minus && is_plain(&text.value()) => format!("\"{}\"", text.value()),
            (Type::Text | Type::String, syn::Lit::Str(_)) if !minus => {
                return Err(Source::of(&value).error("a default text has printable ASCII characters alone, without quotes and backslashes"));
            }
            _ => return Err(Source::of(&value).error(
                "this default value cannot be the argument's; write one of its type (`0`, `1.5`, `\"text\"`), because the stub says it too",
            )),
        };
        Ok(Self::Literal { value, python })
    }
}

fn is_plain(text: &str) -> bool {
    text.chars().all(|c| (' '..='~').contains(&c) && c != '"' && c != '\\')
}
