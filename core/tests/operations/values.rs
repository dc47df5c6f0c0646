//! Inputs: the values where operations go wrong, and random bit patterns.

use lanecraft_core::Dtype;

/// A fixed sequence of random bits (splitmix64), so that a failure can be repeated.
pub struct Random(pub u64);
impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A dtype that the tests can enumerate and compare.
pub trait Value: Dtype {
    /// Special values, each once.
    fn specials() -> Vec<Self>;
    /// Any value; of every magnitude about equally often.
    fn random(random: &mut Random) -> Self;
    /// The value as bits.
    fn pattern(self) -> u64;
    /// Same bits, or both NaN.
    fn same(self, other: Self) -> bool {
        self.pattern() == other.pattern()
    }
    /// Specials and some random values: for one operand, or to be crossed with another's.
    fn values() -> Vec<Self> {
        let mut r = Random(7);
        let mut v = Self::specials();
        v.extend((0..48).map(|_| Self::random(&mut r)));
        v
    }
    /// Fewer, to be crossed twice.
    fn few() -> Vec<Self> {
        let all = Self::values();
        let step = all.len() / 40 + 1;
        let mut v: Vec<Self> = all.iter().copied().step_by(step).collect();
        v.extend(Self::specials().into_iter().take(16));
        v
    }
    /// Many, for one operand.
    fn many() -> Vec<Self> {
        let mut r = Random(11);
        let mut v = Self::values();
        v.extend((0..20_000).map(|_| Self::random(&mut r)));
        v
    }
}

impl Value for bool {
    fn specials() -> Vec<Self> {
        vec![false, true]
    }
    fn random(random: &mut Random) -> Self {
        random.bits() & 1 == 1
    }
    fn pattern(self) -> u64 {
        self as u64
    }
    /// Mixed masks, of a length prime to the gang's.
    fn few() -> Vec<Self> {
        vec![false, true, true, false, true, false, false]
    }
}

macro_rules! int {
    ($($t:ty)*) => {$(
        impl Value for $t {
            fn specials() -> Vec<Self> {
                let mut v: Vec<$t> = vec![0, 1, (0 as $t).wrapping_sub(1), <$t>::MIN, <$t>::MAX, <$t>::MIN + 1, <$t>::MAX - 1];
                for k in [1, 2, 3, 7, 8, 15, 16, 23, 24, 25, 31, 32, 52, 53, 54, 62, 63] {
                    if k < <$t>::BITS {
                        let p = (1 as $t) << k;
                        v.extend([p.wrapping_sub(1), p, p.wrapping_add(1), p.wrapping_neg()]);
                    }
                }
                // Halfway between neighbours of f32 and of f64, and a hair beside: where rounding twice differs from once.
                for k in [25, 30, 31, 40, 54, 58, 62, 63u32] {
                    if k < <$t>::BITS {
                        for digits in [24, 53] {
                            if k > digits {
                                let half = ((1 as $t) << k).wrapping_add((1 as $t) << (k - digits));
                                v.extend([half, half.wrapping_sub(1), half.wrapping_add(1), half.wrapping_neg(), half.wrapping_add(1).wrapping_neg()]);
                            }
                        }
                    }
                }
                v.sort();
                v.dedup();
                v
            }
            fn random(random: &mut Random) -> Self {
                let x = random.bits() as $t;
                x >> (random.bits() % <$t>::BITS as u64)
            }
            fn pattern(self) -> u64 {
                self as u64
            }
        }
    )*};
}
int!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! float {
    ($t:ident, $bits:ident, $more:expr) => {
        impl Value for $t {
            fn specials() -> Vec<Self> {
                let mut v: Vec<$t> = vec![
                    $t::NAN,
                    0.0,
                    -0.0,
                    1.0,
                    -1.0,
                    0.5,
                    -0.5,
                    1.5,
                    2.5,
                    $t::INFINITY,
                    $t::NEG_INFINITY,
                    $t::MIN,
                    $t::MAX,
                    $t::MIN_POSITIVE,
                    -$t::MIN_POSITIVE,
                    $t::MIN_POSITIVE.next_down(),
                    $t::from_bits(1),
                    -$t::from_bits(1),
                    $t::from_bits(3),
                    $t::EPSILON,
                    -$t::NAN,
                    $t::from_bits($t::NAN.to_bits() | 5),
                    0.1,
                    -3.7,
                    1e-3,
                    0.49999997,
                    -0.3,
                ];
                // Around the ends of the integers, and of where every value is an integer.
                for k in [7, 8, 15, 16, 22, 23, 24, 31, 32, 51, 52, 53, 62, 63, 64] {
                    let p = (2.0 as $t).powi(k);
                    for x in [p, p.next_down(), p.next_up(), p - 0.5, p + 0.5, p - 1.0, p + 1.0, p - 1.5] {
                        v.extend([x, -x]);
                    }
                }
                v.extend::<Vec<$t>>($more);
                v.sort_by($t::total_cmp);
                v.dedup_by_key(|x| x.to_bits());
                v
            }
            fn random(random: &mut Random) -> Self {
                let x = random.bits();
                // A third each: any bits; of the size of an integer, with a fraction; near 1.
                match random.bits() % 3 {
                    0 => $t::from_bits(x as $bits),
                    1 => (x as i64 >> (random.bits() % 64)) as $t * 0.25,
                    _ => x as i32 as $t / (1u32 << 30) as $t,
                }
            }
            fn pattern(self) -> u64 {
                self.to_bits() as u64
            }
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    };
}
float!(f32, u32, vec![]);
float!(f64, u64, narrowing());

macro_rules! half {
    ($($t:ident)*) => {$(
        impl Value for half::$t {
            fn specials() -> Vec<Self> {
                let tiny = Self::from_bits(1);
                let mut v = vec![
                    Self::NAN, Self::ZERO, Self::NEG_ZERO, Self::ONE, -Self::ONE, Self::INFINITY, Self::NEG_INFINITY, Self::MIN, Self::MAX,
                    Self::MIN_POSITIVE, -Self::MIN_POSITIVE, tiny, -tiny, Self::from_bits(3), Self::EPSILON, Self::PI,
                ];
                v.extend([0.5, -0.5, 1.5, 2.5, 0.1, -3.7, 127.0, 128.0, -129.0, 255.0, 256.0, 2048.0, 32768.0].map(Self::from_f32));
                v
            }
            /// A NaN is the quiet one: a signalling one becomes quiet on its way.
            fn random(random: &mut Random) -> Self {
                let x = match random.bits() % 2 {
                    0 => Self::from_bits(random.bits() as u16),
                    _ => Self::from_f32(f32::random(random)),
                };
                if x.is_nan() { Self::NAN } else { x }
            }
            fn pattern(self) -> u64 {
                self.to_bits() as u64
            }
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )*};
}
half!(f16 bf16);

/// f64 values halfway between neighbours of f32, and a hair beside; around f32's largest and subnormal values.
fn narrowing() -> Vec<f64> {
    let mut v = Vec::new();
    for x in [1.0f32, 1.0f32.next_up(), 3.3, f32::MAX.next_down(), f32::MIN_POSITIVE.next_down(), f32::from_bits(1), f32::from_bits(0)] {
        let half = (x as f64 + x.next_up() as f64) / 2.0;
        v.extend([half, half.next_up(), half.next_down(), -half, -half.next_up()]);
    }
    let over = f32::MAX as f64 + 2f64.powi(103);
    v.extend([over, over.next_down(), -over, f32::MAX as f64, f32::MIN_POSITIVE as f64, 1e-50, -1e300]);
    v
}
