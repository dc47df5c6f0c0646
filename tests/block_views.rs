//! Block kernels over several axes, beyond the edge, with running sums and updates: on every level the bits of the plain function, which are
//! those of loops written here.

use lanecraft::block::{BlockFunction, Call, Level, run_on};
use lanecraft::prelude::*;

#[kernel(signature = "(h,w)->(h,w),(w,h)")]
fn edges(x: View<f32, 2>, y: ViewMut<f32, 2>, t: ViewMut<f32, 2>) {
    for (i, j) in lanes((0..x.dim(0), 0..x.dim(1))) {
        let a = x.at_clamp([i - 2, j + 3]) + 2.0 * x.at_wrap([i + 5, j - 4]);
        let b = x.at_mirror([i + 2, j - 3]) - x.at_or([i - 1, j + 1], 7.0);
        y[[i, j]] = a + b;
        t[[j, i]] = x[[i, j]];
    }
}

fn edges_by_hand(x: &[f32], h: usize, w: usize) -> Vec<f32> {
    let (hi, wi) = (h as i64, w as i64);
    let get = |i: i64, j: i64| x[(i * wi + j) as usize];
    let mirror = |i: i64, n: i64| {
        let period = (2 * n - 2).max(1);
        let k = i.rem_euclid(period);
        if n == 1 { 0 } else { k.min(period - k) }
    };
    let mut y = Vec::new();
    for i in 0..hi {
        for j in 0..wi {
            let a = get((i - 2).clamp(0, hi - 1), (j + 3).clamp(0, wi - 1)) + 2.0 * get((i + 5).rem_euclid(hi), (j - 4).rem_euclid(wi));
            let or = if i > 0 && j + 1 < wi { get(i - 1, j + 1) } else { 7.0 };
            let b = get(mirror(i + 2, hi), mirror(j - 3, wi)) - or;
            y.push(a + b);
        }
    }
    y
}

#[kernel(dtypes(f32, i32), signature = "(n),(n),(m)->(n),(m),(b),(b),(k)")]
#[allow(clippy::too_many_arguments, reason = "one operand per way of writing")]
fn serial<T: Num>(x: &[T], bin: &[u8], z: &[T], sums: &mut [T], odd: &mut [T], total: &mut [T], largest: &mut [T], small: &mut [T]) {
    let mut s = T::ONE;
    for i in lanes(0..x.len()) {
        sums[i] = scan(&mut s, x[i]);
    }
    for i in lanes(0..z.len() / 2) {
        odd[2 * i + 1] = z[2 * i];
    }
    for b in lanes(0..total.len()) {
        total[b] = T::ZERO;
        largest[b] = T::MIN;
    }
    for i in lanes(0..x.len()) {
        atomic_add(&mut total[bin[i] as usize], x[i]);
        if x[i] > 0 {
            atomic_max(&mut largest[bin[i] as usize], x[i]);
        }
    }
    if small.len() > 0 {
        small[0] = s;
    }
}

/// Running sums, updates and reductions in one loop, and an update beside a reduction of the kernel's own.
#[kernel(dtypes(f32, f64), signature = "(n),(n)->(n),(b),(),(),()")]
fn mixed<T: Float>(x: &[T], bin: &[u8], sums: &mut [T], counts: &mut [T]) -> (T, T, T) {
    let (mut s, mut largest, mut squares) = (T::ONE, T::NEG_INFINITY, T::ZERO);
    for b in lanes(0..counts.len()) {
        counts[b] = T::ZERO;
    }
    for i in lanes(0..x.len()) {
        sums[i] = scan(&mut s, x[i]);
        squares += x[i] * x[i];
        if bin[i] != 0 {
            largest = largest.max(x[i]);
            atomic_add(&mut counts[bin[i] as usize], T::ONE);
        }
    }
    let mut first = T::INFINITY;
    for i in lanes(0..x.len()) {
        atomic_add(&mut counts[0], x[i]);
        first = reduce(first, x[i], |a, b| a.min(b));
    }
    (largest, squares, first)
}

#[kernel(signature = "(a,b,c)->(c,b,a)")]
fn three(x: View<f64, 3>, y: ViewMut<f64, 3>) {
    let (a, b, c) = x.shape();
    for (i, j, k) in lanes((0..a, 0..b, 0..c)) {
        y[[k, j, i]] = x[[i, j, k]];
    }
}

fn levels() -> Vec<Level> {
    Level::available().into_iter().filter(|level| *level != Level::Sse2).collect()
}

