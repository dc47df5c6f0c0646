//! Random block kernels as text: loops over lanes in one or two axes, with neighbours, edges, gathers, masks, loops of their own,
//! reductions, and uniform code between them.

use std::fmt::Write;

struct Random(u64);

impl Random {
    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

/// The text of the kernels and of the table that names them.
pub fn kernels(seed: u64, count: u64) -> String {
    let (mut text, mut table) = (String::new(), String::new());
    for k in 0..count {
        let mut kernel = Kernel { random: Random(seed.wrapping_mul(1_000_003).wrapping_add(k)), text: String::new(), lets: 0 };
        kernel.body();
        let _ = write!(
            text,
            "#[kernel(signature = \"(n),(n),(h,w),()->(n),(h,w),(),(),()\")]\n\
             fn k{k}(x: &[f32], g: &[u32], v: View<f32, 2>, u: f32, y: &mut [f32], z: ViewMut<f32, 2>) -> (f32, f32, u32) {{\n{}}}\n",
            kernel.text
        );
        let _ = writeln!(table, "    (k{k}, &<k{k} as BlockFunction>::INFO),");
    }
    let _ = write!(text, "pub const KERNELS: &[(Plain, &BlockInfo)] = &[\n{table}];\n");
    text
}

struct Kernel {
    random: Random,
    text: String,
    lets: usize,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The loop's variables, none outside of loops.
    vars: &'a [&'a str],
    /// Variables of this iteration.
    locals: usize,
}

