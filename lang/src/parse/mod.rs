//! From syn to the tree. Files follow the syntax: [`attr`], [`signature`], [`block`], [`expr`], [`pat`], [`ty`].

pub mod attr;
pub mod block;
pub mod closure;
mod cover;
pub mod export;
pub mod expr;
pub mod flow;
pub mod matching;
pub mod parameter;
pub mod pat;
pub mod scope;
pub mod signature;
pub mod structure;
pub mod ty;

use crate::check;
use crate::dtype::Dtype;
use crate::error::{Errors, Source, list};
use crate::model::{Function, Helper, Kernel, Operand, Ty, TypeParam};
use crate::tree::Type;
use proc_macro2::TokenStream;

/// Parses and checks `#[kernel(attr)] item`.
pub fn kernel(attr: attr::KernelAttr, item: &syn::ItemFn) -> syn::Result<Kernel> {
    let mut errors = Errors::default();
    let mut item = item.clone();
    let export = errors.ok(export::take(&mut item)).flatten();
    let mut generics = signature::generics(&item.sig, &mut errors);
    attr.assign_dtypes(&mut generics, &item.sig, &mut errors);
    if let Some(dim) = attr.nonempty.first() {
        errors.push(syn::Error::new(
            dim.span(),
            "`nonempty` cannot be given to a map kernel; remove it, or give the kernel a signature (`signature = \"(n)->()\"`), because a map kernel sees one element",
        ));
    }
    let attr_variants = attr.variants.unwrap_or(parameter::MAX_VARIANTS);
    let (gang, fast_math) = (attr.gang, attr.fast_math);
    let mut function = function(item, attr.root(), generics, Form::Map, &mut errors)?;
    function.fast_math = fast_math;

    let on_arguments = function.parameters.iter().filter(|p| p.var.is_some()).count();
    if function.args.len() == on_arguments {
        let message = "a map kernel cannot be without operands; give it one (`x: T`), because its result has their shape";
        errors.push(Source::of(&function.item.sig.ident).error(message));
    }
    let is_parameter = |var: usize| function.parameters.iter().any(|p| p.var == Some(var));
    let operands = function.args.iter().zip(&function.item.sig.inputs).filter(|((var, _), _)| !is_parameter(*var));
    let operands = operands.filter_map(|((var, ty), arg)| {
        let name = function.vars.get(*var)?.name.clone();
        Some(Operand { name, ty: errors.ok(operand_type(ty, Source::of(arg), "an operand"))? })
    });
    let operands: Vec<Operand> = operands.collect();
    let output = Source::of(&function.item.sig.output);
    let results = match &function.output {
        Type::Tuple(items) if items.is_empty() => {
            let message = "a map kernel cannot be without a result; return a value (`-> T`) or a tuple of values (`-> (T, T)`), because it would have no effect";
            errors.push(Source::of(&function.item.sig.ident).error(message));
            Vec::new()
        }
        Type::Tuple(items) => items.iter().filter_map(|ty| errors.ok(operand_type(ty, output, "a result"))).collect(),
        ty => errors.ok(operand_type(ty, output, "a result")).into_iter().collect(),
    };
    if operands.len() > 8 || results.len() > 8 {
        let message = format!(
            "a kernel cannot have {} operands and {} results; split it in two, because 8 of each is the limit",
            operands.len(),
            results.len()
        );
        errors.push(Source::of(&function.item.sig.ident).error(message));
    }
    let used = |k: usize| operands.iter().any(|o| o.ty == Ty::Param(k));
    for (k, generic) in function.generics.iter().enumerate().filter(|(k, _)| !used(*k)) {
        let _ = k;
        let name = &generic.name;
        let message = format!(
            "type parameter `{name}` cannot be without an operand of its type; use it in an operand (`x: {name}`), because the dtype is found from the operands"
        );
        errors.push(generic.source.error(message));
    }
    let type_params: Vec<TypeParam> =
        function.generics.iter().map(|g| TypeParam { name: g.name.clone(), dtypes: g.dtypes.clone().unwrap_or_default() }).collect();
    let variants = cross_product(&type_params);
    let choices = parameter::choices(&function.parameters);
    if let Err(e) = parameter::check_count(variants.len() * choices.len(), attr_variants, &function.item.sig.ident) {
        errors.push(e);
    }
    let kernel = Kernel {
        name: function.item.sig.ident.clone(),
        docs: attr::docs(&function.item.attrs),
        type_params,
        operands,
        results,
        variants,
        parameters: function.parameters.clone(),
        choices,
        gang,
        export,
        function,
    };
    errors.ok(export::check_reduction(&kernel));
    errors.finish(kernel)
}

