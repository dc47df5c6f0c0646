//! A call of a kernel on a stream: operands, parameters, geometry.

use super::fault::Site;
use super::launch::Asked;
use super::memory::{Buffer, DeviceArray};
use super::module::AnyKernel;
use super::{Error, Stream, block, map};
use crate::cuda::{CudaBlockInfo, CudaBlockKernel, CudaInfo, CudaKernel};
use crate::operand::{InPlace, Input, Operand, OutputOperand, Source};
use crate::variant::{Parameter, ParameterValue};
use lanecraft_core::half::{bf16, f16};
use lanecraft_core::{Dtype, DtypeId};
use std::sync::Arc;

/// A call of kernel `K` on a stream: the same function, the same bits as `K::map` and `K::run_batch` on the CPU.
///
/// ```no_run
/// use lanecraft_backends::cuda::{self, Device, DeviceArray};
/// # fn gelu<K: cuda::CudaKernel>() -> Result<(), cuda::Error> {
/// let stream = Device::open(0)?.stream()?;
/// let x = DeviceArray::upload(&stream, &[1.0_f32, 2.0, 3.0], &[3])?;
/// let mut y = DeviceArray::<f32>::zeros(&stream, &[3])?;
/// cuda::call::<K>(&stream).input(&x).output(&mut y).run()?;
/// let y: Vec<f32> = y.download(&stream)?;
/// # Ok(())
/// # }
/// ```
pub fn call<K: CudaKernel>(stream: &Stream) -> Call<'_> {
    Call::new(AnyKernel::Map(const { &CudaInfo::of::<K>() }), stream)
}

/// A call of block kernel `K` on a stream. What stands before the axes of its signature are items, as for `run_batch`.
pub fn call_block<K: CudaBlockKernel>(stream: &Stream) -> Call<'_> {
    Call::new(AnyKernel::Block(const { &CudaBlockInfo::of::<K>() }), stream)
}

/// A call that is being put together; [`run`](Self::run) or [`launch`](Self::launch) ends it.
#[derive(Debug)]
#[must_use = "nothing runs before `run` or `launch`"]
pub struct Call<'a> {
    pub(super) kernel: AnyKernel,
    pub(super) stream: &'a Stream,
    pub(super) inputs: Vec<Operand<'a>>,
    pub(super) outputs: Vec<OutputOperand<'a>>,
    /// The memory of each input, and of each output, if it is ours.
    kept_inputs: Vec<Option<Arc<Buffer>>>,
    kept_outputs: Vec<Option<Arc<Buffer>>>,
    parameters: Vec<(&'a str, ParameterValue)>,
    pub(super) asked: Asked,
}

mod sealed {
    pub trait Sealed {}
}

/// What a call reads: `&DeviceArray`, a scalar (each element is that value), [`InPlace`] (the first output's elements).
pub trait DeviceInput: sealed::Sealed {
    #[doc(hidden)]
    fn give<'a>(self, call: &mut Call<'a>)
    where
        Self: 'a;
}

impl<T> sealed::Sealed for &DeviceArray<T> {}
impl<T: Dtype> DeviceInput for &DeviceArray<T> {
    fn give<'a>(self, call: &mut Call<'a>)
    where
        Self: 'a,
    {
        call.inputs.push(self.operand());
        call.kept_inputs.push(Some(self.buffer().clone()));
    }
}

macro_rules! scalars {
    ($($t:ty),*) => {$(
        impl sealed::Sealed for $t {}
        impl DeviceInput for $t {
            fn give<'a>(self, call: &mut Call<'a>)
            where
                Self: 'a,
            {
                call.inputs.push(Input::<$t>::into_operand(self));
                call.kept_inputs.push(None);
            }
        }
    )*};
}
scalars!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64);

impl sealed::Sealed for InPlace {}
impl DeviceInput for InPlace {
    fn give<'a>(self, call: &mut Call<'a>)
    where
        Self: 'a,
    {
        // Its dtype is the output's, once there is one.
        call.inputs.push(Input::<u8>::into_operand(self));
        call.kept_inputs.push(None);
    }
}

impl<'a> Call<'a> {
    /// A call of a kernel whose type is erased.
    pub fn new(kernel: AnyKernel, stream: &'a Stream) -> Self {
        Self {
            kernel,
            stream,
            inputs: Vec::new(),
            outputs: Vec::new(),
            kept_inputs: Vec::new(),
            kept_outputs: Vec::new(),
            parameters: Vec::new(),
            asked: Asked::default(),
        }
    }

    /// The next argument that is read.
    pub fn input(mut self, input: impl DeviceInput + 'a) -> Self {
        input.give(&mut self);
        self
    }

