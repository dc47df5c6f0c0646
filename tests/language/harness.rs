//! Runs kernels on every level that the machine has, and compares with plain Rust, bit for bit.
//!
//! Types are erased early: what is generic here is compiled for each of some hundred comparisons.

use lanecraft::{Dtype, DtypeId, Fault, Kernel, KernelInfo, Level, Variant};

/// Elements of each run: whole gangs and a rest.
const ELEMENTS: usize = 509;

/// A small generator of random numbers (splitmix64), so that every run sees the same inputs.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}

/// An element of some dtype.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Bool(bool),
    Int(DtypeId, i128),
    F32(f32),
    F64(f64),
}

impl Value {
    /// A random element: half of them small or special.
    fn sample(dtype: DtypeId, rng: &mut Rng) -> Self {
        match dtype {
            DtypeId::Bool => Self::Bool(rng.next() & 1 == 1),
            DtypeId::F32 => Self::F32(f32::sample(rng)),
            DtypeId::F64 => Self::F64(f64::sample(rng)),
            int => {
                let bits = 8 * int.size();
                let signed = matches!(int, DtypeId::I8 | DtypeId::I16 | DtypeId::I32 | DtypeId::I64);
                let special = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, 127, 1 << (bits - 1), (1 << (bits - 1)) + 1, u64::MAX, u64::MAX >> 1];
                let x = match rng.next() % 4 {
                    0 => special[rng.next() as usize % special.len()],
                    1 => rng.next() % 20,
                    2 => !(rng.next() % 20),
                    _ => rng.next(),
                };
                let low = x & (u64::MAX >> (64 - bits));
                let negative = signed && low >> (bits - 1) == 1;
                Self::Int(int, i128::from(low) - if negative { 1i128 << bits } else { 0 })
            }
        }
    }

    /// The same bits; one NaN is as good as another.
    fn same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(_, a), Self::Int(_, b)) => a == b,
            (Self::F32(a), Self::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Self::F64(a), Self::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            _ => false,
        }
    }

    fn push(self, column: &mut Vec<u8>) {
        match self {
            Self::Bool(b) => column.push(b.into()),
            Self::Int(dtype, x) => column.extend_from_slice(&x.to_ne_bytes()[..dtype.size()]),
            Self::F32(x) => column.extend_from_slice(&x.to_ne_bytes()),
            Self::F64(x) => column.extend_from_slice(&x.to_ne_bytes()),
        }
    }

    fn read(dtype: DtypeId, column: &[u8], row: usize) -> Self {
        let bytes = &column[row * dtype.size()..][..dtype.size()];
        let small = |n: usize| -> [u8; 8] {
            let mut all = [0; 8];
            all[..n].copy_from_slice(bytes);
            all
        };
        let x = u64::from_ne_bytes(small(dtype.size()));
        match dtype {
            DtypeId::Bool => Self::Bool(x != 0),
            DtypeId::F32 => Self::F32(f32::from_bits(x as u32)),
            DtypeId::F64 => Self::F64(f64::from_bits(x)),
            DtypeId::I8 => Self::Int(dtype, (x as i8).into()),
            DtypeId::I16 => Self::Int(dtype, (x as i16).into()),
            DtypeId::I32 => Self::Int(dtype, (x as i32).into()),
            DtypeId::I64 => Self::Int(dtype, (x as i64).into()),
            _ => Self::Int(dtype, x.into()),
        }
    }
}

/// An element type.
pub trait Elem: Dtype {
    fn from_value(value: Value) -> Self;
    fn to_value(self) -> Value;
}

impl Elem for bool {
    fn from_value(value: Value) -> Self {
        matches!(value, Value::Bool(true))
    }
    fn to_value(self) -> Value {
        Value::Bool(self)
    }
}

macro_rules! int {
    ($($t:ident)*) => {$(
        impl Elem for $t {
            fn from_value(value: Value) -> Self {
                if let Value::Int(_, x) = value { x as $t } else { 0 }
            }
            fn to_value(self) -> Value {
                Value::Int($t::ID, self.into())
            }
        }
    )*};
}
int!(i8 i16 i32 i64 u8 u16 u32 u64);

