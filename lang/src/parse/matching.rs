//! `match`, `if let`, `while let`, `let .. else`: taken apart into tests and bindings, so that the rest of the language knows
//! `if` and `let` alone.

use super::pat::reject_reserved;
use super::scope::Scope;
use super::structure::member;
use super::{block, cover::Cover, expr};
use crate::error::Source;
use crate::tree::{BinaryOp, Block, Expr, ExprKind, Member, OptionOp, Pat, Shape, Stmt, Type, UnaryOp, VarId};
use proc_macro2::Ident;

/// A value that is tested: a variable, or a part of it.
#[derive(Clone)]
struct Place {
    var: VarId,
    parts: Vec<Part>,
    source: Source,
}

/// From a value to a part of it.
#[derive(Clone)]
enum Part {
    Member(Member),
    /// An element of an array.
    Element(usize),
}

impl Place {
    fn of(var: VarId, source: Source) -> Self {
        Self { var, parts: Vec::new(), source }
    }

    fn part(&self, part: Part) -> Self {
        let parts = self.parts.iter().cloned().chain([part]).collect();
        Self { parts, ..self.clone() }
    }

    fn member(&self, member: Member) -> Self {
        self.part(Part::Member(member))
    }

    fn read(&self, scope: &mut Scope) -> Expr {
        let var = scope.make(ExprKind::Var(self.var), self.source);
        self.parts.iter().fold(var, |e, part| {
            let kind = match part {
                Part::Member(member) => ExprKind::Field(Box::new(e), member.clone()),
                Part::Element(k) => {
                    let k = i128::try_from(*k).unwrap_or(i128::MAX);
                    ExprKind::Index(Box::new(e), Box::new(scope.make(ExprKind::Int(k, None), self.source)))
                }
            };
            scope.make(kind, self.source)
        })
    }
}

/// What a pattern binds: a name to a part of the value.
struct Binding {
    name: Ident,
    mutable: Option<syn::Token![mut]>,
    place: Place,
}

/// A pattern, taken apart: its test (`None`: it always matches), its bindings, and the forms it takes values to be of.
#[derive(Default)]
struct Tested {
    test: Option<Expr>,
    bindings: Vec<Binding>,
    shapes: Vec<Stmt>,
}

impl Tested {
    /// Adds what a part of the value is tested for.
    fn add(&mut self, part: Self, source: Source, scope: &mut Scope) {
        self.test = both(false, self.test.take(), part.test, source, scope);
        self.bindings.extend(part.bindings);
        self.shapes.extend(part.shapes);
    }
}

/// `match value { pat if guard => body, .. }`
pub fn match_(m: &syn::ExprMatch, scope: &mut Scope) -> syn::Result<ExprKind> {
    let source = Source::of(m);
    let (mut stmts, place) = hold(&m.expr, scope)?;
    let mut arms = Vec::new();
    let mut cover = Cover::default();
    let mut otherwise = None;
    for arm in &m.arms {
        let mut tested = test(&arm.pat, &place, scope)?;
        stmts.append(&mut tested.shapes);
        let always = tested.test.is_none() && arm.guard.is_none();
        if arm.guard.is_none() {
            cover.add(&arm.pat, scope);
        }
        let mut keep = Keep::All;
        let guard = match &arm.guard {
            Some((_, guard)) => {
                let (guard, used) = with_bindings(&tested, scope, &Keep::Used, |scope| block::arm(guard, scope))?;
                keep = Keep::UsedBut(used);
                Some(guard)
            }
            None => None,
        };
        let (body, _) = with_bindings(&tested, scope, &keep, |scope| block::arm(&arm.body, scope))?;
        let last = always || cover.is_complete();
        if otherwise.is_some() {
            continue; // Unreachable: checked, and left out, as rustc does.
        }
        if last {
            otherwise = Some(body);
        } else {
            let test = match (tested.test, guard) {
                (Some(t), Some(g)) => {
                    let g = scope.make(ExprKind::Block(g), source);
                    scope.make(ExprKind::ShortCircuit { or: false, left: Box::new(t), right: Box::new(g) }, source)
                }
                (Some(t), None) => t,
                (None, Some(g)) => scope.make(ExprKind::Block(g), source),
                (None, None) => continue,
            };
            arms.push((test, body));
        }
    }
    let Some(otherwise) = otherwise else {
        return Err(source
            .error("a `match` of a kernel cannot leave values uncovered; end it with an arm `_ => ..`, because every lane needs a value"));
    };
    let value = arms.into_iter().rev().fold(otherwise, |otherwise, (test, body)| {
        let kind = ExprKind::If { cond: Box::new(test), then: body, otherwise: Some(otherwise) };
        Block { stmts: Vec::new(), value: Some(Box::new(scope.make(kind, source))), source }
    });
    stmts.extend(value.stmts);
    Ok(ExprKind::Block(Block { stmts, value: value.value, source }))
}

