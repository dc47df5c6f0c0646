//! Structs: literals, types, and the text of a struct itself.

use super::body::Emit;
use super::code::Code;
use super::{Missing, Need, names};
use crate::dtype::Class;
use crate::error::Source;
use crate::model::{ConstGeneric, Function, Generic};
use crate::paths::Root;
use crate::tree::{Block, Member, StructLiteral, Type, Var};
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

impl Emit<'_> {
    /// `P { x: a, ..b }`: the fields by name, put in the struct's own order where the text is put together.
    pub(super) fn struct_literal(&mut self, literal: &StructLiteral) -> Result<Code, Missing> {
        let expected = self.expected.take().unwrap_or_else(|| "lc::any".to_owned());
        let codes = self.operands(literal.fields.iter().map(|(_, e)| e).chain(&literal.base))?;
        let mut fields: Vec<String> = vec![format!("R$=${expected}")];
        for (k, code) in codes.into_iter().enumerate() {
            match literal.fields.get(k) {
                Some((Member::Element(n), _)) => fields.push(format!("_{n}$=${}", code.text)),
                Some((Member::Named(name), _)) => fields.push(format!("{}$=${}", names::plain(name), code.text)),
                Some((Member::Payload, _)) => {}
                None => fields.push(format!("..$=${}", self.keep(&code, "base").text)),
            }
        }
        let mut path = literal.path.clone();
        if let Some(last) = path.segments.last_mut() {
            last.arguments = syn::PathArguments::None;
        }
        let item = Ident::new("__LANECRAFT_CUDA", Span::mixed_site());
        let item = self.seen(quote!(#path::#item));
        let k = self.need(Need::Struct(item));
        Ok(Code::atom(format!("$m{k}$$<${}$>$", fields.join("$,$"))))
    }

    /// Whether a type has a type parameter or a const generic of the function inside.
    pub(super) fn names_a_generic(&self, ty: &syn::Type) -> bool {
        let names: Vec<_> = self.function.generics.iter().map(|g| &g.name).chain(self.function.consts.iter().map(|c| &c.name)).collect();
        contains(ty.to_token_stream(), &names)
    }

    /// `P<T, 4>`
    pub(super) fn generic_struct(&mut self, ty: &syn::Type) -> Result<String, Missing> {
        let mut arguments = Vec::new();
        for argument in super::generics::arguments(ty) {
            arguments.push(self.generic_argument(argument, false)?);
        }
        let (substituted, value) = (self.substituted(ty.to_token_stream()), self.function.root.private("cuda"));
        let item = self.seen(quote!(<#substituted as #value::Value>::ITEM));
        let k = self.need(Need::Struct(item));
        Ok(format!("$s{k}$<{}>", arguments.join(", ")))
    }

    /// A type with a dtype that fits in the place of each type parameter: a struct's item is the same for all.
    fn substituted(&self, tokens: TokenStream) -> TokenStream {
        let replace = |t: TokenTree| match t {
            TokenTree::Ident(name) => {
                if let Some(g) = self.function.generics.iter().find(|g| g.name == name) {
                    let dtype = Ident::new(if g.has(Class::Float) { "f32" } else { "i32" }, Span::mixed_site());
                    quote!(::core::primitive::#dtype)
                } else if let Some(c) = self.function.consts.iter().find(|c| c.name == name) {
                    let one = Literal::u8_unsuffixed(1);
                    if c.dtype == crate::dtype::Dtype::Bool { quote!(true) } else { one.to_token_stream() }
                } else {
                    name.to_token_stream()
                }
            }
            TokenTree::Group(g) => Group::new(g.delimiter(), self.substituted(g.stream())).to_token_stream(),
            other => other.to_token_stream(),
        };
        tokens.into_iter().map(replace).collect()
    }

    /// An expression, among the constants and structs of the function's body that are in sight.
    pub(super) fn seen(&self, e: TokenStream) -> TokenStream {
        let local = &self.local;
        if local.is_empty() { e } else { quote!({ #(#local)* #e }) }
    }

    /// A type as the parser reads it.
    pub(super) fn parse_ty(&self, ty: &syn::Type) -> Result<Type, Missing> {
        let f = self.function;
        let scope = crate::parse::scope::Scope::new(&f.item.sig.ident, &f.generics);
        crate::parse::ty::parse(ty, &scope).map_err(|_| Missing::new("a type of this form"))
    }
}

fn contains(tokens: TokenStream, names: &[&Ident]) -> bool {
    tokens.into_iter().any(|t| match t {
        TokenTree::Ident(t) => names.iter().any(|n| **n == t),
        TokenTree::Group(g) => contains(g.stream(), names),
        _ => false,
    })
}

/// The struct's name and types in C++, and its constants: `impl Value for P<T>`. Nothing without the feature `cuda`.
pub fn items(item: &syn::ItemStruct, root: &Root) -> TokenStream {
    if !super::item::ENABLED {
        return TokenStream::new();
    }
    let private = |name: &str| {
        let (module, name) = (root.private("cuda"), Ident::new(name, Span::mixed_site()));
        quote!(#module::#name)
    };
    let (value, item_ty, kind, writer) = (private("Value"), private("Item"), private("Kind"), private("Writer"));
    let name = &item.ident;
    let mut generics = item.generics.clone();
    for param in generics.type_params_mut() {
        param.default = None;
        param.bounds.push(syn::parse_quote!(#value));
    }
    for param in &mut generics.params {
        if let syn::GenericParam::Const(c) = param {
            c.default = None;
        }
    }
    let (impl_generics, _, where_) = generics.split_for_impl();
    let (_, args, _) = item.generics.split_for_impl();
    let w = Ident::new("__lanecraft_w", Span::mixed_site());
    let members: Vec<syn::Member> = item.fields.members().collect();
    let names: Vec<String> = members
        .iter()
        .map(|m| match m {
            syn::Member::Named(name) => names::plain(name),
            syn::Member::Unnamed(k) => format!("_{}", k.index),
        })
        .collect();
    let built = text(item, root, &names);
    let (text, missing) = match &built {
        Ok(text) => (text.text.clone(), quote!(::core::option::Option::None)),
        Err(Missing(what)) => (String::new(), quote!(::core::option::Option::Some(#what))),
    };
    let (needs, types): (Vec<TokenStream>, Vec<TokenStream>) = match &built {
        Ok(text) => (
            text.needs.iter().map(|need| if let Need::Struct(e) = need { e.clone() } else { TokenStream::new() }).collect(),
            text.types.iter().map(|ty| quote!(<#ty as #value>::write_type)).collect(),
        ),
        Err(_) => (Vec::new(), Vec::new()),
    };
    let constants = match &built {
        Ok(text) => super::item::constants(&text.constants, root),
        Err(_) => TokenStream::new(),
    };
    let generic = !item.generics.params.is_empty();
    // The arguments of the type, behind its name.
    let written = item.generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => {
            let t = &t.ident;
            Some(quote!(<#t as #value>::write_type(#w);))
        }
        syn::GenericParam::Const(c) => {
            let c = &c.ident;
            Some(quote!(<_ as #value>::write(&#c, #w);))
        }
        syn::GenericParam::Lifetime(_) => None,
    });
    let written: Vec<TokenStream> = written.collect();
    let comma = quote!(#w.text.push_str(", "););
    let arguments = written.iter().enumerate().map(|(k, one)| if k == 0 { one.clone() } else { quote!(#comma #one) });
    let (open, close) = (generic.then(|| quote!(#w.text.push('<');)), generic.then(|| quote!(#w.text.push('>');)));
    let fields = members.iter().enumerate().map(|(k, m)| {
        let comma = (k > 0).then(|| comma.clone());
        quote!(#comma #value::write(&self.#m, #w);)
    });
    let text_name = super::super::lower::item::unraw(name);
    // The constant of one choice of arguments, which `P::__LANECRAFT_CUDA` finds without their being written.
    let some = item.generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Type(t) => {
            let bounds = t.bounds.to_token_stream().to_string() + &where_.to_token_stream().to_string();
            let dtype = Ident::new(if bounds.contains("Int") || bounds.contains("Logic") { "i32" } else { "f32" }, Span::mixed_site());
            Some(quote!(::core::primitive::#dtype))
        }
        syn::GenericParam::Const(c) => Some(if c.ty.to_token_stream().to_string() == "bool" { quote!(true) } else { quote!(1) }),
        syn::GenericParam::Lifetime(_) => None,
    });
    let some: Vec<TokenStream> = some.collect();
    let some = generic.then(|| quote!(<#(#some),*>));
    let constant = Ident::new("__LANECRAFT_CUDA", Span::mixed_site());
    super::item::only(
        root,
        quote! {
            #[automatically_derived]
            impl #impl_generics #value for #name #args #where_ {
                const ITEM: &'static #item_ty = &#item_ty {
                    name: #text_name,
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: ::core::line!(),
                    docs: "",
                    kind: #kind::Struct { generic: #generic, fields: &[#(#names),*] },
                    text: #text,
                    missing: #missing,
                    needs: &[#(#needs),*],
                    constants: &[#constants],
                    types: &[#(#types),*],
                };
                fn write_type(#w: &mut #writer<'_>) {
                    #w.item(Self::ITEM);
                    #open
                    #(#arguments)*
                    #close
                }
                fn write(&self, #w: &mut #writer<'_>) {
                    Self::write_type(#w);
                    #w.text.push('{');
                    #(#fields)*
                    #w.text.push('}');
                }
            }
            #[automatically_derived]
            #[allow(dead_code)]
            impl #name #some {
                #[doc(hidden)]
                pub const #constant: &'static #item_ty = <Self as #value>::ITEM;
            }
        },
    )
}

/// The text of a struct: emitted as that of a function whose arguments are its fields and which gives the struct.
fn text(item: &syn::ItemStruct, root: &Root, names: &[String]) -> Result<super::Text, Missing> {
    let name = &item.ident;
    let params = &item.generics.params;
    let source = Source::of(name);
    let (_, args, _) = item.generics.split_for_impl();
    let generics = item.generics.type_params().map(|t| Generic { name: t.ident.clone(), classes: Vec::new(), dtypes: None, source });
    let generics: Vec<Generic> = generics.collect();
    let consts = item.generics.const_params().filter_map(|c| {
        let dtype = crate::parse::parameter::const_dtype(c).ok()?;
        Some(ConstGeneric { name: c.ident.clone(), dtype })
    });
    let consts: Vec<ConstGeneric> = consts.collect();
    let scope = crate::parse::scope::Scope::new(name, &generics);
    let types = item.fields.iter().map(|f| crate::parse::ty::parse(&f.ty, &scope).map_err(|_| Missing::new("a field of this type")));
    let types: Vec<Type> = types.collect::<Result<_, _>>()?;
    let vars = names.iter().map(|_| Var { name: name.clone(), mutable: None }).collect();
    let mut plain = params.clone();
    for p in &mut plain {
        match p {
            syn::GenericParam::Type(t) => t.default = None,
            syn::GenericParam::Const(c) => c.default = None,
            syn::GenericParam::Lifetime(_) => {}
        }
    }
    let f = Function {
        item: syn::parse_quote!(fn #name<#plain>() {}),
        root: root.clone(),
        generics,
        consts,
        args: types.iter().cloned().enumerate().collect(),
        parameters: Vec::new(),
        output: Type::Named(Box::new(syn::parse_quote!(#name #args))),
        vars,
        body: Block { stmts: Vec::new(), value: None, source },
        types: crate::check::Types::default(),
        fast_math: false,
        lanes: None,
    };
    let mut emit = Emit::new(&f);
    let mut fields = Vec::new();
    for (ty, name) in types.iter().zip(names) {
        fields.push(format!("{} {name};", emit.known_ty(ty, "a field")?));
    }
    if let Some(header) = emit.template() {
        emit.lines.push(header);
    }
    emit.lines.open("struct $n$ {");
    fields.iter().for_each(|field| emit.lines.push(field));
    emit.lines.close("};");
    if emit.template().is_some() {
        emit.maker()?;
    }
    Ok(emit.into_text())
}
