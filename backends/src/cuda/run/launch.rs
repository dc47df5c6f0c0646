//! One launch: a function, its geometry, its arguments.

use super::fault::Site;
use super::memory::Buffer;
use super::module::Function;
use super::{Error, Limits};
use lanecraft_core::DtypeId;
use std::sync::Arc;

/// A launch that has been checked.
pub(super) struct Launch {
    pub(super) function: Function,
    pub(super) grid: u32,
    pub(super) block: u32,
    /// The operands, the first arguments.
    pub(super) operands: Vec<Place>,
    /// The arguments between the operands and the address of the fault's word, as they lie in memory.
    pub(super) behind: Vec<Vec<u64>>,
    pub(super) site: Arc<dyn Site>,
}

/// Where an operand is.
pub(super) enum Place {
    /// A value, which is brought to the device.
    Scalar { bytes: [u8; 8], size: usize },
    /// In memory on the device.
    At(At),
}

/// An operand in memory.
#[derive(Clone, Debug)]
pub(super) struct At {
    /// The address that the kernel gets.
    pub(super) at: u64,
    /// The address of the array's first element.
    pub(super) base: u64,
    /// Bytes that the address has to be a multiple of.
    pub(super) align: u64,
    pub(super) dtype: DtypeId,
    pub(super) shape: Vec<usize>,
    /// Bytes from element to element on each axis.
    pub(super) steps: Vec<isize>,
    /// Keeps the memory, if it is ours.
    pub(super) _keep: Option<Arc<Buffer>>,
}

impl Launch {
    /// All arguments, as they lie in memory.
    pub(super) fn arguments(&self, addresses: &[u64], fault: u64) -> Vec<Vec<u64>> {
        addresses.iter().map(|at| vec![*at]).chain(self.behind.iter().cloned()).chain([vec![fault]]).collect()
    }
}

/// Blocks and threads of a block that were asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    pub(super) grid: Option<u32>,
    pub(super) block: Option<u32>,
}

/// The geometry of a launch of one dimension: what was asked for, else what occupies the device, for `work(block)` blocks at most. Threads of
/// a block come in multiples of `multiple`.
pub(super) fn geometry(
    kernel: &'static str,
    asked: Asked,
    function: &Function,
    limits: Limits,
    multiple: u32,
    work: impl Fn(u32) -> u64,
) -> Result<(u32, u32), Error> {
    let most = (function.max_block.min(limits.block) / multiple * multiple).max(multiple);
    let block = match asked.block {
        None => (function.block / multiple * multiple).clamp(multiple, most),
        Some(asked) if asked > 0 && asked <= most && asked.is_multiple_of(multiple) => asked,
        Some(asked) => {
            let below = asked / multiple * multiple;
            let nearest = if asked - below <= multiple / 2 { below } else { below.saturating_add(multiple) };
            let each =
                if multiple > 1 { format!("a multiple of {multiple} threads, up to {most}") } else { format!("1 to {most} threads") };
            let limit = format!("{each}, the limit of this kernel on this device");
            return Err(Error::Geometry { kernel, setting: "block", asked, limit, nearest: nearest.clamp(multiple, most) });
        }
    };
    let grid = match asked.grid {
        None => work(block).clamp(1, u64::from(limits.grid)) as u32,
        Some(asked) if asked > 0 && asked <= limits.grid => asked,
        Some(asked) => {
            let limit = format!("1 to {} blocks, the limit of the device", limits.grid);
            return Err(Error::Geometry { kernel, setting: "grid", asked, limit, nearest: asked.clamp(1, limits.grid) });
        }
    };
    Ok((grid, block))
}
