//! A kernel and a helper: what an annotated function says, with spans.

use crate::dtype::{Class, Dtype};
use crate::error::Source;
use crate::paths::Root;
use crate::tree::{Block, Type, Var, VarId};
use crate::{check, parse};
use proc_macro2::{Ident, TokenStream};

/// A `#[kernel]` function.
#[derive(Debug)]
pub struct Kernel {
    /// The function.
    pub function: Function,
    /// Its name.
    pub name: Ident,
    /// Its doc comment, one line per line.
    pub docs: String,
    /// Its type parameters with the dtypes they range over.
    pub type_params: Vec<TypeParam>,
    /// What it reads, in order.
    pub operands: Vec<Operand>,
    /// What it gives, in order.
    pub results: Vec<Ty>,
    /// The choices of dtypes it is built for: one dtype per type parameter.
    pub variants: Vec<Vec<Dtype>>,
    /// Its compile-time parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The choices of parameter values it is built for: for each parameter, the index of a value, or `None` for the run-time
    /// variant. One empty choice without parameters.
    pub choices: Vec<Vec<Option<usize>>>,
    /// Elements that are computed together: 16, 32 or 64.
    pub gang: usize,
    /// Where it is exported to, if `#[python_export]` stands on it.
    pub export: Option<Export>,
}

/// `#[python_export]` on a kernel.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// The submodule that it goes into: `#[python_export(module = "math")]`.
    pub module: Option<String>,
    /// What is said of NumPy's reductions, and where: `identity = 0`, `reorderable`.
    pub reduction: Option<(Source, Reduction)>,
}

/// How NumPy may reduce an axis by a kernel of two operands.
#[derive(Clone, Copy, Debug)]
pub enum Reduction {
    /// In any order.
    AnyOrder,
    /// In any order, beginning with this value.
    FromInt(i64),
    /// The same.
    FromFloat(f64),
    /// The same.
    FromBool(bool),
}

/// A `#[always_inline]` function.
#[derive(Debug)]
pub struct Helper {
    /// The function.
    pub function: Function,
}

/// A type parameter of a kernel.
#[derive(Clone, Debug)]
pub struct TypeParam {
    /// Its name.
    pub name: Ident,
    /// The dtypes it ranges over.
    pub dtypes: Vec<Dtype>,
}

/// An operand of a kernel.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its name.
    pub name: Ident,
    /// Its type.
    pub ty: Ty,
}

/// A compile-time parameter of a kernel.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// Its variable; `None` for a const generic.
    pub var: Option<VarId>,
    /// Its type; `None` for an enum.
    pub dtype: Option<Dtype>,
    /// The values that a variant is built for.
    pub values: Vec<ParameterValue>,
    /// Whether there is a variant for all other values.
    pub run_time: bool,
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// `16`
    Int(i128),
    /// `true`
    Bool(bool),
    /// `Mode::Clamp`
    Path(syn::Path),
}

impl core::fmt::Display for ParameterValue {
    /// As users name it: of a path, its last segment.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Int(v) => write!(f, "{v}"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Path(p) => p.segments.last().map_or(Ok(()), |s| write!(f, "{}", s.ident)),
        }
    }
}

/// The type of an operand or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// Always this dtype.
    Dtype(Dtype),
    /// The dtype of this type parameter.
    Param(usize),
}

impl Ty {
    /// The dtype in a variant.
    pub fn resolve(self, variant: &[Dtype]) -> Option<Dtype> {
        match self {
            Self::Dtype(d) => Some(d),
            Self::Param(k) => variant.get(k).copied(),
        }
    }
}

/// A function of the kernel language, kernel or helper, parsed and checked.
#[derive(Debug)]
pub struct Function {
    /// The function as it stands: attributes, visibility, signature.
    pub item: syn::ItemFn,
    /// Where the run time is.
    pub root: Root,
    /// Its type parameters and their bounds.
    pub generics: Vec<Generic>,
    /// Its const generics.
    pub consts: Vec<ConstGeneric>,
    /// Its arguments, parameters among them.
    pub args: Vec<(VarId, Type)>,
    /// Which of them are compile-time parameters.
    pub parameters: Vec<Parameter>,
    /// What it returns.
    pub output: Type,
    /// The variables of the body, arguments first.
    pub vars: Vec<Var>,
    /// The body.
    pub body: Block,
    /// The types of its expressions.
    pub types: check::Types,
    /// Whether sums may be contracted and reordered: the option `fast_math` of a kernel.
    pub fast_math: bool,
    /// Of a block kernel: its loops over lanes.
    pub lanes: Option<crate::block::analyze::Loops>,
}

impl Function {
    /// Whether it is a block kernel.
    pub fn is_block(&self) -> bool {
        self.args.iter().any(|(_, ty)| matches!(ty, Type::View(_)))
    }
}

/// A const generic of a function.
#[derive(Clone, Debug)]
pub struct ConstGeneric {
    /// Its name.
    pub name: Ident,
    /// Its type; of a `usize`, `u64`.
    pub dtype: Dtype,
}

/// A type parameter of a function.
#[derive(Clone, Debug)]
pub struct Generic {
    /// Its name.
    pub name: Ident,
    /// Its bounds, by class.
    pub classes: Vec<Class>,
    /// The dtypes it ranges over, where the function is a kernel.
    pub dtypes: Option<Vec<Dtype>>,
    /// Where it is declared.
    pub source: Source,
}

impl Generic {
    /// Whether its bounds give it `class`.
    pub fn has(&self, class: Class) -> bool {
        self.classes.iter().any(|c| c.implies(class))
    }
}

impl Kernel {
    /// Parses and checks `#[kernel(attr)] item`.
    ///
    /// # Errors
    /// Whatever the kernel language does not allow, all of it together, at its spans.
    pub fn parse(attr: TokenStream, item: &syn::ItemFn) -> syn::Result<Self> {
        parse::kernel(parse::attr::KernelAttr::parse(attr)?, item)
    }
}

impl Helper {
    /// Parses and checks `#[always_inline(attr)] item`.
    ///
    /// # Errors
    /// Whatever the kernel language does not allow, all of it together, at its spans.
    pub fn parse(attr: TokenStream, item: &syn::ItemFn) -> syn::Result<Self> {
        parse::helper(attr, item)
    }
}
