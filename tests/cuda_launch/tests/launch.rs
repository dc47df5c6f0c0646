//! Calls of kernels: their results against the CPU's, and what the driver is told.

use lanecraft::InPlace;
use lanecraft::ParameterValue;
use lanecraft::cuda::{Device, DeviceArray, Error, call, call_block};
use lanecraft_cuda_launch::{Fake, kernels};

fn device() -> Device {
    Device::open(0).unwrap()
}

#[test]
fn operands_side_by_side() {
    let fake = Fake::start("side_by_side");
    {
        let stream = device().stream().unwrap();
        let (x, y): (Vec<f32>, Vec<f32>) = (0..1003).map(|i| (i as f32 * 0.37, 5.0 - i as f32)).unzip();
        let dx = DeviceArray::upload(&stream, &x, &[1003]).unwrap();
        let dy = DeviceArray::upload(&stream, &y, &[1003]).unwrap();
        let mut out = DeviceArray::<f32>::zeros(&stream, &[1003]).unwrap();
        fake.reset();
        call::<kernels::axpy>(&stream).input(2.5_f32).input(&dx).input(&dy).output(&mut out).run().unwrap();
        // 251 packs of 4 elements; the first operand is one value; no element can have a fault, so nothing waits.
        let launches = fake.calls("cuLaunchKernel");
        let [launch] = &launches[..] else { panic!("{launches:?}") };
        let arguments =
            format!(", {:x}, {:x}, {:x}, 1, 3eb, 0], 0, {:#x}) on 0", dx.address(), dy.address(), out.address(), stream.handle());
        assert!(launch.starts_with("axpy__f32, 4, 64, ["), "{launch}");
        assert!(launch.ends_with(&arguments), "{launch} should end in {arguments}");
        assert_eq!(fake.calls("cuMemsetD32Async"), [format!("0x40200000, 1, {:#x}) on 0", stream.handle())]);
        assert_eq!(fake.calls("cuStreamSynchronize"), [""; 0]);

        let mut expected = vec![0.0_f32; 1003];
        kernels::axpy::map(2.5, &x, &y, &mut expected).unwrap();
        assert_eq!(out.download(&stream).unwrap(), expected);
    }
    assert_eq!(fake.live(), "");
}

#[test]
fn operands_at_strides() {
    let fake = Fake::start("strides");
    let stream = device().stream().unwrap();
    let x: Vec<f64> = (0..6 * 35).map(f64::from).collect();
    let row: Vec<f64> = (0..35).map(|i| f64::from(i) * 0.5).collect();
    let dx = DeviceArray::upload(&stream, &x, &[35, 6]).unwrap().permuted(&[1, 0]).unwrap();
    let drow = DeviceArray::upload(&stream, &row, &[35]).unwrap();
    let mut out = DeviceArray::<f64>::zeros(&stream, &[6, 35]).unwrap();
    call::<kernels::axpy>(&stream).input(-1.0).input(&dx).input(&drow).output(&mut out).run().unwrap();
    let launches = fake.calls("cuLaunchKernel");
    assert!(launches[0].starts_with("axpy__f64__strided, 4, 64, ["), "{launches:?}");
    // The plan: two axes of 6 and 35, and each operand's distances.
    let plan = "2 6 23 0 0 0 0 0 0 0 0 0 0 0 0 0 0 8 30 0 0 0 0 0 0 0 8 0 0 0 0 0 0 118 8 0 0 0 0 0 0, d2, 0]";
    assert!(launches[0].contains(plan), "{launches:?}");
    let expected: Vec<f64> = (0..6 * 35).map(|k| row[k % 35] - x[k % 35 * 6 + k / 35]).collect();
    assert_eq!(out.download(&stream).unwrap(), expected);
}

