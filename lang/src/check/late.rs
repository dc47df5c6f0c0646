//! What an operation asks of a type that may not be known yet: checked at the end, when it is.

use super::infer::{Kind, Ty};
use super::rules::Checker;
use crate::dtype::{Class, Dtype};
use crate::error::{Source, list};

/// What an index asks for.
pub(super) const INDEX: &str = "an index";

/// A class that a type has to be of.
pub(super) struct Want {
    ty: Ty,
    class: Class,
    source: Source,
    what: String,
}

impl Checker<'_> {
    pub(super) fn want(&mut self, ty: &Ty, class: Class, source: Source, what: impl Into<String>) {
        self.wants.push(Want { ty: ty.clone(), class, source, what: what.into() });
    }

    pub(super) fn check_want(&mut self, want: &Want) {
        let ty = self.table.resolve(&want.ty);
        let holds = match &ty {
            Ty::Var(v) => match self.table.kind(*v) {
                Kind::Open | Kind::Free => true,
                Kind::Int { open } => open || want.class.contains(Dtype::I32),
                Kind::Float { open } => open || want.class.contains(Dtype::F64),
            },
            ty => self.table.is(ty, want.class),
        };
        if holds {
            return;
        }
        let (what, class, name) = (&want.what, want.class.name(), self.table.show(&ty));
        if what == INDEX {
            self.errors
                .push(want.source.error(format!("an index cannot be `{name}`; convert it (`i as i32`), because it counts elements")));
            return;
        }
        // A bound helps only where the dtypes allow it.
        let dtypes = match ty {
            Ty::Param(k) => self.function.generics.get(k).and_then(|g| g.dtypes.as_deref()).unwrap_or_default(),
            _ => &[],
        };
        if let Some(outside) = dtypes.iter().find(|d| !want.class.contains(**d)) {
            let next = match want.class {
                Class::Float => "convert it first (`x as f32`)".to_owned(),
                Class::Int | Class::Logic => "convert it first (`x as i32`)".to_owned(),
                Class::Dtype | Class::Num | Class::Signed => format!("remove `{outside}` from `dtypes`"),
            };
            let because = format!("because it needs `{class}`, and `{name}` is built for `{outside}`");
            self.errors.push(want.source.error(format!("{what} cannot be applied to `{name}`; {next}, {because}")));
            return;
        }
        let next = match ty {
            Ty::Param(_) => format!("bound `{name}` by `{class}` (`{name}: {class}`)"),
            Ty::Dtype(Dtype::Bool) if matches!(want.class, Class::Num | Class::Signed | Class::Int | Class::Float) => {
                "compute with a number (`if c { 1.0 } else { 0.0 }`, `c as i32`)".to_owned()
            }
            Ty::Tuple(_) => "use its elements (`t.0`)".to_owned(),
            Ty::Array(..) => "use its elements (`a[0]`)".to_owned(),
            Ty::Option(_) => "take its value out first (`x.unwrap_or(0)`, `if let Some(y) = x { .. }`)".to_owned(),
            _ if want.what == "`pow`" && self.table.is(&ty, Class::Float) => "use `powi`, or `powf`".to_owned(),
            _ if want.class == Class::Float => "convert it first (`x as f32`)".to_owned(),
            _ => {
                let fitting = list(Dtype::ALL.iter().filter(|d| want.class.contains(**d)));
                format!("convert it first (`x as i32`), or use one of {fitting}")
            }
        };
        self.errors.push(want.source.error(format!("{what} cannot be applied to `{name}`; {next}, because it needs `{class}`")));
    }

    pub(super) fn check_cast(&mut self, from: &Ty, to: &Ty, source: Source) {
        let (from, to) = (self.table.resolve(from), self.table.resolve(to));
        let name = |ty: &Ty| self.table.show(ty);
        let message = match (&from, &to) {
            (Ty::Array(..) | Ty::Option(_), _) | (_, Ty::Array(..) | Ty::Option(_)) => {
                format!(
                    "`{}` cannot be cast to `{}`; cast the values inside (`x.unwrap_or(0) as f32`), because `as` is for numbers",
                    name(&from),
                    name(&to)
                )
            }
            (Ty::Tuple(_), _) | (_, Ty::Tuple(_)) => format!(
                "`{}` cannot be cast to `{}`; cast its elements (`t.0 as f32`), because `as` is for numbers",
                name(&from),
                name(&to)
            ),
            (a, b) if a == b => return,
            (_, &Ty::BOOL) => {
                format!("`{}` cannot be cast to `bool`; compare instead (`x != 0`), because Rust has no such cast", name(&from))
            }
            (&Ty::BOOL, b) if self.table.is(b, Class::Float) => {
                format!(
                    "`bool` cannot be cast to `{0}`; write `if c {{ 1.0 }} else {{ 0.0 }}`, or cast by way of an integer (`c as u8 as {0}`), because Rust has no such cast",
                    name(b)
                )
            }
            (_, Ty::Param(_)) if !self.table.is(&to, Class::Num) => {
                let to = name(&to);
                format!("`{}` cannot be cast to `{to}`; bound `{to}` by `Num` (`{to}: Num`), because it may be a `bool`", name(&from))
            }
            (&Ty::BOOL, Ty::Param(_)) if !self.table.is(&to, Class::Int) => {
                let to = name(&to);
                format!("`bool` cannot be cast to `{to}`; write `if c {{ T::ONE }} else {{ T::ZERO }}`, because `{to}` may be a float")
                    .replace("T::", &format!("{to}::"))
            }
            _ => return,
        };
        self.errors.push(source.error(message));
    }

    pub(super) fn check_int(&mut self, value: i128, ty: &Ty, source: Source) {
        let dtypes = match self.table.resolve(ty) {
            Ty::Dtype(d) => vec![d],
            Ty::Param(k) => self.function.generics.get(k).and_then(|g| g.dtypes.clone()).unwrap_or_default(),
            Ty::Var(v) if self.table.kind(v) == (Kind::Int { open: false }) => vec![Dtype::I32],
            Ty::Var(_) | Ty::Tuple(_) | Ty::Array(..) | Ty::Option(_) => return,
        };
        for d in dtypes {
            if let Some((lo, hi)) = d.int_range().filter(|(lo, hi)| value < *lo || value > *hi) {
                let message =
                    format!("literal {value} cannot be of type `{d}`; use a wider type (`{value}_i64`), because `{d}` holds {lo} to {hi}");
                self.errors.push(source.error(message));
                return;
            }
        }
    }
}
