//! The computations that the networks' layers consist of, forward and backward.
//!
//! All take row-major `f32` slices whose rows are tokens (squares, or positions), and the
//! [`InstructionSet`] to run on. None allocates; the products keep up to 160 kB on the stack.
//!
//! # The same bits everywhere
//!
//! Every result is one fixed sequence of rounded operations. An element of a product is a single
//! chain of fused multiply-adds over the inner dimension in ascending order; a sum over a row runs
//! in sixteen interleaved chains that are then added in one order. Neither depends on the number
//! of rows handed in together, on the size of tiles, or on the instruction set, so a position's
//! outputs have the same bits in any batch, on any number of threads and on any processor.
//!
//! # bfloat16
//!
//! With [`Precision::Bfloat16`] the operands of products are rounded to bfloat16 (to nearest, ties
//! to even, subnormal numbers to zero) and their products are added up in `f32`. AMX adds up the
//! products with odd and with even indices of 32 at a time, AVX512-BF16 pair by pair, and the
//! `f32` kernels, which compute with rounded operands where the processor has neither, in one
//! chain: the same up to rounding of the sums, but not the same bits. Each by itself still gives a
//! position the same bits in any batch and on any number of threads, and the `f32` kernels on any
//! processor.
//!
//! # Not a number
//!
//! NaN in an input comes out as NaN and is never lost in a maximum or a clamp.

mod activation;
mod adamw;
mod arithmetic;
mod attention;
mod bfloat16;
mod convolution;
mod elementwise;
mod epilogue;
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
pub use arithmetic::{Arithmetic, Precision};
pub use attention::{HeadLayout, ScoreBias, TOKENS, attention, attention_backward};
pub use convolution::{col2im, im2col};
pub use elementwise::{
    add_assign, column_sums, first_non_finite, gate, gate_backward, move_average, multiply_assign,
    scale_add,
};
pub use epilogue::{Add, Epilogue, Save};
pub use layer_norm::{
    LayerNormGradients, LayerNormSaved, LayerNormWeights, layer_norm, layer_norm_backward,
};
pub use matmul::matmul;
pub use matrix::{MatrixMut, MatrixRef};
pub use packed::PackedMatrix;
pub use softmax::{softmax, softmax_backward};
pub use weight_gradient::matmul_transposed_left;
