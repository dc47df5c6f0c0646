//! Runs kernels on every level that the machine has, and compares with plain Rust, bit for bit.

use lanecraft::{Dtype, DtypeId, Fault, Kernel, Level, Variant};

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

/// An element: how to make one, and when two are the same.
pub trait Elem: Dtype {
    fn sample(rng: &mut Rng) -> Self;
    fn same(self, other: Self) -> bool;
}

impl Elem for bool {
    fn sample(rng: &mut Rng) -> Self {
        rng.next() & 1 == 1
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

macro_rules! int {
    ($($t:ident)*) => {$(
        impl Elem for $t {
            fn sample(rng: &mut Rng) -> Self {
                let special = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, 127, $t::MIN, $t::MIN + 1, $t::MAX, $t::MAX - 1, $t::MAX / 2];
                match rng.next() % 4 {
                    0 => special[rng.next() as usize % special.len()],
                    1 => (rng.next() % 20) as $t,
                    2 => 0 as $t ^ !((rng.next() % 20) as $t),
                    _ => rng.next() as $t,
                }
            }
            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    )*};
}
int!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! float {
    ($($t:ident)*) => {$(
        impl Elem for $t {
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
            /// One NaN is as good as another.
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )*};
}
float!(f32 f64);

/// The operands of one element.
pub trait Row: Copy + core::fmt::Debug {
    const IDS: &'static [DtypeId];
    fn sample(rng: &mut Rng) -> Self;
    fn push(self, columns: &mut [Vec<u8>]);
    fn at(columns: &[Vec<u8>], row: usize) -> Self;
    fn same(self, other: Self) -> bool;
}

macro_rules! row {
    ($($t:ident $k:tt),*) => {
        impl<$($t: Elem),*> Row for ($($t,)*) {
            const IDS: &'static [DtypeId] = &[$($t::ID),*];
            fn sample(rng: &mut Rng) -> Self {
                ($($t::sample(rng),)*)
            }
            fn push(self, columns: &mut [Vec<u8>]) {
                $(
                    // SAFETY: an element is plain bytes.
                    let bytes = unsafe { core::slice::from_raw_parts((&raw const self.$k).cast::<u8>(), size_of::<$t>()) };
                    columns[$k].extend_from_slice(bytes);
                )*
            }
            fn at(columns: &[Vec<u8>], row: usize) -> Self {
                ($({
                    let bytes = &columns[$k][row * size_of::<$t>()..][..size_of::<$t>()];
                    // SAFETY: the bytes are one element's, written as such.
                    unsafe { bytes.as_ptr().cast::<$t>().read_unaligned() }
                },)*)
            }
            fn same(self, other: Self) -> bool {
                true $(&& self.$k.same(other.$k))*
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
fn variant<K: Kernel, In: Row, Out: Row>() -> &'static Variant {
    let found = K::INFO.variants.iter().find(|v| v.inputs == In::IDS && v.outputs == Out::IDS);
    found.unwrap_or_else(|| panic!("{} has a variant {:?} -> {:?}", K::INFO.name, In::IDS, Out::IDS))
}

/// Runs a kernel on a level.
pub fn run<K: Kernel, In: Row, Out: Row>(level: Level, rows: &[In]) -> Result<Vec<Out>, Fault> {
    let mut columns: Vec<Vec<u8>> = In::IDS.iter().chain(Out::IDS).map(|_| Vec::new()).collect();
    rows.iter().for_each(|row| row.push(&mut columns));
    let steps: Vec<isize> = In::IDS.iter().chain(Out::IDS).map(|d| d.size() as isize).collect();
    for (column, step) in columns.iter_mut().zip(&steps).skip(In::IDS.len()) {
        column.resize(rows.len() * *step as usize, 0);
    }
    let args: Vec<*mut u8> = columns.iter_mut().map(|c| c.as_mut_ptr()).collect();
    // SAFETY: one column of `rows.len()` elements per operand, the outputs exclusive; the level is available.
    unsafe { variant::<K, In, Out>().run_at(level, &args, rows.len(), &steps)? };
    Ok((0..rows.len()).map(|row| Out::at(&columns[In::IDS.len()..], row)).collect())
}

/// Runs a kernel on samples at every level, and the plain function, against a reference. `fused`: it computes with fused
/// multiply-adds, which level SSE2 rounds twice outside its exact mode.
#[track_caller]
pub fn check<K: Kernel, In: Row, Out: Row>(plain: impl Fn(In) -> Out, reference: impl Fn(In) -> Out, fused: bool) {
    let mut rng = Rng(K::INFO.name.bytes().fold(7, |h: u64, b| h.wrapping_mul(31) + u64::from(b)));
    let rows: Vec<In> = (0..509).map(|_| In::sample(&mut rng)).collect();
    let name = K::INFO.name;
    for row in &rows {
        let (came, right) = (plain(*row), reference(*row));
        assert!(came.same(right), "{name} as a plain function: {row:?} gives {came:?}, not {right:?}");
    }
    let levels = Level::available();
    assert!(levels.contains(&Level::Portable));
    for level in levels.into_iter().filter(|l| !(fused && *l == Level::Sse2)) {
        let out = run::<K, In, Out>(level, &rows).unwrap_or_else(|fault| panic!("{name} on {level}: {fault:?}"));
        for (row, came) in rows.iter().zip(out) {
            let right = reference(*row);
            assert!(came.same(right), "{name} on {level}: {row:?} gives {came:?}, not {right:?}");
        }
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
