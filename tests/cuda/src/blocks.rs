//! One variant of a block kernel: its entry on the host against the same variant on the CPU.

use crate::values::{Random, Range, element};
use anyhow::{Context, Result, bail, ensure};
use lanecraft::DtypeId;
use lanecraft::block::{BlockVariant, Call};
use lanecraft::cuda::{BlockEntry, CudaBlockInfo};
use lanecraft_cuda_check::host::{Library, Run, launch_blocks};

/// Items of a call.
const ITEMS: usize = 3;
/// The argument of a kernel that holds indices, each once.
const ORDER: &str = "order";
/// Threads of a block: one warp, and several.
const THREADS: &[u32] = &[32, 96];
/// Sizes of dimensions to try: small ones, and of fastops' kernels of one dimension some that take several chunks.
const SMALL: &[usize] = &[1, 2, 3, 5, 12, 33, 40, 65];
const LARGE: &[usize] = &[4096, 9001, 20_480 + 77];

/// Compares a variant on several shapes and launches; on large ones too with [`Range::All`].
pub fn variant(kernel: &CudaBlockInfo, entry: &BlockEntry, library: &Library, range: Range) -> Result<()> {
    let (variant, signature) = (&kernel.info.variants[entry.variant], &kernel.info.signature);
    let run = library.run(&entry.name)?;
    let mut random = Random(entry.name.bytes().fold(3, |h: u64, b| h.wrapping_mul(31).wrapping_add(u64::from(b))));
    let rounds = if range == Range::All { 5 } else { 3 };
    for round in 0..rounds {
        // With several dimensions smaller ones: each row of a reduction has barriers, which are slow here.
        let sizes = &SMALL[..if signature.dims.len() > 2 { 5 } else { SMALL.len() }];
        let size = |random: &mut Random| sizes[random.below(sizes.len())];
        let mut dims: Vec<usize> = signature.dims.iter().map(|d| d.size.unwrap_or_else(|| size(&mut random))).collect();
        if let ([dim], [one]) = (dims.as_mut_slice(), signature.dims)
            && one.size.is_none()
            && range == Range::All
            && let Some(large) = LARGE.get(round)
        {
            *dim = *large;
        }
        case(kernel, variant, &dims, run, &mut random).with_context(|| format!("dimensions {dims:?}"))?;
    }
    Ok(())
}

/// For each item the numbers below `n`, shuffled.
fn permutations(n: usize, random: &mut Random) -> Vec<u64> {
    let mut all: Vec<u64> = (0..ITEMS).flat_map(|_| 0..n as u64).collect();
    for item in all.chunks_mut(n.max(1)) {
        (1..n).for_each(|k| item.swap(k, random.below(k + 1)));
    }
    all
}

fn case(kernel: &CudaBlockInfo, variant: &BlockVariant, dims: &[usize], run: Run, random: &mut Random) -> Result<()> {
    let signature = &kernel.info.signature;
    let operands: Vec<(DtypeId, Vec<usize>)> =
        variant.operands().iter().zip(signature.operands).map(|(d, axes)| (*d, axes.iter().map(|d| dims[*d]).collect())).collect();
    let inputs = variant.inputs().len();
    let filled = |(k, (d, shape)): (usize, &(DtypeId, Vec<usize>)), random: &mut Random| {
        let count = ITEMS * shape.iter().product::<usize>();
        let mut bytes = vec![0_u64; (count * d.size()).div_ceil(8)];
        if k < inputs {
            // Kernels promise that the indices in `order` differ within an item.
            let order = (kernel.info.arguments[k] == ORDER).then(|| permutations(count / ITEMS, random));
            for at in 0..count {
                let value = order.as_ref().map_or_else(|| element(*d, Range::Blocks, random), |order| order[at]).to_le_bytes();
                // SAFETY: element `at` lies within.
                unsafe { std::ptr::copy_nonoverlapping(value.as_ptr(), bytes.as_mut_ptr().cast::<u8>().add(at * d.size()), d.size()) };
            }
        }
        bytes
    };
    let mut cpu: Vec<Vec<u64>> = operands.iter().enumerate().map(|o| filled(o, random)).collect();
    // Elements side by side.
    let strides: Vec<Vec<isize>> = operands
        .iter()
        .map(|(d, shape)| (0..shape.len()).map(|axis| (d.size() * shape[axis + 1..].iter().product::<usize>()) as isize).collect())
        .collect();
    let steps: Vec<isize> = operands.iter().map(|(d, shape)| (d.size() * shape.iter().product::<usize>()) as isize).collect();
    let core_steps: Vec<isize> = strides.concat();
    let mut items: Vec<u64> = vec![ITEMS as u64];
    items.extend(dims.iter().map(|d| *d as u64));
    items.extend(dims.is_empty().then_some(0));
    items.extend(steps.iter().map(|s| *s as u64));
    strides.iter().for_each(|own| items.extend((0..4).map(|axis| own.get(axis).copied().unwrap_or(0) as u64)));
    for threads in THREADS {
        let mut cuda = cpu.clone();
        let pointers: Vec<*mut u8> = cuda.iter_mut().map(|m| m.as_mut_ptr().cast()).collect();
        // SAFETY: every operand holds the elements of all items, where the strides say.
        let fault = unsafe { launch_blocks(run, &pointers, items.as_ptr().cast(), (2, *threads)) };
        let args: Vec<*mut u8> = cpu.iter_mut().map(|m| m.as_mut_ptr().cast()).collect();
        let call = Call { args: &args, count: ITEMS, steps: &steps, dims, core_steps: &core_steps, fresh: 0 };
        // SAFETY: as above, and no two operands share memory.
        let ran = unsafe { variant.run(signature, &call) };
        let failed = ran.as_ref().err().map(ToString::to_string);
        ensure!(
            failed.is_some() == fault.is_some(),
            "{threads} threads: the CPU gives {}, CUDA's text the fault {fault:?}",
            failed.as_deref().unwrap_or("no fault")
        );
        if failed.is_some() {
            continue;
        }
        for (k, (d, shape)) in operands.iter().enumerate().skip(inputs) {
            for at in 0..ITEMS * shape.iter().product::<usize>() {
                let read = |memory: &[u64]| {
                    let mut bytes = [0; 8];
                    // SAFETY: element `at` lies within.
                    unsafe { std::ptr::copy_nonoverlapping(memory.as_ptr().cast::<u8>().add(at * d.size()), bytes.as_mut_ptr(), d.size()) };
                    u64::from_le_bytes(bytes)
                };
                let (a, b) = (read(&cpu[k]), read(&cuda[k]));
                if a != b && !(crate::compare::is_nan(*d, a) && crate::compare::is_nan(*d, b)) {
                    bail!("{threads} threads: element {at} of output {}: {a:#x} on the CPU, {b:#x} in CUDA's text", k - inputs);
                }
            }
        }
    }
    Ok(())
}
