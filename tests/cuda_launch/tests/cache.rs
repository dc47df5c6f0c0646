//! Where PTX comes from: a wheel's folder, the cache, NVRTC.

use lanecraft::cuda::run::cache::{pack, use_packed};
use lanecraft::cuda::run::nvrtc::Nvrtc;
use lanecraft::cuda::{CudaKernel, Device, DeviceArray, Error, call, source};
use lanecraft_cuda_launch::{Fake, fake, kernels};
use std::path::PathBuf;

/// Calls a kernel on a fresh device, as a new process would.
fn run<K: CudaKernel>(x: f32) -> Result<f32, Error> {
    let stream = Device::open(0)?.stream()?;
    let input = DeviceArray::upload(&stream, &[x], &[1])?;
    let mut out = DeviceArray::<f32>::zeros(&stream, &[1])?;
    call::<K>(&stream).input(&input).output(&mut out).run()?;
    Ok(out.download(&stream)?[0])
}

/// The files in the cache.
fn files(fake: &Fake) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(fake.cache().join("ptx")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_text_is_compiled_once() {
    let fake = Fake::start("once");
    assert_eq!(run::<kernels::next>(1.0), Ok(2.0));
    assert_eq!(fake.calls("nvrtcCompileProgram"), ["--std=c++17 --fmad=false --disable-warnings --gpu-architecture=compute_90) on -"]);
    assert_eq!(files(&fake).len(), 1, "whole files alone: {:?}", files(&fake));
    fake.reset();
    assert_eq!(run::<kernels::next>(5.0), Ok(6.0));
    assert_eq!(fake.calls("nvrtcCompileProgram"), [""; 0]);
    assert_eq!(fake.calls("cuModuleLoadDataEx").len(), 1);
    assert_eq!(fake.live(), "");
}

#[test]
fn an_edited_kernel_gives_the_new_result() {
    let fake = Fake::start("edited");
    assert_eq!(run::<kernels::before::edited>(1.0), Ok(2.0));
    // The same name, the same entries, a warm cache.
    assert_eq!(run::<kernels::after::edited>(1.0), Ok(3.0));
    assert_eq!(run::<kernels::before::edited>(1.0), Ok(2.0));
    assert_eq!(files(&fake).len(), 2);
}

#[test]
fn corrupted_files_are_made_again() {
    let fake = Fake::start("corrupted");
    assert_eq!(run::<kernels::next>(1.0), Ok(2.0));
    let [file] = &files(&fake)[..] else { panic!("one file") };
    let whole = std::fs::read(file).unwrap();
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for broken in [&whole[..whole.len() / 2], &[], &flipped[..], b"\xff\xfe\x00"] {
        std::fs::write(file, broken).unwrap();
        fake.reset();
        assert_eq!(run::<kernels::next>(1.0), Ok(2.0));
        assert_eq!(fake.calls("nvrtcCompileProgram").len(), 1);
        assert_eq!(std::fs::read(file).unwrap(), whole);
    }
}

#[test]
fn several_at_once() {
    let fake = Fake::start("at_once");
    let values: Vec<f32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|k| scope.spawn(move || run::<kernels::next>(k as f32).unwrap())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(files(&fake).len(), 1, "nothing is left behind: {:?}", files(&fake));
}

/// The environment variable that makes [`a_process_of_several`] one: the folder of all.
const SHARED: &str = "LANECRAFT_TEST_SHARED_CACHE";

/// This program several times at once, on one cache that is empty before; every second process spoils the files meanwhile.
#[test]
fn several_processes_at_once() {
    let fake = Fake::start("processes");
    let own = std::env::current_exe().unwrap();
    let start = |k: usize| {
        let mut process = std::process::Command::new(&own);
        process.args(["--exact", "a_process_of_several", "--nocapture"]).env(SHARED, fake.cache()).env("SPOILS", (k % 2).to_string());
        process.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let processes: Vec<_> = (0..6).map(start).collect();
    for process in processes {
        let ended = process.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success() && said.contains("all right: 24"), "{said}{}", String::from_utf8_lossy(&ended.stderr));
    }
    // What is left are whole files, or such as are made again: no other ones, and none that gives a wrong result.
    assert_eq!(files(&fake).len(), 3, "{:?}", files(&fake));
    assert_eq!(run::<kernels::next>(1.0), Ok(2.0));
    assert_eq!(run::<kernels::before::edited>(1.0), Ok(2.0));
    assert_eq!(run::<kernels::after::edited>(1.0), Ok(3.0));
    fake.reset();
    assert_eq!(run::<kernels::next>(1.0), Ok(2.0));
    assert_eq!(fake.calls("nvrtcCompileProgram"), [""; 0]);
}

#[test]
fn a_process_of_several() {
    let Some(shared) = std::env::var_os(SHARED) else { return };
    let _fake = Fake::start("of_several");
    // SAFETY: this process has one test.
    unsafe { std::env::set_var("LANECRAFT_CACHE", &shared) };
    let spoils = std::env::var("SPOILS").is_ok_and(|spoils| spoils == "1");
    let mut right = 0;
    for round in 0..8 {
        let x = round as f32;
        right += usize::from(run::<kernels::next>(x) == Ok(x + 1.0));
        right += usize::from(run::<kernels::before::edited>(x) == Ok(x + 1.0));
        right += usize::from(run::<kernels::after::edited>(x) == Ok(x + 2.0));
        if spoils && let Ok(folder) = std::fs::read_dir(PathBuf::from(&shared).join("ptx")) {
            for file in folder.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "ptx")) {
                let text = std::fs::read(&file).unwrap_or_default();
                // In place, as a full disk or another program would.
                let _ = std::fs::write(&file, &text[..text.len() / 2]);
            }
        }
    }
    println!("all right: {right}");
}

