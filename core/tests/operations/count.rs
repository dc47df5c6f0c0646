//! Counting bytes.

use crate::level::{Level, on_every_level};
use crate::values::Random;
use lanecraft_core::Cx;
use lanecraft_core::block::{Sum, copies, lanes, slice, slice_mut, span, updates};
use lanecraft_core::cx::FaultCell;
use lanecraft_core::isa::{Registers, Varying};

/// Bytes on this level: as many as there are in whole units, each of them once.
fn bytes<I: Level>(isa: I) {
    let mut r = Random(1);
    let x: Vec<u8> = (0..20_000).map(|_| r.bits() as u8).collect();
    for (from, len) in [(0, 0), (0, 2047), (0, 2048), (1, 4097), (63, 19_000)] {
        let mut counts = [3; 256];
        // SAFETY: as many bytes.
        let done = unsafe {
            isa.enter(
                #[inline(always)]
                || isa.count_bytes(x[from..].as_ptr(), len, &mut counts),
            )
        };
        assert!(done <= len && (done + 2048 > len) == (I::COUNTS_BYTES || len < 2048), "{} {len}", I::name());
        let mut expected = [3; 256];
        x[from..from + done].iter().for_each(|b| expected[usize::from(*b)] += 1);
        assert_eq!(counts, expected, "{} {len}", I::name());
    }
}

/// A loop that counts: on a level that has instructions for it, less than a unit is left to updates.
fn updates_left<I: Level>(isa: I) {
    let n = 100_000;
    let (x, mut y) = (vec![7_u8; n], vec![0_i64; 256]);
    let fault = FaultCell::default();
    let cx = Cx::new(isa, &fault);
    let left = core::cell::Cell::new(0);
    isa.enter(
        #[inline(always)]
        || {
            let (x, y) = (slice(&x), slice_mut(&mut y));
            let all = span(Varying(0), Varying(n as u64), 1).within(x, 0, Varying(0), 1);
            let room = copies(y);
            let updates = updates(y, Sum, all, &room);
            let rest = updates.count(cx, all, x, |first| [first], [1], Varying(2));
            let gang = || left.set(left.get() + 16);
            lanes(cx, rest, |_, _, _| gang(), |_, _, _| gang());
            updates.end(cx);
        },
    );
    let counted = n - left.get();
    assert_eq!(y[7], 2 * counted as i64, "{}", I::name());
    assert_eq!(counted, if I::COUNTS_BYTES { n / 2048 * 2048 } else { 0 }, "{}", I::name());
}

#[test]
fn count() {
    fn level<I: Level>(isa: I) {
        bytes(isa);
        if <I as Registers>::LANES == 16 {
            updates_left(isa);
        }
        assert_eq!(I::COUNTS_BYTES, I::name().contains("Avx512"), "{}", I::name());
    }
    on_every_level!(level);
}