/// Runs one item on one level, operands side by side.
fn on<K: BlockFunction>(level: Level, variant: usize, dims: &[usize], args: &[*mut u8]) {
    let info = const { &K::INFO };
    let variant = &info.variants[variant];
    let mut core_steps = Vec::new();
    for (own, dtype) in info.signature.operands.iter().zip(variant.operands()) {
        let mut step = dtype.size() as isize;
        let mut steps = Vec::new();
        for d in own.iter().rev() {
            steps.insert(0, step);
            step *= dims[*d] as isize;
        }
        core_steps.extend(steps);
    }
    let steps = vec![0; args.len()];
    // SAFETY: the tests pass pointers to as many elements as the dims say.
    unsafe { run_on(info, variant, level, &Call { args, count: 1, steps: &steps, dims, core_steps: &core_steps, fresh: 0 }) }.unwrap();
}

fn at<T>(x: &[T]) -> *mut u8 {
    x.as_ptr().cast_mut().cast()
}
fn at_mut<T>(x: &mut [T]) -> *mut u8 {
    x.as_mut_ptr().cast()
}

#[test]
fn beyond_the_edge() {
    for (h, w) in [(1, 1), (1, 7), (7, 1), (3, 15), (4, 16), (5, 17), (9, 64), (2, 100)] {
        let x: Vec<f32> = (0..h * w).map(|i| (i as f32 * 0.7).sin()).collect();
        let expected = edges_by_hand(&x, h, w);
        let (mut y, mut t) = (vec![0.0; h * w], vec![0.0; h * w]);
        edges(View::new(&x, [h, w]).unwrap(), ViewMut::new(&mut y, [h, w]).unwrap(), ViewMut::new(&mut t, [w, h]).unwrap());
        assert_eq!(y, expected, "{h} {w}");
        for i in 0..h {
            for j in 0..w {
                assert_eq!(t[j * h + i], x[i * w + j]);
            }
        }
        for level in levels() {
            let (mut a, mut b) = (vec![0.0_f32; h * w], vec![0.0_f32; h * w]);
            on::<edges>(level, 0, &[h, w], &[at(&x), at_mut(&mut a), at_mut(&mut b)]);
            assert_eq!((a, b), (y.clone(), t.clone()), "{level} {h} {w}");
        }
        let (mut a, mut b) = (vec![0.0; h * w], vec![0.0; h * w]);
        edges::run(View::new(&x, [h, w]).unwrap(), ViewMut::new(&mut a, [h, w]).unwrap(), ViewMut::new(&mut b, [w, h]).unwrap()).unwrap();
        assert_eq!((a, b), (y, t));
    }
    assert_eq!(View::<f32, 2>::new(&[1.0; 5], [2, 3]).unwrap_err().to_string(), "5 elements do not make shape [2, 3]");
}

#[test]
fn three_axes() {
    let (a, b, c) = (3, 5, 37);
    let x: Vec<f64> = (0..a * b * c).map(|i| i as f64).collect();
    for level in levels() {
        let mut y = vec![0.0_f64; x.len()];
        on::<three>(level, 0, &[a, b, c], &[at(&x), at_mut(&mut y)]);
        for i in 0..a {
            for j in 0..b {
                for k in 0..c {
                    assert_eq!(y[(k * b + j) * a + i], x[(i * b + j) * c + k], "{level}");
                }
            }
        }
    }
}

#[test]
fn running_sums_and_updates() {
    macro_rules! check {
        ($t:ty, $variant:literal, $of:expr, $add:expr) => {
            for (n, bins) in [(0, 3), (1, 1), (17, 5), (100, 100), (5000, 7), (5000, 256)] {
                let m = n;
                let x: Vec<$t> = (0..n).map(|i| ((i as f64 * 1.3).sin() * 1e3) as $t).collect();
                let bin: Vec<u8> = (0..n).map(|i| ((i * i * 7 + i) % bins) as u8).collect();
                let (mut sums, mut s) = (Vec::new(), 1 as $t);
                let (mut total, mut largest) = (vec![0 as $t; bins], vec![<$t>::MIN; bins]);
                for (x, bin) in x.iter().zip(&bin) {
                    s = $add(s, *x);
                    sums.push(s);
                    total[*bin as usize] = $add(total[*bin as usize], *x);
                    if *x > 0 as $t {
                        largest[*bin as usize] = largest[*bin as usize].max(*x);
                    }
                }
                let mut odd = vec![9 as $t; m];
                for i in 0..m / 2 {
                    odd[2 * i + 1] = x[2 * i];
                }
                let expected = (sums, odd, total, largest, vec![s]);
                let start = || (vec![9 as $t; n], vec![9 as $t; m], vec![9 as $t; bins], vec![9 as $t; bins], vec![9 as $t; 1]);
                let mut y = start();
                serial(&x, &bin, &x, &mut y.0, &mut y.1, &mut y.2, &mut y.3, &mut y.4);
                assert_eq!(y, expected, "{n} {bins}");
                for level in levels() {
                    let mut y = start();
                    let args = [
                        at(&x),
                        at(&bin),
                        at(&x),
                        at_mut(&mut y.0),
                        at_mut(&mut y.1),
                        at_mut(&mut y.2),
                        at_mut(&mut y.3),
                        at_mut(&mut y.4),
                    ];
                    on::<serial>(level, $variant, &[n, m, bins, 1], &args);
                    assert_eq!(y, expected, "{level} {n} {bins}");
                }
            }
        };
    }
    check!(f32, 0, |x| x as f32, |a: f32, b: f32| a + b);
    check!(i32, 1, |x| x as i32, i32::wrapping_add);
}

