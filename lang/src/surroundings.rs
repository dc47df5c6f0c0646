//! What stands around a function in its file, for better messages.
//!
//! A macro is given the item that it stands on, and nothing around it; but it knows where that stands, and may read the file. What is in doubt
//! stays unsaid, and rustc has the word: code that macros make is not where the file has it, an attribute may change its item, and a function
//! that stands elsewhere may be anything.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree, fallback};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// Attributes that leave a function what it is, by the first name of their paths.
const INERT: &[&str] =
    &["allow", "clippy", "cold", "deny", "deprecated", "doc", "expect", "forbid", "inline", "must_use", "rustfmt", "track_caller", "warn"];

/// Attributes that make a helper of a function, or leave it one, by the last name of their paths.
const OURS: &[&str] = &["always_inline", "kernel", "python_export"];

/// What may stand in front of the word that says what an item is.
const QUALIFIERS: &[&str] = &["async", "auto", "const", "crate", "default", "extern", "pub", "unsafe"];

/// Whether a function stands in an `impl` or a `trait`.
pub fn is_member(function: &Ident) -> bool {
    File::of(function).is_some_and(|file| matches!(file.place(function), Some(Home::Type)))
}

/// What is certain of a function.
#[derive(Clone, Copy)]
pub enum Function {
    /// Nothing makes a helper or a kernel of it.
    Plain {
        /// Where it stands.
        line: usize,
    },
    /// A helper or a kernel.
    Helper {
        /// How many it takes.
        arguments: usize,
    },
}

/// The function `name` of the module that function `user` stands in.
pub fn function(name: &Ident, user: &Ident) -> Option<Function> {
    let file = File::of(user)?;
    let Home::Module(module) = file.place(user)? else { return None };
    match file.modules.get(module)?.get(&name.to_string())?.as_slice() {
        [one] => *one,
        _ => None,
    }
}

/// What is known of a file.
#[derive(Default)]
struct File {
    /// The functions' names, by line and column.
    places: HashMap<(usize, usize), (String, Home)>,
    /// The functions of each module; `None` of one that is not certain.
    modules: Vec<HashMap<String, Vec<Option<Function>>>>,
}

/// What a function stands in.
#[derive(Clone, Copy)]
enum Home {
    /// A module, by its number in the file.
    Module(usize),
    /// An `impl` or a `trait`.
    Type,
}

/// A file's size and time of change.
type Stamp = (u64, SystemTime);

/// Files that were read.
type Files = HashMap<PathBuf, (Stamp, Arc<File>)>;

/// What was read before: a file serves all of its functions.
static READ: LazyLock<Mutex<Files>> = LazyLock::new(Mutex::default);

impl File {
    /// The file that a function stands in. Without one (the tests of `lang`, a text that is no file) `None`.
    fn of(function: &Ident) -> Option<Arc<Self>> {
        // rust-analyzer expands a function anew when that changes, not when another in the file does: a message about that would stay. It shows
        // rustc's messages anyway.
        if std::env::var_os("RUST_ANALYZER_INTERNALS_DO_NOT_USE").is_some() {
            return None;
        }
        let path = function.span().local_file()?;
        let meta = std::fs::metadata(&path).ok()?;
        let stamp = (meta.len(), meta.modified().ok()?);
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, file)) = read.get(&path).filter(|(old, _)| *old == stamp) {
            return Some(file.clone());
        }
        let file = Arc::new(Self::read(&path).unwrap_or_default());
        read.insert(path, (stamp, file.clone()));
        Some(file)
    }

    fn read(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        // The compiler's own tokens of a text have no lines.
        let _own = OwnTokens::begin();
        let mut file = Self::default();
        file.module(text.parse().ok()?);
        Some(file)
    }

    /// What a function stands in, if it stands where the file has it.
    fn place(&self, function: &Ident) -> Option<Home> {
        let (name, home) = self.places.get(&position(function))?;
        (function == name).then_some(*home)
    }

    fn module(&mut self, tokens: TokenStream) {
        let home = Home::Module(self.modules.len());
        self.modules.push(HashMap::new());
        self.items(tokens, home);
    }

    /// An item ends with `;` or a block. What is taken apart wrongly (`Type<{ N }>`) is no function, module or `impl` then.
    fn items(&mut self, tokens: TokenStream, home: Home) {
        let mut head = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Punct(p) if p.as_char() == ';' => head.clear(),
                TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                    self.item(&head, &body, home);
                    head.clear();
                }
                token => head.push(token),
            }
        }
    }

    fn item(&mut self, head: &[TokenTree], body: &Group, home: Home) {
        let (attributes, head) = attributes(head);
        let mut words = head.iter().filter_map(ident).skip_while(|word| QUALIFIERS.iter().any(|q| word == q));
        let (Some(kind), name) = (words.next(), words.next()) else { return };
        // Where a function of it is expanded, `cfg` has let it stand.
        let is_certain = || attributes.iter().all(|a| a.is_inert() || a.first == "cfg");
        match kind.to_string().as_str() {
            "fn" => {
                let Some(name) = name else { return };
                self.places.insert(position(name), (name.to_string(), home));
                if let Home::Module(module) = home
                    && let Some(functions) = self.modules.get_mut(module)
                {
                    functions.entry(name.to_string()).or_default().push(certain(&attributes, head, name));
                }
            }
            "mod" if is_certain() => self.module(body.stream()),
            "impl" | "trait" if is_certain() => self.items(body.stream(), Home::Type),
            _ => {}
        }
    }
}

