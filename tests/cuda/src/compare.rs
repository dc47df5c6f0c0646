//! One variant: its entries on the host against the same variant on the CPU.

use crate::values::{Random, Range, element};
use anyhow::{Context, Result, bail, ensure};
use lanecraft::cuda::{CudaInfo, Entry};
use lanecraft::{DtypeId, FaultKind, Level, Variant};
use lanecraft_cuda_check::host::{Library, Run, launch};

/// Elements: odd, so that there is a rest that no pack holds.
const SIZES: &[usize] = &[4099, 1, 17];
const SMALL_SIZES: &[usize] = &[515, 17];
/// Elements that are looked at one by one where there is a fault.
const ONE_BY_ONE: usize = 400;

/// `lc::Plan`: axes, their lengths, and for each operand its distances.
fn plan(shape: &[u64], strides: &[Vec<i64>]) -> Vec<u64> {
    let mut words = vec![shape.len() as u64];
    words.extend((0..8).map(|k| shape.get(k).copied().unwrap_or(0)));
    for operand in strides {
        words.extend((0..8).map(|k| operand.get(k).copied().unwrap_or(0) as u64));
    }
    words
}

/// An array of 64-bit words, so that any pack is aligned.
struct Memory(Vec<u64>);

impl Memory {
    fn new(bytes: usize) -> Self {
        Self(vec![0; bytes.div_ceil(8) + 2])
    }

    fn at(&self) -> *mut u8 {
        // A pack has 16 bytes.
        let start = self.0.as_ptr() as usize;
        start.next_multiple_of(16) as *mut u8
    }

    fn get(&self, size: usize, k: usize) -> u64 {
        let mut bytes = [0; 8];
        // SAFETY: element `k` lies within.
        unsafe { std::ptr::copy_nonoverlapping(self.at().add(k * size), bytes.as_mut_ptr(), size) };
        u64::from_le_bytes(bytes)
    }

    fn set(&self, size: usize, k: usize, value: u64) {
        // SAFETY: element `k` lies within.
        unsafe { std::ptr::copy_nonoverlapping(value.to_le_bytes().as_ptr(), self.at().add(k * size), size) };
    }
}

/// A compute level whose bits are those of all.
fn level() -> Result<Level> {
    Level::available().into_iter().rfind(|l| l.to_string() != "sse2").context("no CPU level is compiled in")
}

/// Compares a variant on every size, on operands side by side and at strides.
pub fn variant(kernel: &CudaInfo, entry: &Entry, library: &Library, range: Range) -> Result<()> {
    let variant = &kernel.info.variants[entry.variant];
    let (flat, strided) = (library.run(&entry.name)?, library.run(&entry.strided)?);
    let mut random = Random(entry.name.bytes().fold(7, |h: u64, b| h.wrapping_mul(31).wrapping_add(u64::from(b))));
    for n in if range == Range::All { SIZES } else { SMALL_SIZES } {
        let case = Case::new(variant, kernel.info.arguments.len(), *n, range, &mut random);
        case.compare_flat(flat, 0).with_context(|| format!("{n} elements side by side"))?;
        if !variant.inputs.is_empty() {
            let single = 1 << random.below(variant.inputs.len());
            case.compare_flat(flat, single).with_context(|| format!("{n} elements, inputs {single:#b} one value"))?;
        }
        case.compare_strided(strided, &mut random).with_context(|| format!("{n} elements at strides"))?;
    }
    Ok(())
}

struct Case<'a> {
    variant: &'a Variant,
    n: usize,
    inputs: Vec<Memory>,
}

/// What a run gives: the word of the lowest fault, and the outputs.
struct Outcome {
    fault: Option<(usize, bool)>,
    outputs: Vec<Memory>,
}

impl<'a> Case<'a> {
    /// Random inputs. Those behind `arguments` are parameters left to the run time: one value for all, and a small one, since it may count steps.
    fn new(variant: &'a Variant, arguments: usize, n: usize, range: Range, random: &mut Random) -> Self {
        let fill = |(i, d): (usize, &DtypeId)| {
            let memory = Memory::new(n * d.size());
            let parameter = random.next() % 100;
            for k in 0..n {
                memory.set(d.size(), k, if i < arguments { element(*d, range, random) } else { parameter });
            }
            memory
        };
        Self { variant, n, inputs: variant.inputs.iter().enumerate().map(fill).collect() }
    }

    fn outputs(&self, n: usize) -> Vec<Memory> {
        self.variant.outputs.iter().map(|d| Memory::new(n * d.size())).collect()
    }

    /// The CPU on elements from `first` on; inputs in `single` are element 0 for all.
    fn cpu(&self, first: usize, n: usize, single: u32) -> Result<Outcome> {
        let outputs = self.outputs(n);
        let (mut args, mut steps) = (Vec::new(), Vec::new());
        for (k, (d, memory)) in self.variant.inputs.iter().zip(&self.inputs).enumerate() {
            let is_single = single >> k & 1 == 1;
            args.push(if is_single { memory.at() } else { memory.at().wrapping_add(first * d.size()) });
            steps.push(if is_single { 0 } else { d.size() as isize });
        }
        for (d, memory) in self.variant.outputs.iter().zip(&outputs) {
            args.push(memory.at());
            steps.push(d.size() as isize);
        }
        // SAFETY: every operand holds `n` elements from `first` on, and outputs are new.
        let ran = unsafe { self.variant.run_at(level()?, &args, n, &steps) };
        Ok(Outcome { fault: ran.err().map(|f| (f.index, matches!(f.kind, FaultKind::DivisionByZero))), outputs })
    }

