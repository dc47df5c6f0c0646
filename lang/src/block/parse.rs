//! What the bodies of block kernels have beside a map kernel's: views, elements, loops over lanes.

use crate::error::Source;
use crate::parse::flow::{in_loop, range};
use crate::parse::scope::Scope;
use crate::parse::{block, closure, expr, pat, ty};
use crate::tree::{Edge, Element, Expr, ExprKind, LoopKind, Reduce, Stmt, View};

/// The most axes of a view.
const MAX_RANK: usize = 4;

/// An array operand's type: `&[T]`, `&mut [T]`, `View<T, 2>`, `ViewMut<T, 2>`.
pub fn operand(ty_: &syn::Type, scope: &Scope) -> Option<syn::Result<View>> {
    if !scope.is_block() {
        return None;
    }
    match ty_ {
        syn::Type::Reference(reference) => {
            let mutable = reference.mutability.is_some();
            Some(match &*reference.elem {
                syn::Type::Slice(slice) => ty::parse(&slice.elem, scope).map(|element| View { element, rank: 1, mutable, slice: true }),
                other => Err(Source::of(other).error(
                    "a reference of a block kernel cannot be to this; write `&[T]` or `&mut [T]`, or `View<T, 2>` with several axes, because operands are arrays",
                )),
            })
        }
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            let mutable = match last.ident.to_string().as_str() {
                "View" => false,
                "ViewMut" => true,
                _ => return None,
            };
            Some(view(last, mutable, scope))
        }
        _ => None,
    }
}

fn view(segment: &syn::PathSegment, mutable: bool, scope: &Scope) -> syn::Result<View> {
    let wrong = || {
        Source::of(segment).error(format!(
            "a view cannot be written so; write `View<T, 2>`, because it names its elements and how many axes it has, 1 to {MAX_RANK}"
        ))
    };
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else { return Err(wrong()) };
    let args: Vec<_> = args.args.iter().filter(|a| !matches!(a, syn::GenericArgument::Lifetime(_))).collect();
    let [syn::GenericArgument::Type(element), syn::GenericArgument::Const(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(rank), .. }))] =
        args.as_slice()
    else {
        return Err(wrong());
    };
    let rank = rank.base10_parse()?;
    if !(1..=MAX_RANK).contains(&rank) {
        return Err(wrong());
    }
    Ok(View { element: ty::parse(element, scope)?, rank, mutable, slice: false })
}

/// The error of a view that stands where a value should.
pub fn not_a_value(path: &syn::ExprPath) -> syn::Error {
    let name = path.path.get_ident().map_or_else(String::new, ToString::to_string);
    Source::of(path).error(format!(
        "operand `{name}` cannot be a value; use an element (`{name}[i]`) or its length (`{name}.len()`), because lanes hold single numbers"
    ))
}

/// The view that an expression names.
fn named(e: &syn::Expr, scope: &mut Scope) -> Option<usize> {
    let syn::Expr::Path(syn::ExprPath { qself: None, path, .. }) = e else { return None };
    let id = scope.find(path.get_ident()?)?;
    scope.view(id).map(|_| id)
}

/// Whether an expression is an element of an operand, rather than of an array of the kernel's own.
pub fn is_element(e: &syn::Expr, scope: &mut Scope) -> bool {
    scope.is_block() && matches!(e, syn::Expr::Index(index) if named(&index.expr, scope).is_some())
}

/// `x[i]`, `x[[i, j]]`
pub fn element(index: &syn::ExprIndex, scope: &mut Scope) -> syn::Result<Element> {
    let source = Source::of(index);
    let Some(view) = named(&index.expr, scope) else {
        return Err(Source::of(&index.expr).error("this cannot be indexed; name an operand (`out[k]`), because it is no array"));
    };
    at(view, &index.index, None, source, scope)
}