/// `if let pat = value { then } else { otherwise }`
pub fn if_let(e: &syn::ExprLet, then: &syn::Block, otherwise: Option<Block>, scope: &mut Scope) -> syn::Result<ExprKind> {
    let source = Source::of(e);
    let (mut stmts, place) = hold(&e.expr, scope)?;
    let mut tested = test(&e.pat, &place, scope)?;
    stmts.append(&mut tested.shapes);
    let (then, _) = with_bindings(&tested, scope, &Keep::All, |scope| block::parse(then, scope))?;
    let kind = match tested.test {
        Some(test) => ExprKind::If { cond: Box::new(test), then, otherwise },
        None => ExprKind::Block(then),
    };
    let value = Some(Box::new(scope.make(kind, source)));
    Ok(ExprKind::Block(Block { stmts, value, source }))
}

/// `while let pat = value { body }` as the body of a `loop` that `leave` ends.
pub fn while_let(e: &syn::ExprLet, body: &syn::Block, leave: ExprKind, scope: &mut Scope) -> syn::Result<Block> {
    let source = Source::of(e);
    let leave = scope.make(leave, source);
    let otherwise = Block { stmts: vec![Stmt::Expr { expr: leave, semi: true }], value: None, source };
    let kind = if_let(e, body, Some(otherwise), scope)?;
    let expr = scope.make(kind, source);
    Ok(Block { stmts: vec![Stmt::Expr { expr, semi: false }], value: None, source })
}

/// `let pat: ty = value;` of a pattern that takes structs or arrays apart.
pub fn let_(pat: &syn::Pat, ty: Option<Type>, value: &syn::Expr, source: Source, scope: &mut Scope) -> syn::Result<Vec<Stmt>> {
    let init = expr::parse(value, scope)?;
    let var = scope.declare_matched();
    let place = Place::of(var, init.source);
    let mut stmts = vec![Stmt::Let { pat: Pat::Var(var), ty, init }];
    let tested = test(pat, &place, scope)?;
    if tested.test.is_some() {
        return Err(source
            .error("a pattern that may fail cannot stand in a `let` of a kernel; use `let .. else { return .. }`, `if let` or `match`, because every lane goes on"));
    }
    stmts.extend(tested.shapes);
    let (lets, vars) = lets(&tested.bindings, scope);
    scope.show(vars);
    stmts.extend(lets);
    Ok(stmts)
}

/// `let pat: ty = value else { otherwise };`
pub fn let_else(
    pat: &syn::Pat,
    ty: Option<Type>,
    value: &syn::Expr,
    otherwise: &syn::Expr,
    source: Source,
    scope: &mut Scope,
) -> syn::Result<Vec<Stmt>> {
    let init = expr::parse(value, scope)?;
    let var = scope.declare_matched();
    let place = Place::of(var, init.source);
    let mut stmts = vec![Stmt::Let { pat: Pat::Var(var), ty, init }];
    let mut tested = test(pat, &place, scope)?;
    stmts.append(&mut tested.shapes);
    let otherwise = block::arm(otherwise, scope)?;
    if let Some(test) = tested.test {
        let test = scope.make(ExprKind::Unary(UnaryOp::Not, Box::new(test)), source);
        let kind = ExprKind::If { cond: Box::new(test), then: otherwise, otherwise: None };
        let expr = scope.make(kind, source);
        stmts.push(Stmt::Expr { expr, semi: false });
    }
    let (lets, vars) = lets(&tested.bindings, scope);
    scope.show(vars);
    stmts.extend(lets);
    Ok(stmts)
}