    /// The entry for operands side by side on the same.
    fn flat(&self, run: Run, first: usize, n: usize, single: u32) -> Outcome {
        let outputs = self.outputs(n);
        let mut pointers: Vec<*mut u8> = Vec::new();
        let copies: Vec<Memory> = self
            .variant
            .inputs
            .iter()
            .zip(&self.inputs)
            .enumerate()
            .map(|(i, (d, memory))| {
                let copy = Memory::new(n * d.size());
                for k in 0..n {
                    copy.set(d.size(), k, memory.get(d.size(), if single >> i & 1 == 1 { 0 } else { first + k }));
                }
                copy
            })
            .collect();
        pointers.extend(copies.iter().chain(&outputs).map(Memory::at));
        // SAFETY: every operand holds `n` elements, and the entry is that of these dtypes.
        let fault = unsafe { launch(run, &pointers, (&raw const single).cast(), n as u64, if n > 1000 { (3, 64) } else { (1, 1) }) };
        Outcome { fault, outputs }
    }

    fn compare_flat(&self, run: Run, single: u32) -> Result<()> {
        let (cpu, cuda) = (self.cpu(0, self.n, single)?, self.flat(run, 0, self.n, single));
        self.same(&cpu, &cuda, 0, self.n)?;
        if cpu.fault.is_some() {
            // Outputs mean nothing then: element by element.
            for k in 0..self.n.min(ONE_BY_ONE) {
                self.same(&self.cpu(k, 1, single)?, &self.flat(run, k, 1, single), k, 1)?;
            }
        }
        Ok(())
    }

    /// Two axes, the elements of each operand apart and in reverse; the first input is broadcast over the first axis.
    fn compare_strided(&self, run: Run, random: &mut Random) -> Result<()> {
        let (rows, columns) = if self.n.is_multiple_of(17) { (self.n / 17, 17) } else { (1, self.n) };
        let mut place: Vec<Box<dyn Fn(usize) -> usize>> = Vec::new();
        let (mut pointers, mut strides, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (d, memory)) in self.variant.inputs.iter().zip(&self.inputs).enumerate() {
            let size = d.size();
            let apart = 1 + random.below(3);
            let copy = Memory::new(self.n * size * apart);
            (0..self.n).for_each(|k| copy.set(size, k * apart, memory.get(size, k)));
            let step = (size * apart) as i64;
            let (n, row) = (self.n, if i == 0 && rows > 1 { 0 } else { columns as i64 * step });
            if i % 2 == 1 {
                // From the end.
                pointers.push(copy.at().wrapping_add((n - 1) * size * apart));
                strides.push(vec![-row, -step]);
                place.push(Box::new(move |k| n - 1 - k));
            } else {
                pointers.push(copy.at());
                strides.push(vec![row, step]);
                place.push(Box::new(move |k| if row == 0 { k % columns } else { k }));
            }
            held.push(copy);
        }
        // What the CPU is to be given for that.
        let gathered = Case {
            variant: self.variant,
            n: self.n,
            inputs: (self.variant.inputs.iter().zip(&self.inputs).zip(&place))
                .map(|((d, memory), place)| {
                    let copy = Memory::new(self.n * d.size());
                    (0..self.n).for_each(|k| copy.set(d.size(), k, memory.get(d.size(), place(k))));
                    copy
                })
                .collect(),
        };
        let outputs = self.outputs(self.n);
        for (d, memory) in self.variant.outputs.iter().zip(&outputs) {
            pointers.push(memory.at());
            strides.push(vec![(columns * d.size()) as i64, d.size() as i64]);
        }
        let plan = plan(&[rows as u64, columns as u64], &strides);
        // SAFETY: every operand holds an element wherever the plan places one.
        let fault = unsafe { launch(run, &pointers, plan.as_ptr().cast(), self.n as u64, (2, 32)) };
        let (cpu, cuda) = (gathered.cpu(0, self.n, 0)?, Outcome { fault, outputs });
        gathered.same(&cpu, &cuda, 0, self.n)
    }

    /// Whether two runs on `n` elements from `first` on gave the same.
    fn same(&self, cpu: &Outcome, cuda: &Outcome, first: usize, n: usize) -> Result<()> {
        let inputs = |k: usize| -> Vec<String> {
            self.variant.inputs.iter().zip(&self.inputs).map(|(d, m)| format!("{d} {:#x}", m.get(d.size(), k))).collect()
        };
        ensure!(
            cpu.fault == cuda.fault,
            "element {first}: the CPU's fault (element, whether it is a division) is {:?}, CUDA's {:?}, of {:?}",
            cpu.fault,
            cuda.fault,
            inputs(first)
        );
        if cpu.fault.is_some() {
            return Ok(());
        }
        for (o, d) in self.variant.outputs.iter().enumerate() {
            for k in 0..n {
                let (a, b) = (cpu.outputs[o].get(d.size(), k), cuda.outputs[o].get(d.size(), k));
                if a != b && !(is_nan(*d, a) && is_nan(*d, b)) {
                    bail!("output {o} of element {}: {a:#x} on the CPU, {b:#x} in CUDA's text, of {:?}", first + k, inputs(first + k));
                }
            }
        }
        Ok(())
    }
}

/// Whether an element is a NaN.
pub fn is_nan(dtype: DtypeId, bits: u64) -> bool {
    match dtype {
        DtypeId::F16 => bits & 0x7fff > 0x7c00,
        DtypeId::Bf16 => bits & 0x7fff > 0x7f80,
        DtypeId::F32 => f32::from_bits(bits as u32).is_nan(),
        DtypeId::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}