/// The element of a view at an index.
fn at(view: usize, index: &syn::Expr, edge: Option<Edge>, source: Source, scope: &mut Scope) -> syn::Result<Element> {
    let rank = scope.view(view).map_or(1, |v| v.rank);
    let indices: Vec<&syn::Expr> = match index {
        syn::Expr::Array(array) => array.elems.iter().collect(),
        one => vec![one],
    };
    if indices.len() != rank {
        let example = if rank == 1 {
            "x[i]".to_owned()
        } else {
            format!("x[[{}]]", ["i", "j", "k", "l"].iter().take(rank).copied().collect::<Vec<_>>().join(", "))
        };
        return Err(source.error(format!(
            "an operand of {rank} axes cannot take {} indices; write `{example}`, because each axis has one",
            indices.len()
        )));
    }
    let mut disjoint = false;
    let promised = |e| match promise(e) {
        Some(inner) => {
            disjoint = true;
            inner
        }
        None => e,
    };
    let indices: Vec<&syn::Expr> = indices.into_iter().map(promised).collect();
    let index = indices.into_iter().map(|e| expr::parse(e, scope)).collect::<syn::Result<_>>()?;
    Ok(Element { view, index, edge, disjoint, source })
}

/// What stands in `unsafe { disjoint(index) }`.
fn promise(e: &syn::Expr) -> Option<&syn::Expr> {
    let syn::Expr::Unsafe(syn::ExprUnsafe { block, .. }) = e else { return None };
    let [syn::Stmt::Expr(syn::Expr::Call(call), None)] = block.stmts.as_slice() else { return None };
    if called(call)? != "disjoint" || call.args.len() != 1 {
        return None;
    }
    call.args.first()
}

/// The element on the left of an assignment.
pub fn written(left: &syn::Expr, scope: &mut Scope) -> syn::Result<Element> {
    let syn::Expr::Index(index) = left else {
        return Err(Source::of(left).error("this cannot be assigned; index an operand (`y[i] = ..`), because nothing else holds an output"));
    };
    let element = element(index, scope)?;
    writable(&element, &index.expr, scope)?;
    Ok(element)
}

fn writable(element: &Element, view: &syn::Expr, scope: &Scope) -> syn::Result<()> {
    if scope.view(element.view).is_some_and(|v| !v.mutable) {
        let name = quote::quote!(#view).to_string();
        return Err(element.source.error(format!(
            "operand `{name}` cannot be written; declare it `&mut [T]` (or `ViewMut<T, 2>`), and make it an output of the signature, because it is an input"
        )));
    }
    Ok(())
}

/// `scatter_last(out, index, v);`, a statement.
fn scatter_last(call: &syn::ExprCall, scope: &mut Scope) -> syn::Result<Stmt> {
    let source = Source::of(call);
    let args: Vec<&syn::Expr> = call.args.iter().collect();
    let [out, index, value] = args.as_slice() else {
        return Err(source.error("`scatter_last` cannot take this; write `scatter_last(out, k, v)`, with several axes `scatter_last(out, [i, j], v)`, because it takes an operand, an index and a value"));
    };
    let Some(view) = named(out, scope) else {
        return Err(Source::of(out).error("this cannot be written to; name an operand (`scatter_last(out, k, v)`), because it is no array"));
    };
    let element = at(view, index, None, source, scope)?;
    writable(&element, out, scope)?;
    let value = expr::parse(value, scope)?;
    Ok(Stmt::Update { element, by: "Last", value, source })
}

/// `x.len()`, `x.dim(1)`, `x.shape()` of a view.
pub fn method(call: &syn::ExprMethodCall, scope: &mut Scope) -> Option<syn::Result<ExprKind>> {
    if !scope.is_block() {
        return None;
    }
    let id = named(&call.receiver, scope)?;
    let view = scope.view(id)?.clone();
    let source = Source::of(&call.method);
    Some(match (call.method.to_string().as_str(), call.args.len()) {
        ("len", 0) if view.rank == 1 => Ok(ExprKind::Length(id, 0)),
        ("len", 0) => Err(source.error("`len` is of one axis; name the axis (`x.dim(0)`)")),
        ("dim", 1) => match call.args.first() {
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(axis), .. })) => match axis.base10_parse::<usize>() {
                Ok(axis) if axis < view.rank => Ok(ExprKind::Length(id, axis)),
                _ => Err(source.error(format!("axis {axis} cannot be taken of an operand of {} axes; count from 0 (`x.dim(0)`), because there are no more", view.rank))),
            },
            _ => Err(source.error("the axis of `dim` is a literal (`x.dim(0)`)")),
        },
        ("shape", 0) => {
            let lengths = (0..view.rank).map(|axis| scope.make(ExprKind::Length(id, axis), source)).collect();
            Ok(ExprKind::Tuple(lengths))
        }
        ("at_clamp" | "at_wrap" | "at_mirror", 1) | ("at_or", 2) => edge(id, call, scope).map(ExprKind::Element),
        (name, _) => Err(source.error(format!(
            "method `{name}` cannot be called on an array operand; use `len()`, `dim(k)`, `shape()`, or beyond its edge `at_clamp([i, j])`, `at_wrap`, `at_mirror`, `at_or([i, j], value)`, because others are of single numbers"
        ))),
    })
}

