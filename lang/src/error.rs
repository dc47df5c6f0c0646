//! Errors: spans of ranges, and several errors reported together.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Where a piece of the user's code begins and ends.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The span of its first token; generated code for it carries this span.
    pub start: Span,
    end: Span,
}

impl Source {
    /// The source of some tokens.
    pub fn of(tokens: &impl ToTokens) -> Self {
        let mut tokens = tokens.to_token_stream().into_iter();
        let start = tokens.next().map_or_else(Span::call_site, |t| t.span());
        Self { start, end: tokens.last().map_or(start, |t| t.span()) }
    }

    /// An error that underlines all of it.
    pub fn error(self, message: impl core::fmt::Display) -> syn::Error {
        let ends = [self.start, self.end].map(|span| TokenTree::from(Ident::new("_x", span)));
        syn::Error::new_spanned(TokenStream::from_iter(ends), message)
    }
}

/// Collects errors, so that all are reported together.
#[derive(Debug, Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds one.
    pub fn push(&mut self, e: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(e),
            None => self.0 = Some(e),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// Takes the error of a result, if it is one.
    pub fn ok<T>(&mut self, r: syn::Result<T>) -> Option<T> {
        r.map_err(|e| self.push(e)).ok()
    }

    /// `value`, unless there were errors.
    pub fn finish<T>(self, value: T) -> syn::Result<T> {
        match self.0 {
            Some(e) => Err(e),
            None => Ok(value),
        }
    }
}

/// `` `a`, `b`, `c` ``
pub fn list<T: core::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|i| format!("`{i}`")).collect::<Vec<_>>().join(", ")
}

/// The message with its reason, unless it tells one already.
pub fn because(message: &str, reason: &str) -> String {
    if message.contains("because") { message.to_owned() } else { format!("{message}, because {reason}") }
}

/// The known name nearest to `name`, if it is near enough to be a typo: `; did you mean `x`?` or nothing.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    known
        .into_iter()
        .map(|k| (edit_distance(name, k), k))
        .filter(|(d, k)| *d <= 1 + k.len() / 4)
        .min()
        .map_or_else(String::new, |(_, k)| format!("; did you mean `{k}`?"))
}

/// Insertions, deletions and substitutions from `a` to `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(&b) {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = *cell;
            left = substituted.min(left + 1).min(diagonal + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("abc", "abc"), 0);
        assert_eq!(did_you_mean("dtype", ["dtypes", "signature"]), "; did you mean `dtypes`?");
        assert_eq!(did_you_mean("zzz", ["dtypes", "signature"]), "");
    }
}
