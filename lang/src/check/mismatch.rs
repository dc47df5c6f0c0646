//! Types that have to be the same, and what is said where they are not.

use super::infer::{Kind, Mismatch, Ty};
use super::rules::Checker;
use crate::dtype::Class;
use crate::error::{Source, because};

/// Why a literal is not of a type.
const LITERAL: &str = "a literal takes the type of what it meets";

impl Checker<'_> {
    /// Makes two types one, or reports them. Gives the type to go on with: after an error any will do, so that it is the only one.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty, source: Source, what: &str) -> Ty {
        if let Err(m) = self.table.unify(a, b) {
            let message = match m {
                Mismatch::Types(..) if [a, b].iter().any(|t| matches!(self.table.resolve(t), Ty::Array(..) | Ty::Option(_))) => {
                    let (a, b) = (self.table.show(a), self.table.show(b));
                    format!("{what} cannot mix `{a}` and `{b}`; make them the same, because Rust does not convert them either")
                }
                Mismatch::Types(..) => {
                    let (a, b) = (self.table.show(a), self.table.show(b));
                    format!(
                        "{what} cannot mix `{a}` and `{b}`; convert one of them (`x as {a}`), because a kernel converts only where it says so"
                    )
                }
                literal => self.literal_message(&literal),
            };
            self.errors.push(source.error(message));
            return self.table.fresh(Kind::Open);
        }
        a.clone()
    }

    pub(super) fn literal_message(&self, m: &Mismatch) -> String {
        match m {
            Mismatch::IntLiteral(ty) => {
                let name = self.table.show(ty);
                let next = match ty {
                    Ty::Param(_) if !self.table.is(ty, Class::Float) => {
                        format!("bound it by `Num` (`{name}: Num`), because `{name}` may be a `bool`")
                    }
                    &Ty::BOOL => "write `true` or `false`".to_owned(),
                    Ty::Tuple(_) => "use a tuple of literals, or an element (`t.0`)".to_owned(),
                    Ty::Array(..) => "use an array of literals, or an element (`a[0]`)".to_owned(),
                    Ty::Option(_) => "wrap it (`Some(1)`), or take the other's value out (`x.unwrap_or(0)`)".to_owned(),
                    _ => "write it as a float (`2.0`), because Rust does not convert literals either".to_owned(),
                };
                because(&format!("an integer literal cannot be of type `{name}`; {next}"), LITERAL)
            }
            Mismatch::FloatLiteral(ty) => {
                let name = self.table.show(ty);
                let next = match ty {
                    Ty::Param(_) => format!("bound it by `Float` (`{name}: Float`), or use an integer literal"),
                    &Ty::BOOL => "write `true` or `false`".to_owned(),
                    Ty::Tuple(_) => "use a tuple of literals, or an element (`t.0`)".to_owned(),
                    Ty::Array(..) => "use an array of literals, or an element (`a[0]`)".to_owned(),
                    Ty::Option(_) => "wrap it (`Some(1)`), or take the other's value out (`x.unwrap_or(0)`)".to_owned(),
                    _ => "use an integer literal, or convert the other side (`x as f32`)".to_owned(),
                };
                because(&format!("a float literal cannot be of type `{name}`; {next}"), LITERAL)
            }
            Mismatch::Types(a, b) => format!("`{}` and `{}` differ", self.table.show(a), self.table.show(b)),
        }
    }

    /// Checks what is returned against the signature.
    pub(super) fn returns(&mut self, given: &Ty, source: Source, has_value: bool) {
        let output = self.output.clone();
        if let Err(m) = self.table.unify(&output, given) {
            let (want, came) = (self.table.show(&output), self.table.show(given));
            let message = match m {
                Mismatch::Types(..) if !has_value => format!(
                    "this function returns `{want}`, but its body ends without a value; make the value its last expression, without `;`, because every lane needs a result"
                ),
                Mismatch::Types(..) if [&output, given].iter().any(|t| matches!(self.table.resolve(t), Ty::Array(..) | Ty::Option(_))) => {
                    format!(
                        "this function returns `{want}`, but its value is `{came}`; make them the same, because neither converts to the other"
                    )
                }
                Mismatch::Types(Ty::Tuple(_), _) | Mismatch::Types(_, Ty::Tuple(_)) => {
                    format!(
                        "this function returns `{want}`, but its value is `{came}`; return as many values as the signature says, because each is an output"
                    )
                }
                Mismatch::Types(..) => {
                    format!(
                        "this function returns `{want}`, but its value is `{came}`; convert it (`x as {want}`), or change the signature, because a kernel converts only where it says so"
                    )
                }
                literal => self.literal_message(&literal),
            };
            self.errors.push(source.error(message));
        }
    }

    /// The type of an `if` with both branches.
    pub(super) fn branches(&mut self, then: &Ty, otherwise: &Ty, source: Source) -> Ty {
        let is_unit = |ty: &Ty| *ty == Ty::unit();
        let known = [self.table.resolve(then), self.table.resolve(otherwise)];
        if let [a, b] = &known
            && is_unit(a) != is_unit(b)
            && !known.iter().any(|t| matches!(t, Ty::Var(v) if matches!(self.table.kind(*v), Kind::Open | Kind::Free)))
        {
            let name = self.table.show(if is_unit(a) { b } else { a });
            let message = format!(
                "one branch of an `if` cannot have a value (`{name}`) without the other; end both with a value, or the value with `;`, because lanes take both branches"
            );
            self.errors.push(source.error(message));
            return self.table.fresh(Kind::Open);
        }
        self.unify(then, otherwise, source, "the branches of an `if`")
    }

    pub(super) fn boolean(&mut self, ty: &Ty, source: Source, what: &str) {
        if self.table.unify(&Ty::BOOL, ty).is_err() {
            let name = self.table.show(ty);
            self.errors.push(source.error(format!("{what} cannot take `{name}`; compare it (`x != 0`), because a condition is a `bool`")));
        }
    }
}
