//! Strips split over threads.

use super::kernels::{Axpy, DivRem, Panics};
use crate::block::variant::Call;
use crate::threads::{Team, split, team, thread_count, with_threads};
use crate::{BlockVariant, Dim, Level, RunError, Signature, Variant};
use lanecraft_core::block::{Array, BlockKernel, Raw, Wide, meet};
use lanecraft_core::isa::checked::Checked;
use lanecraft_core::{Cx, Fault, FaultKind, Isa};
use std::sync::Mutex;

#[test]
fn parts_cover_everything_once() {
    for threads in [1, 2, 3, 7] {
        let team = Team::of(threads);
        for n in [1, 15, 16, 17, 31, 32, 33, 100, 1000] {
            let parts = Mutex::new(Vec::new());
            split(team, n, 16, &|start, count| {
                parts.lock().unwrap().push((start, count));
                Ok::<_, Fault>(())
            })
            .unwrap();
            let mut parts = parts.into_inner().unwrap();
            parts.sort_unstable();
            let mut next = 0;
            for (start, count) in &parts {
                assert!(*start == next && start % 16 == 0 && *count > 0);
                next += count;
            }
            assert!(next == n, "{threads} threads, {n} elements: {parts:?}");
        }
    }
}

#[test]
fn parts_grow_on_one_thread_where_nobody_asks_to_stop() {
    let parts = Mutex::new(Vec::new());
    split(None, 1000, 16, &|_, count| {
        parts.lock().unwrap().push(count);
        Ok::<_, Fault>(())
    })
    .unwrap();
    assert_eq!(parts.into_inner().unwrap(), [16, 32, 64, 128, 128, 128, 128, 128, 128, 120]);
}

#[test]
fn the_same_values_as_on_one_thread() {
    let variant = Variant::of::<Axpy, (f64,)>();
    let team = Team::of(3);
    for level in Level::available() {
        for n in [1, 40, 1003, 100_003] {
            for step in [1, 2] {
                let x: Vec<f64> = (0..n * step).map(|i| i as f64 / 7.0).collect();
                let mut y: Vec<f64> = (0..n).map(|i| 1.0 - i as f64).collect();
                let wanted: Vec<f64> = (0..n).map(|i| 0.3 * x[i * step] + y[i]).collect();
                let a = 0.3_f64;
                let out = y.as_mut_ptr().cast::<u8>();
                let args = [(&raw const a).cast_mut().cast(), x.as_ptr().cast_mut().cast(), out, out];
                // SAFETY: the operands hold `n` elements; the output is the third input.
                unsafe { variant.run_split(team, level, &args, n, &[0, 8 * step as isize, 8, 8]) }.unwrap();
                assert_eq!(y, wanted);
            }
        }
    }
}

#[test]
fn the_lowest_fault_comes_back() {
    let variant = Variant::of::<DivRem, (i32,)>();
    let team = Team::of(4);
    let level = Level::available().pop().unwrap();
    const N: usize = 300_000;
    let a = vec![1_i32; N];
    for zeros in [vec![N - 1], vec![100_000, 100_010, 250_000], vec![0, N - 1], (0..N).collect()] {
        let mut b = vec![1_i32; N];
        zeros.iter().for_each(|i| b[*i] = 0);
        let (mut q, mut r) = (a.clone(), a.clone());
        let args = [a.as_ptr().cast_mut().cast(), b.as_ptr().cast_mut().cast(), q.as_mut_ptr().cast(), r.as_mut_ptr().cast()];
        for _ in 0..20 {
            // SAFETY: the operands hold `N` elements.
            let done = unsafe { variant.run_split(team, level, &args, N, &[4; 4]) };
            assert_eq!(done, Err(RunError::Fault(Fault { kind: FaultKind::DivisionByZero, index: zeros[0] })));
        }
    }
}

#[test]
fn a_panic_is_an_error_value() {
    let variant = Variant::of::<Panics, (f32,)>();
    let level = Level::available().pop().unwrap();
    let x = [1.0_f32; 100];
    let mut y = x;
    let args = [x.as_ptr().cast_mut().cast(), y.as_mut_ptr().cast()];
    for team in [Team::of(1), Team::of(3)] {
        // SAFETY: the operands hold 100 elements.
        let done = unsafe { variant.run_split(team, level, &args, 100, &[4, 4]) };
        assert_eq!(done, Err(RunError::Panic("as no kernel should".to_owned())));
    }
    // SAFETY: the operands hold 100 elements.
    assert_eq!(unsafe { variant.run(&args, 100, &[4, 4]) }, Err(RunError::Panic("as no kernel should".to_owned())));
    // On every thread.
    let x = vec![1.0_f32; 300_000];
    let mut y = x.clone();
    let args = [x.as_ptr().cast_mut().cast(), y.as_mut_ptr().cast()];
    // SAFETY: the operands hold as many elements.
    let done = unsafe { variant.run_split(Team::of(3), level, &args, x.len(), &[4, 4]) };
    assert_eq!(done, Err(RunError::Panic("as no kernel should".to_owned())));
}

