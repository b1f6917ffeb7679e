//! Slow, obvious forward passes of every network structure, for tests.
//!
//! Straight from LC0_FORMAT sections 3 to 6, in plain loops over `f64`, one position at a time.
//! An engine must agree with [`forward`], and its gradients with finite differences taken through
//! it: parameters are an argument, so that any one of them can be moved by a little.
//!
//! [`forward_traced`] also shows every intermediate tensor, by which a disagreement is tracked
//! down to its layer.

mod activation;
mod attention;
mod board;
mod convolution;
mod embedding;
mod forward;
mod heads;
mod layers;
mod move_slot;
mod trace;

pub use forward::{Outputs, forward, forward_traced};