#[test]
fn small_elements_need_alignment() {
    let fake = Fake::start("alignment");
    let stream = device().stream().unwrap();
    let x = DeviceArray::upload(&stream, &(0..100).collect::<Vec<u8>>(), &[100]).unwrap();
    let mut out = DeviceArray::<u8>::zeros(&stream, &[100]).unwrap();
    for (skipped, entry) in [(0, "next__u8,"), (16, "next__u8,"), (3, "next__u8__strided,")] {
        fake.reset();
        let at = x.address() + skipped;
        // SAFETY: 80 elements lie there.
        let call = unsafe { call::<kernels::next>(&stream).input_at(lanecraft::DtypeId::U8, at, &[80], &[1]) };
        // SAFETY: as above.
        unsafe { call.output_at(lanecraft::DtypeId::U8, out.address(), &[80], &[1]) }.run().unwrap();
        assert!(fake.calls("cuLaunchKernel")[0].starts_with(entry), "{:?}", fake.log());
        let got = out.download(&stream).unwrap();
        assert_eq!(got[..80], (0..80).map(|i| i + skipped as u8 + 1).collect::<Vec<u8>>());
    }
    // Elements of 8 bytes at an odd address.
    let error = {
        // SAFETY: it is refused.
        let call = unsafe { call::<kernels::next>(&stream).input_at(lanecraft::DtypeId::I64, x.address() + 4, &[2], &[8]) };
        // SAFETY: as above.
        unsafe { call.output_at(lanecraft::DtypeId::I64, out.address(), &[2], &[8]) }.run().unwrap_err()
    };
    let text = error.to_string();
    assert!(text.starts_with("next: argument `x` came with elements at the address 0x"), "{text}");
    assert!(text.ends_with("; accepted is an address that 8, the size of i64, divides"), "{text}");
    call::<kernels::next>(&stream).input(InPlace).output(&mut out).run().unwrap();
}

#[test]
fn rows() {
    let fake = Fake::start("rows");
    {
        let stream = device().stream().unwrap();
        let x: Vec<f32> = (0..5 * 300).map(|i| (i % 17) as f32 + 0.25).collect();
        let dx = DeviceArray::upload(&stream, &x, &[5, 300]).unwrap();
        let mut out = DeviceArray::<f32>::zeros(&stream, &[5, 300]).unwrap();
        call_block::<kernels::shares>(&stream).input(&dx).output(&mut out).run().unwrap();
        let launches = fake.calls("cuLaunchKernel");
        // One block of threads for each of the 5 rows; a whole warp of threads for 4 elements each, as far as the kernel occupies the device.
        assert!(launches[0].starts_with("shares__f32, 5, 64, ["), "{launches:?}");
        assert!(launches[0].contains(", 5 12c 4b0 4b0 4 0 0 0 4 0 0 0, "), "{launches:?}");
        let got = out.download(&stream).unwrap();
        for (x, y) in x.chunks(300).zip(got.chunks(300)) {
            let mut expected = vec![0.0; 300];
            kernels::shares::run(x, &mut expected).unwrap();
            assert_eq!(y, expected);
        }
    }
    assert_eq!(fake.live(), "");
}

#[test]
fn nothing_to_do_launches_nothing() {
    let fake = Fake::start("empty");
    let stream = device().stream().unwrap();
    let x = DeviceArray::<f32>::zeros(&stream, &[3, 0]).unwrap();
    let mut out = DeviceArray::<f32>::zeros(&stream, &[3, 0]).unwrap();
    call::<kernels::next>(&stream).input(&x).output(&mut out).run().unwrap();
    let (x, mut out) = (DeviceArray::<f32>::zeros(&stream, &[0, 4]).unwrap(), DeviceArray::<f32>::zeros(&stream, &[0, 4]).unwrap());
    call_block::<kernels::shares>(&stream).input(&x).output(&mut out).run().unwrap();
    assert_eq!(fake.calls("cuLaunchKernel"), [""; 0]);
    assert_eq!(fake.calls("cuModuleLoadDataEx"), [""; 0]);
    assert_eq!(out.download(&stream).unwrap(), [0.0; 0]);
}

