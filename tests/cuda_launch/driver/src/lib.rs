//! A stand-in for NVIDIA's driver and for NVRTC, for tests without a GPU.
//!
//! It has the driver's entry points that Lanecraft calls. Memory of the device is the host's, and kernels run, at once: its NVRTC compiles a text with
//! the host's C++ compiler behind host.h, and its PTX names the library that came out. Each call is noted, with what it was given; each can be made to fail
//! once; everything that is created is counted until it is destroyed.
//!
//! Beyond the driver's functions there are `fake_*`, by which tests control it.

#![allow(non_snake_case, clippy::missing_safety_doc, reason = "the driver's names, and its contracts")]

mod control;
mod driver;
mod graph;
mod nvrtc;
mod state;
