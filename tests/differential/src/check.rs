//! Runs a program's forms on random and special values and compares the bits. Types are erased: values are bits in a `u64`.

use lanecraft::{DtypeId, KernelInfo, Level, ParameterValue, Variant, bf16, f16};

/// Elements of each run: whole gangs and a rest.
const ELEMENTS: usize = 16 * 16 + 5;
/// What parameters are at run time, besides the values that there are variants for.
const RUN_TIME: [i64; 4] = [0, -3, 1, 4];

/// A function of the operands' and the parameters' values.
pub type Function = fn(&[u64], &[i64]) -> Vec<u64>;

/// A program on one choice of dtypes.
pub struct Case {
    /// The dtypes of the operands.
    pub inputs: &'static [DtypeId],
    /// The dtypes of the results.
    pub outputs: &'static [DtypeId],
    /// The kernel as a plain function.
    pub function: Function,
    /// The reference.
    pub plain: Function,
}

/// A type of elements, as bits.
pub trait Bits {
    /// From the low bits.
    fn of_bits(bits: u64) -> Self;
    /// In the low bits.
    fn to_u64(self) -> u64;
}

macro_rules! bits {
    ($($t:ident: $from:expr, $to:expr;)*) => {$(
        impl Bits for $t {
            fn of_bits(bits: u64) -> Self {
                let from: fn(u64) -> Self = $from;
                from(bits)
            }
            fn to_u64(self) -> u64 {
                let to: fn(Self) -> u64 = $to;
                to(self)
            }
        }
    )*};
}
bits! {
    bool: |b| b & 1 == 1, |x| x.into();
    i8: |b| b as i8, |x| (x as u8).into();
    i16: |b| b as i16, |x| (x as u16).into();
    i32: |b| b as i32, |x| (x as u32).into();
    i64: |b| b as i64, |x| x as u64;
    u8: |b| b as u8, |x| x.into();
    u16: |b| b as u16, |x| x.into();
    u32: |b| b as u32, |x| x.into();
    u64: |b| b, |x| x;
    f16: |b| f16::from_bits(b as u16), |x| x.to_bits().into();
    bf16: |b| bf16::from_bits(b as u16), |x| x.to_bits().into();
    f32: |b| f32::from_bits(b as u32), |x| x.to_bits().into();
    f64: |b| f64::from_bits(b), |x| x.to_bits();
}

/// A value of its bits.
pub fn of<T: Bits>(bits: u64) -> T {
    T::of_bits(bits)
}

/// The bits of a value.
pub fn bits<T: Bits>(value: T) -> u64 {
    value.to_u64()
}

/// How many digits a float's exponent and its significand have; none of other dtypes.
fn float(dtype: DtypeId) -> Option<(u32, u32)> {
    match dtype {
        DtypeId::F16 => Some((5, 10)),
        DtypeId::Bf16 => Some((8, 7)),
        DtypeId::F32 => Some((8, 23)),
        DtypeId::F64 => Some((11, 52)),
        _ => None,
    }
}

fn is_nan(dtype: DtypeId, bits: u64) -> bool {
    float(dtype).is_some_and(|(exponent, digits)| {
        let magnitude = bits & !(1 << (exponent + digits));
        magnitude > ((1 << exponent) - 1) << digits
    })
}

/// A small generator of random numbers (splitmix64), so that every run sees the same inputs.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Half of them small or special.
    fn sample(&mut self, dtype: DtypeId) -> u64 {
        let size = 8 * dtype.size() as u32;
        let mask = u64::MAX >> (64 - size);
        let (kind, x) = (self.next() % 4, self.next());
        if dtype == DtypeId::Bool {
            return x & 1;
        }
        let Some((exponent, digits)) = float(dtype) else {
            let special = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, 127, 1 << (size - 1), (1 << (size - 1)) + 1, u64::MAX, u64::MAX >> 1];
            let x = match kind {
                0 => special[x as usize % special.len()],
                1 => x % 20,
                2 => !(x % 20),
                _ => x,
            };
            return x & mask;
        };
        let infinity = ((1u64 << exponent) - 1) << digits;
        let one = ((1u64 << (exponent - 1)) - 1) << digits;
        let sign = (self.next() & 1) << (size - 1);
        let magnitude = match kind {
            // 0, the smallest and largest subnormal and normal numbers, 1 and its neighbours, infinity, a NaN.
            0 => {
                let special = [
                    0,
                    0,
                    1,
                    (1 << digits) - 1,
                    1 << digits,
                    infinity - 1,
                    infinity,
                    infinity,
                    infinity | 1 << (digits - 1),
                    one,
                    one + 1,
                    one - 1,
                ];
                special[x as usize % special.len()]
            }
            // Quarters near 0, and numbers near the ends of the integers.
            1 => one + ((x % 64) << (digits - 4)) - (2 << digits),
            2 => (one + ((x % 66) << digits) - (x >> 32 & 1)).min(infinity),
            _ => x & mask >> 1,
        };
        magnitude | sign
    }
}