impl Kernel {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(indent));
    }

    fn body(&mut self) {
        self.line(1, "let (mut s, mut m, mut q) = (0.5f32, -1.0f32, 7u32);");
        self.line(1, "let n = x.len();");
        self.line(1, "let (h, w) = v.shape();");
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(4) {
                0 => self.plane(1),
                1 => {
                    self.line(1, "for r in 0..3 {");
                    self.row(2, Some("r"));
                    self.line(1, "}");
                }
                _ => self.row(1, None),
            }
            if self.random.below(3) == 0 {
                self.line(1, "if s > 3.0 { s = s * 0.25 - m; }");
            }
        }
        self.line(1, "(s, m, q)");
    }

    /// A loop over lanes on one axis.
    fn row(&mut self, indent: usize, outer: Option<&str>) {
        let range = match self.random.below(4) {
            0 => "1..n",
            1 => "(0..n).step_by(3)",
            2 => "n / 3..n",
            _ => "0..n",
        };
        self.line(indent, &format!("for i in lanes({range}) {{"));
        let reads_y = self.random.below(2) == 0;
        let mut place = Place { vars: &["i"], locals: 0 };
        for _ in 0..1 + self.random.below(3) {
            self.statement(indent + 1, &mut place);
        }
        if let Some(r) = outer {
            self.line(indent + 1, &format!("let a{} = {r} as f32 * 0.5;", self.lets));
            place.locals += 1;
            self.lets += 1;
        }
        let e = self.expr(place, 2);
        let op = if reads_y { self.random.pick(&["=", "+=", "*="]) } else { "=" };
        self.line(indent + 1, &format!("y[i] {op} {e};"));
        self.reductions(indent + 1, place);
        self.line(indent, "}");
        self.lets = 0;
    }

    /// A loop over lanes on two axes.
    fn plane(&mut self, indent: usize) {
        self.line(indent, "for (i, j) in lanes((0..h, 0..w)) {");
        let mut place = Place { vars: &["i", "j"], locals: 0 };
        for _ in 0..1 + self.random.below(2) {
            self.statement(indent + 1, &mut place);
        }
        let e = self.expr(place, 2);
        self.line(indent + 1, &format!("z[[i, j]] = {e};"));
        self.reductions(indent + 1, place);
        self.line(indent, "}");
        self.lets = 0;
    }

    fn reductions(&mut self, indent: usize, place: Place<'_>) {
        if self.random.below(2) == 0 {
            let (c, e) = (self.condition(place), self.expr(place, 2));
            self.line(indent, &format!("if {c} {{ s += {e}; }}"));
        }
        if self.random.below(2) == 0 {
            let e = self.expr(place, 2);
            self.line(indent, &format!("m = m.max({e});"));
        }
        if self.random.below(2) == 0 {
            let e = self.expr(place, 1);
            self.line(indent, &format!("q ^= ({e}).to_bits();"));
        }
    }

    fn statement(&mut self, indent: usize, place: &mut Place<'_>) {
        let name = format!("a{}", self.lets);
        match self.random.below(4) {
            0 => {
                let c = self.condition(*place);
                self.line(indent, &format!("if {c} {{ continue; }}"));
                return;
            }
            1 => {
                let (start, c, e) = (self.expr(*place, 1), self.condition(*place), self.expr(*place, 1));
                self.line(indent, &format!("let mut {name} = {start};"));
                self.line(indent, "let mut turns = 0;");
                self.line(indent, &format!("while turns < 4 && {name} < 2.0 {{"));
                self.line(indent + 1, "turns += 1;");
                self.line(indent + 1, &format!("if {c} {{ break; }}"));
                self.line(indent + 1, &format!("{name} = {name} * 0.75 + ({e}).abs();"));
                self.line(indent, "}");
            }
            2 => {
                let (c, a, b) = (self.condition(*place), self.expr(*place, 2), self.expr(*place, 2));
                self.line(indent, &format!("let {name} = if {c} {{ {a} }} else {{ {b} }};"));
            }
            _ => {
                let e = self.expr(*place, 2);
                self.line(indent, &format!("let mut {name} = {e};"));
                let e = self.expr(*place, 1);
                self.line(indent, &format!("for t in 0..3 {{ {name} += t as f32 * ({e}); }}"));
            }
        }
        self.lets += 1;
        place.locals += 1;
    }

    fn condition(&mut self, place: Place<'_>) -> String {
        let (a, b, op) = (self.expr(place, 1), self.expr(place, 1), self.random.pick(&["<", ">", "<=", "!="]));
        if self.random.below(3) == 0 {
            let var = place.vars[0];
            return format!("{a} {op} {b} && {var} > 2");
        }
        format!("{a} {op} {b}")
    }

    fn expr(&mut self, place: Place<'_>, depth: u64) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return self.leaf(place);
        }
        let (a, b) = (self.expr(place, depth - 1), self.expr(place, depth - 1));
        match self.random.below(8) {
            0 => format!("({a}).max({b})"),
            1 => format!("({a}).min({b})"),
            2 => format!("({a}).mul_add(0.5, {b})"),
            3 => format!("(if {a} < {b} {{ {b} }} else {{ 0.25 }})"),
            4 => format!("(({a}) * 0.5).abs()"),
            n => format!("({a} {} {b})", ["+", "-", "*"][n as usize - 5]),
        }
    }

    fn leaf(&mut self, place: Place<'_>) -> String {
        let c = self.random.below(5) as i64 - 2;
        let shifted = |var: &str| if c < 0 { format!("{var} - {}", -c) } else { format!("{var} + {c}") };
        if place.locals > 0 && self.random.below(3) == 0 {
            return format!("a{}", self.random.below(self.lets as u64));
        }
        let edge = self.random.pick(&["at_clamp", "at_wrap", "at_mirror"]);
        match (place.vars, self.random.below(7)) {
            (["i"], 0) => "x[i]".to_owned(),
            (["i"], 1) => format!("x.{edge}({})", shifted("i")),
            (["i"], 2) => format!("x.at_or({}, 0.125)", shifted("i")),
            (["i"], 3) => "x[(g[i] % n as u32) as usize]".to_owned(),
            (["i", "j"], 0) => "v[[i, j]]".to_owned(),
            (["i", "j"], 1) => format!("v.{edge}([{}, {}])", shifted("i"), self.random.pick(&["j", "j + 1", "j - 3"])),
            (["i", "j"], 2) => format!("v.at_or([{}, {}], u)", self.random.pick(&["i", "i + 1", "i - 1"]), shifted("j")),
            (_, 4) => "u".to_owned(),
            (vars, 5) => format!("({} as f32 * 0.0625)", vars[vars.len() - 1]),
            _ => format!("({:.3}f32)", self.random.below(4000) as f64 / 1000.0 - 2.0),
        }
    }
}
