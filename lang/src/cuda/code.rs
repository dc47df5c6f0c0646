//! Pieces of C++: expressions with their precedence, and lines.

/// How strongly an expression's outermost operator binds, from C++'s table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binds {
    /// `a ? b : c`
    Choice,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`, `!=`
    Equal,
    /// `<`, `<=`, `>`, `>=`
    Compare,
    /// `<<`, `>>`
    Shift,
    /// `+`, `-`
    Sum,
    /// `*`, `/`
    Product,
    /// `-a`, `!a`, `~a`
    Prefix,
    /// A name, a literal, a call.
    Atom,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Code {
    /// Its text.
    pub text: String,
    /// How strongly it binds.
    pub binds: Binds,
    /// Whether it has the same value wherever it stands.
    pub fixed: bool,
    /// Whether it is of a type that only C++ knows, and may be a literal's.
    pub open: bool,
}

impl Code {
    /// A call, or another expression that needs no parentheses.
    pub fn atom(text: impl Into<String>) -> Self {
        Self { text: text.into(), binds: Binds::Atom, fixed: false, open: false }
    }

    /// The same of what has the same value wherever it stands.
    pub fn fixed(text: impl Into<String>) -> Self {
        Self { fixed: true, ..Self::atom(text) }
    }

    /// An operator's expression.
    pub fn operator(text: impl Into<String>, binds: Binds) -> Self {
        Self { binds, ..Self::atom(text) }
    }

    /// A literal whose type only C++ finds.
    pub fn open(text: impl Into<String>) -> Self {
        Self { open: true, ..Self::fixed(text) }
    }

    /// The text where an operator of this strength stands beside it; `right`: on its left.
    pub fn beside(&self, binds: Binds, right: bool) -> String {
        let parens = if right { self.binds <= binds } else { self.binds < binds };
        if parens { format!("({})", self.text) } else { self.text.clone() }
    }

    /// `a op b`
    pub fn infix(op: &str, binds: Binds, a: &Self, b: &Self) -> Self {
        Self::operator(format!("{} {op} {}", a.beside(binds, false), b.beside(binds, true)), binds)
    }
}

/// Lines of statements.
#[derive(Debug, Default)]
pub struct Lines {
    lines: Vec<String>,
    depth: usize,
}

impl Lines {
    /// A line.
    pub fn push(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        self.lines.push(if line.is_empty() { String::new() } else { format!("{:1$}{line}", "", 4 * self.depth) });
    }

    /// `{`: the lines that follow stand deeper.
    pub fn open(&mut self, line: impl AsRef<str>) {
        self.push(line);
        self.depth += 1;
    }

    /// `}`, and what stands behind it.
    pub fn close(&mut self, line: impl AsRef<str>) {
        self.depth = self.depth.saturating_sub(1);
        self.push(line);
    }

    /// After a `}` with something behind it: the lines that follow stand deeper again.
    pub fn open_again(&mut self) {
        self.depth += 1;
    }

    /// Puts back what was taken, one step deeper.
    pub fn put_deeper(&mut self, lines: Vec<String>) {
        self.lines.extend(lines.into_iter().map(|line| format!("    {line}")));
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Takes the lines from number `at` on.
    pub fn take_from(&mut self, at: usize) -> Vec<String> {
        self.lines.split_off(at.min(self.lines.len()))
    }

    /// Puts back what was taken.
    pub fn put(&mut self, lines: Vec<String>) {
        self.lines.extend(lines);
    }

    /// All of them.
    pub fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}
