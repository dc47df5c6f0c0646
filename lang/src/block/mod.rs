//! Block kernels: functions of whole arrays, around loops over lanes.
//!
//! - [`signature`]: NumPy's gufunc signature;
//! - [`parse`]: what their bodies have beside a map kernel's: views, elements, `lanes`;
//! - [`analyze`]: that the iterations of each loop over lanes are independent, and what it reduces;
//! - [`tiles`]: arrays of the kernel's own that the lanes share;
//! - [`affine`]: indices that move evenly from lane to lane;
//! - `independence`: that iterations write elements of their own;
//! - `lower`: loops over lanes, elements; `places`: where elements lie, and the checks in front of loops; `flat`: rows as one; `count`: those
//!   that count bytes; `steps`: what `step_by` says;
//! - [`coverage`]: that every element of an output is written;
//! - `wide`: whether several threads can work on one item;
//! - [`item`]: the items that make a block kernel callable.

pub mod affine;
pub mod analyze;
mod count;
pub mod coverage;
mod flat;
mod independence;
pub mod item;
pub(crate) mod lower;
pub(crate) use steps::LaneFrame;
pub mod parse;
mod places;
pub mod signature;
mod steps;
pub mod tiles;
mod wide;

use crate::dtype::Dtype;
use crate::error::{Errors, Source};
use crate::model::{Export, Function, Parameter, Ty, TypeParam};
use crate::parse::attr::{self, KernelAttr};
use crate::parse::{Form, cross_product, function, operand_type, parameter};
use crate::tree::{Type, VarId};
use proc_macro2::Ident;
use signature::Signature;

/// A block kernel.
#[derive(Debug)]
pub struct BlockKernel {
    /// The function.
    pub function: Function,
    /// Its name.
    pub name: Ident,
    /// Its doc comment, one line per line.
    pub docs: String,
    /// Its type parameters with the dtypes they range over.
    pub type_params: Vec<TypeParam>,
    /// Its signature.
    pub signature: Signature,
    /// What it reads, in the signature's order.
    pub inputs: Vec<BlockOperand>,
    /// What it writes, in the signature's order; what it returns comes last.
    pub outputs: Vec<BlockOperand>,
    /// The choices of dtypes it is built for.
    pub variants: Vec<Vec<Dtype>>,
    /// Its compile-time parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The choices of parameter values it is built for: for each parameter, the index of a value. One empty choice without parameters.
    pub choices: Vec<Vec<Option<usize>>>,
    /// Where it is exported to, if `#[python_export]` stands on it.
    pub export: Option<Export>,
}

/// An operand of a block kernel.
#[derive(Clone, Debug)]
pub struct BlockOperand {
    /// Its name; of what is returned, none.
    pub name: Option<Ident>,
    /// Its variable.
    pub var: Option<VarId>,
    /// Its dtype.
    pub ty: Ty,
    /// How many axes it has.
    pub rank: usize,
}

