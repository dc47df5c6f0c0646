//! Dtypes as Python types, and the TypeVars of a module.

use lanecraft_lang::dtype::Dtype;
use std::fmt::Write;

/// What Python numbers stand for a dtype without changing the result's dtype.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Bool,
    Int,
    Float,
}

impl Kind {
    pub(super) fn of(dtype: Dtype) -> Self {
        match dtype {
            Dtype::Bool => Self::Bool,
            dtype if dtype.is_float() => Self::Float,
            _ => Self::Int,
        }
    }

    /// The Python type. `float` takes an `int` too.
    pub(super) fn python(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
        }
    }

    /// The dtype that NumPy gives a Python number that no array stands beside.
    pub(super) fn default(self) -> Dtype {
        match self {
            Self::Bool => Dtype::Bool,
            Self::Int => Dtype::I64,
            Self::Float => Dtype::F64,
        }
    }

    fn var(self) -> &'static str {
        match self {
            Self::Bool => "_Bool",
            Self::Int => "_Int",
            Self::Float => "_Float",
        }
    }
}

/// `np.float32`. NumPy's `bool` is `np.bool_` in every version. bfloat16 is a type of `ml_dtypes`, which has it as a value of unknown
/// type: nothing can be said of it here.
pub(super) fn scalar(dtype: Dtype) -> String {
    match dtype {
        Dtype::Bool => "np.bool_".to_owned(),
        Dtype::Bf16 => "Any".to_owned(),
        _ => format!("np.{}", dtype.numpy_name()),
    }
}

/// The TypeVars in use, in the order in which they were first needed.
#[derive(Default)]
pub(super) struct TypeVars {
    /// The dtypes of one kind, and which parameter of a kernel over the same dtypes it is for.
    vars: Vec<(Vec<Dtype>, usize, String)>,
    /// Whether there is one for any dtype.
    has_scalar: bool,
}

impl TypeVars {
    /// The scalar type of a parameter over these dtypes, all of one kind: the dtype itself or a TypeVar. `nth` tells apart parameters
    /// over the same dtypes in one signature.
    pub(super) fn of(&mut self, dtypes: &[Dtype], nth: usize) -> String {
        let mut dtypes = dtypes.to_vec();
        dtypes.sort();
        dtypes.dedup();
        // Beside others it would make them `Any` as well. An array of it is an array of `Any`, which fits them.
        if dtypes.len() > 1 {
            dtypes.retain(|d| *d != Dtype::Bf16);
        }
        let [first, _, ..] = dtypes.as_slice() else {
            return dtypes.first().map_or_else(|| "np.generic".to_owned(), |only| scalar(*only));
        };
        let kind = Kind::of(*first);
        if let Some((_, _, name)) = self.vars.iter().find(|(known, n, _)| *known == dtypes && *n == nth) {
            return name.clone();
        }
        let count = self.vars.iter().filter(|(known, _, _)| known.first().is_some_and(|d| Kind::of(*d) == kind)).count();
        let number = if count == 0 { String::new() } else { (count + 1).to_string() };
        let name = format!("{}{number}", kind.var());
        self.vars.push((dtypes, nth, name.clone()));
        name
    }

    /// The TypeVar of the arrays of ordinary functions.
    pub(super) fn add_scalar(&mut self) {
        self.has_scalar = true;
    }

    /// Where a call has nothing but Python numbers, the default says which dtype NumPy gives them.
    pub(super) fn declarations(&self) -> String {
        let mut out = String::new();
        for (dtypes, _, name) in &self.vars {
            let mut arguments = vec![format!("\"{name}\"")];
            arguments.extend(dtypes.iter().map(|d| scalar(*d)));
            let default = dtypes.first().map(|d| Kind::of(*d).default());
            arguments.extend(default.filter(|d| dtypes.contains(d)).map(|d| format!("default={}", scalar(d))));
            let line = format!("{name} = TypeVar({})", arguments.join(", "));
            if line.len() <= super::text::WIDTH {
                let _ = writeln!(out, "{line}");
            } else {
                let _ = writeln!(out, "{name} = TypeVar(\n    {},\n)", arguments.join(",\n    "));
            }
        }
        if self.has_scalar {
            out += "_Scalar = TypeVar(\"_Scalar\", bound=np.generic)\n";
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }
}
