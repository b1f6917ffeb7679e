//! The computations that the networks' layers consist of, forward and backward.
//!
//! All take row-major `f32` slices whose rows are tokens (squares, or positions), and the
//! [`InstructionSet`] to run on. None allocates, but for packing; products keep up to 0.7 MB for each
//! thread.
//!
//! # The same bits everywhere
//!
//! Every result is one fixed sequence of rounded operations. An element of a product is a single
//! chain of fused multiply-adds over the inner dimension in ascending order; a sum over a row runs
//! in sixteen interleaved chains that are then added in one order. Neither depends on the number
//! of rows handed in together, on the size of tiles, or on the instruction set, so a position's
//! outputs have the same bits in any batch, on any number of threads and on any processor.
//!
//! Convolutions of 3 x 3 squares go through [`winograd`]: such products of transformed tiles. That
//! is another sequence of operations than the definition's, with errors up to twice as large, but as
//! fixed a one.
//!
//! # bfloat16
//!
//! With [`Precision::Bfloat16`] the operands of products are rounded to bfloat16 (to nearest, ties
//! to even, subnormal numbers to zero) and their products are added up in `f32`. What adds them up
//! decides the order: of each 32, AMX sums the products with even and with odd indices and then
//! both; AVX512-BF16 goes pair by pair; and where the processor has neither, or only the latter and
//! is Intel's, on which products of `f32` take less time, the `f32` kernels compute with rounded
//! operands, in one chain. The results differ by the rounding of these sums, which is small beside
//! that of the operands. Each of the three by itself gives a position the same bits in any batch and
//! on any number of threads; the last one on any processor.
//!
//! For the networks that the tests read, rounding moves a legal move's probability by up to 0.024,
//! an outcome's by up to 0.022 and logits by up to 3 % of the largest one. Gradients of a tensor
//! move by up to 4 % of their norm in attention bodies and 20 % in residual towers, whose ReLUs
//! switch (`tests/deviation.rs`).
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
mod squeeze_excitation;
#[cfg(test)]
mod testing;
mod tile;
mod weight_gradient;
mod winograd;

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
pub use squeeze_excitation::{board_means, excite};
pub use weight_gradient::{Start, matmul_transposed_left};
pub use winograd::{Tiling, WinogradWeights, winograd, winograd_scratch};
