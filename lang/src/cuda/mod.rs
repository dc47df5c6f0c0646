//! From the tree to CUDA C++: the text of a function, and the items that carry it.
//!
//! A text is made without knowing what rustc alone knows: which function a path names, what a constant is, what a helper returns. So a text has
//! gaps (see [`item`]) that are filled where it is put together, at run time, from a graph that rustc has resolved; and types are written where
//! the check has found them, and left to C++ (`auto`, templates, `decltype` of a call) where it has not. Only a literal whose type hangs on what
//! rustc alone knows is neither: it becomes a value that takes the type of what it meets (`lc::Float`, `lc::Int` of the prelude).
//!
//! Files are named as in [`lower`](crate::lower). Bodies are statements: what is an expression in Rust and has statements inside becomes a variable
//! and statements before the one that uses it, in the order of evaluation. Every variable of a function has a name of its own.

mod aggregate;
mod block;
mod body;
mod builtin;
mod code;
mod flow;
mod generics;
pub mod item;
mod names;
mod open;
mod statements;
pub mod structure;
mod ty;

pub use builtin::ELEMENTARY;

use crate::model::Function;
use crate::tree::VarId;
use body::Emit;
use proc_macro2::TokenStream;

/// What cannot be put into CUDA C++ yet, in words that end "is not supported in CUDA text yet".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(pub String);

impl Missing {
    fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// The text of a function, with gaps, and what fills them.
#[derive(Debug)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Whether it is a template.
    pub generic: bool,
    /// Whether a type parameter has to be found from the result.
    pub by_result: bool,
    /// The paths whose items it needs, by number: functions, and `None` for built-in methods, with their names.
    pub needs: Vec<Need>,
    /// The constants it names: their names in the text, and expressions (with the local constants in front) for their values.
    pub constants: Vec<(String, TokenStream)>,
    /// The types that only rustc can name.
    pub types: Vec<TokenStream>,
}

/// An item that a text needs.
#[derive(Clone, Debug)]
pub enum Need {
    /// What a path of the user's names: a function.
    Function(syn::Path),
    /// A built-in method that is written in the kernel language.
    Elementary(&'static str),
    /// A struct, by an expression for its item.
    Struct(TokenStream),
}

/// The text of a function.
///
/// # Errors
/// The first construct that cannot be put into CUDA C++ yet.
pub fn function(f: &Function) -> Result<Text, Missing> {
    Emit::new(f).function()
}

/// The name of a variable.
fn name_of(names: &[String], id: VarId) -> &str {
    names.get(id).map_or("lc_nothing", String::as_str)
}
