//! `/` and `%`: integers with their faults, and the float remainder.

use crate::level::{Level, on_every_level};
use crate::oracle::{Case, check2, cross};
use crate::values::{Random, Value};
use lanecraft_core::cx::FaultCell;
use lanecraft_core::isa::{MemoryLanes, Registers, Varying};
use lanecraft_core::{Cx, FaultKind, lane};

macro_rules! int {
    ($($t:ident)*) => {$(
        #[test]
        fn $t() {
            type T = core::primitive::$t;
            fn level<I: Level>(isa: I) {
                let mut r = Random(5);
                let mut inputs = cross(&T::values(), &T::values());
                inputs.extend((0..10_000).map(|_| (T::random(&mut r), T::random(&mut r))));
                inputs.retain(|&(_, b)| b != 0);
                let fault = FaultCell::default();
                let cx = Cx::new(isa, &fault);
                let case = Case { operation: concat!("division of ", stringify!($t)), strict: true };
                check2::<T, T, T, I>(isa, case, inputs.clone(), #[inline(always)] |a, b| lane::div(cx, Varying(a), Varying(b)).0, T::wrapping_div);
                let case = Case { operation: concat!("remainder of ", stringify!($t)), ..case };
                check2::<T, T, T, I>(isa, case, inputs, #[inline(always)] |a, b| lane::rem(cx, Varying(a), Varying(b)).0, T::wrapping_rem);
                assert_eq!(fault.get(), None, "{}", I::name());
                faults::<T, I>(isa);
            }
            on_every_level!(level);
        }
    )*};
}
int!(i8 i16 i32 i64 u8 u16 u32 u64);

/// A zero divisor is noted for the lowest lane that is active, and spoils no other lane.
fn faults<T: Value + lanecraft_core::Int, I: Level>(isa: I) {
    let gang = <I as Registers>::LANES;
    let mut r = Random(9);
    for k in 0..200 {
        let mut some = |many: bool| -> Vec<bool> { (0..gang).map(|_| r.bits().is_multiple_of(8) != many).collect() };
        let (zero, active) = (some(false), some(k % 2 == 0));
        let a = vec![T::MAX; gang];
        let b: Vec<T> = zero.iter().map(|&z| if z { T::ZERO } else { T::ONE }).collect();
        let expected = (0..gang).find(|&k| zero[k] && active[k]);
        for remainder in [false, true] {
            let fault = FaultCell::default();
            let mut out = vec![T::ZERO; gang];
            isa.enter(
                #[inline(always)]
                || {
                    // SAFETY: each vector holds a gang.
                    unsafe {
                        let cx = Cx::new(isa, &fault).and(Varying(bool::load(isa, active.as_ptr())));
                        let (a, b) = (Varying(T::load(isa, a.as_ptr())), Varying(T::load(isa, b.as_ptr())));
                        let y = if remainder { lane::rem(cx, a, b) } else { lane::div(cx, a, b) };
                        T::store(isa, out.as_mut_ptr(), y.0);
                    }
                },
            );
            let got = fault.get();
            assert_eq!(got.map(|f| f.index), expected, "{} of {} on {}", if remainder { "%" } else { "/" }, T::ID, I::name());
            assert!(got.is_none_or(|f| f.kind == FaultKind::DivisionByZero));
            for k in (0..gang).filter(|&k| !zero[k]) {
                assert_eq!(out[k], if remainder { T::ZERO } else { T::MAX });
            }
        }
    }
}

/// The other side of a condition: its lanes do not fault either.
#[test]
fn only_active_lanes_fault() {
    fn level<I: Level>(isa: I) {
        let fault = FaultCell::default();
        let all = Cx::new(isa, &fault);
        let (yes, no) = (lane::splat(all, true), lane::splat(all, false));
        let (one, zero) = (lane::splat(all, 1i32), lane::splat(all, 0i32));
        for nobody in [all.and(no), all.and_not(yes), all.and(yes).and(no), all.and_not(yes).and(yes)] {
            let _ = (lane::div(nobody, one, zero), lane::rem(nobody, one, zero));
            assert_eq!(fault.get(), None);
        }
        let _ = lane::div(all.and_not(no), one, zero);
        assert_eq!(fault.get().map(|f| f.index), Some(0));
    }
    on_every_level!(level);
}

macro_rules! float {
    ($($t:ident)*) => {$(
        #[test]
        fn $t() {
            type T = core::primitive::$t;
            fn level<I: Level>(isa: I) {
                let fault = FaultCell::default();
                let cx = Cx::new(isa, &fault);
                let inputs = cross(&T::values(), &T::values());
                let case = Case { operation: concat!("remainder of ", stringify!($t)), strict: false };
                check2::<T, T, T, I>(isa, case, inputs.clone(), #[inline(always)] |a, b| lane::rem(cx, Varying(a), Varying(b)).0, |a, b| a % b);
                let case = Case { operation: concat!("division of ", stringify!($t)), ..case };
                check2::<T, T, T, I>(isa, case, inputs, #[inline(always)] |a, b| lane::div(cx, Varying(a), Varying(b)).0, |a, b| a / b);
                assert_eq!(fault.get(), None, "{}", I::name());
            }
            on_every_level!(level);
        }
    )*};
}
float!(f32 f64);