#[test]
fn a_cache_that_cannot_be_written_to_is_none() {
    let fake = Fake::start("unwritable");
    // A file stands where the folder should be.
    std::fs::write(fake.cache().join("ptx"), "").unwrap();
    assert_eq!(run::<kernels::next>(1.0), Ok(2.0));
    assert_eq!(run::<kernels::next>(1.0), Ok(2.0));
    assert_eq!(fake.calls("nvrtcCompileProgram").len(), 2);
}

#[test]
fn packed_ptx_needs_no_compiler() {
    let fake = Fake::start("packed");
    let source = source::<kernels::after::edited>().unwrap();
    let folder = fake.cache().join("packed");
    let nvrtc = Nvrtc::open(&fake::path()).unwrap();
    // For an older device, and for a newer one.
    for architecture in [80, 100] {
        pack(&folder, &source.text, architecture, &nvrtc.compile("edited", &source.text, 80).unwrap()).unwrap();
    }
    // SAFETY: the stand-in's tests are alone.
    unsafe { std::env::set_var("LANECRAFT_NVRTC", "/no/such/library") };
    use_packed(&folder);
    fake.reset();
    assert_eq!(run::<kernels::after::edited>(1.0), Ok(3.0));
    assert_eq!(fake.calls("nvrtcCompileProgram"), [""; 0]);
    // What is not packed needs one.
    let error = run::<kernels::before::edited>(1.0).unwrap_err();
    assert!(matches!(&error, Error::Unavailable(what) if what.starts_with("NVRTC cannot be loaded from /no/such/library: ")), "{error}");
}

#[test]
fn a_driver_that_is_too_old_is_named() {
    let fake = Fake::start("old");
    fake.version(12_020);
    let error = run::<kernels::next>(1.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "CUDA: the driver's cuModuleLoadDataEx failed with CUDA_ERROR_UNSUPPORTED_PTX_VERSION (222): the driver is older than the NVRTC that wrote \
         the PTX: install a newer driver, or an NVRTC of the driver's CUDA version"
    );
    assert_eq!(fake.live(), "");
}
