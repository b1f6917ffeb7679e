//! The libtorch engine: the networks of `network` through PyTorch's kernels, on a CUDA GPU or on
//! a CPU, where it checks the `native` engine independently.
//!
//! `TorchEngine` evaluates a network; `TorchTrainer` also trains it. Layers are written forward
//! only: autograd differentiates the outputs' product with the gradient that is given for them.
//! Batches go through the layers in micro-batches, see `Options::micro_batch`.
//!
//! # Building
//!
//! Without the feature `libtorch` this crate is empty. With it, it is compiled against the PyTorch
//! of the `python3` in the path, whose release must be the one that `tch` is made for (2.11):
//!
//! ```text
//! pip install torch==2.11.0
//! LIBTORCH_USE_PYTORCH=1 cargo build -p torch --features libtorch
//! ```
//!
//! The build downloads no libtorch. Programs that use this crate must pass the flags on that its
//! build script hands to theirs (`DEP_LIBTORCH_ARGUMENTS`), or the linker leaves CUDA out.
//!
//! # Bits
//!
//! `native` promises the same bits for a position whatever else is in the batch, and for any
//! number of threads. The libraries below libtorch choose their kernels by the sizes of matrices
//! and do not promise it: here a batch gives the same bits each time that it is evaluated or
//! trained on, by the same device, number of threads and micro-batch size; a position in another
//! batch may differ in the last digits.

#[cfg(feature = "libtorch")]
mod adamw;
#[cfg(feature = "libtorch")]
mod engine;
#[cfg(feature = "libtorch")]
mod layers;
#[cfg(feature = "libtorch")]
mod model;
#[cfg(feature = "libtorch")]
mod options;
#[cfg(feature = "libtorch")]
mod trainer;
#[cfg(feature = "libtorch")]
mod weights;

#[cfg(feature = "libtorch")]
pub use engine::TorchEngine;
#[cfg(feature = "libtorch")]
pub use options::{Device, Options, Precision, TorchError, set_threads};
#[cfg(feature = "libtorch")]
pub use trainer::TorchTrainer;
