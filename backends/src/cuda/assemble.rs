//! Puts items together: each one once, what it needs before it, its gaps filled.

use super::entry::{self, Source};
use super::{CudaInfo, PRELUDE};
use lanecraft_core::cuda::{Item, Kind, Names, Writer};

/// A construct that has no CUDA text yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The kernel that was asked for.
    pub kernel: String,
    /// The function with the construct.
    pub function: String,
    /// Where it stands.
    pub place: String,
    /// The construct.
    pub what: String,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kernel, function, place, what } = self;
        write!(f, "kernel `{kernel}` has no CUDA text: {what} is not supported there yet, in function `{function}` at {place}")
    }
}

impl std::error::Error for Missing {}

/// A text of several kernels.
#[derive(Debug, Default)]
pub struct Program {
    items: Vec<(&'static Item, String)>,
    pub(super) text: String,
    pub(super) entries: Vec<entry::Entry>,
    pub(super) block_entries: Vec<super::BlockEntry>,
    /// Whether there are block kernels.
    pub(super) blocks: bool,
    missing: Option<&'static Item>,
}

impl Program {
    /// No kernels yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds all variants of a kernel.
    ///
    /// # Errors
    /// A construct that has no CUDA text yet; the program is as it was before.
    pub fn kernel(&mut self, kernel: &CudaInfo) -> Result<(), Missing> {
        let name = self.added(kernel.info.name, |program| program.name(kernel.shape.item))?;
        entry::kernel(self, kernel, &name);
        Ok(())
    }

    /// Runs `add`, and takes back what it has added if something has no text.
    pub(super) fn added(&mut self, kernel: &str, add: impl FnOnce(&mut Self) -> String) -> Result<String, Missing> {
        let (items, text) = (self.items.len(), self.text.len());
        let name = add(self);
        let Some(item) = self.missing.take() else { return Ok(name) };
        self.items.truncate(items);
        self.text.truncate(text);
        Err(Missing {
            kernel: kernel.to_owned(),
            function: item.name.to_owned(),
            place: format!("{}:{}", item.file, item.line),
            what: item.missing.unwrap_or_default().to_owned(),
        })
    }

    /// The text, and what is in it.
    pub fn finish(self) -> Source {
        let blocks = if self.blocks { super::block::PRELUDE } else { "" };
        Source { text: format!("{PRELUDE}\n{blocks}\n{}", self.text), entries: self.entries, blocks: self.block_entries }
    }

    /// The text of an item, its gaps filled.
    fn fill(&mut self, item: &'static Item, name: &str) -> String {
        let needs: Vec<String> = item.needs.iter().map(|needed| self.name(needed)).collect();
        let constants: Vec<Written> = item.constants.iter().map(|c| self.written(c.value)).collect();
        let types: Vec<String> = item.types.iter().map(|write| self.written(*write).text).collect();
        let mut out = String::new();
        for (constant, value) in item.constants.iter().zip(&constants).filter(|(_, value)| value.is_table) {
            let elements = value.text.replace("LC_BITS_", "LC_CONST_");
            out.push_str(&format!("LC_TABLE {} {name}_{} = {elements};\n", value.ty, constant.name));
        }
        let filled = Gaps { item, name, needs: &needs, constants: &constants, types: &types }.fill(item.text);
        for line in item.docs.lines() {
            out.push_str(format!("/// {}", line.trim_end_matches('\\')).trim_end());
            out.push('\n');
        }
        if !item.file.is_empty() {
            out.push_str(&format!("// {}:{}\n", item.file, item.line));
        }
        out.push_str(&filled);
        out.push('\n');
        out
    }

    fn written(&mut self, write: fn(&mut Writer<'_>)) -> Written {
        let mut w = Writer::new(self);
        write(&mut w);
        Written { text: w.text, ty: w.ty, is_table: w.is_table }
    }
}

/// A constant or a type, in C++.
struct Written {
    text: String,
    ty: String,
    is_table: bool,
}

impl Names for Program {
    fn name(&mut self, item: &'static Item) -> String {
        if let Some((_, name)) = self.items.iter().find(|(known, _)| same(known, item)) {
            return name.clone();
        }
        if item.missing.is_some() {
            self.missing.get_or_insert(item);
            return String::new();
        }
        let plain = mangled(item);
        let mut name = plain.clone();
        let mut k = 2;
        while self.items.iter().any(|(_, taken)| *taken == name) {
            name = format!("{plain}_{k}");
            k += 1;
        }
        let text = self.fill(item, &name);
        self.text.push_str(&text);
        self.items.push((item, name.clone()));
        name
    }
}

/// The module and the name, in letters, digits and single `_`.
fn mangled(item: &Item) -> String {
    let mut out = String::new();
    for c in format!("{}::{}", item.module, item.name).chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            '_' | ':' if out.ends_with('_') || out.is_empty() => {}
            '_' | ':' => out.push('_'),
            c => out.push_str(&format!("u{:x}", c as u32)),
        }
    }
    out
}

/// Whether two items are the same one: a constant may lie in memory more than once.
fn same(a: &Item, b: &Item) -> bool {
    std::ptr::eq(a, b)
        || (a.name, a.module, a.file, a.line, a.text) == (b.name, b.module, b.file, b.line, b.text)
            && a.needs.len() == b.needs.len()
            && a.needs.iter().zip(b.needs).all(|(a, b)| same(a, b))
            && a.constants.len() == b.constants.len()
            && a.constants
                .iter()
                .zip(b.constants)
                .all(|(a, b)| std::ptr::fn_addr_eq(a.value, b.value) || text_of(a.value) == text_of(b.value))
}

