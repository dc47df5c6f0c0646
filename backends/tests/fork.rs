//! Threads in a process that forks: the child makes its own, and neither side waits for threads that are not there.
#![cfg(unix)]

use lanecraft_backends::Variant;
use lanecraft_core::map::{Gang16, MapKernel};
use lanecraft_core::{Cx, Isa, Varying, lane};
use std::time::{Duration, Instant};

enum Double {}
impl MapKernel<(f32,)> for Double {
    type In = (f32,);
    type Out = (f32,);
    type Gang = Gang16;
    #[inline(always)]
    fn gang<I: Isa>(cx: Cx<'_, I>, (x,): (Varying<f32, I>,)) -> (Varying<f32, I>,) {
        (lane::add(cx, x, x),)
    }
}

/// Whether a strip long enough for threads gives the right values.
fn doubles(x: &[f32], y: &mut [f32]) -> bool {
    y.fill(0.0);
    let args = [x.as_ptr().cast_mut().cast(), y.as_mut_ptr().cast()];
    // SAFETY: both hold `x.len()` elements.
    let done = unsafe { Variant::of::<Double, (f32,)>().run(&args, x.len(), &[4, 4]) };
    done.is_ok() && x.iter().zip(&*y).all(|(x, y)| *y == 2.0 * x)
}

#[test]
fn a_forked_child_makes_its_own_threads() {
    // SAFETY: no other thread of this test's process reads the environment.
    unsafe { std::env::set_var("LANECRAFT_THREADS", "3") };
    let x: Vec<f32> = (0..(1 << 20) + 7).map(|i| (i % 4099) as f32).collect();
    let mut y = vec![0.0; x.len()];
    assert!(doubles(&x, &mut y));
    for _ in 0..5 {
        // SAFETY: the child calls nothing but the code under test, then leaves without running destructors.
        let child = unsafe { libc::fork() };
        assert!(child >= 0);
        if child == 0 {
            let right = doubles(&x, &mut y) && doubles(&x, &mut y);
            // SAFETY: ends the child.
            unsafe { libc::_exit(if right { 0 } else { 1 }) };
        }
        let start = Instant::now();
        let mut status = 0;
        // SAFETY: `child` is a child of this process.
        while unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) } == 0 {
            if start.elapsed() > Duration::from_secs(60) {
                // SAFETY: as above.
                unsafe { libc::kill(child, libc::SIGKILL) };
                panic!("the child hangs");
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "status {status}");
        assert!(doubles(&x, &mut y), "the parent goes on");
    }
}
