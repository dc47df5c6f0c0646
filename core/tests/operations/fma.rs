//! `fma` against exact arithmetic on integers of 128 bits, where a product or a rounding done apart would show.

use crate::level::{Level, on_every_level};
use crate::oracle::{Case, check3};
use crate::values::{Random, Value};
use lanecraft_core::isa::FloatOps;

/// A finite number as sign, integer and power of two.
fn parts(x: f64) -> (bool, u128, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as u128;
    if exponent == 0 { (x.is_sign_negative(), fraction, -1074) } else { (x.is_sign_negative(), fraction | 1 << 52, exponent - 1075) }
}

/// `m * 2^e`, and something below the last bit of `m` if `sticky`, rounded to `digits` bits but none below `2^lowest`.
fn rounded(negative: bool, m: u128, e: i32, sticky: bool, digits: i32, lowest: i32) -> f64 {
    let length = 128 - m.leading_zeros() as i32;
    let last = (e + length - digits).max(lowest);
    let cut = last - e;
    let kept = if cut <= 0 {
        assert!(!sticky);
        m << -cut
    } else if cut > 127 {
        // Below half of the last place: at most 127 of these bits are used.
        0
    } else {
        let (kept, rest, half) = (m >> cut, m & ((1 << cut) - 1), 1u128 << (cut - 1));
        let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
        kept + up as u128
    };
    // Both factors and the product are exact, or the product overflows.
    let power = if last < -1022 { f64::from_bits(1 << (last + 1074)) } else { f64::from_bits(((last.min(1023) + 1023) as u64) << 52) };
    let x = kept as f64 * power;
    if negative { -x } else { x }
}

/// `a * b + c` rounded once to `digits` bits but none below `2^lowest`.
fn exact(a: f64, b: f64, c: f64, digits: i32, lowest: i32) -> f64 {
    if a == 0.0 || b == 0.0 || !(a.is_finite() && b.is_finite() && c.is_finite()) {
        // Nothing to round: but for `inf * 0` and the like, a zero or an infinity plus `c`.
        let product = if a.is_finite() && b.is_finite() { (a * b).clamp(-0.0, 0.0).copysign(a.signum() * b.signum()) } else { a * b };
        return product + c;
    }
    let ((na, ma, ea), (nb, mb, eb), (nc, mc, ec)) = (parts(a), parts(b), parts(c));
    let (np, mp, ep) = (na != nb, ma * mb, ea + eb);
    if mc == 0 {
        return rounded(np, mp, ep, false, digits, lowest);
    }
    // Both with their highest bit at 126, the smaller then shifted down to the larger's exponent.
    let top = |m: u128, e: i32| (m << (m.leading_zeros() - 1), e - (m.leading_zeros() as i32 - 1));
    let ((mp, ep), (mc, ec)) = (top(mp, ep), top(mc, ec));
    let ((n, m, e), (nl, ml, el)) = if (ep, mp) >= (ec, mc) { ((np, mp, ep), (nc, mc, ec)) } else { ((nc, mc, ec), (np, mp, ep)) };
    let down = (e - el).min(127) as u32;
    let (low, sticky) = (ml >> down, ml & ((1 << down) - 1) != 0);
    let sum = if n == nl { m + low } else { m - low - sticky as u128 };
    if sum == 0 && !sticky { 0.0 } else { rounded(n, sum, e, sticky, digits, lowest) }
}

fn exact_f32(a: f32, b: f32, c: f32) -> f32 {
    exact(a as f64, b as f64, c as f64, 24, -149) as f32
}
fn exact_f64(a: f64, b: f64, c: f64) -> f64 {
    exact(a, b, c, 53, -1074)
}

#[test]
fn the_oracle_itself() {
    // (1 + e)(1 - e) - 1 = -e^2, all of which separate roundings lose.
    let e = 2f64.powi(-52);
    assert_eq!(exact_f64(1.0 + e, 1.0 - e, -1.0), -2f64.powi(-104));
    // 0.1f32 = 13421773 * 2^-27; 10 times that less 1 is 2 * 2^-27.
    assert_eq!(exact_f32(0.1, 10.0, -1.0), 2f32.powi(-26));
    // Halfway between two subnormals, to even, and just above, up.
    let tiny = f32::from_bits(1);
    assert_eq!(exact_f32(tiny, 0.5, tiny), f32::from_bits(2));
    assert_eq!(exact_f32(tiny, 0.5, 0.0), 0.0);
    assert_eq!(exact_f32(tiny, 0.5f32.next_up(), 0.0), tiny);
    // A product that overflows, brought back by the addend.
    assert_eq!(exact_f64(f64::MAX, 2.0, -f64::MAX), f64::MAX);
    assert_eq!(exact_f64(f64::MAX, 2.0, 0.0), f64::INFINITY);
    assert!(exact_f64(f64::INFINITY, 0.0, 1.0).is_nan());
    assert!(exact_f64(-0.0, 1.0, -0.0).is_sign_negative());
}

macro_rules! test {
    ($test:ident: $t:ident, $exact:ident) => {
        #[test]
        fn $test() {
            let mut r = Random(3);
            let mut inputs: Vec<(($t, $t), $t)> = Vec::new();
            for k in 0..40_000 {
                let scale = (2.0 as $t).powi((r.bits() % ($t::MAX_EXP as u64 / 2)) as i32 - $t::MAX_EXP / 4);
                let near_1 = |r: &mut Random| (1.0 + (r.bits() >> 12) as f64 / 2f64.powi(52)) as $t;
                let (a, b) = (near_1(&mut r) * scale, near_1(&mut r));
                let product = a * b;
                // Cancellation; neighbours of the product; an addend near half of its last place; anything.
                let c = match k % 4 {
                    0 => -product,
                    1 => -$t::from_bits(product.to_bits().wrapping_add(r.bits() as _) & !0xff | product.to_bits() & 0xff),
                    2 => product * $t::EPSILON * 0.5 * if k & 8 == 0 { 1.0 } else { near_1(&mut r) },
                    _ => $t::random(&mut r),
                };
                inputs.push(((a, b), c));
                // Results around and below the smallest normal value.
                let down = (2.0 as $t).powi($t::MIN_EXP + (r.bits() % 16) as i32 - 12);
                inputs.push(((a / scale * down, b), if k & 1 == 0 { 0.0 } else { -near_1(&mut r) * down }));
                inputs.push((($t::random(&mut r), $t::random(&mut r)), $t::random(&mut r)));
            }
            for &((a, b), c) in &inputs {
                assert!(a.mul_add(b, c).same($exact(a, b, c)), "the standard library's, {a:e} {b:e} {c:e}");
            }
            fn level<I: Level>(isa: I, inputs: &[(($t, $t), $t)]) {
                if I::FUSED {
                    let case = Case { operation: concat!("fma of ", stringify!($t)), strict: false };
                    check3::<$t, $t, $t, $t, I>(
                        isa,
                        case,
                        inputs.to_vec(),
                        #[inline(always)]
                        |a, b, c| <I as FloatOps<$t>>::fma(isa, a, b, c),
                        $exact,
                    );
                }
            }
            on_every_level!(level, &inputs);
        }
    };
}
test!(f32_rounds_once: f32, exact_f32);
test!(f64_rounds_once: f64, exact_f64);
