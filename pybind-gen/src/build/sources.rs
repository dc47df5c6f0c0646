//! What a crate exports, in its source files.

use super::Error;
use super::cfg::Cfg;
use lanecraft_lang::block::BlockKernel;
use lanecraft_lang::export::{ExportedFunction, ExportedStruct};
use lanecraft_lang::model::Kernel;
use lanecraft_lang::parse::attr::KernelAttr;
use proc_macro2::TokenStream;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, ExprLit, Item, ItemFn, ItemMod, ItemStruct, Lit, Meta};

/// What was found.
#[derive(Default)]
pub(super) struct Crate {
    /// What is exported, in the order of the source.
    pub(super) exports: Vec<Found>,
    /// Files that were read.
    pub(super) files: Vec<PathBuf>,
    /// What is missing in the stub and will be reported by the compiler.
    pub(super) warnings: Vec<String>,
}

/// An export and where it stands.
pub(super) struct Found {
    pub(super) export: Exported,
    /// `src/lib.rs:12`
    pub(super) at: String,
}

impl Found {
    /// Its name in the module: `gelu`, `math.sin`.
    pub(super) fn path(&self) -> String {
        let name = self.export.name();
        self.export.submodule().map_or_else(|| name.to_string(), |module| format!("{module}.{name}"))
    }
}

/// What `#[python_export]` stands on.
pub enum Exported {
    /// A map kernel.
    Map(Box<Kernel>),
    /// A block kernel.
    Block(Box<BlockKernel>),
    /// An ordinary function.
    Function(Box<ExportedFunction>),
    /// A struct.
    Struct(Box<ExportedStruct>),
}

impl Exported {
    /// Parses what `#[kernel(attr)]` would.
    fn kernel(attr: TokenStream, item: &ItemFn) -> syn::Result<Self> {
        let attr = KernelAttr::parse(attr)?;
        if attr.signature.is_some() {
            return lanecraft_lang::block::kernel(attr, item).map(|kernel| Self::Block(Box::new(kernel)));
        }
        lanecraft_lang::parse::kernel(attr, item).map(|kernel| Self::Map(Box::new(kernel)))
    }

    /// Parses what `#[python_export(attr)]` would, on a function.
    fn function(attr: TokenStream, item: &ItemFn) -> syn::Result<Self> {
        ExportedFunction::parse(attr, item).map(|function| Self::Function(Box::new(function)))
    }

    /// The same, on a struct.
    fn structure(attr: TokenStream, item: &ItemStruct) -> syn::Result<Self> {
        ExportedStruct::parse(attr, item).map(|structure| Self::Struct(Box::new(structure)))
    }

    /// The submodule that it goes into.
    pub fn submodule(&self) -> Option<&str> {
        match self {
            Self::Map(kernel) => kernel.export.as_ref().and_then(|export| export.module.as_deref()),
            Self::Block(kernel) => kernel.export.as_ref().and_then(|export| export.module.as_deref()),
            Self::Function(function) => function.module.as_deref(),
            Self::Struct(structure) => structure.module.as_deref(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &proc_macro2::Ident {
        match self {
            Self::Map(kernel) => &kernel.name,
            Self::Block(kernel) => &kernel.name,
            Self::Function(function) => &function.name,
            Self::Struct(structure) => &structure.name,
        }
    }

    /// Gives it the name, and the submodule unless that is empty, that it has in Python.
    pub(super) fn rename(&mut self, module: &str, name: &str) {
        let module = (!module.is_empty()).then(|| module.to_owned());
        let own = match self {
            Self::Map(kernel) => (&mut kernel.name, kernel.export.as_mut().map(|export| &mut export.module)),
            Self::Block(kernel) => (&mut kernel.name, kernel.export.as_mut().map(|export| &mut export.module)),
            Self::Function(function) => (&mut function.name, Some(&mut function.module)),
            Self::Struct(structure) => (&mut structure.name, Some(&mut structure.module)),
        };
        if *own.0 != name {
            *own.0 = proc_macro2::Ident::new(name, own.0.span());
        }
        if let Some(own) = own.1 {
            *own = module;
        }
    }

    /// Goes through the structs that it names as types.
    pub(super) fn each_struct(&mut self, f: &mut impl FnMut(&mut proc_macro2::Ident)) {
        match self {
            Self::Map(_) | Self::Block(_) => {}
            Self::Function(function) => {
                function.arguments.iter_mut().for_each(|argument| argument.ty.each_struct(f));
                function.output.each_struct(f);
            }
            Self::Struct(structure) => structure.fields.iter_mut().for_each(|field| field.ty.each_struct(f)),
        }
    }

    /// What it is, for messages.
    pub(super) fn what(&self) -> &'static str {
        match self {
            Self::Map(_) | Self::Block(_) => "kernel",
            Self::Function(_) => "function",
            Self::Struct(_) => "struct",
        }
    }

    /// Why Python cannot take its name, or one of its parts', if it cannot.
    pub(super) fn refusal(&self) -> Option<String> {
        let (part, parts): (&str, Vec<String>) = match self {
            Self::Map(_) | Self::Block(_) => ("", Vec::new()),
            Self::Function(function) => ("argument", function.arguments.iter().map(|argument| argument.name.to_string()).collect()),
            Self::Struct(structure) => ("field", structure.fields.iter().map(|field| field.name.to_string()).collect()),
        };
        let name = self.name().to_string();
        let of_part = || parts.iter().find_map(|part_name| crate::names::part_refusal(&name, part, part_name));
        crate::names::refusal(self.what(), &name).or_else(of_part)
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
                Item::Struct(item) => self.structure(item, place),
                Item::Mod(item) if self.cfg.has(&item.attrs) => self.module(item, place)?,
                // What is exported stands at module level, and macros expand later than this.
                _ => {}
            }
        }
        Ok(())
    }

    fn function(&mut self, item: &ItemFn, place: &Place<'_>) {
        let mut item = item.clone();
        if !self.cfg.has(&item.attrs) || !item.attrs.iter().any(|a| named(a, "python_export")) {
            return;
        }
        // What the macro gets: its own attribute's content, and the function without that attribute.
        let export = match take(&mut item.attrs, "kernel") {
            Some(content) => Exported::kernel(content, &item),
            None => Exported::function(take(&mut item.attrs, "python_export").unwrap_or_default(), &item),
        };
        self.add(export, place);
    }

    fn structure(&mut self, item: &ItemStruct, place: &Place<'_>) {
        let mut item = item.clone();
        if self.cfg.has(&item.attrs)
            && let Some(content) = take(&mut item.attrs, "python_export")
        {
            self.add(Exported::structure(content, &item), place);
        }
    }

    fn add(&mut self, export: syn::Result<Exported>, place: &Place<'_>) {
        let line = |span: proc_macro2::Span| format!("{}:{}", place.file.display(), span.start().line);
        match export {
            Ok(export) => self.found.exports.push(Found { at: line(export.name().span()), export }),
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

/// Removes an attribute. Its content.
fn take(attrs: &mut Vec<Attribute>, name: &str) -> Option<TokenStream> {
    let at = attrs.iter().position(|a| named(a, name))?;
    Some(match attrs.remove(at).meta {
        Meta::List(list) => list.tokens,
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    })
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