/// Computes the value once, into a variable; a variable stands for itself.
fn hold(value: &syn::Expr, scope: &mut Scope) -> syn::Result<(Vec<Stmt>, Place)> {
    let init = expr::parse(value, scope)?;
    let source = init.source;
    if let ExprKind::Var(var) = init.kind {
        return Ok((Vec::new(), Place::of(var, source)));
    }
    let var = scope.declare_matched();
    Ok((vec![Stmt::Let { pat: Pat::Var(var), ty: None, init }], Place::of(var, source)))
}

/// Which bindings stand before a guard or the body of an arm. Both bind for themselves, and rustc is to warn of a name once, if
/// neither uses it.
enum Keep {
    All,
    /// A guard: those that it uses.
    Used,
    /// The body after a guard: all, but for what the guard uses and the body does not.
    UsedBut(Vec<bool>),
}

/// Runs `f` with the bindings in sight; what it gives stands in a block after them. Also which of them it uses.
fn with_bindings(
    tested: &Tested,
    scope: &mut Scope,
    keep: &Keep,
    f: impl FnOnce(&mut Scope) -> syn::Result<Block>,
) -> syn::Result<(Block, Vec<bool>)> {
    scope.nested(|scope| {
        let (stmts, vars) = lets(&tested.bindings, scope);
        scope.show(vars.clone());
        let inner = f(scope)?;
        let used: Vec<bool> = vars.iter().map(|var| scope.used().contains(var)).collect();
        let kept = |k: usize| match keep {
            Keep::All => true,
            Keep::Used => used.get(k) == Some(&true),
            Keep::UsedBut(before) => used.get(k) == Some(&true) || before.get(k) == Some(&false),
        };
        let mut stmts: Vec<Stmt> = stmts.into_iter().enumerate().filter(|(k, _)| kept(*k)).map(|(_, stmt)| stmt).collect();
        if stmts.is_empty() {
            return Ok((inner, used));
        }
        let source = inner.source;
        stmts.extend(inner.stmts);
        Ok((Block { stmts, value: inner.value, source }, used))
    })
}

/// The bindings as `let`s, and the variables they declare.
fn lets(bindings: &[Binding], scope: &mut Scope) -> (Vec<Stmt>, Vec<VarId>) {
    let mut vars = Vec::new();
    let one = |b: &Binding| {
        let init = b.place.read(scope);
        let var = scope.declare(b.name.clone(), b.mutable);
        vars.push(var);
        Stmt::Let { pat: Pat::Var(var), ty: None, init }
    };
    let stmts = bindings.iter().map(one).collect();
    (stmts, vars)
}

