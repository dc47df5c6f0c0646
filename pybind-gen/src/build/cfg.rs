//! `#[cfg(..)]`, as cargo tells a build script what will be set.

use std::env;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// Which options are set.
pub(super) struct Cfg {
    /// The value of `CARGO_CFG_<KEY>` or `CARGO_FEATURE_<NAME>`.
    variable: fn(&str) -> Option<String>,
}

impl Cfg {
    /// The build that the build script is run for. `test` is not set: a wheel is built without it.
    pub(super) fn of_build_script() -> Self {
        Self { variable: |name| env::var(name).ok() }
    }

    /// Nothing is set.
    pub(super) fn empty() -> Self {
        Self { variable: |_| None }
    }

    /// Whether an item with these attributes is in the build. What cannot be read counts as set: rustc will report it.
    pub(super) fn has(&self, attrs: &[Attribute]) -> bool {
        attrs.iter().filter(|a| a.path().is_ident("cfg")).all(|a| a.parse_args::<Meta>().map_or(true, |meta| self.holds(&meta)))
    }

    fn holds(&self, meta: &Meta) -> bool {
        match meta {
            Meta::Path(path) => path.get_ident().is_none_or(|name| self.word(&name.to_string())),
            Meta::NameValue(pair) => match (&pair.value, pair.path.get_ident()) {
                (Expr::Lit(ExprLit { lit: Lit::Str(value), .. }), Some(key)) => self.pair(&key.to_string(), &value.value()),
                _ => true,
            },
            Meta::List(list) => {
                let Ok(inner) = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else { return true };
                match list.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("all") => inner.iter().all(|meta| self.holds(meta)),
                    Some("any") => inner.iter().any(|meta| self.holds(meta)),
                    Some("not") => !inner.iter().all(|meta| self.holds(meta)),
                    _ => true,
                }
            }
        }
    }

    fn word(&self, name: &str) -> bool {
        name == "true" || (name != "test" && (self.variable)(&format!("CARGO_CFG_{}", upper(name))).is_some())
    }

    fn pair(&self, key: &str, value: &str) -> bool {
        if key == "feature" {
            return (self.variable)(&format!("CARGO_FEATURE_{}", upper(value))).is_some();
        }
        (self.variable)(&format!("CARGO_CFG_{}", upper(key))).is_some_and(|set| set.split(',').any(|one| one == value))
    }
}

/// As cargo spells names in environment variables.
fn upper(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    const CFG: Cfg = Cfg {
        variable: |name| match name {
            "CARGO_CFG_UNIX" => Some(String::new()),
            "CARGO_CFG_TARGET_FEATURE" => Some("fxsr,sse,sse2".to_owned()),
            "CARGO_FEATURE_BIG_INTS" => Some("1".to_owned()),
            _ => None,
        },
    };

    #[test]
    fn options() {
        assert!(CFG.has(&[]));
        assert!(!CFG.has(&[parse_quote!(#[cfg(test)])]));
        assert!(CFG.has(&[parse_quote!(#[cfg(not(test))])]));
        assert!(CFG.has(&[parse_quote!(#[cfg(unix)])]));
        assert!(!CFG.has(&[parse_quote!(#[cfg(windows)])]));
        assert!(CFG.has(&[parse_quote!(#[cfg(feature = "big-ints")])]));
        assert!(!CFG.has(&[parse_quote!(#[cfg(feature = "other")])]));
        assert!(CFG.has(&[parse_quote!(#[cfg(target_feature = "sse2")])]));
        assert!(CFG.has(&[parse_quote!(#[cfg(any(windows, all(unix, not(test))))])]));
        assert!(!CFG.has(&[parse_quote!(#[cfg(unix)]), parse_quote!(#[cfg(test)])]));
    }
}