/// What a constant writes, apart from the names of items.
fn text_of(write: fn(&mut Writer<'_>)) -> (String, String) {
    struct Nameless;
    impl Names for Nameless {
        fn name(&mut self, item: &'static Item) -> String {
            mangled(item)
        }
    }
    let mut names = Nameless;
    let mut w = Writer::new(&mut names);
    write(&mut w);
    (w.text, w.ty)
}

/// What fills the gaps of a text.
struct Gaps<'a> {
    item: &'a Item,
    name: &'a str,
    needs: &'a [String],
    constants: &'a [Written],
    types: &'a [String],
}

impl Gaps<'_> {
    fn fill(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, gap)) = rest.split_once('$') {
            out.push_str(before);
            let Some((gap, after)) = gap.split_once('$') else { break };
            rest = after;
            let number = |gap: &str| gap.get(1..).and_then(|n| n.parse::<usize>().ok());
            match gap.as_bytes().first() {
                Some(b'n') => out.push_str(self.name),
                Some(b's') => out.push_str(number(gap).and_then(|k| self.needs.get(k)).map_or("", |n| n)),
                Some(b'm') => {
                    let (literal, after) = enclosed(rest.strip_prefix("$<$").unwrap_or(rest));
                    rest = after;
                    out.push_str(&self.literal(number(gap).unwrap_or(usize::MAX), literal));
                }
                Some(b'v') => out.push_str(number(gap).and_then(|k| self.constants.get(k)).map_or("", |c| &c.text)),
                Some(b't') => out.push_str(number(gap).and_then(|k| self.types.get(k)).map_or("", |t| t)),
                Some(kind @ (b'f' | b'g')) => {
                    let k = number(gap).unwrap_or(usize::MAX);
                    out.push_str(self.needs.get(k).map_or("", |n| n));
                    if let Some(arguments) = rest.strip_prefix("$<$") {
                        let (arguments, after) = enclosed(arguments);
                        rest = after;
                        let needed = self.item.needs.get(k).map(|item| item.kind);
                        if let Some(Kind::Function { generic: true, by_result }) = needed
                            && (*kind == b'g' || by_result)
                        {
                            out.push_str(&format!("_call<{}>", self.fill(arguments)));
                        }
                    }
                }
                Some(b'c') => {
                    // The line of the constants: one line each.
                    let indent = out.len() - out.trim_end_matches(' ').len();
                    out.truncate(out.len() - indent);
                    for (constant, value) in self.item.constants.iter().zip(self.constants) {
                        let (ty, name) = (&value.ty, constant.name);
                        let line = if value.is_table {
                            format!("const auto &{name} = {}_{name};", self.name)
                        } else {
                            format!("const {ty} {name} = {};", value.text)
                        };
                        out.push_str(&format!("{:indent$}{line}\n", ""));
                    }
                    rest = rest.strip_prefix('\n').unwrap_or(rest);
                }
                _ => {}
            }
        }
        out.push_str(rest);
        out
    }
}

impl Gaps<'_> {
    /// A literal of a struct, its fields in the struct's order.
    fn literal(&self, k: usize, text: &str) -> String {
        let (Some(name), Some(item)) = (self.needs.get(k), self.item.needs.get(k)) else { return String::new() };
        let Kind::Struct { generic, fields } = item.kind else { return String::new() };
        let parts: Vec<(&str, &str)> = parts(text);
        let value = |name: &str| parts.iter().find(|(n, _)| *n == name).map(|(_, text)| self.fill(text));
        let base = value("..");
        let values: Vec<String> = fields
            .iter()
            .map(|field| value(field).or_else(|| base.as_ref().map(|base| format!("{base}.{field}"))).unwrap_or_default())
            .collect();
        if generic {
            format!("{name}_make<{}>({})", value("R").unwrap_or_default(), values.join(", "))
        } else {
            format!("{name}{{{}}}", values.join(", "))
        }
    }
}

/// `a$=$x$,$b$=$y`: names and texts, those inside other literals left alone.
fn parts(text: &str) -> Vec<(&str, &str)> {
    let (mut parts, mut depth, mut at, mut start, mut name) = (Vec::new(), 0_usize, 0, 0, "");
    while let Some((from, to)) = gap(text, at) {
        match &text[from + 1..to] {
            "=" if depth == 0 => {
                name = &text[start..from];
                start = to + 1;
            }
            "," if depth == 0 => {
                parts.push((name, &text[start..from]));
                start = to + 1;
            }
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = to + 1;
    }
    parts.push((name, &text[start..]));
    parts
}

/// What stands before the gap `$>$` that closes, and what behind it.
fn enclosed(text: &str) -> (&str, &str) {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some((start, end)) = gap(text, at) {
        match &text[start + 1..end] {
            ">" if depth == 0 => return (&text[..start], &text[end + 1..]),
            ">" => depth -= 1,
            "<" => depth += 1,
            _ => {}
        }
        at = end + 1;
    }
    (text, "")
}

/// Where the next gap begins and ends.
fn gap(text: &str, from: usize) -> Option<(usize, usize)> {
    let start = from + text[from..].find('$')?;
    Some((start, start + 1 + text[start + 1..].find('$')?))
}
