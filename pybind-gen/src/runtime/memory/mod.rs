//! The memory of results.
//!
//! A fresh array of 64 MiB costs more than most kernels: the kernel of the system has to find and clear its pages first. So large
//! blocks are kept when their array goes, up to [`LIMIT`] bytes, and given out again. NumPy takes its memory from here while [`Ours`]
//! is installed: its own way to have arrays of other allocators, each of which remembers where it came from.
//!
//! The same way serves other libraries. What an array of ours points to can be [taken](Buffer::take) from it, and then belongs to whoever holds the
//! [`Buffer`]: no Python object, so that it may be freed on any thread, with or without the GIL, at any time.

mod handler;

pub(super) use handler::{Buffer, Extent, For, Ours};

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// Blocks of this size and more are kept.
const LARGE: usize = 1 << 20;
/// Bytes that are kept at most.
const LIMIT: usize = 256 << 20;
/// Blocks of this size and more lie on huge pages, where the system has them.
const HUGE: usize = 4 << 20;
const HUGE_PAGE: usize = 2 << 20;
/// A cache line.
const LINE: usize = 64;
/// Room in front of and behind the data.
const ROOM: usize = 2 * LINE;

/// How data lies to the lines of the cache. Where a kernel's input and output lie alike, both are read and written in whole lines.
#[derive(Clone, Copy)]
enum Lie {
    /// At a line's start: torch allocates so, and JAX copies what does not.
    Aligned = LINE as isize,
    /// 16 bytes after it, as large arrays do that NumPy has from glibc.
    LikeNumPy = LINE as isize + 16,
}

/// What stands in front of a block's data.
#[repr(C)]
struct Header {
    /// Bytes of the data.
    capacity: usize,
    /// Bytes from the block's start to the data.
    offset: usize,
}

/// Blocks that are free, the oldest first.
static FREE: Mutex<Vec<Block>> = Mutex::new(Vec::new());
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static NEW: AtomicUsize = AtomicUsize::new(0);
static REUSED: AtomicUsize = AtomicUsize::new(0);

/// A block that nobody uses.
struct Block {
    start: NonNull<u8>,
    capacity: usize,
}

// SAFETY: a block is memory and nothing else.
unsafe impl Send for Block {}

impl Block {
    /// A new block.
    fn new(capacity: usize) -> Option<Self> {
        let layout = layout(capacity);
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        #[cfg(target_os = "linux")]
        if capacity >= HUGE {
            // SAFETY: advice on memory that is ours; where it is refused nothing changes.
            unsafe { libc::madvise(start.as_ptr().cast(), layout.size() & !(HUGE_PAGE - 1), libc::MADV_HUGEPAGE) };
        }
        Some(Self { start, capacity })
    }

    /// The place of its data, for whoever uses it now.
    fn into_data(self, lie: Lie) -> NonNull<u8> {
        let offset = lie as usize;
        // SAFETY: within the block, which has room for `ROOM` bytes beside the data; nobody else uses it.
        let data = unsafe {
            let data = self.start.add(offset);
            header(data).write(Header { capacity: self.capacity, offset });
            data
        };
        std::mem::forget(self);
        data
    }

    /// The block of some data.
    ///
    /// # Safety
    /// The data is from [`into_data`](Self::into_data), and nobody uses it any more.
    unsafe fn of(data: NonNull<u8>) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let Header { capacity, offset } = header(data).read();
            Self { start: data.sub(offset), capacity }
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `new` got the block with this layout, and nobody uses it.
        unsafe { dealloc(self.start.as_ptr(), layout(self.capacity)) }
    }
}

/// Aligned to 16 bytes, as both offsets are.
fn header(data: NonNull<u8>) -> *mut Header {
    data.as_ptr().wrapping_sub(size_of::<Header>()).cast()
}

fn layout(capacity: usize) -> Layout {
    let align = if capacity >= HUGE { HUGE_PAGE } else { LINE };
    // SAFETY: a power of two; `capacity_for` has checked the size.
    unsafe { Layout::from_size_align_unchecked(capacity + ROOM, align) }
}

/// Sizes of large blocks are rounded up, by at most an eighth, so that they fit more often.
fn capacity_for(size: usize) -> Option<usize> {
    if size < LARGE {
        return Some(size);
    }
    let step = size.checked_next_power_of_two()? / 16;
    size.checked_add(ROOM)?.checked_next_multiple_of(step)?.checked_sub(ROOM).filter(|n| *n < isize::MAX as usize - HUGE_PAGE)
}

fn allocate(size: usize, lie: Lie) -> Option<NonNull<u8>> {
    let capacity = capacity_for(size)?;
    if capacity < LARGE {
        return Some(Block::new(capacity)?.into_data(lie));
    }
    // A lock that is held is not waited for: after a fork it may be held for ever.
    let kept = FREE.try_lock().ok().and_then(|mut free| {
        let at = free.iter().rposition(|block| block.capacity == capacity)?;
        Some(free.remove(at))
    });
    let counter = if kept.is_some() { &REUSED } else { &NEW };
    let block = kept.or_else(|| Block::new(capacity))?;
    counter.fetch_add(1, Ordering::Relaxed);
    IN_USE.fetch_add(capacity, Ordering::Relaxed);
    Some(block.into_data(lie))
}

/// # Safety
/// `data` is from [`allocate`], and nobody uses it any more.
unsafe fn free(data: NonNull<u8>) {
    // SAFETY: the caller's promise.
    let block = unsafe { Block::of(data) };
    let capacity = block.capacity;
    if capacity < LARGE {
        return;
    }
    IN_USE.fetch_sub(capacity, Ordering::Relaxed);
    let mut gone = Vec::new();
    if let Ok(mut free) = FREE.try_lock() {
        free.push(block);
        let mut kept: usize = free.iter().map(|block| block.capacity).sum();
        while kept > LIMIT {
            let oldest = free.remove(0);
            kept -= oldest.capacity;
            gone.push(oldest);
        }
    }
    // Given back to the system without the lock.
    drop(gone);
}

/// The free blocks; None where a thread had the lock that a fork has left behind.
fn unlocked() -> Option<MutexGuard<'static, Vec<Block>>> {
    // Others have it for some instructions.
    for _ in 0..100 {
        if let Ok(free) = FREE.try_lock() {
            return Some(free);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

/// What [`report`] says: bytes, and numbers of blocks.
pub(super) struct Report {
    pub(super) in_use: usize,
    pub(super) kept: usize,
    pub(super) limit: usize,
    pub(super) new: usize,
    pub(super) reused: usize,
}

/// The large blocks of this module.
pub(super) fn report() -> Report {
    let kept = unlocked().map_or(0, |free| free.iter().map(|block| block.capacity).sum());
    let load = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    Report { in_use: load(&IN_USE), kept, limit: LIMIT, new: load(&NEW), reused: load(&REUSED) }
}

/// Gives what is kept back to the system. How many bytes that were.
pub(super) fn release() -> usize {
    let kept = unlocked().map(|mut free| std::mem::take(&mut *free)).unwrap_or_default();
    kept.iter().map(|block| block.capacity).sum()
}
