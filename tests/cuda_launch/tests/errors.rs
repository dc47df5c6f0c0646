//! Every call of the driver and of NVRTC fails once: an error value comes out, and nothing stays behind.

use lanecraft::cuda::{Device, DeviceArray, Error, Graph, call, call_block};
use lanecraft_cuda_launch::{Fake, kernels};
use std::collections::BTreeSet;

/// All that the launch layer does.
fn everything() -> Result<(), Error> {
    let device = Device::open(0)?;
    let (stream, other) = (device.stream()?, device.stream()?);
    let x = DeviceArray::upload(&stream, &[4_i32, 9, 6, 2], &[4])?;
    let (mut q, mut r) = (DeviceArray::<i32>::zeros(&stream, &[4])?, DeviceArray::<i32>::zeros(&stream, &[4])?);
    call::<kernels::divided>(&stream).input(&x).input(3).output(&mut q).output(&mut r).run()?;
    other.wait(&stream)?;
    assert_eq!(q.download(&other)?, [1, 3, 2, 0]);

    // A scalar of each size.
    let bytes = DeviceArray::upload(&stream, &[1_u8, 2, 3, 4], &[4])?;
    let mut more = DeviceArray::<u8>::zeros(&stream, &[4])?;
    call::<kernels::next>(&stream).input(7_u8).output(&mut more).launch()?;
    call::<kernels::next>(&stream).input(&bytes).output(&mut more).launch()?;
    let mut wide = DeviceArray::<i64>::zeros(&stream, &[4])?;
    call::<kernels::next>(&stream).input(7_i64).output(&mut wide).launch()?;

    let rows = DeviceArray::upload(&stream, &[1.0_f32, 2.0, 3.0, 4.0], &[2, 2])?;
    let mut shares = DeviceArray::<f32>::zeros(&stream, &[2, 2])?;
    let mut graph = Graph::capture(&stream, || {
        call::<kernels::axpy>(&stream).input(2.0_f32).input(&rows).input(&rows).output(&mut shares).run()?;
        call_block::<kernels::shares>(&stream).input(&rows).output(&mut shares).run()
    })?;
    graph.launch(&stream)?;
    let new = DeviceArray::upload(&stream, &[1.0_f32, 3.0, 2.0, 6.0], &[2, 2])?;
    graph.replace(&rows, &new)?;
    graph.launch(&stream)?;
    assert_eq!(shares.download(&stream)?, [0.25, 0.75, 0.25, 0.75]);
    Ok(())
}

/// Calls that give back what was taken: whoever is dropped tells nobody.
const GIVING_BACK: &[&str] = &[
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxPopCurrent_v2",
    "cuStreamDestroy_v2",
    "cuEventDestroy_v2",
    "cuMemFree_v2",
    "cuModuleUnload",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "nvrtcDestroyProgram",
];

#[test]
fn each_call_fails_once() {
    let fake = Fake::start("errors");
    // Compiled, so that what follows is quick.
    everything().unwrap();
    assert_eq!(fake.live(), "");
    let cached: Vec<String> = fake.log().iter().filter_map(|line| Some(line.split_once('(')?.0.to_owned())).collect();
    let names: BTreeSet<String> = cached.into_iter().filter(|name| !GIVING_BACK.contains(&name.as_str())).collect();
    assert!(names.len() > 25, "{names:?}");
    let mut failures = 0;
    for name in &names {
        for before in 0.. {
            fake.reset();
            // NVRTC is asked only where there is no cache.
            if name.starts_with("nvrtc") {
                // The call before may have failed in front of the first file.
                let _ = std::fs::remove_dir_all(fake.cache().join("ptx"));
            }
            fake.fail(name, before);
            let result = everything();
            if !fake.has_failed() {
                result.unwrap_or_else(|error| panic!("{name} has not failed, and yet: {error}"));
                break;
            }
            failures += 1;
            // Where something is given back there is nobody to tell, and without a context it stays.
            if name == "cuCtxPushCurrent_v2" && result.is_ok() {
                fake.restart();
                continue;
            }
            let error = result.err().unwrap_or_else(|| panic!("call {before} of {name} fails, and there is no error"));
            let expected = if name.starts_with("nvrtc") {
                matches!(error, Error::Compile { .. })
            } else {
                matches!(&error, Error::Driver { call, code: 999, .. } if call == name)
            };
            assert!(expected, "call {before} of {name}: {error:?}");
            assert_eq!(fake.live(), "", "call {before} of {name}");
        }
    }
    assert!(failures > 100, "{failures}");
}

#[test]
fn what_cannot_be_given_back_is_no_panic() {
    let fake = Fake::start("giving_back");
    for name in GIVING_BACK {
        fake.reset();
        fake.fail(name, 0);
        everything().unwrap();
    }
    // What could not be given back is still alive.
    fake.restart();
}
