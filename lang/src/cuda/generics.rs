//! Templates: the head of a generic function, and the form of it that finds type arguments where C++ alone cannot: from literals, from what the
//! caller writes (`helper::<f32, 4>(x)`), and from the result that the caller expects.

use super::Missing;
use super::body::Emit;
use super::names;
use crate::tree::Type;
use proc_macro2::Ident;

/// A generic of a function, in the order in which they are declared.
enum Param {
    Type(usize),
    Const(Ident, String),
}

impl Emit<'_> {
    fn params(&self) -> Vec<Param> {
        let f = self.function;
        let param = |p: &syn::GenericParam| match p {
            syn::GenericParam::Type(t) => f.generics.iter().position(|g| g.name == t.ident).map(Param::Type),
            syn::GenericParam::Const(c) => {
                f.consts.iter().find(|k| k.name == c.ident).map(|k| Param::Const(c.ident.clone(), k.dtype.name().to_owned()))
            }
            syn::GenericParam::Lifetime(_) => None,
        };
        f.item.sig.generics.params.iter().filter_map(param).collect()
    }

    fn param_name(&self, p: &Param) -> String {
        match p {
            Param::Type(k) => self.function.generics.get(*k).map_or_else(String::new, |g| names::plain(&g.name)),
            Param::Const(name, _) => names::plain(name),
        }
    }

    /// `template <class T, u64 N>`; `None` for a function that is not generic.
    pub(super) fn template(&self) -> Option<String> {
        let params: Vec<String> = self
            .params()
            .iter()
            .map(|p| match p {
                Param::Type(_) => format!("class {}", self.param_name(p)),
                Param::Const(_, ty) => format!("{ty} {}", self.param_name(p)),
            })
            .collect();
        (!params.is_empty()).then(|| format!("template <{}>", params.join(", ")))
    }

    /// The form that finds the type arguments: behind the function, as `name_call<Result, Hints>(cx, a, b)`. Gives whether one can be found from
    /// the result alone.
    pub(super) fn stub(&mut self) -> Result<bool, Missing> {
        let (found, by_result) = self.found("H");
        let f = self.function;
        let classes: Vec<String> = (0..f.args.len()).map(|k| format!(", class A{k}")).collect();
        let args: Vec<String> = (0..f.args.len()).map(|k| format!(", A{k} a{k}")).collect();
        let given: Vec<String> = (0..f.args.len()).map(|k| format!(", a{k}")).collect();
        self.lines.push(format!("template <class R, class H{}>", classes.concat()));
        self.lines.open(format!("LC_FN auto $n$_call(lc::Cx &cx{}) {{", args.concat()));
        self.lines.push(format!("return $n$<{}>(cx{});", found.join(", "), given.concat()));
        self.lines.close("}");
        Ok(by_result)
    }

    /// How the type arguments are found, from hints (`H`), arguments (`A0`, `A1`, ..) and the result (`R`); whether one can be from the result alone.
    fn found(&self, hints: &str) -> (Vec<String>, bool) {
        let f = self.function;
        let mut by_result = false;
        let mut found = Vec::new();
        for (place, p) in self.params().iter().enumerate() {
            let mut ways = vec![format!("lc::hint_t<{hints}, {place}>")];
            for (k, (_, ty)) in f.args.iter().enumerate() {
                self.ways(ty, p, &format!("A{k}"), &mut ways);
            }
            by_result |= ways.len() == 1;
            self.ways(&f.output, p, "R", &mut ways);
            found.push(match p {
                Param::Type(_) => format!("lc::real<{}>", ways.join(", ")),
                Param::Const(_, ty) => format!("{ty}(lc::number<{}>::value)", ways.join(", ")),
            });
        }
        (found, by_result)
    }

    /// Of a struct: what its arguments are, and `name_make<Result>(a, b)`, a literal whose type arguments are found.
    pub(super) fn maker(&mut self) -> Result<(), Missing> {
        let params = self.params();
        let names: Vec<String> = params.iter().map(|p| self.param_name(p)).collect();
        let listed: Vec<String> = params
            .iter()
            .zip(&names)
            .map(|(p, name)| if matches!(p, Param::Type(_)) { name.clone() } else { format!("num<{name}>") })
            .collect();
        let header = self.template().unwrap_or_default();
        self.lines.push(format!(
            "namespace lc {{ {header} struct arguments<$n$<{}>> {{ using list = hints<{}>; }}; }}",
            names.join(", "),
            listed.join(", ")
        ));
        let n = self.function.args.len();
        let (found, _) = self.found("lc::hints<>");
        let classes: Vec<String> = (0..n).map(|k| format!(", class A{k}")).collect();
        let args: Vec<String> = (0..n).map(|k| format!("A{k} a{k}")).collect();
        let given: Vec<String> = (0..n).map(|k| format!("a{k}")).collect();
        self.lines.push(format!("template <class R{}>", classes.concat()));
        self.lines.open(format!("LC_FN auto $n$_make({}) {{", args.join(", ")));
        self.lines.push(format!("return $n$<{}>{{{}}};", found.join(", "), given.join(", ")));
        self.lines.close("}");
        Ok(())
    }

    /// The ways from the type of an argument, `of`, to a parameter inside it.
    fn ways(&self, ty: &Type, p: &Param, of: &str, ways: &mut Vec<String>) {
        match ty {
            Type::Param(k) => {
                if matches!(p, Param::Type(want) if want == k) {
                    ways.push(of.to_owned());
                }
            }
            Type::Tuple(items) => {
                for (k, item) in items.iter().enumerate() {
                    self.ways(item, p, &format!("lc::part_t<{of}, {k}>"), ways);
                }
            }
            Type::Option(item) => self.ways(item, p, &format!("lc::item_t<{of}>"), ways),
            Type::Array(item, len) => {
                if let (Param::Const(name, _), syn::Expr::Path(path)) = (p, &*len.0)
                    && path.path.is_ident(name)
                {
                    ways.push(format!("lc::len_t<{of}>"));
                }
                self.ways(item, p, &format!("lc::item_t<{of}>"), ways);
            }
            Type::Named(ty) => self.ways_of_struct(ty, p, of, ways),
            Type::Dtype(_) | Type::View(_) | Type::Infer => {}
        }
    }

    /// The same of a struct: its arguments, by their place.
    fn ways_of_struct(&self, ty: &syn::Type, p: &Param, of: &str, ways: &mut Vec<String>) {
        for (k, argument) in arguments(ty).into_iter().enumerate() {
            if let (syn::GenericArgument::Type(syn::Type::Path(path)), Param::Type(want)) = (argument, p)
                && self.function.generics.get(*want).is_some_and(|g| path.path.is_ident(&g.name))
            {
                ways.push(format!("lc::argument_t<{of}, {k}>"));
            }
            if let (syn::GenericArgument::Type(syn::Type::Path(path)), Param::Const(want, _)) = (argument, p)
                && path.path.is_ident(want)
            {
                ways.push(format!("lc::argument_t<{of}, {k}>"));
            }
        }
    }

    /// What the caller writes: `lc::hints<f32, lc::any, lc::num<4>>`.
    pub(super) fn hints(&mut self, generics: &syn::AngleBracketedGenericArguments) -> Result<String, Missing> {
        let mut hints = Vec::new();
        for argument in &generics.args {
            hints.push(self.generic_argument(argument, true)?);
        }
        Ok(format!("lc::hints<{}>", hints.join(", ")))
    }

    /// A generic argument: a type, or a number (as a type where `wrapped`).
    pub(super) fn generic_argument(&mut self, argument: &syn::GenericArgument, wrapped: bool) -> Result<String, Missing> {
        let number = |text: String| if wrapped { format!("lc::num<{text}>") } else { text };
        match argument {
            syn::GenericArgument::Type(syn::Type::Infer(_)) => Ok("lc::any".to_owned()),
            syn::GenericArgument::Type(ty) => {
                if let syn::Type::Path(path) = ty
                    && let Some(c) = path.path.get_ident().and_then(|name| self.function.consts.iter().find(|c| c.name == *name))
                {
                    return Ok(number(names::plain(&c.name)));
                }
                let parsed = self.parse_ty(ty)?;
                self.known_ty(&parsed, "a type argument")
            }
            syn::GenericArgument::Const(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. })) => {
                Ok(number(n.base10_digits().to_owned()))
            }
            syn::GenericArgument::Const(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. })) => Ok(number(b.value.to_string())),
            syn::GenericArgument::Const(e) => {
                let length = crate::tree::Length(Box::new(e.clone()));
                Ok(number(self.length(&length)?))
            }
            _ => Err(Missing::new("a generic argument of this form")),
        }
    }
}

/// The generic arguments of a path's last name.
pub(super) fn arguments(ty: &syn::Type) -> Vec<&syn::GenericArgument> {
    let syn::Type::Path(path) = ty else { return Vec::new() };
    match path.path.segments.last().map(|s| &s.arguments) {
        Some(syn::PathArguments::AngleBracketed(a)) => a.args.iter().collect(),
        _ => Vec::new(),
    }
}
