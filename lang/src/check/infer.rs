//! Type inference by unification.

use crate::dtype::{Class, Dtype};
use crate::model::Generic;

/// A type while it is inferred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    /// Known.
    Dtype(Dtype),
    /// A type parameter.
    Param(usize),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Self>),
    /// An array, and its length where that is a literal.
    Array(Box<Self>, Option<u64>),
    /// An `Option`.
    Option(Box<Self>),
    /// Not known yet.
    Var(usize),
}

impl Ty {
    /// `bool`
    pub const BOOL: Self = Self::Dtype(Dtype::Bool);

    /// `()`
    pub const fn unit() -> Self {
        Self::Tuple(Vec::new())
    }

    /// The types inside.
    fn items(&self) -> &[Self] {
        match self {
            Self::Tuple(items) => items,
            Self::Array(item, _) | Self::Option(item) => core::slice::from_ref(item),
            Self::Dtype(_) | Self::Param(_) | Self::Var(_) => &[],
        }
    }
}

/// What is known of a type variable. `open`: it hangs on something that only rustc knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing yet; it takes whatever it meets.
    Free,
    /// Nothing, and only rustc will know.
    Open,
    /// An integer literal met it.
    Int {
        /// See [`Kind`].
        open: bool,
    },
    /// A float literal met it.
    Float {
        /// See [`Kind`].
        open: bool,
    },
}

/// Why two types do not go together.
#[derive(Debug)]
pub enum Mismatch {
    /// They differ.
    Types(Ty, Ty),
    /// An integer literal met a type that is no integer.
    IntLiteral(Ty),
    /// A float literal met a type that is no float.
    FloatLiteral(Ty),
}

/// The type variables.
#[derive(Debug)]
pub struct Table<'a> {
    generics: &'a [Generic],
    vars: Vec<Slot>,
}

#[derive(Clone, Debug)]
enum Slot {
    Free(Kind),
    Is(Ty),
}

impl<'a> Table<'a> {
    /// No variables yet.
    pub const fn new(generics: &'a [Generic]) -> Self {
        Self { generics, vars: Vec::new() }
    }

    /// A new variable.
    pub fn fresh(&mut self, kind: Kind) -> Ty {
        self.vars.push(Slot::Free(kind));
        Ty::Var(self.vars.len() - 1)
    }

    /// What is known of a free variable.
    pub fn kind(&self, var: usize) -> Kind {
        match self.vars.get(var) {
            Some(Slot::Free(kind)) => *kind,
            _ => Kind::Open,
        }
    }

    /// `ty` with its variables followed as far as known.
    pub fn resolve(&self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        while let Ty::Var(v) = ty {
            match self.vars.get(v) {
                Some(Slot::Is(next)) => ty = next.clone(),
                _ => return ty,
            }
        }
        ty
    }

    fn set(&mut self, var: usize, slot: Slot) {
        if let Some(s) = self.vars.get_mut(var) {
            *s = slot;
        }
    }

    /// Makes two types one.
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> Result<(), Mismatch> {
        match (self.resolve(a), self.resolve(b)) {
            (Ty::Var(v), Ty::Var(w)) if v == w => Ok(()),
            (Ty::Var(v), Ty::Var(w)) => {
                let kind = match (self.kind(v), self.kind(w)) {
                    (Kind::Free, kind) | (kind, Kind::Free) => kind,
                    (Kind::Open, Kind::Open) => Kind::Open,
                    (Kind::Open, Kind::Int { .. }) | (Kind::Int { .. }, Kind::Open) => Kind::Int { open: true },
                    (Kind::Open, Kind::Float { .. }) | (Kind::Float { .. }, Kind::Open) => Kind::Float { open: true },
                    (Kind::Int { open: a }, Kind::Int { open: b }) => Kind::Int { open: a || b },
                    (Kind::Float { open: a }, Kind::Float { open: b }) => Kind::Float { open: a || b },
                    (Kind::Int { .. }, Kind::Float { .. }) | (Kind::Float { .. }, Kind::Int { .. }) => {
                        return Err(Mismatch::IntLiteral(Ty::Dtype(Dtype::F64)));
                    }
                };
                self.set(v, Slot::Is(Ty::Var(w)));
                self.set(w, Slot::Free(kind));
                Ok(())
            }
            (Ty::Var(v), ty) | (ty, Ty::Var(v)) => {
                match self.kind(v) {
                    Kind::Int { .. } if !self.takes_int_literal(&ty) => return Err(Mismatch::IntLiteral(ty)),
                    Kind::Float { .. } if !self.is(&ty, Class::Float) => return Err(Mismatch::FloatLiteral(ty)),
                    Kind::Free | Kind::Open | Kind::Int { .. } | Kind::Float { .. } => {}
                }
                // What only rustc knows of a tuple, only rustc knows of its elements.
                if self.kind(v) == Kind::Open {
                    for item in ty.items() {
                        let any = self.fresh(Kind::Open);
                        self.unify(&any, item)?;
                    }
                }
                self.set(v, Slot::Is(ty));
                Ok(())
            }
            (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() => xs.iter().zip(&ys).try_for_each(|(x, y)| self.unify(x, y)),
            (Ty::Array(x, n), Ty::Array(y, m)) if n.is_none() || m.is_none() || n == m => self.unify(&x, &y),
            (Ty::Option(x), Ty::Option(y)) => self.unify(&x, &y),
            (a, b) if a == b => Ok(()),
            (a, b) => Err(Mismatch::Types(a, b)),
        }
    }

    /// Whether a type without variables has a class.
    pub fn is(&self, ty: &Ty, class: Class) -> bool {
        match ty {
            Ty::Dtype(d) => class.contains(*d),
            Ty::Param(k) => self.generics.get(*k).is_some_and(|g| g.has(class)),
            Ty::Tuple(_) | Ty::Array(..) | Ty::Option(_) | Ty::Var(_) => false,
        }
    }

    /// Integers take integer literals; so does `T: Num`, which no literal could meet otherwise.
    fn takes_int_literal(&self, ty: &Ty) -> bool {
        self.is(ty, Class::Int) || matches!(ty, Ty::Param(_)) && self.is(ty, Class::Num) && !self.is(ty, Class::Float)
    }

    /// The name of a type in messages.
    pub fn show(&self, ty: &Ty) -> String {
        match self.resolve(ty) {
            Ty::Dtype(d) => d.name().to_owned(),
            Ty::Param(k) => self.generics.get(k).map_or_else(|| "_".to_owned(), |g| g.name.to_string()),
            Ty::Tuple(items) => match items.as_slice() {
                [one] => format!("({},)", self.show(one)),
                items => format!("({})", items.iter().map(|t| self.show(t)).collect::<Vec<_>>().join(", ")),
            },
            Ty::Array(item, len) => {
                format!("[{}; {}]", self.show(&item), len.map_or_else(|| "_".to_owned(), |n| n.to_string()))
            }
            Ty::Option(item) => format!("Option<{}>", self.show(&item)),
            Ty::Var(v) => match self.kind(v) {
                Kind::Free | Kind::Open => "_",
                Kind::Int { .. } => "{integer}",
                Kind::Float { .. } => "{float}",
            }
            .to_owned(),
        }
    }
}
