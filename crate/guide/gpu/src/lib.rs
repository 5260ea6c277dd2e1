//! The PPO Guide on the user's GPU, by burn on WebGPU.
//!
//! [`network`] is the network as tensors, on any device of burn's; [`guide`] plays episodes and maps with it; with the
//! feature `webgpu` there is a border to JavaScript, which the page loads as a WebAssembly file of its own, only when a GPU
//! is asked for. With the feature `flex` the same code runs natively on burn's CPU backend, against which it is tested.
//!
//! *Architecture Invariant:* the base library does not know this crate: a trap in here ends this instance alone.

#[cfg(all(feature = "webgpu", target_family = "wasm"))]
mod browser;
pub mod guide;
pub mod network;

pub use guide::{GpuError, GpuGuide, Pending};