    /// The next array that is written. All outputs of a map kernel have one shape, to which its inputs broadcast.
    pub fn output<T: Dtype>(mut self, output: &'a mut DeviceArray<T>) -> Self {
        self.kept_outputs.push(Some(output.buffer().clone()));
        self.outputs.push(output.output_operand());
        self
    }

    /// The next argument that is read, of another library: `steps` are bytes from element to element on each axis.
    ///
    /// # Safety
    /// The elements are on the stream's device, until the call has run there, or as long as the graph lives that captures it.
    pub unsafe fn input_at(mut self, dtype: DtypeId, at: u64, shape: &[usize], steps: &[isize]) -> Self {
        self.inputs.push(foreign(dtype, at, shape, steps));
        self.kept_inputs.push(None);
        self
    }

    /// The next argument that is read: a value of a dtype, by its bytes in memory.
    pub fn input_value(mut self, dtype: DtypeId, bytes: [u8; 8]) -> Self {
        self.inputs.push(Operand::of(dtype, Source::Scalar(bytes)));
        self.kept_inputs.push(None);
        self
    }

    /// The next array that is written, of another library.
    ///
    /// # Safety
    /// As for [`input_at`](Self::input_at); no two elements share memory, nor does one with another element of an input.
    pub unsafe fn output_at(mut self, dtype: DtypeId, at: u64, shape: &[usize], steps: &[isize]) -> Self {
        self.outputs.push(OutputOperand(foreign(dtype, at, shape, steps)));
        self.kept_outputs.push(None);
        self
    }

    /// A compile-time parameter's value.
    pub fn parameter(mut self, name: &'a str, value: ParameterValue) -> Self {
        self.parameters.push((name, value));
        self
    }

    /// Blocks of the launch; without it as many as suit the device.
    pub fn grid(mut self, blocks: u32) -> Self {
        self.asked.grid = Some(blocks);
        self
    }

    /// Threads of a block; without it as many as suit the kernel.
    pub fn block(mut self, threads: u32) -> Self {
        self.asked.block = Some(threads);
        self
    }

    /// Runs the kernel in the stream's order. Only for a kernel that may have faults (an integer division, an index) it waits for the result, whose
    /// error is that of the CPU.
    ///
    /// # Errors
    /// Shapes, dtypes, parameters or a geometry that do not fit; an element without a value; what the driver refuses.
    pub fn run(self) -> Result<(), Error> {
        let stream = self.stream;
        match self.submit()? {
            Some(site) if !stream.is_capturing() => stream.settle(Some(&site)),
            _ => Ok(()),
        }
    }

    /// Runs the kernel in the stream's order and never waits: [`Stream::synchronize`] reports faults.
    ///
    /// # Errors
    /// As for [`run`](Self::run), without the elements'.
    pub fn launch(self) -> Result<(), Error> {
        self.submit().map(|_| ())
    }

    /// Launches, and gives the last launch that may have a fault.
    fn submit(mut self) -> Result<Option<Arc<dyn Site>>, Error> {
        for k in 0..self.inputs.len() + self.outputs.len() {
            if let Some(buffer) = self.keep(k)
                && !buffer.device().is(self.stream.device())
            {
                return Err(Error::Elsewhere {
                    kernel: self.kernel.name(),
                    argument: self.operand_name(k),
                    device: buffer.device().ordinal(),
                    stream: self.stream.device().ordinal(),
                });
            }
        }
        if let Some(first) = self.outputs.first().map(|output| output.0.dtype) {
            self.inputs.iter_mut().filter(|input| matches!(input.source, Source::InPlace)).for_each(|input| input.dtype = first);
        }
        match self.kernel {
            AnyKernel::Map(kernel) => {
                let choice = self.choice(kernel.info.parameters)?;
                let all = kernel.info.variants.iter().map(|v| (v.choice, &v.inputs[..kernel.info.arguments.len()], v.outputs));
                let variant = self.variant(all, &choice)?;
                map::launch(&self, kernel, variant)
            }
            AnyKernel::Block(kernel) => {
                let choice = self.choice(kernel.info.parameters)?;
                let all = kernel.info.variants.iter().map(|v| (v.choice, &v.inputs()[..kernel.info.arguments.len()], v.outputs()));
                let variant = self.variant(all, &choice)?;
                block::launch(&self, kernel, variant)
            }
        }
    }

