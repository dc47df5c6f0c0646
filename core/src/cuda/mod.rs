//! What carries the CUDA C++ text of functions: a graph of [`Item`]s, which rustc's own name resolution links.
//!
//! A macro sees one function. The function that it calls, and the value of a constant, are gaps in its text, and beside the text stands what fills
//! them: a reference to the callee's item, a function that writes the value. Nothing of it is in a binary that does not ask for it.

pub mod elementary;
mod value;

pub use elementary::elementary_of;
pub use value::Value;

/// The text of a function or a struct. `lanecraft_lang::cuda::item` describes the gaps.
#[derive(Debug)]
pub struct Item {
    /// Its name in Rust.
    pub name: &'static str,
    /// The module that it stands in.
    pub module: &'static str,
    /// The file that it stands in.
    pub file: &'static str,
    /// The line there.
    pub line: u32,
    /// Its doc comment.
    pub docs: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Its text, with gaps.
    pub text: &'static str,
    /// The construct in it that has no CUDA text yet; then `text` is empty.
    pub missing: Option<&'static str>,
    /// The items that it needs, by their number in the text.
    pub needs: &'static [&'static Item],
    /// The constants in it.
    pub constants: &'static [Constant],
    /// The types in it that rustc alone can name.
    pub types: &'static [fn(&mut Writer<'_>)],
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function of the kernel language.
    Function {
        /// Whether it is a template.
        generic: bool,
        /// Whether a type argument of it can be found from its result alone.
        by_result: bool,
    },
    /// A struct.
    Struct {
        /// Whether it is a template.
        generic: bool,
        /// Its fields, in order.
        fields: &'static [&'static str],
    },
    /// Written by hand, in C++.
    Written,
}

/// A constant of a text.
#[derive(Debug)]
pub struct Constant {
    /// Its name there.
    pub name: &'static str,
    /// Writes its value.
    pub value: fn(&mut Writer<'_>),
}

impl Item {
    /// An item that is written in C++ by hand.
    pub const fn written(name: &'static str, module: &'static str, text: &'static str, needs: &'static [&'static Self]) -> Self {
        Self { name, module, file: "", line: 0, docs: "", kind: Kind::Written, text, missing: None, needs, constants: &[], types: &[] }
    }
}

impl Item {
    /// What has no text, and why.
    pub const fn without_text(what: &'static str) -> Self {
        Self { missing: Some(what), ..Self::written("", "", "", &[]) }
    }
}

/// How the entries of a map kernel call its function.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The function.
    pub item: &'static Item,
    /// What its generic arguments are: an operand's dtype, or a parameter's value.
    pub generics: &'static [Argument],
    /// What its arguments are.
    pub arguments: &'static [Argument],
    /// Whether it gives a tuple.
    pub is_tuple: bool,
}

/// How the entries of a block kernel call its function. Operands are numbered: inputs, written outputs, what is returned.
#[derive(Clone, Copy, Debug)]
pub struct BlockShape {
    /// The function.
    pub item: &'static Item,
    /// What its generic arguments are: an operand's dtype, or a parameter's value.
    pub generics: &'static [Argument],
    /// What its arguments are.
    pub arguments: &'static [Argument],
    /// How many values it returns.
    pub returned: usize,
    /// Whether it gives a tuple.
    pub is_tuple: bool,
}

/// An argument of a kernel's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// This operand.
    Operand(usize),
    /// This compile-time parameter.
    Parameter(usize),
}

/// Gives items their names in the text that is put together.
pub trait Names {
    /// The name of an item, which then is part of the text.
    fn name(&mut self, item: &'static Item) -> String;
}

/// Writes constants and types.
pub struct Writer<'n> {
    /// The text so far.
    pub text: String,
    /// The type of the constant, in C++.
    pub ty: String,
    /// Whether it is one to be kept in memory: an array.
    pub is_table: bool,
    names: &'n mut dyn Names,
}

impl core::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Writer").field("text", &self.text).finish_non_exhaustive()
    }
}

impl<'n> Writer<'n> {
    /// Nothing written yet.
    pub fn new(names: &'n mut dyn Names) -> Self {
        Self { text: String::new(), ty: String::new(), is_table: false, names }
    }

    /// Writes the name of an item.
    pub fn item(&mut self, item: &'static Item) {
        let name = self.names.name(item);
        self.text.push_str(&name);
    }
}
