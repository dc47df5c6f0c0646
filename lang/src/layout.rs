//! Tokens as the text that they are in the source, but for comments.

use proc_macro2::{Delimiter, LineColumn, TokenStream, TokenTree};

/// The text, on one line.
pub(crate) fn text(tokens: TokenStream) -> String {
    let mut layout = Layout::default();
    layout.add(tokens);
    layout.text
}

/// A blank stands where the source has space: `TokenStream::to_string` puts one around each token.
#[derive(Default)]
struct Layout {
    text: String,
    /// Where the last token ends.
    end: Option<LineColumn>,
}

impl Layout {
    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            let TokenTree::Group(group) = token else {
                self.push(&token.to_string(), token.span().start(), token.span().end());
                continue;
            };
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Brace => ("{", "}"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::None => ("", ""),
            };
            // A group that was taken apart and put together again has one span for both delimiters.
            let (start, end, width) = (group.span().start(), group.span().end(), open.len());
            self.push(open, start, LineColumn { column: start.column + width, ..start });
            self.add(group.stream());
            self.push(close, LineColumn { column: end.column.saturating_sub(width), ..end }, end);
        }
    }

    fn push(&mut self, token: &str, start: LineColumn, end: LineColumn) {
        if self.end.is_some_and(|end| end != start) {
            self.text.push(' ');
        }
        self.text.push_str(token);
        self.end = Some(end);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tokens_have_the_space_of_the_source() {
        for source in ["pub fn f<T: Float>(x: &[T], k: [i32; 3]) -> (T, T)", "a*(b + -c)", "x . len( )", "y [ i ]"] {
            assert_eq!(super::text(source.parse().unwrap()), source);
        }
        let item: syn::ItemFn = syn::parse_str("fn f<const N: usize>(x: &[f32], y: &mut [f32]) -> [f32; N] { x }").unwrap();
        let sig = quote::ToTokens::to_token_stream(&item.sig);
        assert_eq!(super::text(sig), "fn f<const N: usize>(x: &[f32], y: &mut [f32]) -> [f32; N]");
    }
}
