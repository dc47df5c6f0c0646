//! Faults of launched kernels: each launch has a word on the device, all ones unless an element had none value.

use super::memory::Buffer;
use super::stream::WORDS;
use super::{Error, Stream};
use lanecraft_core::FaultKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A launch, for the error of its fault.
pub(super) trait Site: Send + Sync + std::fmt::Debug {
    /// The kernel.
    fn kernel(&self) -> &'static str;
    /// Where an element, or an item, lies: its index, and the shape.
    fn index(&self, element: usize) -> (Vec<usize>, Vec<usize>);
    /// The CPU's error for an element whose operands are as they were at the launch; `None` if they are not.
    ///
    /// # Errors
    /// What the driver refuses.
    fn on_cpu(&self, stream: &Stream, element: usize) -> Result<Option<crate::Error>, Error>;
}

impl dyn Site {
    /// The error of a fault's word.
    pub(super) fn error(&self, stream: &Stream, word: u64, in_full: bool) -> Error {
        let (element, is_index) = ((word / 2) as usize, !word.is_multiple_of(2));
        if in_full {
            match self.on_cpu(stream, element) {
                Ok(Some(error)) => return error.into(),
                Ok(None) => {}
                Err(error) => return error,
            }
        }
        let (kernel, (index, shape)) = (self.kernel(), self.index(element));
        if is_index {
            return Error::OutOfRange { kernel, index, shape };
        }
        crate::Error::Fault { kernel, kind: FaultKind::DivisionByZero, index, shape }.into()
    }
}

/// The words, and the launches that they are of.
#[derive(Debug)]
pub(super) struct Faults {
    words: Buffer,
    sites: Mutex<Vec<Arc<dyn Site>>>,
}

impl Faults {
    pub(super) fn new(stream: &Stream) -> Result<Self, Error> {
        let faults = Self { words: Buffer::new(stream.device(), 8 * WORDS)?, sites: Mutex::default() };
        faults.reset(stream)?;
        Ok(faults)
    }

    /// Sets all words back.
    pub(super) fn reset(&self, stream: &Stream) -> Result<(), Error> {
        // SAFETY: as many bytes as were allocated.
        unsafe { stream.fill(self.words.at(), 0xff, 8 * WORDS) }
    }

    pub(super) fn at(&self) -> u64 {
        self.words.at()
    }

    pub(super) fn is_full(&self) -> bool {
        self.sites().len() == WORDS
    }

    pub(super) fn is_used(&self) -> bool {
        !self.sites().is_empty()
    }

    /// The word of a launch. There is one: it is not full.
    pub(super) fn word(&self, site: &Arc<dyn Site>) -> u64 {
        let mut sites = self.sites();
        sites.push(site.clone());
        self.words.at() + 8 * (sites.len() - 1) as u64
    }

    /// The launch that was noted last did not come about.
    pub(super) fn take_back(&self) {
        self.sites().pop();
    }

    /// Forgets the launches, which have been looked at.
    pub(super) fn clear(&self) {
        self.sites().clear();
    }

    /// The first launch with a fault, among words that were copied to the host.
    pub(super) fn first(&self, words: &[u64]) -> Option<(Arc<dyn Site>, u64)> {
        self.sites().iter().zip(words).find(|(_, word)| **word != u64::MAX).map(|(site, word)| (site.clone(), *word))
    }

    fn sites(&self) -> MutexGuard<'_, Vec<Arc<dyn Site>>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
