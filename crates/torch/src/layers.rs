//! The layers, forward only.
//!
//! Activations are `[positions][64 squares][features]`, or `[positions][features]` where said so.

mod board_head;
mod dense;
mod embedding;
mod encoder;
mod policy;
mod tower;

use chess::{MoveIndex, Planes};
use network::{
    Architecture, Body, INPUT_CHANNELS, Layout, PolicyHead, SQUARES, TensorId, position_map,
};
use tch::{Device, Kind, Tensor};

use crate::weights::Weights;

/// [`SQUARES`] as libtorch counts.
const BOARD: i64 = SQUARES as i64;

/// [`INPUT_CHANNELS`] as libtorch counts.
const CHANNELS: i64 = INPUT_CHANNELS as i64;

/// What a forward pass computes with.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) weights: &'a Weights,
    pub(crate) constants: &'a Constants,
    /// Of the operands of products.
    pub(crate) kind: Kind,
}

impl<'a> Pass<'a> {
    /// A tensor as it is stored.
    fn tensor(&self, id: TensorId) -> &'a Tensor {
        self.weights.tensor(self.layout, id)
    }

    /// A tensor as the operand of a product.
    fn operand(&self, id: TensorId) -> Tensor {
        self.tensor(id).to_kind(self.kind)
    }

    /// The same pass with products of 32-bit floats.
    fn single_precision(self) -> Self {
        Self { kind: Kind::Float, ..self }
    }

    /// From the planes of each square to the features that the heads receive.
    pub(crate) fn body(&self, body: &Body, squares: &Tensor) -> Tensor {
        match body {
            Body::Attention(body) => {
                let mut h = self.embedding(&body.embedding, squares);
                for encoder in &body.encoders {
                    h = self.encoder(encoder, &h);
                }
                h
            }
            Body::Residual(tower) => {
                let mut h = self.convolution(&tower.input, squares);
                for block in &tower.blocks {
                    h = self.residual_block(block, &h);
                }
                h
            }
        }
    }
}

/// Tensors that do not depend on the parameters.
pub(crate) struct Constants {
    /// 0 to 63, `[64][1]`.
    square_indices: Tensor,
    /// `[64][64]`, see [`position_map`].
    position_map: Tensor,
    /// Where each of the 1858 moves stands in the output of an attention or convolution policy;
    /// empty for a dense one.
    move_slots: Tensor,
    device: Device,
}

impl Constants {
    pub(crate) fn new(architecture: &Architecture, device: Device) -> Self {
        let slots: Vec<i64> = match architecture.policy {
            PolicyHead::Attention(_) => slots(MoveIndex::attention_slot),
            PolicyHead::Convolution(_) => slots(MoveIndex::convolution_slot),
            PolicyHead::Dense(_) => Vec::new(),
        };
        let map = Tensor::from_slice(position_map().as_flattened());
        Self {
            square_indices: Tensor::arange(BOARD, (Kind::Int64, device)).view([BOARD, 1]),
            position_map: map.view([BOARD, BOARD]).to_device(device),
            move_slots: Tensor::from_slice(&slots).to_device(device),
            device,
        }
    }

    /// The planes of each square, `[positions][64][112]`. Their masks go to the device, which is
    /// a twentieth of their numbers.
    pub(crate) fn squares(&self, planes: &[Planes]) -> Tensor {
        // The sign bit is the last square's.
        let masks: Vec<i64> =
            planes.iter().flat_map(|planes| planes.masks.map(u64::cast_signed)).collect();
        let values: Vec<f32> = planes.iter().flat_map(|planes| planes.values).collect();
        let masks = Tensor::from_slice(&masks).to_device(self.device).view([-1, 1, CHANNELS]);
        let values = Tensor::from_slice(&values).to_device(self.device).view([-1, 1, CHANNELS]);
        masks.bitwise_right_shift(&self.square_indices).bitwise_and(1).to_kind(Kind::Float) * values
    }
}

fn slots(slot: fn(MoveIndex) -> usize) -> Vec<i64> {
    MoveIndex::all().map(|index| slot(index) as i64).collect()
}