#[test]
fn all_at_once() {
    for n in [0_usize, 1, 15, 16, 100, 5000] {
        // Small integers: sums are exact in any order.
        let x: Vec<f32> = (0..n).map(|i| (i * 7 % 23) as f32 - 11.0).collect();
        let bin: Vec<u8> = (0..n).map(|i| (i % 3) as u8).collect();
        let mut sum = 1.0;
        let sums: Vec<f32> = x.iter().map(|x| (sum += x, sum).1).collect();
        let count = |b: u8| bin.iter().filter(|k| **k == b).count() as f32;
        let counts = [x.iter().sum(), count(1), count(2)];
        let largest = x.iter().zip(&bin).filter(|(_, b)| **b != 0).fold(f32::NEG_INFINITY, |m, (x, _)| m.max(*x));
        let values = [largest, x.iter().map(|x| x * x).sum(), x.iter().copied().fold(f32::INFINITY, f32::min)];
        let expected = (sums, counts, values);
        let mut y = (vec![0.0; n], [0.0; 3]);
        let (a, b, c) = mixed(&x, &bin, &mut y.0, &mut y.1);
        assert_eq!((y.0, y.1, [a, b, c]), expected, "{n}");
        for level in levels() {
            let mut y = (vec![0.0_f32; n], [0.0_f32; 3], [0.0_f32; 3]);
            let [a, b, c] = &mut y.2;
            let returned = [a, b, c].map(|x| std::ptr::from_mut(x).cast());
            on::<mixed>(level, 0, &[n, 3], &[&[at(&x), at(&bin), at_mut(&mut y.0), at_mut(&mut y.1)], &returned[..]].concat());
            assert_eq!(y, expected, "{level} {n}");
        }
    }
}

/// Rows of a product in an array of the kernel's own.
#[kernel(signature = "(m,k),(k,n)->(m,n)")]
fn product(a: View<f32, 2>, b: View<f32, 2>, c: ViewMut<f32, 2>) {
    let (m, depth, n) = (a.dim(0), a.dim(1), b.dim(1));
    for (block, j) in lanes((0..(m + 3) / 4, 0..n)) {
        let mut sums = [0.0; 4];
        for k in 0..depth {
            let x = b[[k, j]];
            for r in 0..4 {
                sums[r] += a.at_clamp([4 * block + r, k]) * x;
            }
        }
        for r in 0..4 {
            if 4 * block + r < m {
                c[[4 * block + r, j]] = sums[r];
            }
        }
    }
}

#[test]
fn arrays_of_its_own() {
    for (m, k, n) in [(1, 1, 1), (4, 3, 16), (6, 5, 37), (9, 2, 20)] {
        let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32).collect();
        let b: Vec<f32> = (0..k * n).map(|i| (i % 5) as f32).collect();
        let mut expected = vec![0.0; m * n];
        for i in 0..m {
            for j in 0..n {
                expected[i * n + j] = (0..k).map(|p| a[i * k + p] * b[p * n + j]).sum();
            }
        }
        let mut c = vec![9.0; m * n];
        product(View::new(&a, [m, k]).unwrap(), View::new(&b, [k, n]).unwrap(), ViewMut::new(&mut c, [m, n]).unwrap());
        assert_eq!(c, expected);
        for level in levels() {
            let mut c = vec![9.0_f32; m * n];
            on::<product>(level, 0, &[m, k, n], &[at(&a), at(&b), at_mut(&mut c)]);
            assert_eq!(c, expected, "{level} {m} {k} {n}");
        }
    }
}
