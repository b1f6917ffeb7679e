//! The layers, each with its forward and its backward pass side by side.
//!
//! Conventions: `x` is a layer's input, `y` its output, and `dx`, `dy` are the gradients of the
//! loss with respect to them. Activations are row-major, one row per square of each position of a
//! chunk (`rows = 64 * positions`), or one row per position where said so. A forward pass returns
//! a *tape*: what the backward pass needs beside `dy`. An inference drops it at once.

mod attention;
mod attention_policy;
mod board_head;
mod body;
mod convolution;
mod dense;
mod embedding;
mod encoder;
mod feed_forward;
mod gradient;
mod layer_norm;
mod policy_head;
mod projection;
mod residual_block;
mod smolgen;
mod squeeze_excitation;
#[cfg(test)]
mod stages;

pub(crate) use board_head::{BoardHead, BoardHeadTape};
pub(crate) use body::{Body, BodyTape};
pub(crate) use gradient::Gradient;
pub(crate) use policy_head::{PolicyHead, PolicyHeadTape};

use chess::Planes;
use network::{Layout, SQUARES};

use crate::kernels::{Arithmetic, InstructionSet};
use crate::pool::{Buffer, Pool};

/// What a pass over one chunk needs beside the layers.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    /// What the kernels may use.
    pub(crate) set: InstructionSet,
    /// How products with parameters are computed.
    pub(crate) arithmetic: Arithmetic,
    /// Where activations are taken from.
    pub(crate) pool: &'a Pool,
    /// Whether a backward pass follows, which needs pre-activations.
    pub(crate) keep: bool,
}

/// Whether layers hold what the backward pass needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Inference,
    Training,
}

/// Parameters that layers are built from, or refreshed from after an update.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) parameters: &'a [f32],
    pub(crate) purpose: Purpose,
    pub(crate) arithmetic: Arithmetic,
}

impl<'a> Source<'a> {
    pub(crate) fn tensor(&self, id: network::TensorId) -> &'a [f32] {
        self.layout.slice(self.parameters, id)
    }

    /// What packing may use.
    pub(crate) fn set(&self) -> InstructionSet {
        self.arithmetic.instruction_set()
    }
}

/// Positions in a square-major activation of `width` features.
pub(crate) fn positions(activation: &[f32], width: usize) -> usize {
    debug_assert_eq!(activation.len() % (SQUARES * width), 0);
    activation.len() / (SQUARES * width)
}

/// Writes the planes of one position into the first columns of a zeroed board, `[64][width]`.
fn write_planes(planes: &Planes, board: &mut [f32], width: usize) {
    for (plane, (&mask, &value)) in planes.masks.iter().zip(&planes.values).enumerate() {
        let mut squares = mask;
        while squares != 0 {
            board[squares.trailing_zeros() as usize * width + plane] = value;
            squares &= squares - 1;
        }
    }
}

/// `factor * values`.
fn scaled(pass: Pass<'_>, values: &[f32], factor: f32) -> Buffer {
    let mut scaled = pass.pool.take(values.len());
    scaled.iter_mut().zip(values).for_each(|(scaled, value)| *scaled = factor * value);
    scaled
}
