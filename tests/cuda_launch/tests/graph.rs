//! Graphs: calls that are noted, launched together, and given other arrays.

use lanecraft::cuda::{Device, DeviceArray, Error, Graph, call, call_block};
use lanecraft_cuda_launch::{Fake, kernels};

#[test]
fn calls_are_replayed_with_other_arrays() {
    let fake = Fake::start("graph");
    {
        let device = Device::open(0).unwrap();
        let stream = device.stream().unwrap();
        let x = DeviceArray::upload(&stream, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).unwrap();
        let (mut y, mut z) = (DeviceArray::<f32>::zeros(&stream, &[2, 3]).unwrap(), DeviceArray::<f32>::zeros(&stream, &[2, 3]).unwrap());
        let mut graph = Graph::capture(&stream, || {
            call::<kernels::axpy>(&stream).input(2.0_f32).input(&x).input(1.0_f32).output(&mut y).run()?;
            call_block::<kernels::shares>(&stream).input(&y).output(&mut z).run()
        })
        .unwrap();
        assert_eq!(graph.len(), 2);
        assert_eq!(z.download(&stream).unwrap(), [0.0; 6], "a captured call does not run");
        assert_eq!(fake.calls("cuLaunchKernel"), [""; 0]);

        // On another stream.
        let other = device.stream().unwrap();
        graph.launch(&other).unwrap();
        assert_eq!(fake.calls("cuGraphLaunch"), [format!("{:#x}) on 0", other.handle())]);
        let shares = |x: &[f32]| {
            let y: Vec<f32> = x.iter().map(|x| 2.0 * x + 1.0).collect();
            let mut z = vec![0.0; y.len()];
            y.chunks(3).zip(z.chunks_mut(3)).for_each(|(y, z)| kernels::shares::run(y, z).unwrap());
            z
        };
        assert_eq!(z.download(&other).unwrap(), shares(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));

        let new = [0.5_f32, 0.25, 8.0, -1.0, 7.0, 3.0];
        let x2 = DeviceArray::upload(&stream, &new, &[2, 3]).unwrap();
        let z2 = DeviceArray::<f32>::zeros(&stream, &[2, 3]).unwrap();
        graph.replace(&x, &x2).unwrap();
        graph.replace(&z, &z2).unwrap();
        graph.launch(&stream).unwrap();
        assert_eq!(fake.calls("cuGraphExecKernelNodeSetParams_v2").len(), 2, "each call whose arrays are others, once");
        assert_eq!(z2.download(&stream).unwrap(), shares(&new));
        graph.launch(&stream).unwrap();
        assert_eq!(fake.calls("cuGraphExecKernelNodeSetParams_v2").len(), 2);
        // The arrays live as long as the graph uses them.
        drop((x2, z2));
        graph.launch(&stream).unwrap();
        stream.synchronize().unwrap();
    }
    assert_eq!(fake.live(), "");
}

#[test]
fn faults_come_with_synchronization() {
    let _fake = Fake::start("graph_faults");
    let stream = Device::open(0).unwrap().stream().unwrap();
    let k = DeviceArray::upload(&stream, &[3, 4], &[2]).unwrap();
    let good = DeviceArray::upload(&stream, &[0, 2], &[2]).unwrap();
    let mut out = DeviceArray::<f32>::zeros(&stream, &[2]).unwrap();
    let mut graph = Graph::capture(&stream, || call::<kernels::power>(&stream).input(&k).output(&mut out).run()).unwrap();
    graph.launch(&stream).unwrap();
    assert_eq!(stream.synchronize().unwrap_err().to_string(), "power: index out of range at [1] of shape [2]");
    graph.replace(&k, &good).unwrap();
    graph.launch(&stream).unwrap();
    assert_eq!(out.download(&stream).unwrap(), [1.0, 100.0]);
}

#[test]
fn misuse_is_told() {
    let _fake = Fake::start("graph_misuse");
    let (device, elsewhere) = (Device::open(0).unwrap(), Device::open(1).unwrap().stream().unwrap());
    let stream = device.stream().unwrap();
    let x = DeviceArray::upload(&stream, &[1.0_f32; 8], &[8]).unwrap();
    let mut y = DeviceArray::<f32>::zeros(&stream, &[8]).unwrap();
    let mut during = Vec::new();
    let mut graph = Graph::capture(&stream, || {
        let mut refused = |error: Option<Error>| during.push(error.unwrap().to_string());
        refused(DeviceArray::<f32>::zeros(&stream, &[8]).err());
        refused(x.download(&stream).err());
        refused(stream.synchronize().err());
        refused(Graph::begin(&stream).err());
        call::<kernels::next>(&stream).input(&x).output(&mut y).run()
    })
    .unwrap();
    let rest = "while a graph is captured; do it before the capture, or after it";
    let what = [
        "an array cannot be allocated",
        "an array cannot be copied to the host",
        "a stream cannot be waited for",
        "a graph cannot be captured",
    ];
    assert_eq!(during, what.map(|what| format!("{what} {rest}")));

    let short = DeviceArray::<f32>::zeros(&stream, &[4]).unwrap();
    assert_eq!(
        graph.replace(&x, &short).unwrap_err().to_string(),
        "the new array is f32 of shape [4] and steps [4]; accepted is one like the old one, f32 of shape [8] and steps [4]"
    );
    let stranger = DeviceArray::<f32>::zeros(&stream, &[8]).unwrap();
    let text = graph.replace(&stranger, &x).unwrap_err().to_string();
    assert_eq!(text, format!("no call of the graph has the array at {:#x} of f32 and shape [8]", stranger.address()));
    assert_eq!(
        graph.launch(&elsewhere).unwrap_err().to_string(),
        "the stream is on device 1; accepted is one on device 0, that of the graph"
    );
    assert_eq!(Graph::end(&stream).unwrap_err().to_string(), "no graph is being captured on this stream");

    // An error ends the capture.
    let error = Graph::capture(&stream, || call::<kernels::next>(&stream).input(&x).output(&mut y).block(0).run()).unwrap_err();
    assert!(error.to_string().starts_with("next: `block` came as 0"), "{error}");
    assert!(!stream.is_capturing());
    graph.launch(&stream).unwrap();
    assert_eq!(y.download(&stream).unwrap(), [2.0; 8]);
}
