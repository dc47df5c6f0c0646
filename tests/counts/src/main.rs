//! `counts KERNEL` calls a kernel twice on some thousand elements: once to start up, and once in `measured`, of which callgrind counts the instructions.
//! `counts --list` names the kernels. The level is that of `LANECRAFT_ISA`.

// The cookbook's, as they stand there; not all of them are called.
#![allow(dead_code, unused_imports)]

#[path = "../../../examples/cookbook/src/add/mod.rs"]
mod add;
#[path = "../../../examples/cookbook/src/attention/mod.rs"]
mod attention;
#[path = "../../../examples/cookbook/src/audio/mod.rs"]
mod audio;
#[path = "../../../examples/cookbook/src/dataframe/mod.rs"]
mod dataframe;
#[path = "../../../examples/cookbook/src/grayscale/mod.rs"]
mod grayscale;
#[path = "../../../examples/cookbook/src/histogram/mod.rs"]
mod histogram;
#[path = "../../../examples/cookbook/src/image_pipeline/mod.rs"]
mod image_pipeline;
#[path = "../../../examples/cookbook/src/kmeans_seeds/mod.rs"]
mod kmeans_seeds;
#[path = "../../../examples/cookbook/src/mandelbrot/mod.rs"]
mod mandelbrot;
#[path = "../../../examples/cookbook/src/matmul/mod.rs"]
mod matmul;
#[path = "../../../examples/cookbook/src/reduction/mod.rs"]
mod reduction;
#[path = "../../../examples/cookbook/src/softmax/mod.rs"]
mod softmax;

use lanecraft::{View, ViewMut, f16};
use std::error::Error;
use std::process::ExitCode;

/// A call of a kernel, with operands of its own.
type Call = Box<dyn FnMut() -> Result<(), Box<dyn Error>>>;
/// A kernel's name, and what makes the call.
type Kernel = (&'static str, fn() -> Call);

const KERNELS: [Kernel; 12] = [
    ("add", add),
    ("add_f16", add_f16),
    ("attention", attention),
    ("dense_relu", dense_relu),
    ("edges", edges),
    ("features", features),
    ("gain_resample", gain_resample),
    ("histogram", histogram),
    ("kmeans_seeds", kmeans_seeds),
    ("log_sum_exp", log_sum_exp),
    ("mandelbrot", mandelbrot),
    ("masked_softmax", masked_softmax),
];

/// Numbers from -1 to 1 without a pattern; the same each time.
fn numbers(n: usize) -> Vec<f32> {
    (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 8_388_608.0 - 1.0).collect()
}

fn bytes(n: usize) -> Vec<u8> {
    (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

fn add() -> Call {
    let (x, y, mut sums) = (numbers(10_007), numbers(10_007), vec![0.0; 10_007]);
    Box::new(move || Ok(add::add::map(&x, &y, &mut sums)?))
}

fn add_f16() -> Call {
    let halves: Vec<f16> = numbers(10_007).into_iter().map(f16::from_f32).collect();
    let (x, y, mut sums) = (halves.clone(), halves, vec![f16::ZERO; 10_007]);
    Box::new(move || Ok(add::add::map(&x, &y, &mut sums)?))
}

fn attention() -> Call {
    let (q, k, v, mut out) = (numbers(32 * 64), numbers(64 * 128), numbers(128 * 64), vec![0.0; 32 * 64]);
    Box::new(move || {
        let [q, k, v] = [View::new(&q, [32, 64])?, View::new(&k, [64, 128])?, View::new(&v, [128, 64])?];
        Ok(attention::attention::run(q, k, v, ViewMut::new(&mut out, [32, 64])?)?)
    })
}

fn dense_relu() -> Call {
    let (a, b, bias, mut c) = (numbers(66 * 64), numbers(64 * 80), numbers(80), vec![0.0; 66 * 80]);
    Box::new(move || {
        Ok(matmul::dense_relu::run(View::new(&a, [66, 64])?, View::new(&b, [64, 80])?, &bias, ViewMut::new(&mut c, [66, 80])?)?)
    })
}

fn edges() -> Call {
    let shape = [60, 100];
    let (rgb, mut edges, mut gray, mut blurred) = (bytes(60 * 100 * 3), vec![0; 6000], vec![0.0; 6000], vec![0.0; 6000]);
    Box::new(move || {
        let [gray, blurred] = [ViewMut::new(&mut gray, shape)?, ViewMut::new(&mut blurred, shape)?];
        let rgb = View::new(&rgb, [60, 100, 3])?;
        Ok(image_pipeline::edges::run(rgb, 20.0, ViewMut::new(&mut edges, shape)?, gray, blurred)?)
    })
}

fn features() -> Call {
    let n = 5003;
    let price: Vec<f64> = numbers(n).into_iter().map(|x| 100.0 * f64::from(x) + 101.0).collect();
    let count: Vec<i64> = (0..n as i64).map(|i| i % 7 + 1).collect();
    let time: Vec<i64> = (0..n as i64).map(|i| i * 7919).collect();
    let (mut amount, mut sin, mut cos, mut cross) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0; n]);
    Box::new(move || Ok(dataframe::features::map(&price, &count, &time, &time, &count, &mut amount, &mut sin, &mut cos, &mut cross)?))
}

fn gain_resample() -> Call {
    let (x, mut y) = (numbers(1470), vec![0.0; 1600]);
    Box::new(move || Ok(audio::gain_resample::run(&x, -6.0, &mut y)?))
}

fn histogram() -> Call {
    let (x, mut counts) = (bytes(20_000), vec![0; 256]);
    Box::new(move || Ok(histogram::histogram::run(&x, &mut counts)?))
}

fn kmeans_seeds() -> Call {
    let (x, mut seeds, mut distances) = (numbers(8 * 1000), vec![0; 4], vec![0.0; 1000]);
    Box::new(move || Ok(kmeans_seeds::kmeans_seeds::run(View::new(&x, [8, 1000])?, 7, &mut seeds, &mut distances)?))
}

fn log_sum_exp() -> Call {
    let x = numbers(10_007);
    Box::new(move || {
        std::hint::black_box(reduction::log_sum_exp::run(&x)?);
        Ok(())
    })
}

fn mandelbrot() -> Call {
    let (x, y, mut steps) = (numbers(1000), numbers(1000), vec![0.0; 1000]);
    Box::new(move || Ok(mandelbrot::mandelbrot::map(&x, &y, 256, &mut steps)?))
}

fn masked_softmax() -> Call {
    let (x, mut y) = (numbers(10_007), vec![0.0; 10_007]);
    let keep: Vec<bool> = x.iter().map(|x| *x < 0.5).collect();
    Box::new(move || Ok(softmax::masked_softmax::run(&x, &keep, 0.5, &mut y)?))
}

/// What callgrind counts.
#[inline(never)]
fn measured(call: &mut Call) -> Result<(), Box<dyn Error>> {
    call()
}

fn run(kernel: &str) -> Result<(), Box<dyn Error>> {
    let (_, make) =
        KERNELS.iter().find(|(name, _)| *name == kernel).ok_or(format!("there is no kernel `{kernel}`; `--list` names them"))?;
    let mut call = make();
    call()?;
    measured(&mut call)
}

fn main() -> ExitCode {
    let argument = std::env::args().nth(1).unwrap_or_default();
    if argument == "--list" {
        KERNELS.iter().for_each(|(name, _)| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    match run(&argument) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
