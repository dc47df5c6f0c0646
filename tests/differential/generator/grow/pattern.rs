//! Patterns of `match`, `if let`, `let else`.

use super::Grow;
use crate::generator::tree::{Arm, BOOL, Block, Expr, INTS, Kind, Matched, Ty};

/// A pattern and the names that it binds.
pub struct Pattern {
    pub text: String,
    pub binds: Vec<(String, Ty)>,
}

impl Grow<'_> {
    /// A pattern that may not match.
    pub fn pattern(&mut self, ty: Ty) -> Pattern {
        let plain = |text: &str| Pattern { text: text.to_owned(), binds: Vec::new() };
        if self.rng.one_in(5) {
            let name = self.name();
            return Pattern { text: name.clone(), binds: vec![(name, ty)] };
        }
        if self.rng.one_in(6) {
            return plain("_");
        }
        if ty == BOOL {
            return plain(self.rng.pick::<&str>(&["true", "false"]));
        }
        if !ty.is_int() || !ty.is_concrete() {
            return plain("_");
        }
        let mut texts = vec!["0", "1 | 3", "2..=7", "8..", "0..5", "..=2", "(1 | 5 | 20..=100)"];
        if ty.is_signed() {
            texts.extend(["-1", "-8..=-1", "-3 | 3"]);
        }
        let text = *self.rng.pick(&texts);
        if self.rng.one_in(4) {
            let name = self.name();
            let inner = if text.contains('|') && !text.starts_with('(') { format!("({text})") } else { text.to_owned() };
            return Pattern { text: format!("{name} @ {inner}"), binds: vec![(name, ty)] };
        }
        plain(text)
    }

    /// The value of a `match`: one integer or bool, or a tuple of two.
    pub fn match_(&mut self, depth: usize, mut body: impl FnMut(&mut Self) -> Block) -> Matched {
        let count = 1 + usize::from(self.rng.one_in(3));
        let tys: Vec<Ty> = (0..count).map(|_| if self.rng.one_in(4) { BOOL } else { *self.rng.pick(&INTS) }).collect();
        let own = |e: Expr| if e.ty == BOOL { e } else { Expr { ty: e.ty, kind: Kind::Cast(Box::new(e)) } };
        let values = tys.iter().map(|ty| own(self.expr(*ty, depth))).collect();
        let mut arms = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let mut parts: Vec<Pattern> = tys.iter().map(|ty| self.pattern(*ty)).collect();
            if let [a, b] = &mut parts[..]
                && a.binds.iter().any(|(name, _)| b.binds.iter().any(|(other, _)| name == other))
            {
                *b = Pattern { text: "_".to_owned(), binds: Vec::new() };
            }
            let text = match &parts[..] {
                [one] => one.text.clone(),
                several => format!("({})", several.iter().map(|p| p.text.clone()).collect::<Vec<_>>().join(", ")),
            };
            arms.push(self.scope(|g| {
                for (name, ty) in parts.into_iter().flat_map(|p| p.binds) {
                    g.show(name, ty, false);
                }
                let guard = g.rng.one_in(3).then(|| g.expr(BOOL, depth.min(1)));
                Arm { pattern: text, guard, body: body(g) }
            }));
        }
        arms.push(Arm { pattern: "_".to_owned(), guard: None, body: body(self) });
        Matched { values, arms }
    }
}
