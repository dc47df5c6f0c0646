//! Debug mode: what the checked form of a kernel finds, and where.
//!
//! The checked form is the plain function's body over level [`Checked`](crate::isa::checked::Checked): element by element, iteration by
//! iteration. What it finds first ends it, by unwinding with a [`Report`] as payload, which whoever runs it catches. So no value has to stand in for
//! one that is not there, and no loop goes on with it.
//!
//! - `find`: the first finding;
//! - [`mod@arithmetic`]: integers that do not fit, NaN;
//! - `shadow`: who wrote which element of an output;
//! - [`print_by`]: where the lines of `dbg!` go.

pub mod arithmetic;
mod context;
pub(crate) mod shadow;

use crate::cx::{FaultKind, MAX_RANK, OutOfRange};
use crate::dtype::DtypeId;
use arithmetic::Operation;
use core::cell::{Cell, RefCell};
use core::fmt;
use shadow::Shadow;
use std::sync::OnceLock;

/// A line of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as `file!()` says it.
    pub file: &'static str,
    /// The line, from 1 on.
    pub line: u32,
}

/// The variables of a loop over lanes, outermost first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iteration {
    pub(crate) at: [u64; MAX_RANK],
    pub(crate) depth: usize,
}

impl Iteration {
    /// The variables' values.
    pub fn variables(&self) -> &[u64] {
        &self.at[..self.depth.min(MAX_RANK)]
    }
}

/// An element of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementOf {
    /// The operand's number.
    pub operand: usize,
    pub(crate) index: [u64; MAX_RANK],
    pub(crate) rank: usize,
}

impl ElementOf {
    /// Its index.
    pub fn index(&self) -> &[u64] {
        &self.index[..self.rank.min(MAX_RANK)]
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// What is a fault outside of debug mode too: an integer division by zero, an index beyond an array of the kernel's own.
    Fault(FaultKind),
    /// An index beyond an operand's shape.
    OutOfRange(OutOfRange),
    /// The result of an operation on integers is not one of its type.
    Overflow {
        /// The operation.
        operation: Operation,
        /// The type.
        dtype: DtypeId,
        /// The operands.
        values: [i128; 2],
    },
    /// An operation on numbers gives a NaN.
    Nan(Operation),
    /// Two iterations of a loop over lanes use an element that one of them writes.
    Race {
        /// The element.
        element: ElementOf,
        /// The earlier one, and whether it wrote the element.
        first: (Iteration, bool),
        /// The later one, and whether it writes the element.
        second: (Iteration, bool),
    },
    /// An element of an output is read that the kernel has not written.
    Unwritten(ElementOf),
    /// An element of a fresh output is left as it is.
    Left {
        /// The first one, in C order.
        element: ElementOf,
        /// The shape of its operand.
        shape: [u64; MAX_RANK],
    },
}

/// The first thing that is wrong in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// What.
    pub finding: Finding,
    /// The line of the operation. None for a few that have no line: a division by `wrapping_div`.
    pub place: Option<Place>,
    /// Of a map kernel the element's number, of a block kernel the item's, among those of the run.
    pub element: usize,
    /// In a loop over lanes, the iteration.
    pub iteration: Option<Iteration>,
}