/// A random float.
pub trait Sample {
    fn sample(rng: &mut Rng) -> Self;
}

macro_rules! float {
    ($($t:ident $v:ident)*) => {$(
        impl Elem for $t {
            fn from_value(value: Value) -> Self {
                if let Value::$v(x) = value { x } else { 0.0 }
            }
            fn to_value(self) -> Value {
                Value::$v(self)
            }
        }
        impl Sample for $t {
            fn sample(rng: &mut Rng) -> Self {
                let special = [
                    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 127.0, 128.0, 255.0, 256.0, -129.0, 32767.0, 65536.0, 2147483647.0,
                    2147483648.0, -2147483649.0, 4294967296.0, 9.223372036854776e18, 1.8446744073709552e19, -9.3e18, 1e30, 16777217.0,
                    $t::INFINITY, $t::NEG_INFINITY, $t::NAN, $t::MIN_POSITIVE, $t::MIN_POSITIVE / 8.0, $t::MAX, $t::MIN, $t::EPSILON,
                ];
                match rng.next() % 4 {
                    0 => special[rng.next() as usize % special.len()],
                    1 => (rng.next() % 41) as $t / 4.0 - 5.0,
                    2 => (rng.next() as i64) as $t / 4e17,
                    _ => $t::from_bits(rng.next() as _),
                }
            }
        }
    )*};
}
float!(f32 F32 f64 F64);

/// The operands of one element.
pub trait Row: Copy {
    const IDS: &'static [DtypeId];
    fn from_values(values: &[Value]) -> Self;
    fn push_values(self, values: &mut Vec<Value>);
}

macro_rules! row {
    ($($t:ident $k:tt),*) => {
        impl<$($t: Elem),*> Row for ($($t,)*) {
            const IDS: &'static [DtypeId] = &[$($t::ID),*];
            fn from_values(values: &[Value]) -> Self {
                ($($t::from_value(values[$k]),)*)
            }
            fn push_values(self, values: &mut Vec<Value>) {
                $(values.push(self.$k.to_value());)*
            }
        }
    };
}
row!(A 0);
row!(A 0, B 1);
row!(A 0, B 1, C 2);
row!(A 0, B 1, C 2, D 3);
row!(A 0, B 1, C 2, D 3, E 4);
row!(A 0, B 1, C 2, D 3, E 4, F 5);
row!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
row!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// The variant of a kernel on these dtypes.
fn variant(info: &KernelInfo, inputs: &[DtypeId], outputs: &[DtypeId]) -> &'static Variant {
    let found = info.variants.iter().find(|v| v.inputs == inputs && v.outputs == outputs);
    found.unwrap_or_else(|| panic!("{} has a variant {inputs:?} -> {outputs:?}", info.name))
}

/// Runs a variant on rows of values: all of the first row, all of the second, ... Gives the results likewise.
fn run_values(variant: &Variant, level: Level, values: &[Value]) -> Result<Vec<Value>, Fault> {
    let (ins, outs) = (variant.inputs, variant.outputs);
    let rows = values.len() / ins.len();
    let steps: Vec<isize> = ins.iter().chain(outs).map(|d| d.size() as isize).collect();
    let mut columns: Vec<Vec<u8>> = steps.iter().map(|_| Vec::new()).collect();
    for (k, value) in values.iter().enumerate() {
        value.push(&mut columns[k % ins.len()]);
    }
    for (column, step) in columns.iter_mut().zip(&steps).skip(ins.len()) {
        column.resize(rows * *step as usize, 0);
    }
    let args: Vec<*mut u8> = columns.iter_mut().map(|c| c.as_mut_ptr()).collect();
    // SAFETY: one column of `rows` elements per operand, the outputs exclusive; the level is available.
    unsafe { variant.run_at(level, &args, rows, &steps)? };
    let out = |row: usize| outs.iter().zip(&columns[ins.len()..]).map(move |(dtype, column)| Value::read(*dtype, column, row));
    Ok((0..rows).flat_map(out).collect())
}