/// Compares the plain function, every level, and with the feature `cuda` the CUDA text with the reference, for each case and choice of parameters.
///
/// # Errors
/// The first difference.
pub fn check(program: u64, info: &KernelInfo, fused: bool, cases: &[Case]) -> Result<(), String> {
    for case in cases {
        let variants = info.variants.iter().enumerate().filter(|(_, v)| v.inputs.starts_with(case.inputs) && v.outputs == case.outputs);
        let mut ran = false;
        for (k, variant) in variants {
            for parameters in parameters(info, variant) {
                compare((program, k), case, variant, &parameters, fused)?;
                ran = true;
            }
        }
        if !ran {
            return Err(format!("there is no variant {:?} -> {:?}", case.inputs, case.outputs));
        }
    }
    Ok(())
}

/// The values that a variant's parameters are to have.
fn parameters(info: &KernelInfo, variant: &Variant) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for (parameter, choice) in info.parameters.iter().zip(variant.choice) {
        let values: Vec<i64> = match choice.map(|k| parameter.values[k]) {
            Some(ParameterValue::Int(v)) => vec![v as i64],
            Some(ParameterValue::Bool(b)) => vec![b.into()],
            Some(ParameterValue::Name(_)) => Vec::new(),
            None => RUN_TIME.to_vec(),
        };
        all = all.iter().flat_map(|head| values.iter().map(move |v| [&head[..], &[*v]].concat())).collect();
    }
    all
}

#[cfg_attr(not(feature = "cuda"), allow(unused_variables, reason = "what is compiled is found by program and variant"))]
fn compare((program, k): (u64, usize), case: &Case, variant: &Variant, parameters: &[i64], fused: bool) -> Result<(), String> {
    let mut rng = Rng(11 + case.inputs.len() as u64);
    let rows: Vec<Vec<u64>> = (0..ELEMENTS).map(|_| case.inputs.iter().map(|d| rng.sample(*d)).collect()).collect();
    let right: Vec<Vec<u64>> = rows.iter().map(|row| (case.plain)(row, parameters)).collect();
    let differ = |form: &str, row: &[u64], came: &[u64], right: &[u64]| {
        let same = case.outputs.iter().zip(came.iter().zip(right)).all(|(d, (a, b))| a == b || is_nan(*d, *a) && is_nan(*d, *b));
        let shown = |dtypes: &[DtypeId], bits: &[u64]| dtypes.iter().zip(bits).map(|(d, b)| show(*d, *b)).collect::<Vec<_>>().join(", ");
        let with = if parameters.is_empty() { String::new() } else { format!("; parameters {parameters:?}") };
        let (given, came, right) = (shown(case.inputs, row), shown(case.outputs, came), shown(case.outputs, right));
        if same { Ok(()) } else { Err(format!("{form}: ({given}{with}) gives {came}, not {right}")) }
    };
    for (row, right) in rows.iter().zip(&right) {
        differ("as a plain function", row, &(case.function)(row, parameters), right)?;
    }
    for level in Level::available().into_iter().filter(|l| !(fused && *l == Level::Sse2)) {
        let came = run(variant, level, case, &rows, parameters)?;
        for ((row, came), right) in rows.iter().zip(&came).zip(&right) {
            differ(level.name(), row, came, right)?;
        }
    }
    #[cfg(feature = "cuda")]
    if let Some(entry) = crate::cuda::entry(program, k)? {
        for ((row, came), right) in rows.iter().zip(&cuda(entry, variant, case, &rows, parameters)?).zip(&right) {
            differ("cuda", row, came, right)?;
        }
    }
    Ok(())
}

