//! The texts Python shows for a kernel: signature and docstring.

use crate::names::parameter;
use lanecraft_backends::{BlockInfo, KernelInfo, Parameter, ParameterValue, Variant};
use lanecraft_core::DtypeId;

/// The keywords that a ufunc takes after `out`, with their defaults, as `inspect.signature(numpy.add)` shows them; and the number of threads.
pub(super) const KEYWORDS: &[(&str, &str)] = &[
    ("where", "True"),
    ("casting", "'same_kind'"),
    ("order", "'K'"),
    ("dtype", "None"),
    ("subok", "True"),
    ("signature", "None"),
    ("threads", "None"),
];

/// The arguments as Python parameters.
pub(super) fn arguments(info: &KernelInfo) -> Vec<String> {
    info.arguments.iter().map(|name| parameter(name)).collect()
}

/// The compile-time parameters as Python parameters.
pub(super) fn parameters(parameters: &[Parameter]) -> Vec<String> {
    parameters.iter().map(|p| parameter(p.name)).collect()
}

/// `(a, x, y, /, out=None, *, where=True, ...)`, with compile-time parameters `(x, /, out=None, *, degree, where=True, ...)`
pub(super) fn signature(info: &KernelInfo) -> String {
    let keywords: Vec<_> = KEYWORDS.iter().map(|(name, default)| format!("{name}={default}")).collect();
    format!("({}, /, out=None, *, {})", arguments(info).join(", "), [parameters(info.parameters), keywords].concat().join(", "))
}

/// A parameter's value as Python writes it.
fn value(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Int(value) => value.to_string(),
        ParameterValue::Bool(true) => "True".to_owned(),
        ParameterValue::Bool(false) => "False".to_owned(),
        ParameterValue::Name(name) => format!("'{name}'"),
    }
}

/// What a parameter takes: `1, 2, 4 or any int32`
pub(super) fn accepted(parameter: &Parameter) -> String {
    let values = parameter.values.iter().map(value).collect::<Vec<_>>().join(", ");
    parameter.run_time.map_or(values.clone(), |dtype| format!("{values} or any {}", dtype.numpy_name()))
}

/// A choice of parameter values: `degree=1, negate=True`
pub(super) fn choice(parameters: &[Parameter], values: &[Option<usize>]) -> String {
    let each = parameters.iter().zip(values).map(|(p, at)| match at.and_then(|at| p.values.get(at)) {
        Some(listed) => format!("{}={}", parameter(p.name), value(listed)),
        None => format!("any {}", parameter(p.name)),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Signature line, the Rust documentation, and the dtypes.
pub(super) fn docstring(info: &KernelInfo) -> String {
    let mut doc = format!("{}{}\n\n", info.name, signature(info));
    let text = info.doc.trim();
    if !text.is_empty() {
        doc.push_str(text);
        doc.push_str("\n\n");
    }
    push_parameters(&mut doc, info.parameters);
    doc.push_str("Variants:\n");
    // Each choice of parameter values is built for the same dtypes.
    let first = info.variants.first().map(|variant| variant.choice);
    for variant in info.variants.iter().take_while(|variant| Some(variant.choice) == first) {
        doc.push_str(&format!("    {}\n", variant_types(variant, info.arguments.len())));
    }
    doc
}

/// The parameters of a docstring, if there are any.
fn push_parameters(doc: &mut String, parameters: &[Parameter]) {
    if parameters.is_empty() {
        return;
    }
    doc.push_str("Parameters:\n");
    for p in parameters {
        doc.push_str(&format!("    {}: {}\n", parameter(p.name), accepted(p)));
    }
    doc.push('\n');
}

/// `float32, float32 -> float32`, of the first `nin` inputs
pub(super) fn variant_types(variant: &Variant, nin: usize) -> String {
    format!("{} -> {}", names(&variant.inputs[..nin]), names(variant.outputs))
}

fn names(dtypes: &[DtypeId]) -> String {
    dtypes.iter().map(|d| d.numpy_name()).collect::<Vec<_>>().join(", ")
}

/// `(x, /, out=None, **kwargs)`, with compile-time parameters `(x, /, out=None, *, tile, **kwargs)`
pub(super) fn block_signature(info: &BlockInfo) -> String {
    let arguments: Vec<String> = info.arguments.iter().map(|name| parameter(name)).collect();
    let star = if info.parameters.is_empty() { vec![] } else { vec!["*".to_owned()] };
    let keywords = [star, parameters(info.parameters), vec!["**kwargs".to_owned()]].concat();
    format!("({}, /, out=None, {})", arguments.join(", "), keywords.join(", "))
}

/// `float32 -> float32`, of each variant.
pub(super) fn block_variants(info: &BlockInfo) -> Vec<String> {
    // Each choice of parameter values is built for the same dtypes.
    let first = info.variants.first().map(|variant| variant.choice);
    let variants = info.variants.iter().take_while(|variant| Some(variant.choice) == first);
    variants.map(|v| format!("{} -> {}", names(v.inputs()), names(v.outputs()))).collect()
}

/// Signature line, the Rust documentation, the core dimensions and the dtypes.
pub(super) fn block_docstring(info: &BlockInfo) -> String {
    let mut doc = format!("{}{}\n\n", info.name, block_signature(info));
    let text = info.doc.trim();
    if !text.is_empty() {
        doc.push_str(text);
        doc.push_str("\n\n");
    }
    doc.push_str(&format!(
        "A generalized ufunc of signature {}: the last axes are the core dimensions (`axes=`, and with one\ndimension `axis=` and \
         `keepdims=`, choose others), those before them broadcast.\n`threads=` limits the threads of a call.\n\n",
        info.signature.text
    ));
    push_parameters(&mut doc, info.parameters);
    doc.push_str("Variants:\n");
    for variant in block_variants(info) {
        doc.push_str(&format!("    {variant}\n"));
    }
    doc
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn one_of<S: AsRef<str>>(items: &[S]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}