/// Takes a pattern apart.
fn test(pat: &syn::Pat, place: &Place, scope: &mut Scope) -> syn::Result<Tested> {
    let source = Source::of(pat);
    let reject = |why: &str| Err(source.error(why));
    let never = |test: Expr| Ok(Tested { test: Some(test), ..Tested::default() });
    match pat {
        syn::Pat::Wild(_) => Ok(Tested::default()),
        syn::Pat::Paren(inner) => test(&inner.pat, place, scope),
        syn::Pat::Lit(lit) => {
            let value = expr::parse(&syn::Expr::Lit(lit.clone()), scope)?;
            never(compare(BinaryOp::Eq, place, value, source, scope))
        }
        syn::Pat::Path(path) => {
            let value = expr::parse(&syn::Expr::Path(path.clone()), scope)?;
            never(compare(BinaryOp::Eq, place, value, source, scope))
        }
        syn::Pat::Range(range) => self::range(range, place, source, scope),
        syn::Pat::Ident(ident) => self::ident(ident, place, source, scope),
        syn::Pat::Tuple(tuple) => {
            let parts = tuple.elems.iter().enumerate().map(|(k, pat)| (pat, place.member(Member::Element(k))));
            parts_of(parts.collect(), Vec::new(), source, scope)
        }
        syn::Pat::Slice(slice) => {
            let shapes = vec![shape(Shape::Array(slice.elems.len()), place, source, scope)];
            let parts = slice.elems.iter().enumerate().map(|(k, pat)| (pat, place.part(Part::Element(k))));
            parts_of(parts.collect(), shapes, source, scope)
        }
        syn::Pat::TupleStruct(p) if p.path.is_ident("Some") && p.elems.len() == 1 => {
            let read = place.read(scope);
            let mut all = Tested { test: Some(scope.make(ExprKind::Option(OptionOp::IsSome, vec![read]), source)), ..Tested::default() };
            if let Some(inner) = p.elems.first() {
                let part = test(inner, &place.member(Member::Payload), scope)?;
                all.add(part, source, scope);
            }
            Ok(all)
        }
        syn::Pat::TupleStruct(p) => {
            let rest = p.elems.last().is_some_and(|p| matches!(p, syn::Pat::Rest(_)));
            let parts: Vec<_> = p.elems.iter().take(p.elems.len() - usize::from(rest)).enumerate().collect();
            let members = parts.iter().map(|(k, _)| Member::Element(*k)).collect();
            let (shapes, place) = structure(Shape::Struct { path: p.path.clone(), members, rest, is_tuple: true }, place, source, scope);
            let parts = parts.into_iter().map(|(k, pat)| (pat, place.member(Member::Element(k))));
            parts_of(parts.collect(), shapes, source, scope)
        }
        syn::Pat::Struct(p) => {
            let members = p.fields.iter().map(|f| member(&f.member)).collect();
            let rest = p.rest.is_some();
            let (shapes, place) = structure(Shape::Struct { path: p.path.clone(), members, rest, is_tuple: false }, place, source, scope);
            let parts = p.fields.iter().map(|f| (&*f.pat, place.member(member(&f.member))));
            parts_of(parts.collect(), shapes, source, scope)
        }
        syn::Pat::Or(or) => {
            let (mut cases, mut shapes) = (Vec::new(), Vec::new());
            for case in &or.cases {
                let mut part = test(case, place, scope)?;
                shapes.append(&mut part.shapes);
                if let Some(b) = part.bindings.first() {
                    let message = format!(
                        "alternatives (`a | b`) of a kernel's pattern cannot bind names (`{}`); bind the whole (`name @ (a | b)`), because lanes may take different alternatives",
                        b.name
                    );
                    return Err(Source::of(case).error(message));
                }
                cases.push(part.test);
            }
            // One alternative that always matches makes the whole match.
            let cases: Option<Vec<Expr>> = cases.into_iter().collect();
            let test = cases.into_iter().flatten().fold(None, |a, b| both(true, a, Some(b), source, scope));
            Ok(Tested { test, bindings: Vec::new(), shapes })
        }
        syn::Pat::Const(_) => {
            reject("a const block cannot be a pattern in a kernel; name a constant, because a pattern is compared as it stands")
        }
        syn::Pat::Macro(_) => {
            reject("a macro cannot stand for a pattern in a kernel; write the pattern, because it is expanded after the kernel")
        }
        syn::Pat::Reference(_) => {
            reject("a reference pattern cannot be used in a kernel; match the value, because kernels hold values only")
        }
        syn::Pat::Rest(_) => reject(
            "`..` cannot be used in a kernel's pattern; name every element, or `_`, because a macro does not know how many there are",
        ),
        syn::Pat::Type(_) => reject(
            "a type cannot stand inside a pattern; write it after the whole pattern (`let (a, b): (f32, f32) = ..`), because Rust has it there alone",
        ),
        syn::Pat::Verbatim(_) => reject("this pattern cannot be understood"),
        _ => reject("this pattern is unknown to the kernel language"),
    }
}