#[test]
fn faults_are_those_of_the_cpu() {
    let _fake = Fake::start("faults");
    let stream = device().stream().unwrap();
    let (x, mut y) = (vec![7_i32; 600], vec![2_i32; 600]);
    (y[431], y[77]) = (0, 0);
    let (dx, dy) = (DeviceArray::upload(&stream, &x, &[20, 30]).unwrap(), DeviceArray::upload(&stream, &y, &[20, 30]).unwrap());
    let (mut q, mut r) = (DeviceArray::<i32>::zeros(&stream, &[20, 30]).unwrap(), DeviceArray::<i32>::zeros(&stream, &[20, 30]).unwrap());
    let error = call::<kernels::divided>(&stream).input(&dx).input(&dy).output(&mut q).output(&mut r).run().unwrap_err();
    assert_eq!(error.to_string(), "divided: integer division by zero at index [2, 17] of shape [20, 30]");

    // The words are as before: the next call is free of it.
    let ones = DeviceArray::upload(&stream, &vec![3_i32; 600], &[20, 30]).unwrap();
    call::<kernels::divided>(&stream).input(&dx).input(&ones).output(&mut q).output(&mut r).run().unwrap();
    assert_eq!((q.download(&stream).unwrap()[0], r.download(&stream).unwrap()[0]), (2, 1));

    let k = DeviceArray::upload(&stream, &[3, 1, -2, 9], &[4]).unwrap();
    let mut powers = DeviceArray::<f32>::zeros(&stream, &[4]).unwrap();
    let error = call::<kernels::power>(&stream).input(&k).output(&mut powers).run().unwrap_err();
    let on_cpu = kernels::power::map(&[3, 1, -2, 9], &mut [0.0; 4]).unwrap_err();
    assert_eq!(error, Error::Kernel(Box::new(on_cpu)));

    // Launched without waiting: what is known later, and where.
    call::<kernels::power>(&stream).input(&k).output(&mut powers).launch().unwrap();
    let error = stream.synchronize().unwrap_err();
    assert_eq!(error.to_string(), "power: index out of range at [2] of shape [4]");
    stream.synchronize().unwrap();

    // Of a block kernel, in an item.
    let rows = DeviceArray::upload(&stream, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).unwrap();
    let k = DeviceArray::upload(&stream, &[0, 2, 1, 0, 3, 1], &[2, 3]).unwrap();
    let mut out = DeviceArray::<f32>::zeros(&stream, &[2, 3]).unwrap();
    let error = call_block::<kernels::taken>(&stream).input(&rows).input(&k).output(&mut out).run().unwrap_err();
    assert_eq!(error.to_string(), "taken: index [3] of argument `x` is out of range for shape [3], in item [1]");
}

#[test]
fn parameters() {
    let fake = Fake::start("parameters");
    let stream = device().stream().unwrap();
    let x = DeviceArray::upload(&stream, &[2.0_f32, 3.0], &[2]).unwrap();
    let mut out = DeviceArray::<f32>::zeros(&stream, &[2]).unwrap();
    for (steps, entry, expected) in [(3, "stepped__f32__3,", [8.0, 27.0]), (4, "stepped__f32__any,", [16.0, 81.0])] {
        fake.reset();
        call::<kernels::stepped>(&stream).input(&x).parameter("steps", ParameterValue::Int(steps)).output(&mut out).run().unwrap();
        assert!(fake.calls("cuLaunchKernel")[0].starts_with(entry), "{:?}", fake.log());
        assert_eq!(out.download(&stream).unwrap(), expected);
    }
    let error = call::<kernels::stepped>(&stream).input(&x).output(&mut out).run().unwrap_err();
    assert_eq!(error.to_string(), "stepped: parameter `steps` came as nothing; accepted are 2, 3 or any i32");
    let error = call::<kernels::stepped>(&stream).input(&x).parameter("steps", ParameterValue::Int(1 << 40)).output(&mut out).run();
    assert_eq!(error.unwrap_err().to_string(), "stepped: parameter `steps` came as 1099511627776; accepted are 2, 3 or any i32");
}

#[test]
fn geometry_is_checked() {
    let fake = Fake::start("geometry");
    let stream = device().stream().unwrap();
    let x = DeviceArray::upload(&stream, &vec![1.0_f32; 5000], &[5000]).unwrap();
    let mut out = DeviceArray::<f32>::zeros(&stream, &[5000]).unwrap();
    call::<kernels::next>(&stream).input(&x).output(&mut out).grid(2).block(96).run().unwrap();
    assert!(fake.calls("cuLaunchKernel")[0].starts_with("next__f32, 2, 96, ["), "{:?}", fake.log());
    assert_eq!(out.download(&stream).unwrap(), vec![2.0; 5000]);

    let mut refused = |block: u32, grid: u32| {
        call::<kernels::next>(&stream).input(&x).output(&mut out).grid(grid).block(block).run().unwrap_err().to_string()
    };
    let limit = "1 to 640 threads, the limit of this kernel on this device";
    assert_eq!(refused(2048, 1), format!("next: `block` came as 2048; accepted is {limit}, the nearest is 640"));
    assert_eq!(refused(0, 1), format!("next: `block` came as 0; accepted is {limit}, the nearest is 1"));
    assert_eq!(refused(64, 0), "next: `grid` came as 0; accepted is 1 to 2147483647 blocks, the limit of the device, the nearest is 1");
    let x = DeviceArray::upload(&stream, &[1.0_f32; 40], &[2, 20]).unwrap();
    let mut out = DeviceArray::<f32>::zeros(&stream, &[2, 20]).unwrap();
    let error = call_block::<kernels::shares>(&stream).input(&x).output(&mut out).block(100).run().unwrap_err();
    assert_eq!(
        error.to_string(),
        "shares: `block` came as 100; accepted is a multiple of 32 threads, up to 640, the limit of this kernel on this device, the nearest is 96"
    );
}

