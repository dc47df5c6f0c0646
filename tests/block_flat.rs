//! Rows that lie side by side are run as one; whatever the strides, each element is written once, and nothing else is.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

#[kernel(dtypes(i32, f64), signature = "(h,w),(h,w)->(h,w)")]
fn minus<T: Num>(x: View<T, 2>, y: View<T, 2>, z: ViewMut<T, 2>) {
    for (i, j) in lanes((0..z.dim(0), 0..z.dim(1))) {
        z[[i, j]] = x[[i, j]] - y[[i, j]];
    }
}

/// Three ranges, and an operand that has them in another order.
#[kernel(signature = "(a,b,c),(b,a,c)->(a,b,c)")]
fn swapped(x: View<i16, 3>, y: View<i16, 3>, z: ViewMut<i16, 3>) {
    for (i, j, k) in lanes((0..x.dim(0), 0..x.dim(1), 0..x.dim(2))) {
        z[[i, j, k]] = x[[i, j, k]] * 3 - y[[j, i, k]];
    }
}

/// The same order in both, so that all three are one where nothing lies between.
#[kernel(signature = "(a,b,c)->(a,b,c)")]
fn cube(x: View<u8, 3>, z: ViewMut<u8, 3>) {
    for (i, j, k) in lanes((0..x.dim(0), 0..x.dim(1), 0..x.dim(2))) {
        z[[i, j, k]] = x[[i, j, k]] + 1;
    }
}

/// Lanes that are apart, and what stays the same.
#[kernel(signature = "(h,w,c),(c)->(c,h,w)")]
fn planes(x: View<u8, 3>, by: &[f32], z: ViewMut<f32, 3>) {
    for c in 0..x.dim(2) {
        for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
            z[[c, i, j]] = x[[i, j, c]] as f32 * by[c];
        }
    }
}

/// Parts of rows, and some of the rows; a row for all.
#[kernel(signature = "(h,w),(w)->(h,w),(h,w),(h,w)")]
fn parts(x: View<i32, 2>, row: &[i32], a: ViewMut<i32, 2>, b: ViewMut<i32, 2>, c: ViewMut<i32, 2>) {
    for (i, j) in lanes((1..x.dim(0), 0..x.dim(1))) {
        a[[i, j]] = -x[[i, j]];
    }
    for (i, j) in lanes((0..x.dim(0), 1..x.dim(1))) {
        b[[i, j]] = -x[[i, j]];
    }
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        c[[i, j]] = x[[i, j]] - row[j];
    }
}

/// Memory of an operand: how it lies, and where its elements are, counted in elements.
struct Operand {
    at: usize,
    steps: Vec<isize>,
    len: usize,
}

/// Side by side; rows with something between; rows backwards; rows and what is around them the other way round.
const LAYOUTS: usize = 4;

fn operand(shape: &[usize], layout: usize) -> Operand {
    let (mut steps, mut step) = (vec![0_isize; shape.len()], 1_isize);
    for d in (0..shape.len()).rev() {
        steps[d] = step;
        step *= shape[d] as isize;
        if layout == 1 && d + 1 == shape.len() {
            step += 3;
        }
    }
    if layout == 3 {
        steps.reverse();
        step = 1;
        for d in 0..shape.len() {
            steps[d] = step;
            step *= shape[d] as isize;
        }
    }
    let mut at = 5;
    if layout == 2 && shape[0] > 0 && shape.len() > 1 {
        at += steps[0] as usize * (shape[0] - 1);
        steps[0] = -steps[0];
    }
    Operand { at, steps, len: step as usize + 11 }
}

impl Operand {
    fn of(&self, index: &[usize]) -> usize {
        self.at.wrapping_add_signed(index.iter().zip(&self.steps).map(|(i, step)| *i as isize * step).sum())
    }
}

const SHAPES: [[usize; 3]; 14] = [
    [0, 5, 3],
    [4, 0, 3],
    [1, 1, 1],
    [1, 300, 2],
    [300, 1, 3],
    [3, 15, 1],
    [5, 16, 3],
    [7, 17, 4],
    [2, 3, 40],
    [40, 33, 5],
    [24, 224, 3],
    [64, 5, 16],
    [6, 129, 2],
    [2, 64, 64],
];

