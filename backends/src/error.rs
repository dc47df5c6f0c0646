//! Why a kernel did not run to its end.

use crate::block::BlockFault;
use crate::debug::{DebugError, Report};
use crate::level::LevelError;
use crate::threads::ThreadsError;
use lanecraft_core::block::ItemFault;
use lanecraft_core::{Fault, FaultKind, NoMemory};
use std::fmt;

/// Why [`Variant::run`](crate::Variant::run) failed: [`Error`] without the names that the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunError {
    /// There is no level to run on.
    Level(LevelError),
    /// The number of threads is not a number.
    Threads(ThreadsError),
    /// An element for which the kernel has no value.
    Fault(Fault),
    /// An item for which a block kernel has no result.
    Item(BlockFault),
    /// The kernel panicked, with this message.
    Panic(String),
    /// Whoever was [asked](crate::interruptible) said to stop.
    Interrupted,
    /// A dimension of this number is empty, which the kernel is not for.
    Empty(usize),
    /// What debug mode found.
    Found(Box<Report>),
    /// Debug mode is asked for, and not there.
    Debug(DebugError),
    /// There is not as much memory as the call needs besides its operands.
    Memory(NoMemory),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(error) => error.fmt(f),
            Self::Threads(error) => error.fmt(f),
            Self::Fault(fault) => write!(f, "{} at element {}", fault.kind, fault.index),
            Self::Item(BlockFault { item, fault: ItemFault::OutOfRange(what) }) => {
                write!(f, "operand {}: {what} in item {item}", what.operand)
            }
            Self::Item(BlockFault { item, fault: ItemFault::Fault(kind) }) => write!(f, "{kind} in item {item}"),
            Self::Item(BlockFault { item, fault: ItemFault::Elsewhere }) => write!(f, "another thread failed in item {item}"),
            Self::Panic(message) => write!(f, "panic: {message}"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Empty(dim) => write!(f, "dimension {dim} is empty"),
            Self::Found(report) => write!(f, "{report}, element {}", report.element),
            Self::Debug(error) => error.fmt(f),
            Self::Memory(NoMemory { operand, bytes, why }) => {
                write!(f, "operand {operand} takes {bytes} bytes of memory besides, which there are not: {why}")
            }
        }
    }
}

impl std::error::Error for RunError {}

impl RunError {
    /// The same, of a part that begins at element `by` of a call.
    pub fn further(self, by: usize) -> Self {
        self.moved(|element| element + by)
    }

    /// The same, of an element that has another number in the call.
    pub(crate) fn moved(self, to: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Fault(fault) => Self::Fault(Fault { index: to(fault.index), ..fault }),
            Self::Found(mut report) => {
                report.element = to(report.element);
                Self::Found(report)
            }
            other => other,
        }
    }
}

impl From<Fault> for RunError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<BlockFault> for RunError {
    fn from(fault: BlockFault) -> Self {
        Self::Item(fault)
    }
}

impl From<DebugError> for RunError {
    fn from(error: DebugError) -> Self {
        Self::Debug(error)
    }
}

impl From<LevelError> for RunError {
    fn from(error: LevelError) -> Self {
        Self::Level(error)
    }
}

impl From<ThreadsError> for RunError {
    fn from(error: ThreadsError) -> Self {
        Self::Threads(error)
    }
}

/// Why a kernel's `map` failed. Messages name the function, the argument, what came, and what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An operand does not fit the outputs' shape.
    Shape {
        /// The function.
        kernel: &'static str,
        /// The argument.
        argument: String,
        /// What came.
        came: String,
        /// What is accepted.
        accepted: String,
    },
    /// An element for which the kernel has no value: an integer division by zero, an index out of range. The outputs' values are unspecified.
    Fault {
        /// The function.
        kernel: &'static str,
        /// What happened.
        kind: FaultKind,
        /// Where it happened, for one slice the lowest such index; the same one in every run, on every level, for any
        /// number of threads.
        index: Vec<usize>,
        /// The shape of the outputs.
        shape: Vec<usize>,
    },
    /// An index of a block kernel that is beyond an argument's shape. The outputs' values are unspecified.
    OutOfRange {
        /// The function.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// The index, as signed numbers: `i - 1` at 0 is -1.
        index: Vec<i64>,
        /// The argument's shape.
        shape: Vec<u64>,
        /// Which item of a batch.
        item: Vec<usize>,
    },
    /// A parameter's value that no variant is built for.
    Parameter {
        /// The function.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value that came.
        came: String,
        /// The values that variants are built for.
        accepted: String,
    },
    /// There is no CPU level to run on.
    Level(LevelError),
    /// The number of threads is not a number.
    Threads(ThreadsError),
    /// The kernel panicked.
    Panic {
        /// The function.
        kernel: &'static str,
        /// The panic's message.
        message: String,
    },
    /// What debug mode found. The outputs' values are unspecified.
    Found {
        /// The function.
        kernel: &'static str,
        /// What was found, and where in the source.
        report: Box<Report>,
        /// That as a text, with the names of arguments.
        text: String,
        /// Of a map kernel the element's index, of a block kernel that of the item.
        index: Vec<usize>,
        /// The shape of the outputs, or of the batch.
        shape: Vec<usize>,
    },
    /// Debug mode is asked for, and not there.
    Debug(DebugError),
    /// There is not as much memory as the call needs besides its operands.
    Memory {
        /// The function.
        kernel: &'static str,
        /// The argument.
        argument: &'static str,
        /// How many bytes it takes.
        bytes: usize,
        /// What for.
        why: &'static str,
    },
    /// Whoever was [asked](crate::interruptible) said to stop.
    Interrupted {
        /// The function.
        kernel: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { kernel, argument, came, accepted } => {
                write!(f, "{kernel}: argument `{argument}` came with {came}; accepted is {accepted}")
            }
            Self::Parameter { kernel, parameter, came, accepted } => {
                write!(f, "{kernel}: parameter `{parameter}` came as {came}; accepted are {accepted}")
            }
            Self::Fault { kernel, kind, index, .. } if index.is_empty() => write!(f, "{kernel}: {kind}"),
            Self::Fault { kernel, kind, index, shape } => write!(f, "{kernel}: {kind} at index {index:?} of shape {shape:?}"),
            Self::OutOfRange { kernel, argument, index, shape, item } => {
                write!(f, "{kernel}: index {index:?} of argument `{argument}` is out of range for shape {shape:?}")?;
                if item.is_empty() { Ok(()) } else { write!(f, ", in item {item:?}") }
            }
            Self::Level(error) => error.fmt(f),
            Self::Threads(error) => error.fmt(f),
            Self::Panic { kernel, message } => write!(f, "{kernel}: panic: {message}"),
            Self::Found { kernel, text, index, shape, .. } => {
                write!(f, "{kernel}: {text}")?;
                if index.is_empty() { Ok(()) } else { write!(f, " at index {index:?} of shape {shape:?}") }
            }
            Self::Debug(error) => error.fmt(f),
            Self::Memory { kernel, argument, bytes, why } => {
                write!(f, "{kernel}: argument `{argument}` takes {bytes} bytes of memory besides, which there are not: {why}")
            }
            Self::Interrupted { kernel } => write!(f, "{kernel}: interrupted"),
        }
    }
}

impl std::error::Error for Error {}