/// Runs a variant's CUDA text under the host's compiler.
#[cfg(feature = "cuda")]
fn cuda(
    run: lanecraft_cuda_check::host::Run,
    variant: &Variant,
    case: &Case,
    rows: &[Vec<u64>],
    parameters: &[i64],
) -> Result<Vec<Vec<u64>>, String> {
    on(variant, case, rows, parameters, &mut |args| {
        let single = 0_u32;
        // SAFETY: one column of as many elements as there are rows per operand, each aligned to 16 bytes.
        let fault = unsafe { lanecraft_cuda_check::host::launch(run, args, (&raw const single).cast(), rows.len() as u64, (2, 32)) };
        fault.map_or(Ok(()), |(at, _)| Err((at, "cuda".to_owned(), "a fault".to_owned())))
    })
}

/// Runs a variant on a level.
fn run(variant: &Variant, level: Level, case: &Case, rows: &[Vec<u64>], parameters: &[i64]) -> Result<Vec<Vec<u64>>, String> {
    let steps: Vec<isize> = variant.inputs.iter().chain(variant.outputs).map(|d| d.size() as isize).collect();
    on(variant, case, rows, parameters, &mut |args| {
        // SAFETY: one column of as many elements as there are rows per operand, the outputs exclusive; the level is available.
        unsafe { variant.run_at(level, args, rows.len(), &steps) }
            .map_err(|fault| (fault.index, level.to_string(), format!("the fault {fault:?}")))
    })
}

/// What runs on columns of elements; or the row of a fault, the form that was run, and the fault.
type OnColumns<'a> = &'a mut dyn FnMut(&[*mut u8]) -> Result<(), (usize, String, String)>;

/// Runs a variant on rows of operands. Parameters of the run time are inputs behind the operands.
fn on(variant: &Variant, case: &Case, rows: &[Vec<u64>], parameters: &[i64], run: OnColumns<'_>) -> Result<Vec<Vec<u64>>, String> {
    let (ins, outs) = (variant.inputs, variant.outputs);
    let at_run_time: Vec<u64> = parameters.iter().zip(variant.choice).filter(|(_, c)| c.is_none()).map(|(v, _)| *v as u64).collect();
    // Words of 16 bytes, so that a column is aligned to any pack of elements.
    let mut columns: Vec<Vec<u128>> = ins.iter().chain(outs).map(|d| vec![0; (rows.len() * d.size()).div_ceil(16)]).collect();
    let args: Vec<*mut u8> = columns.iter_mut().map(|c| c.as_mut_ptr().cast()).collect();
    for (k, row) in rows.iter().enumerate() {
        for ((bits, dtype), column) in row.iter().chain(&at_run_time).zip(ins).zip(&args) {
            let bytes = bits.to_le_bytes();
            // SAFETY: the column holds an element for each row.
            unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), column.add(k * dtype.size()), dtype.size()) };
        }
    }
    run(&args).map_err(|(at, form, fault)| {
        let row = rows.get(at).map(|row| row.iter().zip(case.inputs).map(|(b, d)| show(*d, *b)).collect::<Vec<_>>().join(", "));
        format!("{form}: ({}) gives {fault}", row.unwrap_or_default())
    })?;
    let read = |dtype: &DtypeId, column: &*mut u8, row: usize| {
        let mut bits = [0; 8];
        // SAFETY: the column holds an element for each row.
        unsafe { core::ptr::copy_nonoverlapping(column.add(row * dtype.size()), bits.as_mut_ptr(), dtype.size()) };
        u64::from_le_bytes(bits)
    };
    let row = |k: usize| outs.iter().zip(&args[ins.len()..]).map(|(dtype, column)| read(dtype, column, k)).collect();
    Ok((0..rows.len()).map(row).collect())
}

/// `-3_i8`, `1.5_f32 (0x3fc00000)`
fn show(dtype: DtypeId, bits: u64) -> String {
    let value = match dtype {
        DtypeId::Bool => return of::<bool>(bits).to_string(),
        DtypeId::I8 => of::<i8>(bits).to_string(),
        DtypeId::I16 => of::<i16>(bits).to_string(),
        DtypeId::I32 => of::<i32>(bits).to_string(),
        DtypeId::I64 => of::<i64>(bits).to_string(),
        DtypeId::F16 => format!("{:?}", of::<f16>(bits)),
        DtypeId::Bf16 => format!("{:?}", of::<bf16>(bits)),
        DtypeId::F32 => format!("{:?}", of::<f32>(bits)),
        DtypeId::F64 => format!("{:?}", of::<f64>(bits)),
        _ => bits.to_string(),
    };
    let hex = if float(dtype).is_some() { format!(" (0x{bits:x})") } else { String::new() };
    format!("{value}_{dtype}{hex}")
}