/// The tests of a value's parts, together.
fn parts_of(parts: Vec<(&syn::Pat, Place)>, shapes: Vec<Stmt>, source: Source, scope: &mut Scope) -> syn::Result<Tested> {
    let mut all = Tested { shapes, ..Tested::default() };
    for (pat, place) in parts {
        let part = test(pat, &place, scope)?;
        all.add(part, source, scope);
    }
    Ok(all)
}

fn shape(shape: Shape, place: &Place, source: Source, scope: &mut Scope) -> Stmt {
    Stmt::Shape { shape, value: place.read(scope), source }
}

/// The form of a struct's pattern, of a variable of generated code: of that alone its faults are told once (`Lower::shape`).
fn structure(pattern: Shape, place: &Place, source: Source, scope: &mut Scope) -> (Vec<Stmt>, Place) {
    let init = place.read(scope);
    let var = scope.declare_matched();
    let place = Place::of(var, place.source);
    let held = Stmt::Let { pat: Pat::Var(var), ty: None, init };
    let shape = shape(pattern, &place, source, scope);
    (vec![held, shape], place)
}

/// `a..b`, `a..=b`, `a..`, `..=b`
fn range(range: &syn::PatRange, place: &Place, source: Source, scope: &mut Scope) -> syn::Result<Tested> {
    let upper = match range.limits {
        syn::RangeLimits::HalfOpen(_) => BinaryOp::Lt,
        syn::RangeLimits::Closed(_) => BinaryOp::Le,
    };
    let mut test = None;
    for (end, op) in [(&range.start, BinaryOp::Ge), (&range.end, upper)] {
        if let Some(end) = end {
            let value = expr::parse(end, scope)?;
            let part = compare(op, place, value, source, scope);
            test = both(false, test, Some(part), source, scope);
        }
    }
    Ok(Tested { test, ..Tested::default() })
}

/// A binding, or by the naming convention (`UPPER_CASE`) a constant: the macro cannot look the name up.
fn ident(ident: &syn::PatIdent, place: &Place, source: Source, scope: &mut Scope) -> syn::Result<Tested> {
    if ident.ident == "None" && ident.subpat.is_none() {
        let read = place.read(scope);
        let test = scope.make(ExprKind::Option(OptionOp::IsNone, vec![read]), source);
        return Ok(Tested { test: Some(test), ..Tested::default() });
    }
    let text = ident.ident.to_string();
    let is_const = ident.subpat.is_none() && text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase);
    if is_const {
        let path = syn::Path::from(ident.ident.clone());
        let value = scope.make(ExprKind::Const(path), source);
        return Ok(Tested { test: Some(compare(BinaryOp::Eq, place, value, source, scope)), ..Tested::default() });
    }
    if ident.by_ref.is_some() {
        return Err(source.error("`ref` cannot be used in a kernel; bind the value, because kernels hold values only"));
    }
    reject_reserved(&ident.ident)?;
    let mut tested = match &ident.subpat {
        Some((_, pat)) => test(pat, place, scope)?,
        None => Tested::default(),
    };
    tested.bindings.insert(0, Binding { name: ident.ident.clone(), mutable: ident.mutability, place: place.clone() });
    Ok(tested)
}

fn compare(op: BinaryOp, place: &Place, value: Expr, source: Source, scope: &mut Scope) -> Expr {
    let read = place.read(scope);
    scope.make(ExprKind::Binary(op, Box::new(read), Box::new(value)), source)
}

/// `a && b` or `a || b`; what is missing is left out.
fn both(or: bool, a: Option<Expr>, b: Option<Expr>, source: Source, scope: &mut Scope) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(scope.make(ExprKind::ShortCircuit { or, left: Box::new(a), right: Box::new(b) }, source)),
        (a, b) => a.or(b),
    }
}