/// Runs a kernel on a level.
pub fn run<K: Kernel, In: Row, Out: Row>(level: Level, rows: &[In]) -> Result<Vec<Out>, Fault> {
    let mut values = Vec::new();
    rows.iter().for_each(|row| row.push_values(&mut values));
    let out = run_values(variant(&K::INFO, In::IDS, Out::IDS), level, &values)?;
    Ok(out.chunks(Out::IDS.len()).map(Out::from_values).collect())
}

/// A function of one row.
type Function<'a> = &'a dyn Fn(&[Value], &mut Vec<Value>);

/// Runs a kernel on samples at every level, and the plain function, against a reference. `fused`: it computes with fused
/// multiply-adds, which level SSE2 rounds twice outside its exact mode.
#[track_caller]
pub fn check<K: Kernel, In: Row, Out: Row>(plain: impl Fn(In) -> Out, reference: impl Fn(In) -> Out, fused: bool) {
    let plain = |row: &[Value], out: &mut Vec<Value>| plain(In::from_values(row)).push_values(out);
    let reference = |row: &[Value], out: &mut Vec<Value>| reference(In::from_values(row)).push_values(out);
    check_values(&K::INFO, variant(&K::INFO, In::IDS, Out::IDS), &plain, &reference, fused);
}

#[track_caller]
fn check_values(info: &KernelInfo, variant: &Variant, plain: Function<'_>, reference: Function<'_>, fused: bool) {
    let name = info.name;
    let mut rng = Rng(name.bytes().fold(7, |h: u64, b| h.wrapping_mul(31) + u64::from(b)));
    let (ins, outs) = (variant.inputs, variant.outputs);
    let values: Vec<Value> = (0..ELEMENTS).flat_map(|_| ins).map(|dtype| Value::sample(*dtype, &mut rng)).collect();
    let all = |f: Function<'_>| {
        let mut out = Vec::new();
        values.chunks(ins.len()).for_each(|row| f(row, &mut out));
        out
    };
    let right = all(reference);
    let compare = |came: &[Value], form: &str| {
        let rows = values.chunks(ins.len()).zip(came.chunks(outs.len()).zip(right.chunks(outs.len())));
        for (row, (came, right)) in rows {
            let same = came.iter().zip(right).all(|(a, b)| a.same(*b));
            assert!(same, "{name} {form}: {row:?} gives {came:?}, not {right:?}");
        }
    };
    compare(&all(plain), "as a plain function");
    let levels = Level::available();
    assert!(levels.contains(&Level::Portable));
    for level in levels.into_iter().filter(|l| !(fused && *l == Level::Sse2)) {
        let out = run_values(variant, level, &values).unwrap_or_else(|fault| panic!("{name} on {level}: {fault:?}"));
        compare(&out, level.name());
    }
}

/// `agrees!(kernel(x: f32, n: i32) -> f32 { plain Rust });` with `-> (f32, i32)` for several results.
macro_rules! agrees {
    ($kernel:ident($($x:ident: $t:ty),*) -> ($($r:ty),+) $body:block) => {
        $crate::harness::check::<$kernel, ($($t,)*), ($($r,)+)>(|($($x,)*)| $kernel($($x),*), |($($x,)*)| $body, false)
    };
    ($kernel:ident($($x:ident: $t:ty),*) -> $r:ty $body:block) => {
        $crate::harness::check::<$kernel, ($($t,)*), ($r,)>(|($($x,)*)| ($kernel($($x),*),), |($($x,)*)| ($body,), false)
    };
    (fused $kernel:ident($($x:ident: $t:ty),*) -> $r:ty $body:block) => {
        $crate::harness::check::<$kernel, ($($t,)*), ($r,)>(|($($x,)*)| ($kernel($($x),*),), |($($x,)*)| ($body,), true)
    };
}
pub(crate) use agrees;
