//! The texts Python shows for a kernel: signature and docstring.

use crate::names::parameter;
use lanecraft_backends::{KernelInfo, Variant};
use lanecraft_core::DtypeId;

/// The keywords that a ufunc takes after `out`, with their defaults, as `inspect.signature(numpy.add)` shows them.
pub(super) const KEYWORDS: &[(&str, &str)] =
    &[("where", "True"), ("casting", "'same_kind'"), ("order", "'K'"), ("dtype", "None"), ("subok", "True"), ("signature", "None")];

/// The arguments as Python parameters.
pub(super) fn arguments(info: &KernelInfo) -> Vec<String> {
    info.arguments.iter().map(|name| parameter(name)).collect()
}

/// `(a, x, y, /, out=None, *, where=True, ...)`
pub(super) fn signature(info: &KernelInfo) -> String {
    let keywords: Vec<_> = KEYWORDS.iter().map(|(name, default)| format!("{name}={default}")).collect();
    format!("({}, /, out=None, *, {})", arguments(info).join(", "), keywords.join(", "))
}

/// Signature line, the Rust documentation, and the dtypes.
pub(super) fn docstring(info: &KernelInfo) -> String {
    let mut doc = format!("{}{}\n\n", info.name, signature(info));
    let text = info.doc.trim();
    if !text.is_empty() {
        doc.push_str(text);
        doc.push_str("\n\n");
    }
    doc.push_str("Variants:\n");
    for variant in info.variants {
        doc.push_str(&format!("    {}\n", variant_types(variant)));
    }
    doc
}

/// `float32, float32 -> float32`
pub(super) fn variant_types(variant: &Variant) -> String {
    format!("{} -> {}", names(variant.inputs), names(variant.outputs))
}

fn names(dtypes: &[DtypeId]) -> String {
    dtypes.iter().map(|d| d.numpy_name()).collect::<Vec<_>>().join(", ")
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
