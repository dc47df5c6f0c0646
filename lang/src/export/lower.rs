//! The wrappers for Python, which feature `python` compiles.
//!
//! They are short: PyO3 makes the callable and the class, and `lanecraft::__python` has a holder for each type that comes from
//! Python, which keeps what the user's function borrows.

use super::function::{Argument, DefaultValue, ExportedFunction, Kind};
use super::structure::{ExportedStruct, Field};
use super::ty::{Access, Array, Type};
use crate::dtype::Dtype;
use crate::lower::item::unraw;
use crate::overrides::Published;
use crate::parse::attr::cfgs;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// What is submitted to the module beside the function.
pub(super) fn function(f: &ExportedFunction) -> TokenStream {
    let docs = &f.docs;
    let Published { module, name: text, is_listed } = Published::of(f.module.as_deref(), &unraw(&f.name));
    if !is_listed {
        return TokenStream::new();
    }
    let (signature, text_signature) = signatures(&f.arguments);
    let arguments = f.arguments.iter().map(|a| unraw(&a.name));
    let cfgs = cfgs(&f.item.attrs);
    let [py, function] = ["__lanecraft_py", "__lanecraft_function"].map(|name| Ident::new(name, Span::mixed_site()));
    let held: Vec<Ident> = (0..f.arguments.len()).map(|k| format_ident!("__lanecraft_{k}", span = Span::mixed_site())).collect();
    let parameters = f.arguments.iter().map(|a| {
        let name = &a.name;
        if a.default.is_some() { quote!(#name: __python::Given<'py>) } else { quote!(#name: &__python::Bound<'py, __python::PyAny>) }
    });
    let holds = f.arguments.iter().zip(&held).zip(f.item.sig.inputs.iter()).map(|((a, held), input)| hold(a, held, input));
    // An argument may have the name of the function: it is called where no argument is in scope.
    let call = call(f, &held);
    let result = match &f.raises {
        None => quote!(::core::result::Result::Ok(__lanecraft_call(#(#held),*))),
        Some(exception) => {
            let exception = format_ident!("Py{exception}");
            quote!(__python::raise::<__python::exceptions::#exception, _, _>(FUNCTION, __lanecraft_call(#(#held),*)))
        }
    };
    let run = if f.keep_gil { quote!(run_attached) } else { quote!(run) };
    quote! {
        #(#cfgs)*
        ::lanecraft::__export! {
            #[allow(missing_debug_implementations, clippy::too_many_arguments)]
            const _: () = {
                use ::lanecraft::__python;
                const FUNCTION: &::core::primitive::str = #text;
                #call
                #[__python::pyfunction]
                #[pyo3(crate = "::lanecraft::pyo3", name = #text, signature = (#signature), text_signature = #text_signature)]
                #[doc = #docs]
                fn #function<'py>(#py: __python::Python<'py> #(, #parameters)*) -> __python::PyResult<__python::Bound<'py, __python::PyAny>> {
                    #(#holds)*
                    #(let #held = __python::Holder::get(&mut #held);)*
                    __python::#run(#py, FUNCTION, move || #result)
                }
                __python::inventory::submit! {
                    __python::Export {
                        info: __python::ExportInfo::Function(&__python::FunctionInfo {
                            arguments: &[#(#arguments),*],
                            make: |module| ::lanecraft::pyo3::wrap_pyfunction!(#function, module),
                        }),
                        name: #text,
                        path: ::core::module_path!(),
                        submodule: #module,
                    }
                }
            };
        }
    }
}

/// The function's own signature, as an item that calls it.
fn call(f: &ExportedFunction, held: &[Ident]) -> TokenStream {
    let (name, output) = (&f.name, &f.item.sig.output);
    let types = f.item.sig.inputs.iter().filter_map(typed).map(|arg| &arg.ty);
    quote! {
        #[inline(always)]
        fn __lanecraft_call(#(#held: #types),*) #output {
            #name(#(#held),*)
        }
    }
}

fn typed(input: &syn::FnArg) -> Option<&syn::PatType> {
    match input {
        syn::FnArg::Typed(arg) => Some(arg),
        syn::FnArg::Receiver(_) => None,
    }
}

/// For PyO3, which takes each default from a holder, and for `help()`.
fn signatures(arguments: &[Argument]) -> (TokenStream, String) {
    let (mut tokens, mut texts) = (Vec::new(), Vec::new());
    for (k, argument) in arguments.iter().enumerate() {
        if argument.kind == Kind::Keyword && arguments.get(k.wrapping_sub(1)).is_none_or(|before| before.kind != Kind::Keyword) {
            tokens.push(quote!(*));
            texts.push("*".to_owned());
        }
        let (name, text) = (&argument.name, unraw(&argument.name));
        match &argument.default {
            None => {
                tokens.push(quote!(#name));
                texts.push(text);
            }
            Some(default) => {
                tokens.push(quote!(#name = __python::Given::missing()));
                texts.push(format!("{text}={}", default.python()));
            }
        }
        if argument.kind == Kind::Positional && arguments.get(k + 1).is_none_or(|after| after.kind != Kind::Positional) {
            tokens.push(quote!(/));
            texts.push("/".to_owned());
        }
    }
    (quote!(#(#tokens),*), format!("({})", texts.join(", ")))
}

/// `let mut held = ..;`: what an argument borrows from, or its value.
fn hold(argument: &Argument, held: &Ident, input: &syn::FnArg) -> TokenStream {
    let (name, text) = (&argument.name, unraw(&argument.name));
    let Some(written) = typed(input) else { return TokenStream::new() };
    let holder = holder(&argument.ty, &written.ty);
    match &argument.default {
        None => quote!(let mut #held: #holder = __python::hold(FUNCTION, #text, #name)?;),
        Some(default) => {
            let value = match default {
                DefaultValue::None => quote!(::core::option::Option::None),
                DefaultValue::Literal { value, .. } => literal(value, &argument.ty),
            };
            quote!(let mut #held: #holder = __python::hold_or(FUNCTION, #text, #name, || #value)?;)
        }
    }
}

/// A default value as its holder takes it.
fn literal(value: &syn::Expr, ty: &Type) -> TokenStream {
    match ty {
        Type::Optional(inner) => {
            let value = literal(value, inner);
            quote!(::core::option::Option::Some(#value))
        }
        Type::String => quote!(::std::string::String::from(#value)),
        Type::Float(name) if name == "f16" || name == "bf16" => {
            let name = Ident::new(&name.to_string(), Span::mixed_site());
            quote!(<::lanecraft::#name as __python::Narrow>::rounded(#value))
        }
        _ => value.to_token_stream(),
    }
}

/// What keeps an argument of this type. `written`: the type as the user wrote it.
fn holder(ty: &Type, written: &syn::Type) -> TokenStream {
    match ty {
        Type::Text => quote!(__python::Text<'_>),
        Type::Bytes => quote!(__python::Bytes<'_>),
        Type::Array(Array { element, is_slice: true, access, .. }) => {
            let (holder, element) = (if *access == Access::Write { quote!(SliceMut) } else { quote!(Slice) }, element_type(*element));
            quote!(__python::#holder<'_, #element>)
        }
        Type::Array(Array { element, rank, access, .. }) => {
            let holder = if *access == Access::Write { quote!(ArrayMut) } else { quote!(ArrayRef) };
            let (element, dimension) = (element_type(*element), format_ident!("Ix{rank}"));
            quote!(__python::#holder<'_, #element, __python::#dimension>)
        }
        Type::Struct(name, Access::Write) => quote!(__python::StructMut<'_, #name>),
        Type::Struct(name, Access::Read) => quote!(__python::StructRef<'_, #name>),
        Type::Optional(inner) => {
            let inner = holder(inner, argument_of(written));
            quote!(::core::option::Option<#inner>)
        }
        _ => quote!(__python::Owned<#written>),
    }
}

/// `T` of `Option<T>`.
fn argument_of(ty: &syn::Type) -> &syn::Type {
    if let syn::Type::Path(path) = ty
        && let Some(last) = path.path.segments.last()
        && let syn::PathArguments::AngleBracketed(list) = &last.arguments
        && let Some(syn::GenericArgument::Type(inner)) = list.args.first()
    {
        return inner;
    }
    ty
}

/// The Rust type of an array's elements.
fn element_type(element: Dtype) -> TokenStream {
    let name = Ident::new(element.name(), Span::mixed_site());
    if element.is_storage() { quote!(::lanecraft::#name) } else { quote!(::core::primitive::#name) }
}

/// The class of a struct.
pub(super) fn structure(s: &ExportedStruct, crate_name: &str) -> TokenStream {
    let (name, vis, docs) = (&s.name, &s.item.vis, &s.docs);
    let Published { module, name: text, is_listed } = Published::of(s.module.as_deref(), &unraw(name));
    let cfgs = cfgs(&s.item.attrs);
    // For Python's own messages; `__module__` is set when the class goes into its module.
    let place = if module.is_empty() { crate_name.to_owned() } else { format!("{crate_name}.{module}") };
    let arrays: Vec<&Field> = s.fields.iter().filter(|field| field.is_array()).collect();
    let buffers: Vec<&Field> = arrays.iter().copied().filter(|field| field.is_buffer()).collect();
    let (array_names, buffer_names) = (names(&arrays), names(&buffers));
    let arms = |fields: &[&Field], borrow: TokenStream| -> Vec<TokenStream> {
        let arm = |(k, field): (usize, &&Field)| {
            let (k, name) = (Literal::usize_unsuffixed(k), &field.name);
            quote!(#k => #borrow self.#name,)
        };
        fields.iter().enumerate().map(arm).collect()
    };
    let (reads, writes, takes) = (arms(&arrays, quote!(&)), arms(&arrays, quote!(&mut)), arms(&buffers, quote!(&mut)));
    let fields = names(&s.fields.iter().collect::<Vec<_>>());
    let constructor = s.is_open.then(|| constructor(s, &text));
    let properties = s.fields.iter().filter(|field| !field.is_array()).map(property);
    let as_tensor = (!arrays.is_empty()).then(as_tensor);
    let take = (!buffers.is_empty()).then(take);
    let submission = is_listed.then(|| {
        quote! {
            __python::inventory::submit! {
                __python::Export {
                    info: __python::ExportInfo::Struct(&__python::StructInfo {
                        fields: &[#(#fields),*],
                        make: |py| <Class as __python::PyTypeInfo>::type_object(py),
                    }),
                    name: #text,
                    path: ::core::module_path!(),
                    submodule: #module,
                }
            }
        }
    });
    quote! {
        #(#cfgs)*
        ::lanecraft::__export! {
            #[allow(missing_debug_implementations, clippy::too_many_arguments)]
            const _: () = {
                use ::lanecraft::__python;
                #[__python::pyclass(frozen, weakref, crate = "::lanecraft::pyo3", module = #place, name = #text)]
                #[doc = #docs]
                #vis struct Class(__python::Cell<#name>);

                #[__python::pymethods]
                #[pyo3(crate = "::lanecraft::pyo3")]
                impl Class {
                    #constructor
                    #(#properties)*
                    #as_tensor
                    #take
                }

                impl __python::Structure for #name {
                    type Class = Class;
                    const NAME: &'static ::core::primitive::str = #text;
                    const ARRAYS: &'static [&'static ::core::primitive::str] = &[#(#array_names),*];
                    const BUFFERS: &'static [&'static ::core::primitive::str] = &[#(#buffer_names),*];
                    fn cell(class: &Class) -> &__python::Cell<Self> {
                        &class.0
                    }
                    fn class(self) -> Class {
                        Class(__python::Cell::new(self))
                    }
                    fn array(&self, at: ::core::primitive::usize) -> &dyn __python::Tensor {
                        match at { #(#reads)* _ => __python::no_field() }
                    }
                    fn array_mut(&mut self, at: ::core::primitive::usize) -> &mut dyn __python::Tensor {
                        match at { #(#writes)* _ => __python::no_field() }
                    }
                    fn buffer(&mut self, at: ::core::primitive::usize) -> &mut dyn __python::Buffer {
                        match at { #(#takes)* _ => __python::no_field() }
                    }
                }

                impl __python::IntoPython for #name {
                    fn into_python(self, py: __python::Python<'_>) -> __python::PyResult<__python::Bound<'_, __python::PyAny>> {
                        ::core::result::Result::Ok(__python::Bound::new(py, __python::Structure::class(self))?.into_any())
                    }
                }

                #submission
            };
        }
    }
}

fn names(fields: &[&Field]) -> Vec<String> {
    fields.iter().map(|field| unraw(&field.name)).collect()
}

/// `Batch(mass, positions)`: a value from all fields, arrays copied.
fn constructor(s: &ExportedStruct, text: &str) -> TokenStream {
    let name = &s.name;
    let fields: Vec<&Ident> = s.fields.iter().map(|field| &field.name).collect();
    let texts = s.fields.iter().map(|field| unraw(&field.name));
    let types = s.fields.iter().map(|field| field.written.to_token_stream());
    let readers = s.fields.iter().map(|field| if field.is_array() { quote!(__python::copied) } else { quote!(__python::value) });
    let signature = s.fields.iter().map(|field| unraw(&field.name)).collect::<Vec<_>>().join(", ");
    let text_signature = format!("({signature})");
    quote! {
        #[new]
        #[pyo3(signature = (#(#fields),*), text_signature = #text_signature)]
        fn __lanecraft_new(#(#fields: &__python::Bound<'_, __python::PyAny>),*) -> __python::PyResult<Self> {
            let value = #name { #(#fields: #readers::<#types>(#text, #texts, #fields)?),* };
            ::core::result::Result::Ok(__python::Structure::class(value))
        }
    }
}

/// A property that is copied out and in.
fn property(field: &Field) -> TokenStream {
    let (name, text, written, docs) = (&field.name, unraw(&field.name), &field.written, &field.docs);
    let (getter, setter) = (format_ident!("__lanecraft_get_{}", text), format_ident!("__lanecraft_set_{}", text));
    quote! {
        #[getter(#name)]
        #[doc = #docs]
        fn #getter<'py>(&self, py: __python::Python<'py>) -> __python::PyResult<__python::Bound<'py, __python::PyAny>> {
            self.0.read_field(py, #text, |value| ::core::clone::Clone::clone(&value.#name))
        }
        #[setter(#name)]
        fn #setter(&self, value: &__python::Bound<'_, __python::PyAny>) -> __python::PyResult<()> {
            self.0.write_field::<#written>(#text, value, |to, value| to.#name = value)
        }
    }
}

fn as_tensor() -> TokenStream {
    quote! {
        /// An array field as a NumPy array over the same memory.
        ///
        /// It is read-only, and there may be several. With `writable=True` it is the only one: while it lives, nothing else
        /// can use the object.
        #[pyo3(signature = (field, /, *, writable = ::core::option::Option::None), text_signature = "($self, field, /, *, writable=False)")]
        fn as_tensor<'py>(
            this: &__python::Bound<'py, Self>,
            field: &__python::Bound<'py, __python::PyAny>,
            writable: ::core::option::Option<&__python::Bound<'py, __python::PyAny>>,
        ) -> __python::PyResult<__python::Bound<'py, __python::PyAny>> {
            __python::as_tensor(&this.get().0, this.as_any(), field, writable)
        }
    }
}

fn take() -> TokenStream {
    quote! {
        /// Moves an array out of the object: the NumPy array owns its elements, which are not copied. The object cannot be
        /// used as a whole after that.
        #[pyo3(signature = (field, /))]
        fn take<'py>(&self, field: &__python::Bound<'py, __python::PyAny>) -> __python::PyResult<__python::Bound<'py, __python::PyAny>> {
            __python::take(&self.0, field)
        }
    }
}