/// Of an operand and an index the element that it must get, from those of the inputs.
type Wanted<'a, X, T> = &'a dyn Fn(usize, &[usize], &dyn Fn(usize, &[usize]) -> X) -> Option<T>;

/// Runs a kernel on every level and layout, and compares each operand that it writes with `wanted`, which gives the element of an index, `None` where it
/// stays as it is.
fn check<T: Copy + PartialEq + std::fmt::Debug, X: Copy>(
    info: &'static lanecraft::block::BlockInfo,
    shapes: &[&[usize]],
    dims: &[usize],
    input: &dyn Fn(usize, usize) -> X,
    (old, wanted): (T, Wanted<'_, X, T>),
    variant: usize,
) {
    let variant = &info.variants[variant];
    let inputs = variant.inputs().len();
    for layouts in 0..LAYOUTS * LAYOUTS {
        let operands: Vec<Operand> = shapes
            .iter()
            .enumerate()
            .map(|(k, shape)| operand(shape, if k % 2 == 0 { layouts % LAYOUTS } else { layouts / LAYOUTS }))
            .collect();

        let read: Vec<Vec<X>> = operands[..inputs].iter().enumerate().map(|(k, o)| (0..o.len).map(|n| input(k, n)).collect()).collect();
        for level in Level::available() {
            let mut written: Vec<Vec<T>> = operands[inputs..].iter().map(|o| vec![old; o.len]).collect();
            let mut args: Vec<*mut u8> = read.iter().zip(&operands).map(|(x, o)| x.as_ptr().wrapping_add(o.at).cast_mut().cast()).collect();
            args.extend(written.iter_mut().zip(&operands[inputs..]).map(|(z, o)| z.as_mut_ptr().wrapping_add(o.at).cast::<u8>()));
            let sizes = variant.operands().iter().map(|d| d.size() as isize);
            let core_steps: Vec<isize> = operands.iter().zip(sizes).flat_map(|(o, size)| o.steps.iter().map(move |s| s * size)).collect();
            let call = Call { args: &args, count: 1, steps: &vec![0; args.len()], dims, core_steps: &core_steps, fresh: 0 };
            // SAFETY: the operands hold what their layouts say.
            unsafe { run_on(info, variant, level, &call) }.unwrap();
            let get = |k: usize, index: &[usize]| read[k][operands[k].of(index)];
            for (k, z) in written.iter().enumerate() {
                let (shape, o) = (shapes[inputs + k], &operands[inputs + k]);
                let mut expected = vec![old; o.len];
                for n in 0..shape.iter().product() {
                    let (mut index, mut rest) = (vec![0; shape.len()], n);
                    for d in (0..shape.len()).rev() {
                        index[d] = rest % shape[d];
                        rest /= shape[d];
                    }
                    if let Some(value) = wanted(k, &index, &get) {
                        expected[o.of(&index)] = value;
                    }
                }
                assert!(*z == expected, "{} {level} {shapes:?} {layouts} output {k}", info.name);
            }
        }
    }
}

#[test]
fn two_ranges() {
    let info = const { &<minus as BlockFunction>::INFO };
    for [h, w, _] in SHAPES {
        let shape: &[usize] = &[h, w];
        let int = |k: usize, n: usize| (n * n + 7 * k) as i32;
        check::<i32, i32>(info, &[shape; 3], shape, &int, (-1, &|_, at, x| Some(x(0, at) - x(1, at))), 0);
        let float = |k: usize, n: usize| (n * n + 7 * k) as f64;
        check::<f64, f64>(info, &[shape; 3], shape, &float, (-1.0, &|_, at, x| Some(x(0, at) - x(1, at))), 1);
    }
}

#[test]
fn three_ranges() {
    let (info, other) = const { (&<swapped as BlockFunction>::INFO, &<cube as BlockFunction>::INFO) };
    for [a, b, c] in SHAPES {
        let wanted = |_, at: &[usize], x: &dyn Fn(usize, &[usize]) -> i16| Some(x(0, at) * 3 - x(1, &[at[1], at[0], at[2]]));
        check::<i16, i16>(info, &[&[a, b, c], &[b, a, c], &[a, b, c]], &[a, b, c], &|k, n| (n % 1000 + k) as i16, (-1, &wanted), 0);
        let wanted = |_, at: &[usize], x: &dyn Fn(usize, &[usize]) -> u8| Some(x(0, at) + 1);
        check::<u8, u8>(other, &[&[a, b, c], &[a, b, c]], &[a, b, c], &|_, n| (n % 255) as u8, (9, &wanted), 0);
    }
}

#[test]
fn lanes_apart() {
    let info = const { &<planes as BlockFunction>::INFO };
    for [h, w, c] in SHAPES {
        let by: Vec<f32> = (0..c).map(|k| 0.5 + k as f32).collect();
        for (layout, level) in (0..LAYOUTS * LAYOUTS).flat_map(|layout| Level::available().into_iter().map(move |level| (layout, level))) {
            let (x, z) = (operand(&[h, w, c], layout % LAYOUTS), operand(&[c, h, w], layout / LAYOUTS));
            let pixels: Vec<u8> = (0..x.len).map(|n| (n * 7 % 256) as u8).collect();
            let (mut out, mut wanted) = (vec![-1.0_f32; z.len], vec![-1.0_f32; z.len]);
            for (i, j, k) in (0..h).flat_map(|i| (0..w).flat_map(move |j| (0..c).map(move |k| (i, j, k)))) {
                wanted[z.of(&[k, i, j])] = f32::from(pixels[x.of(&[i, j, k])]) * by[k];
            }
            let args =
                [pixels[x.at..].as_ptr().cast_mut(), by.as_ptr().cast_mut().cast(), out.as_mut_ptr().wrapping_add(z.at).cast::<u8>()];
            let core_steps: Vec<isize> = x.steps.iter().copied().chain([4]).chain(z.steps.iter().map(|s| s * 4)).collect();
            let call = Call { args: &args, count: 1, steps: &[0; 3], dims: &[h, w, c], core_steps: &core_steps, fresh: 0 };
            // SAFETY: the operands hold what their layouts say.
            unsafe { run_on(info, &info.variants[0], level, &call) }.unwrap();
            assert!(out == wanted, "{level} {h} {w} {c} {layout}");
        }
    }
}

#[test]
fn parts_of_ranges() {
    let info = const { &<parts as BlockFunction>::INFO };
    for [h, w, _] in SHAPES {
        let (shape, row): (&[usize], &[usize]) = (&[h, w], &[w]);
        let wanted = |k: usize, at: &[usize], x: &dyn Fn(usize, &[usize]) -> i32| match k {
            0 => (at[0] > 0).then(|| -x(0, at)),
            1 => (at[1] > 0).then(|| -x(0, at)),
            _ => Some(x(0, at) - x(1, &at[1..])),
        };
        check::<i32, i32>(info, &[shape, row, shape, shape, shape], shape, &|k, n| (n * 3 + k) as i32, (-77, &wanted), 0);
    }
}

/// A large item is shared out: as one row where it is one, by rows where not.
#[cfg(feature = "ndarray")]
#[test]
fn several_threads() {
    let (h, w) = (600, 301);
    let (x, y): (Vec<i32>, Vec<i32>) = ((0..h * (w + 2)).map(|n| n as i32).collect(), (0..h * w).map(|n| n as i32 % 17).collect());
    for (threads, gap) in [1, 2, 3, 8].into_iter().flat_map(|threads| [(threads, 0), (threads, 2)]) {
        let mut z = vec![-1; h * w];
        let x = ndarray::ArrayView2::from_shape((h, w + gap), &x[..h * (w + gap)]).unwrap().slice_move(ndarray::s![.., ..w]);
        let out = ViewMut::new(&mut z, [h, w]).unwrap();
        lanecraft::with_threads(threads, || minus::run(x, View::new(&y, [h, w]).unwrap(), out)).unwrap();
        assert!((0..h * w).all(|n| z[n] == x[[n / w, n % w]] - y[n]), "{threads} {gap}");
    }
}
