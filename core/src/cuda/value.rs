//! Types and constants in C++.

use super::{Item, Writer};
use half::{bf16, f16};

/// A type that a kernel can hold, in C++. `#[kernel]` implements it for structs.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be written in CUDA C++", label = "not a type of the kernel language")]
pub trait Value: Sized {
    /// The item of a struct.
    const ITEM: &'static Item = &Item::without_text("another name of a type that is no struct, with type arguments,");
    /// Whether a constant of it is kept in memory.
    const IS_TABLE: bool = false;

    /// Writes the type.
    fn write_type(w: &mut Writer<'_>);
    /// Writes a value of it.
    fn write(&self, w: &mut Writer<'_>);

    /// Writes a constant.
    fn constant(&self, w: &mut Writer<'_>) {
        Self::write_type(w);
        w.ty = core::mem::take(&mut w.text);
        w.is_table = Self::IS_TABLE;
        self.write(w);
    }
}

macro_rules! ints {
    ($($t:ty => $name:literal, |$x:ident| $text:expr;)*) => {$(
        impl Value for $t {
            fn write_type(w: &mut Writer<'_>) {
                w.text.push_str($name);
            }
            fn write(&self, w: &mut Writer<'_>) {
                let $x = *self;
                w.text.push_str(&$text);
            }
        }
    )*};
}
ints! {
    bool => "bool", |x| x.to_string();
    i8 => "i8", |x| x.to_string();
    i16 => "i16", |x| x.to_string();
    i32 => "i32", |x| if x == Self::MIN { "-2147483647 - 1".into() } else { x.to_string() };
    i64 => "i64", |x| if x == Self::MIN { "-9223372036854775807ll - 1".into() } else { format!("{x}ll") };
    isize => "i64", |x| if x == Self::MIN { "-9223372036854775807ll - 1".into() } else { format!("{x}ll") };
    u8 => "u8", |x| x.to_string();
    u16 => "u16", |x| x.to_string();
    u32 => "u32", |x| if x > 0xffff { format!("{x:#x}u") } else { format!("{x}u") };
    u64 => "u64", |x| if x > 0xffff { format!("{x:#x}ull") } else { format!("{x}ull") };
    usize => "u64", |x| if x > 0xffff { format!("{x:#x}ull") } else { format!("{x}ull") };
    f32 => "f32", |x| float(f64::from(x), "f", x.to_bits().into(), "f32");
    f64 => "f64", |x| float(x, "", x.to_bits(), "f64");
    f16 => "f16", |x| format!("f16{{{}}}", float(x.to_f64(), "f", x.to_f32().to_bits().into(), "f32"));
    bf16 => "bf16", |x| format!("bf16{{{}}}", float(x.to_f64(), "f", x.to_f32().to_bits().into(), "f32"));
}

/// A float: in decimal where that is the value itself, else in C++'s hexadecimal form, which no compiler has to round.
fn float(x: f64, suffix: &str, bits: u64, ty: &str) -> String {
    let scaled = x * 1024.0;
    if !x.is_finite() {
        return format!("LC_BITS_{}({bits:#x}{})", ty.to_uppercase(), if suffix == "f" { "u" } else { "ull" });
    }
    if scaled == scaled.trunc() && scaled.abs() < 16_777_216.0 {
        return format!("{x:?}{suffix}");
    }
    let bits = x.to_bits();
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & 0x000f_ffff_ffff_ffff);
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent as i64 - 1023) };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}{suffix}")
}

impl<A: Value, const N: usize> Value for [A; N] {
    const IS_TABLE: bool = true;
    fn write_type(w: &mut Writer<'_>) {
        w.text.push_str("lc::array<");
        A::write_type(w);
        w.text.push_str(&format!(", {N}>"));
    }
    fn write(&self, w: &mut Writer<'_>) {
        w.text.push_str("{{");
        for (k, x) in self.iter().enumerate() {
            w.text.push_str(match k {
                0 => "",
                k if k % 8 == 0 => ",\n    ",
                _ => ", ",
            });
            x.write(w);
        }
        w.text.push_str("}}");
    }
}

impl<A: Value> Value for Option<A> {
    const IS_TABLE: bool = A::IS_TABLE;
    fn write_type(w: &mut Writer<'_>) {
        w.text.push_str("lc::maybe<");
        A::write_type(w);
        w.text.push('>');
    }
    fn write(&self, w: &mut Writer<'_>) {
        Self::write_type(w);
        match self {
            Some(x) => {
                w.text.push_str("{true, ");
                x.write(w);
                w.text.push('}');
            }
            None => w.text.push_str("{}"),
        }
    }
}

macro_rules! tuple {
    ($($x:ident $k:tt),*) => {
        impl<$($x: Value),*> Value for ($($x,)*) {
            const IS_TABLE: bool = false $(|| $x::IS_TABLE)*;
            fn write_type(w: &mut Writer<'_>) {
                w.text.push_str("lc::tuple<");
                let mut _first = true;
                $(
                    if !_first { w.text.push_str(", "); }
                    _first = false;
                    $x::write_type(w);
                )*
                w.text.push('>');
            }
            fn write(&self, w: &mut Writer<'_>) {
                Self::write_type(w);
                w.text.push('{');
                let mut _first = true;
                $(
                    if !_first { w.text.push_str(", "); }
                    _first = false;
                    self.$k.write(w);
                )*
                w.text.push('}');
            }
        }
    };
}
tuple!();
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
