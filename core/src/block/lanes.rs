//! Loops over lanes, in gangs.

use super::GANG;
use super::known::Known;
use super::reduce::Accumulators;
use super::span::Span;
use crate::cx::Cx;
use crate::isa::scalar::Scalar;
use crate::isa::{Isa, Registers, Varying};
use crate::stream::prefetch;

/// Elements of a chunk of a reduction.
pub const CHUNK: u64 = 4096;

/// `k`, and the compiler knows no more of it. It would give each address of a loop's body a register of its own, and add to all of them in each
/// turn; what is not known to move evenly it computes where it is used, which takes no instruction.
#[inline(always)]
pub(super) fn opaque(k: u64) -> u64 {
    #[cfg(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let mut k = k;
        // SAFETY: no instructions.
        unsafe { core::arch::asm!("/* {0} */", inout(reg) k, options(pure, nomem, nostack, preserves_flags)) };
        k
    }
    #[cfg(not(all(not(miri), any(target_arch = "x86_64", target_arch = "aarch64"))))]
    k
}

/// Runs a body on every gang: its context, whether its indices need no checks, and the variable of its first lane.
///
/// The body comes twice: for gangs that need no checks, and for the others, the first and last ones of fewer lanes among them.
#[inline(always)]
pub fn lanes<I: Isa>(
    cx: Cx<'_, I>,
    span: Span,
    fast: impl Fn(Cx<'_, I>, Known<true>, Varying<u64, Scalar>),
    checked: impl Fn(Cx<'_, I>, Known<false>, Varying<u64, Scalar>),
) {
    if cx.failed() {
        return;
    }
    let cx = cx.storing(span.cached()).turned(span.is_downwards() && span.long);
    if span.cached() == 0 && !span.shared.is_null() {
        prefetch(span.shared, 1);
    }
    let whole = span.first_whole();
    let (lo, hi) = span.fast_gangs(whole, span.to);
    let mut k = span.from;
    loop {
        if k >= lo {
            // The next gang of those that need no checks, and how far it is to the one after it.
            let (mut next, by) = if span.is_downwards() { (hi.wrapping_sub(GANG), GANG.wrapping_neg()) } else { (k, GANG) };
            while k < hi {
                let piece = cx.patience();
                let stop = if hi - k > piece { k + piece } else { hi };
                cx.poll(stop - k);
                if cx.failed() {
                    return;
                }
                let mut left = stop - k;
                while left > 0 {
                    fast(cx, Known, span.at(opaque(next)));
                    next = next.wrapping_add(by);
                    left -= GANG;
                }
                k = stop;
            }
        }
        if k >= span.to {
            break;
        }
        let end = if k < whole { whole } else { span.to.min(k + GANG) };
        checked(cx.first(end - k), Known, span.at(k));
        k = end;
    }
}

/// Runs a body on every gang of a row, with the accumulators of the gang; the row's chunks go to `totals`.
///
/// Four gangs that need no checks run together, each with accumulators of its own, which stay in registers.
#[inline(always)]
pub fn reduce<I: Isa, A: Accumulators<I>>(
    cx: Cx<'_, I>,
    span: Span,
    totals: &mut A::Totals,
    fast: impl Fn(Cx<'_, I>, Known<true>, Varying<u64, Scalar>, A::Gang) -> A::Gang,
    checked: impl Fn(Cx<'_, I>, Known<false>, Varying<u64, Scalar>, A::Gang) -> A::Gang,
) {
    if cx.failed() {
        return;
    }
    let mut chunk = span.from;
    while chunk < span.to {
        let end = span.to.min(chunk + CHUNK);
        cx.poll(end - chunk);
        let (lo, hi) = span.fast_gangs(chunk, end);
        let mut accumulators = A::new(cx.isa);
        let number = |k: u64| ((k - chunk) / GANG) as usize % 4;
        let mut k = chunk;
        loop {
            if <I as Registers>::BASELINE {
                // The accumulators of four gangs fill all registers there.
                if k >= lo {
                    while k < hi {
                        accumulators.set(number(k), fast(cx, Known, span.at(k), accumulators.get(number(k))));
                        k += GANG;
                    }
                }
            } else if k >= lo && (k - chunk).is_multiple_of(4 * GANG) {
                let mut own = accumulators;
                while k + 4 * GANG <= hi {
                    let at = opaque(k);
                    own.set(0, fast(cx, Known, span.at(at), own.get(0)));
                    own.set(1, fast(cx, Known, span.at(at + GANG), own.get(1)));
                    own.set(2, fast(cx, Known, span.at(at + 2 * GANG), own.get(2)));
                    own.set(3, fast(cx, Known, span.at(at + 3 * GANG), own.get(3)));
                    k += 4 * GANG;
                }
                accumulators = own;
            }
            if k >= end {
                break;
            }
            accumulators.set(number(k), checked(cx.first(end - k), Known, span.at(k), accumulators.get(number(k))));
            k += GANG;
        }
        accumulators.give(cx.isa, totals);
        chunk += CHUNK;
    }
}