/// Of the threads that work on one item, those of the pool panic.
enum PanicsInCrew {}
impl BlockKernel<()> for PanicsInCrew {
    type Operands = (Array<f32, 1>, Array<f32, 1>);
    type Returned = ();
    const INPUTS: usize = 1;
    const WIDE: Wide = Wide::Once;
    fn item<I: Isa>(cx: Cx<'_, I>, _: (Raw<f32, 1>, Raw<f32, 1>)) {
        meet(cx);
        assert!(!std::thread::current().name().is_some_and(|name| name.starts_with("lanecraft")), "in a crew");
        meet(cx);
    }
    fn checked(_: Cx<'_, Checked>, _: (Raw<f32, 1>, Raw<f32, 1>)) {}
}

#[test]
fn a_panic_on_one_of_several_threads_is_an_error_value() {
    let dims = [Dim { name: "n", size: None, optional: false, nonempty: false }];
    let signature = Signature { text: "(n)->(n)", dims: Box::leak(Box::new(dims)), operands: &[&[0], &[0]] };
    let n = 300_000;
    let (x, mut y) = (vec![0.0_f32; n], vec![0.0_f32; n]);
    let args = [x.as_ptr().cast_mut().cast(), y.as_mut_ptr().cast()];
    let call = Call { args: &args, count: 1, steps: &[0, 0], dims: &[n], core_steps: &[4, 4], fresh: 0 };
    let variant = BlockVariant::of::<PanicsInCrew, ()>();
    for _ in 0..5 {
        // SAFETY: the operands hold as many elements.
        let done = with_threads(3, || unsafe { variant.run(&signature, &call) });
        assert_eq!(done, Err(RunError::Panic("in a crew".to_owned())));
    }
    // SAFETY: the operands hold as many elements.
    assert_eq!(with_threads(1, || unsafe { variant.run(&signature, &call) }), Ok(()));
}

#[test]
fn long_strips_go_to_the_team_of_the_process() {
    let n = (1 << 20) + 19;
    let x: Vec<f32> = (0..n).map(|i| (i % 1000) as f32).collect();
    let mut y = vec![0.5_f32; n];
    let a = 2.0_f32;
    let out = y.as_mut_ptr().cast::<u8>();
    let args = [(&raw const a).cast_mut().cast(), x.as_ptr().cast_mut().cast(), out, out];
    // SAFETY: the operands hold `n` elements.
    unsafe { Variant::of::<Axpy, (f32,)>().run(&args, n, &[0, 4, 4, 4]) }.unwrap();
    assert!(x.iter().zip(&y).all(|(x, y)| *y == 2.0 * x + 0.5));
}

#[test]
fn the_number_of_threads() {
    assert_eq!(thread_count(Some("3"), Some("5")), Ok(3));
    assert_eq!(thread_count(None, Some("5")), Ok(5));
    assert_eq!(thread_count(Some("1000000"), None), Ok(1024));
    assert_eq!(thread_count(Some(""), Some("5,2")), Ok(5));
    let default = thread_count(None, None).unwrap();
    assert!(default >= 1);
    assert_eq!(thread_count(None, Some("many")), Ok(default));
    for bad in ["0", "-1", "two", "1.5"] {
        let error = thread_count(Some(bad), None).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("environment variable LANECRAFT_THREADS is `{bad}`; the valid values are whole numbers from 1 on")
        );
    }
}

#[test]
fn a_call_can_ask_for_threads() {
    let n = 200_000;
    let names = || {
        let names = Mutex::new(std::collections::BTreeSet::new());
        let done = split(team().unwrap(), n, 1, &|_, _| {
            names.lock().unwrap().insert(format!("{:?}", std::thread::current().id()));
            std::hint::black_box((0..200).sum::<usize>());
            Ok::<_, Fault>(())
        });
        done.map(|()| names.into_inner().unwrap().len())
    };
    assert_eq!(with_threads(1, names), Ok(1));
    let three = with_threads(3, || {
        assert_eq!(with_threads(1, names), Ok(1));
        names()
    });
    assert!(matches!(three, Ok(2..=3)), "{three:?}");
    // A larger pool takes the place of a smaller one.
    assert_eq!(with_threads(5, || team().unwrap().map(|team| team.threads())), Some(5));
    assert_eq!(with_threads(2, || team().unwrap().map(|team| team.threads())), Some(2));
    assert!(std::panic::catch_unwind(|| with_threads(0, || ())).is_err());
}

#[test]
fn a_call_is_stopped() {
    use crate::interrupt::interruptible;
    use std::sync::atomic::{AtomicUsize, Ordering};
    static ASKED: AtomicUsize = AtomicUsize::new(0);
    let ask = || ASKED.fetch_add(1, Ordering::Relaxed) == 2;
    for team in [None, Team::of(2)] {
        ASKED.store(0, Ordering::Relaxed);
        let start = std::time::Instant::now();
        let done = interruptible(ask, || {
            split(team, 100_000, 10, &|_, _| {
                std::thread::sleep(std::time::Duration::from_millis(1));
                Ok::<_, Fault>(())
            })
        });
        assert_eq!(done, Err(RunError::Interrupted));
        assert!(start.elapsed() < std::time::Duration::from_secs(5));
        // The next call does not know of it.
        assert_eq!(split(team, 100, 10, &|_, _| Ok::<_, Fault>(())), Ok(()));
    }
}
