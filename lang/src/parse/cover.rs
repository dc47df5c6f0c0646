//! Whether the arms of a `match` cover all values.

use super::scope::Scope;

/// What the arms so far match, as far as it can be known without types: the values of an enum parameter; `true` and `false`, `None` and
/// `Some(_)`, of one value or of a tuple of such. An arm that matches part of a case is left out of account.
#[derive(Default)]
pub struct Cover {
    /// How many combinations there are, and the numbers of those matched.
    seen: Option<(usize, Vec<usize>)>,
}

impl Cover {
    /// Adds what an arm without a guard matches.
    pub fn add(&mut self, pat: &syn::Pat, scope: &Scope) {
        match pat {
            syn::Pat::Or(or) => or.cases.iter().for_each(|p| self.add(p, scope)),
            syn::Pat::Paren(inner) => self.add(&inner.pat, scope),
            syn::Pat::Path(p) => {
                if let Some(value) = scope.find_value(&p.path) {
                    self.note(value.of, |n| n == value.number);
                }
            }
            pat => {
                let elems: Vec<&syn::Pat> = match pat {
                    syn::Pat::Tuple(t) => t.elems.iter().collect(),
                    other => vec![other],
                };
                if let Some(bits) = elems.iter().map(|p| half_of(p)).collect::<Option<Vec<_>>>().filter(|bits| bits.len() <= 8) {
                    self.note(1 << bits.len(), |n| bits.iter().enumerate().all(|(k, b)| b.is_none_or(|b| b == (n >> k & 1 == 1))));
                }
            }
        }
    }

    fn note(&mut self, of: usize, matches: impl Fn(usize) -> bool) {
        let (all, seen) = self.seen.get_or_insert_with(|| (of, Vec::new()));
        if *all == of {
            seen.extend((0..of).filter(|n| matches(*n)));
        }
    }

    /// Whether the arms match whatever comes.
    pub fn is_complete(&self) -> bool {
        self.seen.as_ref().is_some_and(|(all, seen)| (0..*all).all(|n| seen.contains(&n)))
    }
}

/// Whether a pattern matches whatever comes, as far as its form tells.
fn always(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(p) => p.subpat.is_none() && !p.ident.to_string().chars().next().is_some_and(char::is_uppercase),
        syn::Pat::Tuple(t) => t.elems.iter().all(always),
        syn::Pat::Struct(s) => s.fields.iter().all(|f| always(&f.pat)),
        _ => false,
    }
}

/// Which half of a type of two cases a pattern matches: `false` and `None`, or `true` and `Some(_)`; `Some(None)` for both.
fn half_of(pat: &syn::Pat) -> Option<Option<bool>> {
    match pat {
        syn::Pat::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => Some(Some(b.value)),
        syn::Pat::Ident(p) if p.ident == "None" && p.subpat.is_none() => Some(Some(false)),
        syn::Pat::TupleStruct(p) if p.path.is_ident("Some") && p.elems.iter().all(always) => Some(Some(true)),
        pat if always(pat) => Some(None),
        _ => None,
    }
}
