//! The CPU engine: explicit forward and backward passes of the layers that Lc0's networks have.
//!
//! [`NativeEngine`] evaluates a network; [`NativeTrainer`] also trains it. Work goes in chunks of
//! a few positions, spread over the threads of the current rayon pool; see the
//! [`kernels`] for why results have the same bits whatever the batch, the threads and the
//! processor, and for what a [`Precision`] other than `f32` changes of that.

mod engine;
mod huge_pages;
pub mod kernels;
mod layers;
mod model;
mod pool;
mod simd;
mod trainer;

pub use engine::NativeEngine;
pub use kernels::Precision;
pub use trainer::NativeTrainer;
