//! Random block kernels as text: loops over lanes in one to three axes, with neighbours, edges, gathers, masks, loops of their own,
//! reductions, running sums, tiles, scatter, updates, and uniform code between them.

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
    fn pick_op(&mut self) -> &'static str {
        ["=", "+=", "*="][self.below(3) as usize]
    }
    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

/// The text of the kernels and of the table that names them.
pub fn kernels(seed: u64, count: u64) -> String {
    let mut text = "#[allow(dead_code, reason = \"not every batch has such a loop\")]\nconst STEP: usize = 2;\n".to_owned();
    let mut table = String::new();
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
        self.line(1, "let (mut p, mut t) = (1.0f32, 5u32);");
        self.line(1, "let n = x.len();");
        self.line(1, "let (h, w) = v.shape();");
        self.line(1, "let r = n % 6;");
        self.line(1, "let (mut tile, mut grid) = ([0.25f32; 40], [[0.5f32; 24]; 3]);");
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(11) {
                8 => self.update(1),
                9 => self.running_sum(1),
                10 => self.cube(1),
                4 => self.tile(1),
                5 => self.fold(1),
                6 => self.scatter(1),
                7 => self.grid(1),
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
        self.line(1, "(s + p, m, q ^ t)");
    }

    /// A loop over lanes on one axis.
    fn row(&mut self, indent: usize, outer: Option<&str>) {
        let range = match self.random.below(5) {
            0 => "1..n",
            1 => "(0..n).step_by(3)",
            3 => "(1..n).step_by(STEP)",
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
        let ranges =
            self.random.pick(&["0..h, 0..w", "0..h, 0..w", "(0..h).step_by(STEP), (1..w).step_by(2)", "0..h, (0..w).step_by(STEP)"]);
        self.line(indent, &format!("for (i, j) in lanes(({ranges})) {{"));
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

    /// Two loops over a tile: one writes it, another reads it at other places.
    fn tile(&mut self, indent: usize) {
        let place = Place { vars: &["i"], locals: 0 };
        let (e, c, op) = (self.expr(place, 2), self.condition(place), self.random.pick_op());
        self.line(indent, "for i in lanes(0..n.min(40)) {");
        self.line(indent + 1, &format!("tile[i] {op} {e};"));
        self.line(indent, "}");
        let (e, at) = (self.expr(place, 1), self.random.pick(&["n.min(40) - 1 - i", "(g[i] % 40) as usize", "39 - i", "i % 7"]));
        self.line(indent, "for i in lanes(0..n.min(40)) {");
        self.line(indent + 1, &format!("if {c} {{ y[i] = {e} * tile[{at}] + tile[3]; }}"));
        self.line(indent, "}");
        self.line(indent, "tile[1] = tile[0] * 0.5;");
    }

    /// The same with two axes.
    fn grid(&mut self, indent: usize) {
        let place = Place { vars: &["i", "j"], locals: 0 };
        let (e, f, op) = (self.expr(place, 2), self.expr(place, 1), self.random.pick_op());
        self.line(indent, "for (i, j) in lanes((0..h.min(3), 0..w.min(24))) {");
        self.line(indent + 1, &format!("grid[i][j] {op} {e};"));
        self.line(indent, "}");
        self.line(indent, "for (i, j) in lanes((0..h.min(3), 0..w.min(20))) {");
        self.line(indent + 1, "let mut a = 0.0;");
        self.line(indent + 1, "for k in 0..r { a += grid[i][j + k - r / 2 * (j / 8).min(1)] * 0.5; }");
        self.line(indent + 1, &format!("z[[i, j]] = a + {f};"));
        self.line(indent, "}");
    }

    /// A reduction by an operation of its own.
    fn fold(&mut self, indent: usize) {
        let place = Place { vars: &["i"], locals: 0 };
        let (e, f, c) = (self.expr(place, 2), self.expr(place, 1), self.condition(place));
        let op = self.random.pick(&["a.0 + b.0 * 0.5", "a.0.max(b.0)", "a.0 * b.0 - u", "if a.0 < b.0 { b.0 } else { a.0 + 0.125 }"]);
        let range = self.random.pick(&["0..n", "2..n", "(0..n).step_by(3)", "(0..n).step_by(STEP)"]);
        self.line(indent, "{");
        self.line(indent + 1, "let mut f = (0.0f32, 7u32);");
        self.line(indent + 1, &format!("for i in lanes({range}) {{"));
        self.line(indent + 2, &format!("if {c} {{ continue; }}"));
        self.line(indent + 2, &format!("f = reduce(f, ({e}, ({f}).to_bits()), |a, b| ({op}, (a.1 ^ b.1).rotate_left(1)));"));
        self.line(indent + 1, "}");
        self.line(indent + 1, "s = s * 0.5 + f.0;");
        self.line(indent + 1, "q ^= f.1;");
        self.line(indent, "}");
    }

    /// Writes at indices that are not shown to differ.
    fn scatter(&mut self, indent: usize) {
        let place = Place { vars: &["i"], locals: 0 };
        let (e, c) = (self.expr(place, 2), self.condition(place));
        self.line(indent, "for i in lanes(0..n) {");
        let write = match self.random.below(3) {
            0 => format!("y[unsafe {{ disjoint(n - 1 - i) }}] = {e};"),
            1 => format!("y[unsafe {{ disjoint((i as u32 ^ 0) as usize) }}] += {e};"),
            _ => format!("scatter_last(y, (g[i] % n as u32) as usize, {e});"),
        };
        self.line(indent + 1, &format!("if {c} {{ {write} }}"));
        self.line(indent, "}");
    }

    /// Updates of elements that iterations share.
    fn update(&mut self, indent: usize) {
        let by = self.random.pick(&["add", "min", "max"]);
        if self.random.below(2) == 0 {
            let place = Place { vars: &["i"], locals: 0 };
            let (e, c, at) = (self.expr(place, 2), self.condition(place), self.random.pick(&["(g[i] % n as u32) as usize", "i / 3", "0"]));
            self.line(indent, "for i in lanes(0..n) {");
            self.line(indent + 1, &format!("if {c} {{ atomic_{by}(&mut y[{at}], {e}); }}"));
        } else {
            let (e, at) =
                (self.expr(Place { vars: &["i", "j"], locals: 0 }, 2), self.random.pick(&["h - 1 - i, j / 2", "0, j", "i / 2, 0"]));
            self.line(indent, "for (i, j) in lanes((0..h, 0..w)) {");
            self.line(indent + 1, &format!("atomic_{by}(&mut z[[{at}]], {e});"));
        }
        self.line(indent, "}");
    }

    /// A running sum, in some of the iterations.
    fn running_sum(&mut self, indent: usize) {
        let place = Place { vars: &["i"], locals: 0 };
        let (e, f, c) = (self.expr(place, 2), self.expr(place, 1), self.condition(place));
        let range = self.random.pick(&["0..n", "1..n", "(0..n).step_by(3)"]);
        self.line(indent, &format!("for i in lanes({range}) {{"));
        self.line(indent + 1, &format!("if {c} {{ continue; }}"));
        self.line(indent + 1, &format!("y[i] = scan(&mut s, {e}) * 0.5 + {f};"));
        self.line(indent, "}");
        self.line(indent, "s = s.min(9.0).max(-9.0);");
    }

    /// Reductions over three axes.
    fn cube(&mut self, indent: usize) {
        let mut place = Place { vars: &["i", "j"], locals: 0 };
        let first = self.random.pick(&["0..3", "0..2", "1..r"]);
        self.line(indent, &format!("for (c, i, j) in lanes(({first}, 0..h, 0..w)) {{"));
        self.line(indent + 1, &format!("let a{} = c as f32 * 0.75 - u;", self.lets));
        self.lets += 1;
        place.locals += 1;
        self.statement(indent + 1, &mut place);
        self.reductions(indent + 1, place);
        self.integers(indent + 1, "(c as u32 * 7 + i as u32 * 31 + j as u32)");
        self.line(indent, "}");
        self.lets = 0;
    }

    /// A reduction of whole numbers.
    fn integers(&mut self, indent: usize, number: &str) {
        let e = format!("{number}.rotate_left({})", self.random.below(32));
        let reduction = match self.random.below(7) {
            0 => format!("t += {e};"),
            1 => format!("t *= {e} | 1;"),
            2 => format!("t ^= {e};"),
            3 => format!("t &= {e} | 0xffff_0000;"),
            4 => format!("t |= {e};"),
            5 => format!("t = t.min({e});"),
            _ => format!("t = t.max({e});"),
        };
        self.line(indent, &reduction);
    }

    fn reductions(&mut self, indent: usize, place: Place<'_>) {
        if self.random.below(4) == 0 {
            let e = self.expr(place, 1);
            self.line(indent, &format!("p *= 1.0 + ({e}) * 0.0625;"));
        }
        if self.random.below(3) == 0 && place.vars == ["i"] {
            let number = self.random.pick(&["g[i]", "g[(g[i] % n as u32) as usize]", "(i as u32 * 77)"]);
            self.integers(indent, number);
        }
        if self.random.below(2) == 0 {
            let (c, e) = (self.condition(place), self.expr(place, 2));
            self.line(indent, &format!("if {c} {{ s += {e}; }}"));
        }
        if self.random.below(2) == 0 {
            let e = self.expr(place, 2);
            let op = self.random.pick(&["max", "max", "min"]);
            self.line(indent, &format!("m = m.{op}({e});"));
        }
        if self.random.below(2) == 0 {
            let e = self.expr(place, 1);
            self.line(indent, &format!("q ^= ({e}).to_bits();"));
        }
    }

    fn statement(&mut self, indent: usize, place: &mut Place<'_>) {
        let name = format!("a{}", self.lets);
        match self.random.below(5) {
            4 => {
                let e = self.expr(*place, 1);
                let element = self.inner_element(*place);
                self.line(indent, &format!("let mut {name} = {e};"));
                self.line(indent, &format!("for k in 0..r {{ {name} += {element} * 0.25; }}"));
            }
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

    /// An element at an index that a loop inside moves.
    fn inner_element(&mut self, place: Place<'_>) -> String {
        let edge = self.random.pick(&["at_clamp", "at_wrap", "at_mirror"]);
        match (place.vars, self.random.below(3)) {
            (["i"], 0) => format!("x.{edge}(2 * k + i - r)"),
            (["i"], 1) => "x[(i + k) % n]".to_owned(),
            (["i"], _) => "(if i + k < n { x[i + k] } else { u })".to_owned(),
            (_, 0) => format!("v.{edge}([i, j + k - r / 2])"),
            (_, 1) => format!("v.{edge}([i + r - k, j])"),
            _ => "(if k < h { v[[k, j]] } else { u })".to_owned(),
        }
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
