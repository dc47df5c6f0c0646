//! Loads and stores at any alignment, `bool` from any byte, and the operations of `BitsOps`.

use crate::level::{Level, on_every_level};
use crate::oracle::{Case, Oracle, check1, check2};
use crate::values::{Random, Value};
use lanecraft_core::Dtype;
use lanecraft_core::isa::shims::{SCALE_F32, SCALE_F64};
use lanecraft_core::isa::{BitsOps, MemoryLanes, Registers};

fn moves_in_place<T: Value, I: Level>(isa: I) {
    let gang = <I as Registers>::LANES;
    let size = size_of::<T>();
    for offset in 0..20 {
        let mut r = Random(offset as u64);
        let x: Vec<T> = (0..gang).map(|_| T::random(&mut r)).collect();
        let (mut from, mut to) = (vec![0xa5u8; 16 * 8 + 64], vec![0xa5u8; 16 * 8 + 64]);
        // SAFETY: the buffers are longer than the offset and 16 elements of 8 bytes.
        unsafe {
            for (k, &x) in x.iter().enumerate() {
                from.as_mut_ptr().add(offset + k * size).cast::<T>().write_unaligned(x);
            }
            let (p, q) = (from.as_ptr().add(offset).cast::<T>(), to.as_mut_ptr().add(offset).cast::<T>());
            isa.enter(
                #[inline(always)]
                || T::store(isa, q, T::load(isa, p)),
            );
        }
        assert_eq!(from, to, "{} at offset {offset} on {}", T::ID, I::name());
    }
}

macro_rules! each_dtype {
    ($($t:ident)*) => {$(
        #[test]
        fn $t() {
            fn level<I: Level>(isa: I) {
                moves_in_place::<core::primitive::$t, I>(isa);
            }
            on_every_level!(level);
        }
    )*};
}
each_dtype!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

#[test]
fn half() {
    fn level<I: Level>(isa: I) {
        moves_in_place::<half::f16, I>(isa);
        moves_in_place::<half::bf16, I>(isa);
    }
    on_every_level!(level);
}

#[test]
fn bool_of_any_byte() {
    fn level<I: Level>(isa: I) {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut out = vec![7u8; 256];
        let mut one_by_one = Vec::new();
        isa.enter(
            #[inline(always)]
            || {
                let mut k = 0;
                while k < 256 {
                    // SAFETY: 256 is a multiple of the gang.
                    unsafe { bool::store(isa, out.as_mut_ptr().add(k).cast(), bool::load(isa, bytes.as_ptr().add(k).cast())) };
                    k += <I as Registers>::LANES;
                }
            },
        );
        for b in &bytes {
            // SAFETY: the byte is readable.
            one_by_one.push(unsafe { bool::read(core::ptr::from_ref(b).cast()) } as u8);
        }
        let expected: Vec<u8> = bytes.iter().map(|&b| if b == 0 { 0 } else { 1 }).collect();
        assert_eq!(out, expected, "{}", I::name());
        assert_eq!(one_by_one, expected);
    }
    on_every_level!(level);
}

#[test]
fn bits() {
    fn level<I: Level>(isa: I) {
        let o = Oracle { fused: true };
        let case = Case { operation: "bits", strict: true };
        check1::<f32, u32, I>(
            isa,
            case,
            f32::many(),
            #[inline(always)]
            |a| isa.f32_to_bits(a),
            |a| o.f32_to_bits(a),
        );
        check1::<u32, f32, I>(
            isa,
            case,
            u32::many(),
            #[inline(always)]
            |a| isa.f32_from_bits(a),
            |a| o.f32_from_bits(a),
        );
        check1::<f64, u64, I>(
            isa,
            case,
            f64::many(),
            #[inline(always)]
            |a| isa.f64_to_bits(a),
            |a| o.f64_to_bits(a),
        );
        check1::<u64, f64, I>(
            isa,
            case,
            u64::many(),
            #[inline(always)]
            |a| isa.f64_from_bits(a),
            |a| o.f64_from_bits(a),
        );
        for n in 0..32 {
            check1::<u32, u32, I>(
                isa,
                case,
                u32::values(),
                #[inline(always)]
                |a| isa.u32_shl(a, n),
                |a| o.u32_shl(a, n),
            );
            check1::<u32, u32, I>(
                isa,
                case,
                u32::values(),
                #[inline(always)]
                |a| isa.u32_shr(a, n),
                |a| o.u32_shr(a, n),
            );
        }
    }
    on_every_level!(level);
}

#[test]
fn powers_of_two() {
    fn level<I: Level>(isa: I) {
        let o = Oracle { fused: true };
        let case = Case { operation: "scale", strict: true };
        let single: Vec<f32> = f32::many().into_iter().map(|a| 0.5 + a.abs() % 1.5).collect();
        let double: Vec<f64> = f64::many().into_iter().map(|a| 0.5 + a.abs() % 1.5).collect();
        check2::<f32, f32, f32, I>(
            isa,
            case,
            single.iter().enumerate().map(|(k, &a)| (a, SCALE_F32 + (k % 505) as f32 - 252.0)).collect(),
            #[inline(always)]
            |a, t| isa.f32_scale(a, t),
            |a, t| o.f32_scale(a, t),
        );
        check2::<f64, f64, f64, I>(
            isa,
            case,
            double.iter().enumerate().map(|(k, &a)| (a, SCALE_F64 + (k * 7 % 4089) as f64 - 2044.0)).collect(),
            #[inline(always)]
            |a, t| isa.f64_scale(a, t),
            |a, t| o.f64_scale(a, t),
        );
    }
    on_every_level!(level);
}

#[test]
fn look_up() {
    const TABLE: [f32; 16] = [0.5, -1.0, f32::NAN, 3.0, f32::INFINITY, -0.0, 6.5, 7.0, 1e-45, 9.0, -10.0, 11.0, 12.0, 1e38, 14.0, 15.0];
    fn level<I: Level>(isa: I) {
        let o = Oracle { fused: true };
        check1::<u32, f32, I>(
            isa,
            Case { operation: "look_up", strict: true },
            u32::many(),
            #[inline(always)]
            |at| isa.f32_look_up(&TABLE, at),
            |at| o.f32_look_up(&TABLE, at),
        );
    }
    on_every_level!(level);
}

#[test]
fn bitmask() {
    fn level<I: Level>(isa: I) {
        let gang = <I as Registers>::LANES;
        for pattern in 0..1u64 << gang {
            let lanes: Vec<bool> = (0..gang).map(|k| pattern >> k & 1 == 1).collect();
            // SAFETY: a gang of elements.
            let got = isa.enter(
                #[inline(always)]
                || isa.bitmask(unsafe { bool::load(isa, lanes.as_ptr()) }),
            );
            assert_eq!(got, pattern, "{}", I::name());
        }
    }
    on_every_level!(level);
}
