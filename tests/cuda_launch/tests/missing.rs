//! A machine without a driver: here the stand-in is not loaded.

use lanecraft::cuda::{Device, Error};
use lanecraft_cuda_launch::kernels;

#[test]
fn what_is_missing_is_named() {
    // The CPU needs none of it.
    let mut y = [0.0_f32; 2];
    kernels::next::map(&[1.0, 2.0], &mut y).unwrap();
    assert_eq!(y, [2.0, 3.0]);
    match Device::open(0) {
        Err(error @ Error::Unavailable(_)) => assert_eq!(
            error.to_string(),
            "CUDA: the NVIDIA driver's library (`libcuda.so.1`) was not found. Kernels run on the CPU without it; for CUDA install a driver of the \
             line R550 or newer"
        ),
        // This machine has a driver, and perhaps devices.
        Err(Error::Device { count: 0, .. } | Error::Driver { .. }) | Ok(_) => {}
        Err(other) => panic!("{other}"),
    }
}
