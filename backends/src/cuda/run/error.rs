//! Why a CUDA call failed.

use crate::cuda::Missing;
use std::fmt;

/// Why a CUDA call failed. Messages name the function, what came, and what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Something that CUDA needs is missing on this machine: which, and where it comes from.
    Unavailable(String),
    /// The driver refused a call.
    Driver {
        /// The driver's function.
        call: &'static str,
        /// Its code.
        code: u32,
        /// The code's name.
        name: String,
        /// What else the driver said.
        log: String,
    },
    /// The kernel has a construct without CUDA text.
    Text(Missing),
    /// NVRTC refused a kernel's text.
    Compile {
        /// The kernel.
        kernel: String,
        /// What NVRTC says.
        log: String,
    },
    /// A launch geometry that the device cannot have.
    Geometry {
        /// The kernel.
        kernel: &'static str,
        /// `grid` or `block`.
        setting: &'static str,
        /// What was asked for.
        asked: u32,
        /// What is accepted.
        limit: String,
        /// The accepted number next to what was asked for.
        nearest: u32,
    },
    /// There is no such device.
    Device {
        /// The number that came.
        asked: u32,
        /// How many there are.
        count: u32,
    },
    /// An operand of another device than the stream.
    Elsewhere {
        /// The kernel.
        kernel: &'static str,
        /// The argument.
        argument: String,
        /// The number of its device.
        device: u32,
        /// The number of the stream's device.
        stream: u32,
    },
    /// No variant is built for these dtypes.
    Dtypes {
        /// The kernel.
        kernel: &'static str,
        /// The dtypes that came.
        came: String,
        /// Those that variants are built for.
        accepted: String,
    },
    /// Something that cannot be done while calls are captured into a graph, or with a graph.
    Graph(String),
    /// What also fails on the CPU: shapes, parameters, an element without a value.
    Kernel(Box<crate::Error>),
    /// An index out of range, whose value is not known any more since later calls may have changed the inputs.
    OutOfRange {
        /// The kernel.
        kernel: &'static str,
        /// The element, or of a block kernel the item.
        index: Vec<usize>,
        /// The shape of the outputs, or of the items.
        shape: Vec<usize>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(what) => write!(f, "CUDA: {what}"),
            Self::Driver { call, code, name, log } => {
                write!(f, "CUDA: the driver's {call} failed with {name} ({code})")?;
                if log.is_empty() { Ok(()) } else { write!(f, ": {log}") }
            }
            Self::Text(missing) => missing.fmt(f),
            Self::Compile { kernel, log } => write!(f, "{kernel}: NVRTC refuses the kernel's CUDA text: {log}"),
            Self::Geometry { kernel, setting, asked, limit, nearest } => {
                write!(f, "{kernel}: `{setting}` came as {asked}; accepted is {limit}, the nearest is {nearest}")
            }
            Self::Device { asked, count: 0 } => write!(f, "CUDA: device {asked} was asked for; this machine has none"),
            Self::Device { asked, count } => write!(f, "CUDA: device {asked} was asked for; accepted is 0 to {}", count - 1),
            Self::Elsewhere { kernel, argument, device, stream } => {
                write!(f, "{kernel}: argument `{argument}` came from device {device}; accepted is device {stream}, that of the stream")
            }
            Self::Dtypes { kernel, came, accepted } => write!(f, "{kernel}: dtypes came as {came}; accepted are {accepted}"),
            Self::Graph(what) => f.write_str(what),
            Self::Kernel(error) => error.fmt(f),
            Self::OutOfRange { kernel, index, shape } => write!(f, "{kernel}: index out of range at {index:?} of shape {shape:?}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Self::Kernel(Box::new(error))
    }
}

impl From<Missing> for Error {
    fn from(missing: Missing) -> Self {
        Self::Text(missing)
    }
}