#[test]
fn misuse_is_told() {
    let fake = Fake::start("misuse");
    let (device, other) = (device(), Device::open(1).unwrap());
    let stream = device.stream().unwrap();
    let x = DeviceArray::upload(&stream, &[1.0_f32, 2.0, 3.0], &[3]).unwrap();
    let mut out = DeviceArray::<f32>::zeros(&stream, &[4]).unwrap();
    let error = call::<kernels::next>(&stream).input(&x).output(&mut out).run().unwrap_err();
    assert_eq!(
        error.to_string(),
        "next: argument `x` came with shape [3]; accepted is a scalar, or a shape that broadcasts to the output's shape [4]: counted from the last, \
         each axis of its length or of length 1"
    );
    let error = call::<kernels::next>(&stream).input(1_i32).output(&mut out).run().unwrap_err();
    assert_eq!(error.to_string(), "next: dtypes came as (i32) -> (f32); accepted are (u8) -> (u8), (i64) -> (i64), (f32) -> (f32)");
    let elsewhere = other.stream().unwrap();
    let error = call::<kernels::next>(&elsewhere).input(&x).output(&mut out).run().unwrap_err();
    assert_eq!(error.to_string(), "next: argument `x` came from device 0; accepted is device 1, that of the stream");
    assert_eq!(Device::open(2).unwrap_err().to_string(), "CUDA: device 2 was asked for; accepted is 0 to 1");
    let error = DeviceArray::upload(&stream, &[1.0_f32, 2.0], &[3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "upload: argument `shape` came with [3], which holds 3 elements; accepted is a shape that holds 2, as many as came"
    );
    let error = x.permuted(&[0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "permuted: argument `axes` came with [0, 0]; accepted is each of 0..1 once");
    assert_eq!(fake.calls("cuLaunchKernel"), [""; 0]);
}

#[test]
fn streams_and_contexts() {
    let fake = Fake::start("streams");
    {
        let (first, second) = (device(), Device::open(1).unwrap());
        let (a, b) = (first.stream().unwrap(), second.stream().unwrap());
        b.wait(&a).unwrap();
        let on: Vec<String> = ["cuEventRecord", "cuStreamWaitEvent"].iter().flat_map(|name| fake.calls(name)).collect();
        assert_eq!(on, [format!("{:#x}) on 0", a.handle()), format!("{:#x}, 0) on 0", b.handle())]);
        // Another library's stream: it is used, and not destroyed.
        let (x, mut y) = (DeviceArray::upload(&b, &[1_i64, 2], &[2]).unwrap(), DeviceArray::<i64>::zeros(&b, &[2]).unwrap());
        // SAFETY: the thread's own default stream.
        let theirs = unsafe { second.foreign_stream(2) };
        call::<kernels::next>(&theirs).input(&x).output(&mut y).run().unwrap();
        assert!(fake.calls("cuLaunchKernel")[0].ends_with(", 0, 0x2) on 1"), "{:?}", fake.calls("cuLaunchKernel"));
        assert_eq!(y.download(&theirs).unwrap(), [2, 3]);
        drop(theirs);
        assert_eq!(fake.calls("cuStreamDestroy_v2"), [""; 0]);
    }
    assert_eq!(fake.live(), "");
    assert_eq!(fake.calls("cuDevicePrimaryCtxRetain").len(), fake.calls("cuDevicePrimaryCtxRelease_v2").len());
}
