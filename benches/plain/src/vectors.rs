//! Loops over the vectors of the crate `wide`.

use wide::f32x16;

/// `out[i] = f(x[i])`, by vectors of 16 and a last one that is filled up with zeros.
fn map(x: &[f32], out: &mut [f32], f: impl Fn(f32x16) -> f32x16) {
    let ((vectors, rest), (outs, last)) = (x.as_chunks::<16>(), out.as_chunks_mut::<16>());
    for (out, x) in outs.iter_mut().zip(vectors) {
        *out = f(f32x16::from(*x)).to_array();
    }
    let mut padded = [0.0; 16];
    padded[..rest.len()].copy_from_slice(rest);
    last.copy_from_slice(&f(f32x16::from(padded)).to_array()[..rest.len()]);
}

pub(crate) fn saxpy(a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
    let factor = f32x16::splat(a);
    let ((xs, x), (ys, y), (outs, out)) = (x.as_chunks::<16>(), y.as_chunks::<16>(), out.as_chunks_mut::<16>());
    for ((out, x), y) in outs.iter_mut().zip(xs).zip(ys) {
        *out = (factor * f32x16::from(*x) + f32x16::from(*y)).to_array();
    }
    super::loops::saxpy(a, x, y, out);
}

pub(crate) fn exp(x: &[f32], out: &mut [f32]) {
    map(x, out, |x| x.exp());
}

pub(crate) fn gelu(x: &[f32], out: &mut [f32]) {
    let (cubed, linear, one) = (f32x16::splat(-0.071_354_816), f32x16::splat(-1.595_769), f32x16::splat(1.0));
    map(x, out, |x| x / (one + (x * (x * x).mul_add(cubed, linear)).exp()));
}

pub(crate) fn sum(x: &[f32]) -> f32 {
    let mut sums = [f32x16::splat(0.0); 4];
    let (gangs, rest) = x.as_chunks::<64>();
    for gang in gangs {
        for (sum, x) in sums.iter_mut().zip(gang.as_chunks::<16>().0) {
            *sum += f32x16::from(*x);
        }
    }
    sums.into_iter().map(f32x16::reduce_add).sum::<f32>() + rest.iter().sum::<f32>()
}
