//! A network's forward pass over a batch.

use std::ops::Range;
use std::sync::Arc;

use chess::{MoveIndex, Planes};
use network::{Architecture, Outputs};
use tch::{Device, Kind, Tensor, no_grad};

use crate::layers::{Constants, Pass};
use crate::options::{Options, TorchError};
use crate::weights::{Tracking, Weights, copy_out};

/// A network without its parameters, of which a trainer has two sets.
pub(crate) struct Model {
    architecture: Arc<Architecture>,
    constants: Constants,
    device: Device,
    kind: Kind,
    micro_batch: usize,
}

/// Outputs on the device, from which autograd can go back where the weights are tracked.
pub(crate) struct Logits {
    policy: Tensor,
    value: Tensor,
    moves_left: Option<Tensor>,
}

impl Model {
    pub(crate) fn new(
        architecture: Arc<Architecture>,
        options: &Options,
    ) -> Result<Self, TorchError> {
        let device = options.device()?;
        let constants = Constants::new(&architecture, device);
        let (kind, micro_batch) = (options.kind(), options.micro_batch.get());
        Ok(Self { architecture, constants, device, kind, micro_batch })
    }

    pub(crate) fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    pub(crate) fn device(&self) -> Device {
        self.device
    }

    /// Parameters of this network on its device.
    pub(crate) fn weights(&self, values: &[f32], tracking: Tracking) -> Weights {
        Weights::new(&self.architecture.layout, values, self.device, tracking)
    }

    /// Parts of a batch of `positions`.
    pub(crate) fn micro_batches(&self, positions: usize) -> impl Iterator<Item = Range<usize>> {
        let size = self.micro_batch;
        (0..positions).step_by(size).map(move |start| start..positions.min(start + size))
    }

    /// Whether a batch of `positions` is one micro-batch.
    pub(crate) fn is_micro_batch(&self, positions: usize) -> bool {
        positions <= self.micro_batch
    }

    /// Zeros of the shape of this network's outputs.
    pub(crate) fn outputs(&self, positions: usize) -> Outputs {
        let moves_left = self.architecture.moves_left.is_some();
        Outputs::zeros(positions, self.architecture.value.kind, moves_left)
    }

    /// One micro-batch through all layers.
    pub(crate) fn logits(&self, weights: &Weights, planes: &[Planes]) -> Logits {
        let architecture = &*self.architecture;
        let layout = &architecture.layout;
        let pass = Pass { layout, weights, constants: &self.constants, kind: self.kind };
        let features = pass.body(&architecture.body, &self.constants.squares(planes));
        Logits {
            policy: pass.policy(&architecture.policy, &features),
            value: pass.board_head(&architecture.value.layers, &features),
            moves_left: architecture
                .moves_left
                .as_ref()
                .map(|head| pass.board_head(&head.layers, &features)),
        }
    }

    /// Outputs of each position.
    pub(crate) fn evaluate(&self, weights: &Weights, planes: &[Planes]) -> Outputs {
        let mut outputs = self.outputs(planes.len());
        for positions in self.micro_batches(planes.len()) {
            let logits = no_grad(|| self.logits(weights, &planes[positions.clone()]));
            logits.copy_out(&mut outputs, positions);
        }
        outputs
    }
}

impl Logits {
    /// Writes the outputs of one micro-batch to its places.
    pub(crate) fn copy_out(&self, outputs: &mut Outputs, positions: Range<usize>) {
        copy_out(&self.policy, rows(&mut outputs.policy, MoveIndex::COUNT, &positions));
        copy_out(&self.value, rows(&mut outputs.value, outputs.value_kind.width(), &positions));
        if let Some(moves_left) = &self.moves_left {
            copy_out(moves_left, rows(&mut outputs.moves_left, 1, &positions));
        }
    }

    /// The sum of all outputs, each times its gradient: a number whose gradient with respect to
    /// the outputs is the gradient given.
    pub(crate) fn product(&self, gradients: &Outputs, positions: &Range<usize>) -> Tensor {
        let part = |logits: &Tensor, gradients: &[f32], width: usize| {
            let gradients = &gradients[positions.start * width..positions.end * width];
            let gradients = Tensor::from_slice(gradients).to_device(logits.device());
            (logits * gradients.view_as(logits)).sum(Kind::Float)
        };
        let mut product = part(&self.policy, &gradients.policy, MoveIndex::COUNT)
            + part(&self.value, &gradients.value, gradients.value_kind.width());
        if let Some(moves_left) = &self.moves_left
            && !gradients.moves_left.is_empty()
        {
            product += part(moves_left, &gradients.moves_left, 1);
        }
        product
    }
}

fn rows<'a>(values: &'a mut [f32], width: usize, positions: &Range<usize>) -> &'a mut [f32] {
    &mut values[positions.start * width..positions.end * width]
}
