//! The computations that the networks' layers consist of, forward and backward.
//!
//! All take row-major `f32` slices whose rows are tokens (squares, or positions), and the
//! [`InstructionSet`] to run on. None allocates.
//!
//! # The same bits everywhere
//!
//! Every result is one fixed sequence of rounded operations. An element of a product is a single
//! chain of fused multiply-adds over the inner dimension in ascending order; a sum over a row runs
//! in sixteen interleaved chains that are then added in one order. Neither depends on the number
//! of rows handed in together, on the size of tiles, or on the instruction set, so a position's
//! outputs have the same bits in any batch, on any number of threads and on any processor.
//!
//! # Not a number
//!
//! NaN in an input comes out as NaN and is never lost in a maximum or a clamp.

mod activation;
mod adamw;
mod attention;
mod convolution;
mod elementwise;
mod layer_norm;
mod matmul;
mod matrix;
mod packed;
mod softmax;
#[cfg(test)]
mod testing;
mod tile;
mod weight_gradient;

pub use crate::simd::InstructionSet;
pub use activation::{Activation, activate, activate_backward};
pub use adamw::{AdamWState, BiasCorrection, adamw};
pub use attention::{HeadLayout, ScoreBias, TOKENS, attention, attention_backward};
pub use convolution::{col2im, im2col};
pub use elementwise::{
    add_assign, column_sums, first_non_finite, gate, gate_backward, move_average, multiply_assign,
    scale_add,
};
pub use layer_norm::{
    LayerNormGradients, LayerNormSaved, LayerNormWeights, layer_norm, layer_norm_backward,
};
pub use matmul::{Add, Epilogue, Save, matmul};
pub use matrix::{MatrixMut, MatrixRef};
pub use packed::PackedMatrix;
pub use softmax::{softmax, softmax_backward};
pub use weight_gradient::matmul_transposed_left;
