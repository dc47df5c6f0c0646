//! What stands inside `#[python_export(..)]` on a function or a struct.

use crate::error::{Source, did_you_mean, list};
use crate::parse::export::submodule;
use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Token, parenthesized};

/// The Python exceptions that an error can become: those that take one text.
const EXCEPTIONS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BufferError",
    "EOFError",
    "Exception",
    "FileExistsError",
    "FileNotFoundError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "LookupError",
    "MemoryError",
    "NotADirectoryError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "RuntimeError",
    "StopIteration",
    "TimeoutError",
    "TypeError",
    "ValueError",
    "ZeroDivisionError",
];

/// `module = "math", raises = ValueError, keep_gil, signature(text, *, seed = 0)`
#[derive(Default)]
pub struct ExportAttr {
    /// The submodule that it goes into.
    pub module: Option<String>,
    /// The exception that an `Err` becomes.
    pub raises: Option<Ident>,
    /// Whether it is so short that releasing the GIL would take longer.
    pub keep_gil: bool,
    /// How it is called, where that is not as in Rust.
    pub signature: Option<(Span, Vec<Entry>)>,
}

/// A piece of `signature(..)`.
pub enum Entry {
    /// `/`: the arguments before it have no keyword.
    Positional(Span),
    /// `*`: the arguments after it have no position.
    Keyword(Span),
    /// `seed` or `seed = 0`
    Argument(Ident, Option<Box<syn::Expr>>),
}

impl Parse for Entry {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if let Some(slash) = input.parse::<Option<Token![/]>>()? {
            return Ok(Self::Positional(slash.span));
        }
        if let Some(star) = input.parse::<Option<Token![*]>>()? {
            return Ok(Self::Keyword(star.span));
        }
        let name = input.parse()?;
        let default = if input.parse::<Option<Token![=]>>()?.is_some() { Some(Box::new(input.parse()?)) } else { None };
        Ok(Self::Argument(name, default))
    }
}

impl ExportAttr {
    /// Parses the options of a function.
    ///
    /// # Errors
    /// An option that is unknown, there twice, or not as it is written above.
    pub fn of_function(attr: TokenStream) -> syn::Result<Self> {
        Self::parse(attr, "a function", &["module", "raises", "signature", "keep_gil"])
    }

    /// Parses the options of a struct.
    ///
    /// # Errors
    /// As for [`ExportAttr::of_function`].
    pub fn of_struct(attr: TokenStream) -> syn::Result<Self> {
        Self::parse(attr, "a struct", &["module"])
    }

    fn parse(attr: TokenStream, on: &str, known: &[&str]) -> syn::Result<Self> {
        let options = |input: ParseStream| {
            let mut options = Self::default();
            while !input.is_empty() {
                let name: Ident = input.parse()?;
                let text = name.to_string();
                if !known.contains(&text.as_str()) {
                    let hint = did_you_mean(&text, known.iter().copied());
                    let message = format!(
                        "option `{text}` cannot be given to `python_export` on {on}; use one of its own, because it has {} alone{hint}",
                        list(known)
                    );
                    return Err(syn::Error::new(name.span(), message));
                }
                options.read(&name, input)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(options)
        };
        options.parse2(attr)
    }

    fn read(&mut self, name: &Ident, input: ParseStream) -> syn::Result<()> {
        let twice = match name.to_string().as_str() {
            "module" => self.module.replace(submodule(input)?).is_some(),
            "raises" => {
                input.parse::<Token![=]>()?;
                self.raises.replace(exception(input.parse()?)?).is_some()
            }
            "keep_gil" => std::mem::replace(&mut self.keep_gil, true),
            _ => {
                let content;
                parenthesized!(content in input);
                let entries = Punctuated::<Entry, Token![,]>::parse_terminated(&content)?;
                self.signature.replace((name.span(), entries.into_iter().collect())).is_some()
            }
        };
        if twice {
            Err(syn::Error::new(name.span(), format!("option `{name}` cannot be given twice; keep one, because they might differ")))
        } else {
            Ok(())
        }
    }
}

/// The name of one of Python's exceptions.
fn exception(name: Ident) -> syn::Result<Ident> {
    let text = name.to_string();
    if EXCEPTIONS.contains(&text.as_str()) {
        return Ok(name);
    }
    let hint = did_you_mean(&text, EXCEPTIONS.iter().copied());
    Err(Source::of(&name).error(format!(
        "an error cannot become `{text}`; name an exception of Python's (`ValueError`), because there are {} alone{hint}",
        list(EXCEPTIONS)
    )))
}