/// Parses and checks a block kernel.
///
/// # Errors
/// Whatever the kernel language does not allow, at its spans.
pub fn kernel(attr: KernelAttr, item: &syn::ItemFn) -> syn::Result<BlockKernel> {
    let mut errors = Errors::default();
    let mut item = item.clone();
    let export = errors.ok(crate::parse::export::take(&mut item)).flatten();
    if let Some((source, _)) = export.as_ref().and_then(|export| export.reduction.as_ref()) {
        errors.push(source.error(
            "nothing can be said of reductions by a block kernel; remove it, because NumPy reduces by elementwise functions (a kernel without `signature`)",
        ));
    }
    let mut generics = crate::parse::signature::generics(&item.sig, &mut errors);
    attr.assign_dtypes(&mut generics, &item.sig, &mut errors);
    let mut signature = attr.signature.as_ref().and_then(|text| errors.ok(Signature::parse(text)));
    for name in &attr.nonempty {
        let Some(signature) = &mut signature else { continue };
        match signature.dims.iter_mut().find(|d| *name == d.name) {
            Some(dim) => dim.nonempty = true,
            None => {
                let known = crate::error::list(signature.dims.iter().map(|d| &d.name));
                errors.push(syn::Error::new(
                    name.span(),
                    format!(
                        "`{name}` cannot be a dimension here; name one of {known}, because signature `{}` has no other",
                        signature.text
                    ),
                ));
            }
        }
    }
    let function = function(item, attr.root(), generics, Form::Block, &mut errors)?;
    if attr.gang != 16 {
        errors.push(
            Source::of(&function.item.sig.ident)
                .error("`gang` cannot be given to a block kernel; remove it, because its loops take four gangs at a time already"),
        );
    }
    if attr.fast_math {
        errors.push(
            Source::of(&function.item.sig.ident).error(
                "`fast_math` cannot be given to a block kernel yet; remove it, because its reductions have one order on every level",
            ),
        );
    }
    for p in function.parameters.iter().filter(|p| p.run_time) {
        let (name, ty) = (&p.name, p.dtype.filter(|d| *d != Dtype::U64).map_or("usize", Dtype::name));
        errors.push(Source::of(name).error(format!(
            "parameter `{name}` of a block kernel cannot have a run-time variant; remove `..`, or take the value as an operand (`{name}: {ty}`, `()` in the signature), because an operand that is a value is the same for all lanes already"
        )));
    }

    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    let is_parameter = |var: VarId| function.parameters.iter().any(|p| p.var == Some(var));
    for ((var, ty), arg) in function.args.iter().zip(&function.item.sig.inputs).filter(|((var, _), _)| !is_parameter(*var)) {
        let name = function.vars.get(*var).map(|v| v.name.clone());
        let (element, rank, mutable) = match ty {
            Type::View(view) => (&view.element, view.rank, view.mutable),
            ty => (ty, 0, false),
        };
        let Some(ty) = errors.ok(operand_type(element, Source::of(arg), "an operand")) else { continue };
        let operand = BlockOperand { name, var: Some(*var), ty, rank };
        if mutable { outputs.push(operand) } else { inputs.push(operand) }
    }
    let at = Source::of(&function.item.sig.output);
    let returned: &[Type] = match &function.output {
        Type::Tuple(items) => items,
        one => core::slice::from_ref(one),
    };
    for ty in returned {
        let Some(ty) = errors.ok(operand_type(ty, at, "a result")) else { continue };
        outputs.push(BlockOperand { name: None, var: None, ty, rank: 0 });
    }
    let name = function.item.sig.ident.clone();
    if outputs.is_empty() {
        let message = "a block kernel cannot be without an output; write one (`y: &mut [T]`), or return a value (`-> T`), because it would have no effect";
        errors.push(Source::of(&name).error(message));
    }
    if inputs.len() > 8 || outputs.len() > 8 {
        let message = format!(
            "a kernel cannot have {} inputs and {} outputs; split it in two, because 8 of each is the limit",
            inputs.len(),
            outputs.len()
        );
        errors.push(Source::of(&name).error(message));
    }
    for (k, generic) in function.generics.iter().enumerate() {
        if !inputs.iter().any(|o| o.ty == Ty::Param(k)) {
            let name = &generic.name;
            errors.push(generic.source.error(format!(
                "type parameter `{name}` cannot be without an input of its type; use it in an input (`x: &[{name}]`), because the dtype is found from the inputs"
            )));
        }
    }
    let Some(signature) = signature else { return errors.finish(()).and_then(|()| Err(Source::of(&name).error("no signature"))) };
    if let Some(text) = &attr.signature {
        signature.check(text, &inputs, &outputs, &mut errors);
    }
    let type_params: Vec<TypeParam> =
        function.generics.iter().map(|g| TypeParam { name: g.name.clone(), dtypes: g.dtypes.clone().unwrap_or_default() }).collect();
    let variants = cross_product(&type_params);
    let parameters = function.parameters.clone();
    let choices = parameter::choices(&parameters);
    let limit = attr.variants.unwrap_or(parameter::MAX_VARIANTS);
    errors.ok(parameter::check_count(variants.len() * choices.len(), limit, &name));
    let docs = attr::docs(&function.item.attrs);
    errors.finish(BlockKernel { name, docs, type_params, signature, inputs, outputs, variants, parameters, choices, export, function })
}
