//! NumPy's gufunc signatures: `(m,k),(k,n)->(m,n)`, `(n)->()`, `(3),(3)->(3)`, `(m?,n)->(m?)`.

use super::BlockOperand;
use crate::error::{Errors, Source};

/// A signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// As NumPy prints it.
    pub text: String,
    /// The names of the core dimensions, in the order in which they first come.
    pub dims: Vec<Dim>,
    /// The dimensions of each input, by number.
    pub inputs: Vec<Vec<usize>>,
    /// The dimensions of each output, by number.
    pub outputs: Vec<Vec<usize>>,
}

/// A core dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Its name; of a fixed size, its digits.
    pub name: String,
    /// Its fixed size.
    pub size: Option<usize>,
    /// Whether operands may lack it: `m?`. It has size 1 then.
    pub optional: bool,
    /// Whether it is to hold an element at least.
    pub nonempty: bool,
}

impl Signature {
    /// Parses the option's text.
    ///
    /// # Errors
    /// A text that NumPy would not take.
    pub fn parse(lit: &syn::LitStr) -> syn::Result<Self> {
        let text: String = lit.value().chars().filter(|c| !c.is_whitespace()).collect();
        let mut this = Self { text: text.clone(), dims: Vec::new(), inputs: Vec::new(), outputs: Vec::new() };
        let wrong = |what: String| {
            Source::of(lit).error(format!(
                "signature `{}` cannot be understood; write NumPy's form (`\"(m,k),(k,n)->(m,n)\"`, `\"(n)->()\"`), because {what}",
                lit.value()
            ))
        };
        let Some((inputs, outputs)) = text.split_once("->") else { return Err(wrong("it has no `->`".to_owned())) };
        this.inputs = this.side(inputs).map_err(wrong)?;
        this.outputs = this.side(outputs).map_err(wrong)?;
        Ok(this)
    }

    /// `(m,k),(k,n)`
    fn side(&mut self, text: &str) -> Result<Vec<Vec<usize>>, String> {
        let mut operands = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let Some((inside, after)) = rest.strip_prefix('(').and_then(|r| r.split_once(')')) else {
                return Err(format!("`{rest}` is no list in parentheses"));
            };
            let dims = inside.split(',').filter(|_| !inside.is_empty()).map(|dim| self.dim(dim)).collect::<Result<_, _>>()?;
            operands.push(dims);
            rest = match after.strip_prefix(',') {
                Some(next) if !next.is_empty() => next,
                None if after.is_empty() => "",
                _ => return Err(format!("`{after}` after a list")),
            };
        }
        Ok(operands)
    }

    /// The number of a dimension.
    fn dim(&mut self, text: &str) -> Result<usize, String> {
        let (text, optional) = text.strip_suffix('?').map_or((text, false), |name| (name, true));
        let size = if text.starts_with(|c: char| c.is_ascii_digit()) {
            Some(text.parse::<usize>().ok().filter(|n| *n > 0).ok_or_else(|| format!("`{text}` is no size"))?)
        } else if text.is_empty() || !text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(format!("`{text}` is no name of a dimension"));
        } else {
            None
        };
        if let Some(known) = self.dims.iter().position(|d| d.name == text) {
            if self.dims.get(known).is_some_and(|d| d.optional != optional) {
                return Err(format!("`{text}` stands with a `?` and without one"));
            }
            return Ok(known);
        }
        self.dims.push(Dim { name: text.to_owned(), size, optional, nonempty: false });
        Ok(self.dims.len() - 1)
    }

    /// The dimensions of an operand, as they stand: `(m,k)`.
    pub fn show(&self, dims: &[usize]) -> String {
        let show = |d: &Dim| format!("{}{}", d.name, if d.optional { "?" } else { "" });
        let names: Vec<String> = dims.iter().filter_map(|d| self.dims.get(*d)).map(show).collect();
        format!("({})", names.join(","))
    }

    /// Checks it against the operands.
    pub fn check(&self, text: &syn::LitStr, inputs: &[BlockOperand], outputs: &[BlockOperand], errors: &mut Errors) {
        for (what, own, operands) in [("input", &self.inputs, inputs), ("output", &self.outputs, outputs)] {
            if own.len() != operands.len() {
                let have: Vec<String> =
                    operands.iter().map(|o| o.name.as_ref().map_or("what it returns".to_owned(), |n| format!("`{n}`"))).collect();
                let have = if have.is_empty() { "none".to_owned() } else { have.join(", ") };
                errors.push(Source::of(text).error(format!(
                    "signature `{}` has {} {what}{}, but the function has {} ({have}); give each {what} its list, because they are counted off",
                    self.text,
                    own.len(),
                    if own.len() == 1 { "" } else { "s" },
                    operands.len(),
                )));
                continue;
            }
            for (dims, operand) in own.iter().zip(operands) {
                if dims.len() != operand.rank {
                    let list = self.show(dims);
                    let (n, s) = (dims.len(), if dims.len() == 1 { "" } else { "s" });
                    let (message, at) = match &operand.name {
                        Some(name) => (
                            format!(
                                "{what} `{name}` has {} in its type; make it agree with the signature (`&[T]` is `(n)`, `View<T, 2>` is `(m,n)`, a value is `()`), because `{list}` there has {n} dimension{s}",
                                axes(operand.rank)
                            ),
                            Source::of(name),
                        ),
                        None => (
                            format!("a value that is returned cannot be `{list}` in the signature; write `()`, because it is one number"),
                            Source::of(text),
                        ),
                    };
                    errors.push(at.error(message));
                }
            }
        }
    }
}

fn axes(rank: usize) -> String {
    match rank {
        0 => "no axes".to_owned(),
        1 => "1 axis".to_owned(),
        n => format!("{n} axes"),
    }
}
