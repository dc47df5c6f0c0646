//! What is known of a block kernel at run time.

use super::variant::BlockVariant;
use crate::variant::Parameter;

/// A block kernel as data.
#[derive(Clone, Copy, Debug)]
pub struct BlockInfo {
    /// The function's name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The function as it was written.
    pub source: &'static str,
    /// Of the elements in its loops over lanes, how many are read and written by an index of their own in each lane.
    pub gathered: (usize, usize),
    /// The names of its inputs.
    pub arguments: &'static [&'static str],
    /// The names of its outputs.
    pub outputs: &'static [&'static str],
    /// Of each output, whether it is shown that every element is written.
    pub covered: &'static [bool],
    /// Its signature.
    pub signature: Signature,
    /// Its compile-time parameters.
    pub parameters: &'static [Parameter],
    /// Its variants: for each choice of parameter values, the choices of dtypes in the order in which they were listed.
    pub variants: &'static [BlockVariant],
}

impl BlockInfo {
    /// The name of an operand, inputs first.
    pub fn operand(&self, k: usize) -> &'static str {
        self.arguments.iter().chain(self.outputs).nth(k).copied().unwrap_or("?")
    }
}

/// A block kernel. `#[kernel]` implements it on the type beside the function of the same name.
pub trait BlockFunction: 'static {
    /// What is known of it at run time.
    const INFO: BlockInfo;
}

/// NumPy's gufunc signature.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// As NumPy prints it.
    pub text: &'static str,
    /// The core dimensions, in the order in which they first come.
    pub dims: &'static [Dim],
    /// The dimensions of each operand, by number, inputs first.
    pub operands: &'static [&'static [usize]],
}

/// A core dimension.
#[derive(Clone, Copy, Debug)]
pub struct Dim {
    /// Its name; of a fixed size, its digits.
    pub name: &'static str,
    /// Its fixed size.
    pub size: Option<usize>,
    /// Whether operands may lack it; it has size 1 then.
    pub optional: bool,
    /// Whether it is to hold an element at least.
    pub nonempty: bool,
}

impl Signature {
    /// The first operand that has a dimension.
    pub fn operand_of(&self, dim: usize) -> usize {
        self.operands.iter().position(|dims| dims.contains(&dim)).unwrap_or(0)
    }

    /// The dimensions of an operand as they stand: `(m,k)`.
    pub fn show(&self, operand: usize) -> String {
        let show = |d: &Dim| format!("{}{}", d.name, if d.optional { "?" } else { "" });
        let names: Vec<String> = self.operands[operand].iter().map(|d| show(&self.dims[*d])).collect();
        format!("({})", names.join(","))
    }
}