/// `x.at_clamp([i, j])` and its kin.
fn edge(view: usize, call: &syn::ExprMethodCall, scope: &mut Scope) -> syn::Result<Element> {
    let edge = match call.method.to_string().as_str() {
        "at_clamp" => Edge::Clamp,
        "at_wrap" => Edge::Wrap,
        "at_mirror" => Edge::Mirror,
        _ => match call.args.iter().nth(1) {
            Some(or) => Edge::Or(Box::new(expr::parse(or, scope)?)),
            None => {
                return Err(
                    Source::of(call).error("`at_or` cannot take this; write `x.at_or([i, j], v)`, because it takes an index and a value")
                );
            }
        },
    };
    match call.args.first() {
        Some(index) => at(view, index, Some(edge), Source::of(call), scope),
        None => Err(Source::of(call).error("this cannot take that; give it an index (`[i, j]`), because it reads one element")),
    }
}

/// The name of a function that is called, if it is a plain one.
fn called(call: &syn::ExprCall) -> Option<String> {
    let syn::Expr::Path(syn::ExprPath { qself: None, path, .. }) = &*call.func else { return None };
    path.get_ident().map(ToString::to_string)
}

/// `atomic_add(&mut out[k], v);`, a statement.
pub fn update(call: &syn::ExprCall, scope: &mut Scope) -> Option<syn::Result<Stmt>> {
    let by = match called(call)?.as_str() {
        "atomic_add" => "Sum",
        "atomic_min" => "Min",
        "atomic_max" => "Max",
        "scatter_last" if scope.is_block() => return Some(scatter_last(call, scope)),
        _ => return None,
    };
    if !scope.is_block() {
        return None;
    }
    let source = Source::of(call);
    let wrong =
        || source.error("an atomic update cannot take this; write `atomic_add(&mut out[k], v)`, because it takes an element and a value");
    let args: Vec<&syn::Expr> = call.args.iter().collect();
    let [syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr: element, .. }), value] = args.as_slice() else {
        return Some(Err(wrong()));
    };
    Some(written(element, scope).and_then(|element| {
        let value = expr::parse(value, scope)?;
        Ok(Stmt::Update { element, by, value, source })
    }))
}

/// `scan(&mut sum, value)`
pub fn scan(call: &syn::ExprCall, scope: &mut Scope) -> Option<syn::Result<ExprKind>> {
    if !scope.is_block() || called(call)? != "scan" {
        return None;
    }
    let source = Source::of(call);
    let args: Vec<&syn::Expr> = call.args.iter().collect();
    let [syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr: sum, .. }), value] = args.as_slice() else {
        return Some(Err(
            source.error("`scan` cannot take this; write `y[i] = scan(&mut sum, x[i]);`, because it takes a variable and a value")
        ));
    };
    let var = match expr::parse(sum, scope) {
        Ok(Expr { kind: ExprKind::Var(var), .. }) => var,
        Ok(other) => {
            return Some(Err(other.source.error("`scan` sums up in a variable; declare it in front of the loop (`let mut sum = 0.0;`)")));
        }
        Err(e) => return Some(Err(e)),
    };
    Some(expr::parse(value, scope).map(|value| ExprKind::Scan(var, Box::new(value))))
}

/// Whether an expression is `reduce(..)`.
pub fn is_reduce(e: &syn::Expr, scope: &Scope) -> bool {
    scope.is_block() && matches!(e, syn::Expr::Call(call) if called(call).as_deref() == Some("reduce"))
}

