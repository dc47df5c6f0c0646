//! How a call uses memory: what is written past the caches, what is prefetched.

use crate::strip::STREAMED;
use lanecraft_core::DtypeId;
use lanecraft_core::block::{LONG_ROW, MAX_RANK, Memory};
use lanecraft_core::map::MAX_OPERANDS;
use lanecraft_core::stream::Stores;

use super::info::Signature;
use super::variant::Call;

/// Nothing is written past the caches or prefetched.
pub(super) const CACHED: [Memory; MAX_OPERANDS] = [Memory { stores: Stores::Cache, ahead: 0 }; MAX_OPERANDS];

/// Bytes of an operand from which on it is prefetched: less may be in the second cache. Prefetching that costs nothing that could be measured,
/// but what lies behind the operand would be fetched, too.
const PREFETCHED: usize = 256 << 10;
/// How many bytes ahead: the CPU prefetches by itself, but late, and not what is written.
const AHEAD: usize = 8192;

/// How the memory of a call's operands is used; the first `inputs` are read.
///
/// What a call reads and writes shares a cache. So outputs go past it where all operands together fill it, if they are not the small part: an input
/// that was in the cache stays there then, and an output's lines are not read first.
pub(super) fn memory(dtypes: &[DtypeId], inputs: usize, signature: &Signature, call: &Call<'_>) -> [Memory; MAX_OPERANDS] {
    let (mut memory, mut core_steps) = (CACHED, call.core_steps);
    let mut bytes = [0; MAX_OPERANDS];
    for (k, (memory, dtype)) in memory.iter_mut().zip(dtypes).enumerate() {
        let dims = signature.operands[k];
        let (steps, rest) = core_steps.split_at(dims.len());
        core_steps = rest;
        let mut axes = [(1, 0); MAX_RANK + 1];
        axes[0] = (call.count, call.steps[k]);
        for (axis, (dim, step)) in axes[1..].iter_mut().zip(dims.iter().zip(steps)) {
            *axis = (call.dims[*dim], *step);
        }
        let axes = &axes[..=dims.len().min(MAX_RANK)];
        let distinct = axes.iter().filter(|(_, step)| *step != 0);
        bytes[k] = distinct.fold(dtype.size(), |bytes, (len, _)| bytes.saturating_mul(*len));
        if bytes[k] >= PREFETCHED {
            memory.ahead = ahead(axes, dtype.size());
        }
    }
    let all = bytes.iter().fold(0_usize, |all, bytes| all.saturating_add(*bytes));
    for (memory, bytes) in memory.iter_mut().zip(bytes).skip(inputs) {
        if all >= STREAMED && bytes >= STREAMED / 4 {
            memory.stores = Stores::Stream;
        }
    }
    memory
}

/// How far ahead to prefetch an operand of these axes, lengths and steps, outermost first: in rows that lie apart, as many rows, and else whole rows,
/// too, if they are short: then what holds of a row's end holds there.
fn ahead(axes: &[(usize, isize)], size: usize) -> isize {
    let mut run = size;
    for (len, step) in axes.iter().rev() {
        if *len > 1 && *step != run.cast_signed() {
            let rows = if run < LONG_ROW { AHEAD.div_ceil(run) } else { return AHEAD.cast_signed() };
            return step.wrapping_mul(rows.cast_signed());
        }
        run = run.saturating_mul(*len);
    }
    let row = axes.last().map_or(size, |(len, _)| len.saturating_mul(size));
    (if row > 0 && row < LONG_ROW { AHEAD.next_multiple_of(row) } else { AHEAD }).cast_signed()
}
