//! In which order a loop over lanes runs its gangs: away from what the CPU takes for the elements that it reads.

use crate::level::{Level, on_every_level};
use core::cell::RefCell;
use lanecraft_core::Cx;
use lanecraft_core::block::{lanes, slice, slice_mut, span};
use lanecraft_core::cx::FaultCell;
use lanecraft_core::isa::{Registers, Varying};

/// The first iterations of the gangs of a loop of `n`, as they are run, and whether each needs no checks. What the loop writes lies `distance` bytes behind
/// what it reads, modulo 4096. `known` of the iterations are known to stay within.
fn order<I: Level>(isa: I, n: usize, known: usize, distance: i64) -> Vec<(u64, bool)> {
    let mut memory = vec![0_f32; 2 * n + 2048];
    let read = memory.as_ptr() as u64;
    let (x, y) = memory.split_at_mut(n);
    let fault = FaultCell::default();
    let cx = Cx::new(isa, &fault);
    let found = RefCell::new(Vec::new());
    let skip = (0..1024).find(|k| (y[*k..].as_ptr() as u64).wrapping_sub(read).wrapping_sub(distance as u64).is_multiple_of(4096));
    isa.enter(
        #[inline(always)]
        || {
            let (x, y) = (slice(x), slice_mut(&mut y[skip.unwrap()..][..n]));
            let short = vec![0_u8; known];
            let all = span(Varying(0), Varying(n as u64), 1).within(slice(&short), 0, Varying(0), 1);
            let all = all.aligned(y, [Varying(0)]).away(y, [Varying(0)], x, [Varying(0)]);
            lanes(
                cx,
                all,
                |_, _, Varying(first)| found.borrow_mut().push((first, true)),
                |_, _, Varying(first)| found.borrow_mut().push((first, false)),
            );
        },
    );
    found.into_inner()
}

/// The distances, and whether the loop runs downwards there.
const DISTANCES: [(i64, bool); 16] = [
    (0, false),
    (4, true),
    (16, true),
    (32, true),
    (48, true),
    (64, true),
    (80, true),
    (1040, true),
    (2044, true),
    (2048, false),
    (2052, false),
    (-4, false),
    (-16, false),
    (-48, false),
    (-64, false),
    (-1040, false),
];

fn orders<I: Level>(isa: I) {
    for n in [0, 1, 15, 16, 17, 255, 256, 257, 272, 1000, 4000] {
        for (distance, wanted) in DISTANCES {
            let gangs = order(isa, n, n, distance);
            let name = format!("{} {n} {distance}", I::name());
            let fast: Vec<u64> = gangs.iter().filter(|(_, fast)| *fast).map(|(first, _)| *first).collect();
            let downwards = wanted && n >= 256;
            assert!(fast.windows(2).all(|two| two[1] == if downwards { two[0] - 16 } else { two[0] + 16 }), "{name}: {fast:?}");
            let mut sorted: Vec<u64> = gangs.iter().map(|(first, _)| *first).collect();
            // The gangs with checks come first and last: those of the loop's ends.
            if let (Some(low), Some(high)) = (fast.iter().min(), fast.iter().max()) {
                let (before, after) = (gangs.iter().position(|(_, fast)| *fast), gangs.iter().rposition(|(_, fast)| *fast));
                assert!(gangs[..before.unwrap()].iter().all(|(first, _)| first < low), "{name}: {gangs:?}");
                assert!(gangs[after.unwrap() + 1..].iter().all(|(first, _)| first > high), "{name}: {gangs:?}");
                assert!(*high + 16 <= n as u64, "{name}: {gangs:?}");
            }
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(k, first)| k > 0 || *first == 0), "{name}: {gangs:?}");
            assert!(sorted.windows(2).all(|two| (1..=16).contains(&(two[1] - two[0]))), "{name}: {gangs:?}");
            assert!(sorted.last().is_none_or(|last| n as u64 - last <= 16) && sorted.is_empty() == (n == 0), "{name}: {gangs:?}");
            // Where an index may be out of range, the first one in the order of the loop is told.
            let in_order = order(isa, n, n.saturating_sub(1), distance);
            assert!(in_order.windows(2).all(|two| two[0].0 < two[1].0), "{name}: {in_order:?}");
        }
    }
}

#[test]
fn gangs_go_away_from_what_was_written() {
    fn level<I: Level>(isa: I) {
        if <I as Registers>::LANES == 16 {
            orders(isa);
        }
    }
    on_every_level!(level);
}
