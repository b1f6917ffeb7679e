//! The CPU engine: explicit forward and backward passes of the networks' layers.
//!
//! [`kernels`] holds the computations that the layers consist of, each over plain `f32` slices.

pub mod kernels;
mod simd;