impl Report {
    /// The text, with the operands' names: `index [7] of argument 'x' is out of range for shape [4]`.
    pub fn text(&self, name: &dyn Fn(usize) -> String) -> String {
        let of = |element: &ElementOf| format!("element {:?} of argument '{}'", element.index(), name(element.operand));
        let mut text = match &self.finding {
            Finding::Fault(kind) => kind.to_string(),
            Finding::OutOfRange(what) => {
                let rank = what.rank.min(MAX_RANK);
                let (index, shape) = (&what.index[..rank], &what.shape[..rank]);
                format!("index {index:?} of argument '{}' is out of range for shape {shape:?}", name(what.operand))
            }
            Finding::Overflow { operation, dtype, values } => operation.overflow_text(*dtype, *values),
            Finding::Nan(operation) => format!("{operation} of numbers gives a NaN"),
            Finding::Race { element, first: (first, wrote), second: (second, writes) } => {
                let (one, other) = (if *wrote { "wrote" } else { "read" }, if *writes { "writes" } else { "reads" });
                let (first, second) = (first.variables(), second.variables());
                format!("iteration {second:?} {other} {}, which iteration {first:?} of the same loop {one}", of(element))
            }
            Finding::Unwritten(element) => format!("{} is read before the kernel has written it", of(element)),
            Finding::Left { element, shape } => {
                let shape = &shape[..element.rank.min(MAX_RANK)];
                format!("{} is never written, of a fresh output of shape {shape:?}", of(element))
            }
        };
        if let Some(iteration) = self.iteration.filter(|_| !matches!(self.finding, Finding::Race { .. })) {
            text.push_str(&format!(", in iteration {:?}", iteration.variables()));
        }
        if let Some(place) = self.place {
            text.push_str(&format!(" ({place})"));
        }
        text
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|operand| format!("operand {operand}")))
    }
}

/// What a run checks and does beside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether a NaN that comes of numbers is a finding.
    pub nan: bool,
    /// Outputs of a block kernel, as bits, the first one's lowest, that hold nothing yet: an element that the kernel leaves as it is is a finding.
    pub fresh: u64,
}

thread_local! {
    static SETTINGS: Cell<Settings> = const { Cell::new(Settings { nan: false, fresh: 0 }) };
    /// The number of the element or item.
    static ELEMENT: Cell<usize> = const { Cell::new(0) };
    /// Whether `dbg!` prints nothing.
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static SHADOW: RefCell<Shadow> = RefCell::new(Shadow::default());
}

/// Who prints lines for `dbg!`, in place of standard error.
static PRINTER: OnceLock<fn(&str)> = OnceLock::new();

/// Says who prints the lines of `dbg!`. The first one who is named stays.
pub fn print_by(printer: fn(&str)) {
    let _ = PRINTER.set(printer);
}

/// Runs `f`, in which `dbg!` prints nothing: what is run again to find an element would print again.
pub fn quietly<R>(f: impl FnOnce() -> R) -> R {
    /// Puts back what was there, whether `f` returns or panics.
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            QUIET.set(self.0);
        }
    }
    let _restore = Restore(QUIET.replace(true));
    f()
}

/// Prints a value: `[src/lib.rs:12] element 3: a + b = 5.0`
#[cold]
#[inline(never)]
pub(crate) fn print(place: Option<Place>, text: &str, value: &dyn fmt::Debug) {
    if QUIET.get() {
        return;
    }
    let place = place.map_or_else(String::new, |place| format!("[{place}] "));
    let iteration = SHADOW.with_borrow(Shadow::iteration).map_or_else(String::new, |i| format!(", iteration {:?}", i.variables()));
    let line = format!("{place}element {}{iteration}: {text} = {value:?}", ELEMENT.get());
    match PRINTER.get() {
        Some(printer) => printer(&line),
        None => eprintln!("{line}"),
    }
}

/// Begins a run on this thread: what is left of an earlier one, which a finding may have ended, is forgotten.
pub(crate) fn begin(settings: Settings) {
    SETTINGS.set(settings);
    SHADOW.take();
}

/// Begins an element or item.
pub(crate) fn element(number: usize) {
    ELEMENT.set(number);
}

/// Ends the run with a finding.
#[cold]
#[inline(never)]
pub(crate) fn find(finding: Finding, place: Option<Place>) -> ! {
    let report = Report { finding, place, element: ELEMENT.get(), iteration: SHADOW.with_borrow(Shadow::iteration) };
    // Not a panic: no hook prints a message.
    std::panic::resume_unwind(Box::new(report))
}
