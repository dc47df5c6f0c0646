//! Plain loops. What `iter().sum()` and `f32::exp` cannot give, order and vectors, is in `vectors` and `arch`.

pub(crate) fn saxpy(a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = a * x + y;
    }
}

pub(crate) fn exp(x: &[f32], out: &mut [f32]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = x.exp();
    }
}

pub(crate) fn gelu(x: &[f32], out: &mut [f32]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out = x / (1.0 + (x * (x * x).mul_add(-0.071_354_816, -1.595_769)).exp());
    }
}

/// 64 sums side by side, since LLVM may not change the order of one.
pub(crate) fn sum(x: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 64];
    let (gangs, rest) = x.as_chunks::<64>();
    for gang in gangs {
        for (sum, x) in sums.iter_mut().zip(gang) {
            *sum += x;
        }
    }
    sums.iter().sum::<f32>() + rest.iter().sum::<f32>()
}

/// Steps until the point leaves the circle, as the kernel `mandelbrot` of fastops counts them.
fn mandelbrot_point(cx: f32, cy: f32, max_iter: i32) -> i32 {
    let (mut x, mut y) = (0.0_f32, 0.0_f32);
    for n in 0..max_iter {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return n;
        }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
    }
    max_iter
}

pub(crate) fn mandelbrot(cx: &[f32], cy: &[f32], max_iter: i32, out: &mut [i32]) {
    for ((out, cx), cy) in out.iter_mut().zip(cx).zip(cy) {
        *out = mandelbrot_point(*cx, *cy, max_iter);
    }
}

/// Four counts of each value, so that equal neighbours do not wait for each other.
pub(crate) fn histogram(x: &[u8], out: &mut [i64; 256]) {
    let mut parts = [[0_i64; 256]; 4];
    let (fours, rest) = x.as_chunks::<4>();
    for four in fours {
        for (part, x) in parts.iter_mut().zip(four) {
            part[usize::from(*x)] += 1;
        }
    }
    for x in rest {
        parts[0][usize::from(*x)] += 1;
    }
    for (k, out) in out.iter_mut().enumerate() {
        *out = parts.iter().map(|part| part[k]).sum();
    }
}

/// The mean of the four neighbours, for rows of `w` numbers; beyond the edge stands the edge.
pub(crate) fn jacobi(x: &[f32], w: usize, out: &mut [f32]) {
    let h = x.len() / w;
    for (i, out) in out.chunks_exact_mut(w).enumerate() {
        let row = |i: usize| &x[i * w..][..w];
        let (up, here, down) = (row(i.saturating_sub(1)), row(i), row((i + 1).min(h - 1)));
        out[0] = 0.25 * (up[0] + down[0] + here[0] + here[1.min(w - 1)]);
        for j in 1..w - 1 {
            out[j] = 0.25 * (up[j] + down[j] + here[j - 1] + here[j + 1]);
        }
        out[w - 1] = 0.25 * (up[w - 1] + down[w - 1] + here[w.saturating_sub(2)] + here[w - 1]);
    }
}

pub(crate) fn layernorm(x: &[f32], gamma: &[f32], beta: &[f32], out: &mut [f32]) {
    let w = gamma.len();
    for (x, out) in x.chunks_exact(w).zip(out.chunks_exact_mut(w)) {
        let mean = sum(x) / w as f32;
        let mut squares = [0.0_f32; 64];
        for gang in x.chunks(64) {
            for (square, x) in squares.iter_mut().zip(gang) {
                *square = (x - mean).mul_add(x - mean, *square);
            }
        }
        let scale = 1.0 / (squares.iter().sum::<f32>() / w as f32 + 1e-5).sqrt();
        for (((out, x), gamma), beta) in out.iter_mut().zip(x).zip(gamma).zip(beta) {
            *out = (x - mean) * scale * gamma + beta;
        }
    }
}