/// What is certain of the function with these attributes and this signature.
fn certain(attributes: &[Attribute], signature: &[TokenTree], name: &Ident) -> Option<Function> {
    if attributes.iter().all(Attribute::is_inert) {
        return Some(Function::Plain { line: position(name).0 });
    }
    if !attributes.iter().all(|a| a.is_inert() || OURS.contains(&a.last.as_str())) {
        return None;
    }
    let of = |input: syn::parse::ParseStream<'_>| {
        input.parse::<syn::Visibility>()?;
        input.parse::<syn::Signature>()
    };
    let signature = syn::parse::Parser::parse2(of, signature.iter().cloned().collect()).ok()?;
    Some(Function::Helper { arguments: signature.inputs.len() })
}

/// The first and the last name of an attribute's path.
struct Attribute {
    first: String,
    last: String,
}

impl Attribute {
    fn of(tokens: TokenStream) -> Self {
        let path = tokens.into_iter().take_while(|token| match token {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(p) => p.as_char() == ':',
            _ => false,
        });
        let names: Vec<String> = path.filter_map(|token| ident(&token).map(Ident::to_string)).collect();
        let name = |name: Option<&String>| name.cloned().unwrap_or_default();
        Self { first: name(names.first()), last: name(names.last()) }
    }

    fn is_inert(&self) -> bool {
        INERT.contains(&self.first.as_str())
    }
}

/// The outer attributes, and what follows.
fn attributes(mut head: &[TokenTree]) -> (Vec<Attribute>, &[TokenTree]) {
    let mut attributes = Vec::new();
    loop {
        match head {
            [TokenTree::Punct(hash), TokenTree::Group(attribute), rest @ ..] if hash.as_char() == '#' => {
                attributes.push(Attribute::of(attribute.stream()));
                head = rest;
            }
            // `#![..]` is what it stands in's.
            [TokenTree::Punct(hash), TokenTree::Punct(_), TokenTree::Group(_), rest @ ..] if hash.as_char() == '#' => head = rest,
            _ => return (attributes, head),
        }
    }
}

fn ident(token: &TokenTree) -> Option<&Ident> {
    match token {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    }
}

/// The line and column at which a name begins.
fn position(name: &Ident) -> (usize, usize) {
    let start = name.span().start();
    (start.line, start.column)
}

/// While it lives, `proc_macro2` makes tokens of its own, which know their lines. None of them may be left when it ends.
struct OwnTokens;

impl OwnTokens {
    fn begin() -> Self {
        fallback::force();
        Self
    }
}

impl Drop for OwnTokens {
    fn drop(&mut self) {
        // The text, which they are kept with.
        proc_macro2::extra::invalidate_current_thread_spans();
        fallback::unforce();
    }
}
