//! The kernels in a crate's source files.

use super::Error;
use super::cfg::Cfg;
use lanecraft_lang::block::BlockKernel;
use lanecraft_lang::model::Kernel;
use lanecraft_lang::parse::attr::KernelAttr;
use proc_macro2::TokenStream;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, ExprLit, Item, ItemFn, ItemMod, Lit, Meta};

/// What was found.
#[derive(Default)]
pub(super) struct Crate {
    /// Kernels that are exported, in the order of the source.
    pub(super) kernels: Vec<Found>,
    /// Files that were read.
    pub(super) files: Vec<PathBuf>,
    /// What is missing in the stub and will be reported by the compiler.
    pub(super) warnings: Vec<String>,
}

/// A kernel and where it stands.
pub(super) struct Found {
    pub(super) kernel: Exported,
    /// `src/lib.rs:12`
    pub(super) at: String,
}

/// A kernel of either form.
pub enum Exported {
    /// A map kernel.
    Map(Box<Kernel>),
    /// A block kernel.
    Block(Box<BlockKernel>),
}

impl Exported {
    /// Parses what `#[kernel(attr)]` would.
    fn parse(attr: TokenStream, item: &ItemFn) -> syn::Result<Self> {
        let attr = KernelAttr::parse(attr)?;
        if attr.signature.is_some() {
            return lanecraft_lang::block::kernel(attr, item).map(|kernel| Self::Block(Box::new(kernel)));
        }
        lanecraft_lang::parse::kernel(attr, item).map(|kernel| Self::Map(Box::new(kernel)))
    }

    /// Where it is exported to.
    pub fn export(&self) -> Option<&lanecraft_lang::model::Export> {
        match self {
            Self::Map(kernel) => kernel.export.as_ref(),
            Self::Block(kernel) => kernel.export.as_ref(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &proc_macro2::Ident {
        match self {
            Self::Map(kernel) => &kernel.name,
            Self::Block(kernel) => &kernel.name,
        }
    }
}

/// Reads the crate whose root is this file.
pub(super) fn read(root: &Path, cfg: &Cfg) -> Result<Crate, Error> {
    let mut walk = Walk { cfg, found: Crate::default(), stack: Vec::new() };
    walk.file(root, &directory(root))?;
    Ok(walk.found)
}

/// Reads one text; modules in other files are not looked for.
pub(super) fn parse(source: &str) -> Result<Crate, Error> {
    let cfg = Cfg::empty();
    let mut walk = Walk { cfg: &cfg, found: Crate::default(), stack: Vec::new() };
    let file = syn::parse_file(source).map_err(|e| Error::new(e.to_string()))?;
    walk.items(&file.items, &Place { file: Path::new("source"), children: None, inline: false })?;
    Ok(walk.found)
}

struct Walk<'a> {
    cfg: &'a Cfg,
    found: Crate,
    /// Files being read, from the root: `#[path]` can lead in a circle.
    stack: Vec<PathBuf>,
}

/// Where items stand.
#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a Path,
    /// The directory that files of child modules are in; `None` to skip them.
    children: Option<&'a Path>,
    /// Whether an inline module is around: `#[path]` then starts from `children`, else from the file's directory.
    inline: bool,
}

impl Walk<'_> {
    fn file(&mut self, path: &Path, children: &Path) -> Result<(), Error> {
        if self.stack.iter().any(|open| open == path) {
            self.warn(format!("{}: the module contains itself", path.display()));
            return Ok(());
        }
        let source = fs::read_to_string(path).map_err(|e| Error::new(format!("cannot read {}: {e}", path.display())))?;
        self.found.files.push(path.to_owned());
        match syn::parse_file(&source) {
            Ok(file) if self.cfg.has(&file.attrs) => {
                self.stack.push(path.to_owned());
                self.items(&file.items, &Place { file: path, children: Some(children), inline: false })?;
                self.stack.pop();
            }
            Ok(_) => {}
            Err(e) => self.warn(format!("{}:{}: {e}", path.display(), e.span().start().line)),
        }
        Ok(())
    }

    fn items(&mut self, items: &[Item], place: &Place<'_>) -> Result<(), Error> {
        for item in items {
            match item {
                Item::Fn(item) => self.function(item, place),
                Item::Mod(item) if self.cfg.has(&item.attrs) => self.module(item, place)?,
                // Kernels stand at module level, and macros expand later than this.
                _ => {}
            }
        }
        Ok(())
    }

    fn function(&mut self, item: &ItemFn, place: &Place<'_>) {
        if !self.cfg.has(&item.attrs) || !item.attrs.iter().any(|a| named(a, "python_export")) {
            return;
        }
        let Some(at) = item.attrs.iter().position(|a| named(a, "kernel")) else { return };
        // What the macro gets: its own attribute's content, and the function without that attribute.
        let mut item = item.clone();
        let content = match item.attrs.remove(at).meta {
            Meta::List(list) => list.tokens,
            Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
        };
        let line = |span: proc_macro2::Span| format!("{}:{}", place.file.display(), span.start().line);
        match Exported::parse(content, &item) {
            Ok(kernel) => self.found.kernels.push(Found { at: line(kernel.name().span()), kernel }),
            Err(e) => self.warn(format!("{}: {e}", line(e.span()))),
        }
    }

    fn module(&mut self, item: &ItemMod, place: &Place<'_>) -> Result<(), Error> {
        let name = item.ident.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name);
        let explicit = item.attrs.iter().find_map(path_attribute);
        let Some(children) = place.children else {
            let Some((_, items)) = &item.content else { return Ok(()) };
            return self.items(items, place);
        };
        // rustc's rule: `#[path]` is relative to the file's directory, inside inline modules to theirs.
        let explicit = explicit.map(|path| if place.inline { children.join(path) } else { directory(place.file).join(path) });
        if let Some((_, items)) = &item.content {
            let children = explicit.unwrap_or_else(|| children.join(name));
            return self.items(items, &Place { children: Some(&children), inline: true, ..*place });
        }
        if let Some(path) = explicit {
            if path.is_file() {
                return self.file(&path, &directory(&path));
            }
            self.warn(format!("{}: no file {} for module `{name}`", place.file.display(), path.display()));
            return Ok(());
        }
        for path in [children.join(format!("{name}.rs")), children.join(name).join("mod.rs")] {
            if path.is_file() {
                return self.file(&path, &children.join(name));
            }
        }
        self.warn(format!("{}: no file for module `{name}` in {}", place.file.display(), children.display()));
        Ok(())
    }

    fn warn(&mut self, text: String) {
        self.found.warnings.push(text);
    }
}

/// Whether an attribute is this one, under any path: `#[kernel]`, `#[lanecraft::kernel(..)]`.
fn named(attr: &Attribute, name: &str) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == name)
}

/// The value of `#[path = ".."]`.
fn path_attribute(attr: &Attribute) -> Option<String> {
    match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    }
}

fn directory(file: &Path) -> PathBuf {
    file.parent().map(Path::to_owned).unwrap_or_default()
}

#[cfg(test)]
mod tests;