    /// The choice of values that the parameters make; one that is left to the run time becomes an input.
    fn choice(&mut self, known: &[Parameter]) -> Result<Vec<Option<usize>>, Error> {
        let kernel = self.kernel.name();
        let mut choice = Vec::new();
        for parameter in known {
            let came = self.parameters.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| *value);
            let refused =
                |came: String| crate::Error::Parameter { kernel, parameter: parameter.name, came, accepted: parameter.accepted() };
            let Some(value) = came else { return Err(refused("nothing".to_owned()).into()) };
            let at = parameter.values.iter().position(|known| *known == value);
            if at.is_none() {
                let bytes = parameter.run_time.and_then(|dtype| Some((dtype, run_time_bytes(dtype, value)?)));
                let Some((dtype, bytes)) = bytes else { return Err(refused(value.to_string()).into()) };
                self.inputs.push(Operand::of(dtype, Source::Scalar(bytes)));
                self.kept_inputs.push(None);
            }
            choice.push(at);
        }
        Ok(choice)
    }

    /// The variant for the dtypes that came and a choice of parameter values.
    fn variant<'v>(
        &self,
        all: impl Iterator<Item = (&'v [Option<usize>], &'v [DtypeId], &'v [DtypeId])> + Clone,
        choice: &[Option<usize>],
    ) -> Result<usize, Error> {
        let given = self.inputs.len() - choice.iter().filter(|at| at.is_none()).count();
        let inputs: Vec<DtypeId> = self.inputs[..given].iter().map(|input| input.dtype).collect();
        let outputs: Vec<DtypeId> = self.outputs.iter().map(|output| output.0.dtype).collect();
        let found = all.clone().position(|(own, i, o)| own == choice && i == inputs && o == outputs);
        found.ok_or_else(|| {
            let show = |inputs: &[DtypeId], outputs: &[DtypeId]| {
                let list = |dtypes: &[DtypeId]| dtypes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                format!("({}) -> ({})", list(inputs), list(outputs))
            };
            let accepted: Vec<String> = all.filter(|(own, ..)| *own == choice).map(|(_, i, o)| show(i, o)).collect();
            Error::Dtypes { kernel: self.kernel.name(), came: show(&inputs, &outputs), accepted: accepted.join(", ") }
        })
    }

    /// All operands, inputs first; of one in place, the output whose memory it is.
    pub(super) fn operands(&self) -> Vec<&Operand<'a>> {
        let of = |input| match input {
            &Operand { source: Source::InPlace, .. } => &self.outputs[0].0,
            input => input,
        };
        // A block kernel does not run in place, which its check says.
        let inputs = self.inputs.iter().map(|input| if let AnyKernel::Block(_) = self.kernel { input } else { of(input) });
        inputs.chain(self.outputs.iter().map(|output| &output.0)).collect()
    }

    /// An operand in messages.
    pub(super) fn operand_name(&self, k: usize) -> String {
        let name = match self.kernel {
            AnyKernel::Map(kernel) => kernel.info.arguments.get(k).copied(),
            AnyKernel::Block(kernel) => Some(kernel.info.operand(k)),
        };
        name.map_or_else(|| format!("output {}", k + 1 - self.inputs.len()), str::to_owned)
    }

    /// What keeps an operand's memory.
    pub(super) fn keep(&self, k: usize) -> Option<Arc<Buffer>> {
        let in_place = self.inputs.get(k).is_some_and(|input| matches!(input.source, Source::InPlace));
        if in_place { self.kept_outputs.first() } else { self.kept_inputs.iter().chain(&self.kept_outputs).nth(k) }?.clone()
    }
}

fn foreign<'a>(dtype: DtypeId, at: u64, shape: &[usize], steps: &[isize]) -> Operand<'a> {
    let source = Source::Array { at: std::ptr::without_provenance_mut(at as usize), shape: shape.to_vec(), steps: steps.to_vec() };
    Operand::of(dtype, source)
}

/// A parameter's value as an element of its dtype, if that has it.
fn run_time_bytes(dtype: DtypeId, value: ParameterValue) -> Option<[u8; 8]> {
    let number = match value {
        ParameterValue::Int(number) => number,
        ParameterValue::Bool(bool) => i128::from(bool),
        ParameterValue::Name(_) => return None,
    };
    let range = match dtype {
        DtypeId::Bool => 0..=1,
        DtypeId::I8 => i8::MIN.into()..=i8::MAX.into(),
        DtypeId::I16 => i16::MIN.into()..=i16::MAX.into(),
        DtypeId::I32 => i32::MIN.into()..=i32::MAX.into(),
        DtypeId::I64 => i64::MIN.into()..=i64::MAX.into(),
        DtypeId::U8 => 0..=u8::MAX.into(),
        DtypeId::U16 => 0..=u16::MAX.into(),
        DtypeId::U32 => 0..=u32::MAX.into(),
        DtypeId::U64 => 0..=u64::MAX.into(),
        DtypeId::F16 | DtypeId::Bf16 | DtypeId::F32 | DtypeId::F64 => return None,
    };
    range.contains(&number).then(|| (number as u64).to_le_bytes())
}