/// Parses and checks `#[always_inline(attr)] item`.
pub fn helper(attr: TokenStream, item: &syn::ItemFn) -> syn::Result<Helper> {
    let root = attr::helper(attr)?;
    let mut errors = Errors::default();
    let generics = signature::generics(&item.sig, &mut errors);
    let function = function(item.clone(), root, generics, Form::Helper, &mut errors)?;
    errors.finish(Helper { function })
}

/// What a function of the kernel language is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A map kernel.
    Map,
    /// A block kernel.
    Block,
    /// A function that kernels call.
    Helper,
}

/// The part that kernels and helpers share. Errors so far and its own are in the `Err`.
pub fn function(
    mut item: syn::ItemFn,
    root: crate::paths::Root,
    generics: Vec<crate::model::Generic>,
    form: Form,
    errors: &mut Errors,
) -> syn::Result<Function> {
    signature::reject_qualifiers(&item.sig, errors);
    attr::reject_misplaced(&item, errors);
    let mut scope = scope::Scope::new(&item.sig.ident, &generics);
    if form == Form::Block {
        scope = scope.block();
    }
    let is_kernel = form != Form::Helper;
    let (consts, const_parameters) = signature::consts(&mut item.sig, is_kernel, &mut scope, errors);
    let args = signature::args(&mut item.sig, is_kernel, &mut scope, errors);
    let output = signature::output(&item.sig, &scope, errors);
    let body = errors.ok(block::body(&item.block, &mut scope));
    if let (Some(body), Some(args), Some(output)) = (body, args, output) {
        let vars = scope.into_vars();
        let (args, parameters): (Vec<_>, Vec<_>) = args.into_iter().unzip();
        let parameters = const_parameters.into_iter().chain(parameters.into_iter().flatten()).collect();
        let types = check::Types::default();
        let mut function =
            Function { item, root, generics, consts, args, parameters, output, vars, body, types, fast_math: false, lanes: None };
        if let Some(types) = errors.ok(check::function(&function)) {
            function.types = types;
            if form != Form::Block {
                crate::hoist::exits(&mut function);
            } else if let Some(source) = crate::hoist::first(&function) {
                errors.push(source.error(
                    "`continue` and `return` cannot stand in the middle of an expression of a block kernel; make it a statement of its own (`if c { continue; }`), because lanes that go on need the rest",
                ));
            }
        }
        if form == Form::Block {
            crate::block::tiles::rewrite(&mut function);
            function.lanes = crate::block::analyze::function(&function, errors);
        }
        return core::mem::take(errors).finish(function);
    }
    Err(core::mem::take(errors).finish(()).err().unwrap_or_else(|| Source::of(&item.sig.ident).error("this function cannot be understood")))
}

/// The dtype of an operand or a result.
pub fn operand_type(ty: &Type, source: Source, what: &str) -> syn::Result<Ty> {
    match ty {
        Type::Dtype(d) => Ok(Ty::Dtype(*d)),
        Type::Param(k) => Ok(Ty::Param(*k)),
        Type::Tuple(_) | Type::Array(..) | Type::Option(_) | Type::Named(_) | Type::View(_) | Type::Infer => {
            let accepted = list(Dtype::ALL);
            Err(source.error(format!("{what} of a kernel cannot be of this type; use a type parameter or a dtype (`x: f32`), because arrays hold {accepted} alone")))
        }
    }
}

/// Every choice of one dtype per type parameter; the last parameter changes fastest.
pub fn cross_product(params: &[TypeParam]) -> Vec<Vec<Dtype>> {
    params.iter().fold(vec![Vec::new()], |choices, param| {
        let extend = |choice: &Vec<Dtype>, d: &Dtype| choice.iter().copied().chain([*d]).collect();
        choices.iter().flat_map(|choice| param.dtypes.iter().map(move |d| extend(choice, d))).collect()
    })
}