/// `acc = reduce(acc, value, |a, b| ..);`, a statement.
pub fn reduce(assign: &syn::ExprAssign, scope: &mut Scope) -> syn::Result<Stmt> {
    let source = Source::of(assign);
    let wrong = || {
        source.error("`reduce` cannot take this; write `acc = reduce(acc, x[i], |a, b| a + b);`, because it takes the variable that it is assigned to, a value and how two are combined")
    };
    let syn::Expr::Call(call) = &*assign.right else { return Err(wrong()) };
    let args: Vec<&syn::Expr> = call.args.iter().collect();
    let [acc, value, syn::Expr::Closure(closure)] = args.as_slice() else { return Err(wrong()) };
    let (left, acc) = (expr::parse(&assign.left, scope)?, expr::parse(acc, scope)?);
    let (ExprKind::Var(var), ExprKind::Var(same)) = (left.kind, acc.kind) else { return Err(wrong()) };
    if var != same {
        return Err(wrong());
    }
    let value = expr::parse(value, scope)?;
    let (args, body) = closure::combination(closure, scope)?;
    Ok(Stmt::Reduce(Box::new(Reduce { var, value, args, body, source })))
}

/// The ranges of `lanes(..)`.
pub fn lanes(e: &syn::Expr) -> Option<Vec<&syn::Expr>> {
    let syn::Expr::Call(call) = e else { return None };
    let syn::Expr::Path(syn::ExprPath { qself: None, path, .. }) = &*call.func else { return None };
    if path.segments.last()?.ident != "lanes" || call.args.len() != 1 {
        return None;
    }
    Some(match call.args.first()? {
        syn::Expr::Tuple(ranges) => ranges.elems.iter().collect(),
        one => vec![one],
    })
}

/// `for i in lanes(0..n) { .. }`, `for (i, j) in lanes((0..h, 0..w)) { .. }`
pub fn for_lanes(e: &syn::ExprForLoop, ranges: Vec<&syn::Expr>, scope: &mut Scope) -> syn::Result<ExprKind> {
    let source = Source::of(&e.expr);
    if !scope.is_block() {
        return Err(source.error("`lanes` cannot be used here; give the kernel a signature (`#[kernel(.., signature = \"(n)->(n)\")]`) and array operands, because a map kernel sees one element"));
    }
    if ranges.is_empty() || ranges.len() > 3 {
        return Err(source.error("`lanes` cannot take this; give it one range, or a tuple of two or three, and nest plain loops around it for more, because an index space has three axes at most"));
    }
    let pats: Vec<&syn::Pat> = match &*e.pat {
        syn::Pat::Tuple(t) if ranges.len() > 1 => t.elems.iter().collect(),
        one => vec![one],
    };
    if pats.len() != ranges.len() {
        return Err(Source::of(&e.pat).error(format!(
            "`lanes` over {} ranges cannot have another number of variables; name each (`(i, j)`), because each range has one",
            ranges.len()
        )));
    }
    let mut parsed = ranges.into_iter().map(|r| range(r, scope)).collect::<syn::Result<Vec<_>>>()?;
    in_loop(e.label.as_ref(), false, scope, |_, scope| {
        for (range, p) in parsed.iter_mut().zip(pats) {
            if range.rev || range.inclusive {
                return Err(source.error(
                    "the range of a loop over lanes counts up and is open at its end; write `a..b`, because its iterations have no order",
                ));
            }
            range.var = match p {
                syn::Pat::Ident(syn::PatIdent { by_ref: None, subpat: None, ident, mutability: None, .. }) => {
                    pat::reject_reserved(ident)?;
                    Some(scope.declare(ident.clone(), None))
                }
                syn::Pat::Wild(w) => Some(scope.declare(proc_macro2::Ident::new("__lanecraft_any", w.underscore_token.span), None)),
                other => {
                    return Err(Source::of(other)
                        .error("the variable of a loop over lanes is a plain name; copy it to change it (`let mut k = i;`)"));
                }
            };
            scope.show(range.var);
        }
        let body = block::parse(&e.body, scope)?;
        Ok((LoopKind::Lanes(parsed), body))
    })
}
