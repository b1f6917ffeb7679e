//! `z = activation(x + squeeze_excitation(conv2(conv1(x))))`.

use super::convolution::{Convolution, ConvolutionTape};
use super::dense::elementwise;
use super::squeeze_excitation::{SqueezeExcitation, SqueezeExcitationTape};
use super::{Gradient, Pass, Source};
use crate::kernels::{Activation, activate, activate_backward, add_assign};
use crate::pool::Buffer;

pub(crate) struct ResidualBlock {
    conv1: Convolution,
    conv2: Convolution,
    squeeze_excitation: Option<SqueezeExcitation>,
    activation: Activation,
}

pub(crate) struct ResidualBlockTape {
    x: Buffer,
    conv1: ConvolutionTape,
    hidden: Buffer,
    conv2: ConvolutionTape,
    /// Output of `conv2` and what the squeeze-excitation keeps.
    squeeze_excitation: Option<(Buffer, SqueezeExcitationTape)>,
    pre_activation: Option<Buffer>,
}

impl ResidualBlock {
    pub(crate) fn new(block: &network::ResidualBlock, source: Source<'_>) -> Self {
        let squeeze_excitation = block.squeeze_excitation.as_ref();
        Self {
            conv1: Convolution::new(&block.conv1, source),
            conv2: Convolution::new(&block.conv2, source),
            squeeze_excitation: squeeze_excitation
                .map(|layer| SqueezeExcitation::new(layer, source)),
            activation: elementwise(block.activation)
                .expect("a tower's activation is ReLU or mish"),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.conv1.refresh(source);
        self.conv2.refresh(source);
        if let Some(layer) = &mut self.squeeze_excitation {
            layer.refresh(source);
        }
    }

    pub(crate) fn forward(&self, pass: Pass<'_>, x: Buffer) -> (Buffer, ResidualBlockTape) {
        let (hidden, conv1) = self.conv1.forward(pass, &x);
        let (mut y, conv2) = self.conv2.forward(pass, &hidden);
        let (mut z, squeeze_excitation) = match &self.squeeze_excitation {
            Some(layer) => {
                let (z, tape) = layer.forward_residual(pass, &y, &x);
                (z, Some((y, tape)))
            }
            None => {
                add_assign(pass.set, &mut y, &x);
                (y, None)
            }
        };
        let pre_activation = pass.keep.then(|| pass.pool.copy(&z));
        activate(pass.set, self.activation, &mut z);
        (z, ResidualBlockTape { x, conv1, hidden, conv2, squeeze_excitation, pre_activation })
    }

    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: ResidualBlockTape,
        mut dz: Buffer,
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let Some(pre_activation) = &tape.pre_activation else {
            unreachable!("a backward pass follows a forward pass that keeps")
        };
        activate_backward(pass.set, self.activation, pre_activation, &mut dz);
        let mut dy = match (&self.squeeze_excitation, &tape.squeeze_excitation) {
            (Some(layer), Some((y, kept))) => layer.backward(pass, y, kept, &dz, gradient),
            _ => pass.pool.copy(&dz),
        };
        let mut dhidden = self.conv2.backward(pass, &tape.hidden, &tape.conv2, &mut dy, gradient);
        let mut dx = self.conv1.backward(pass, &tape.x, &tape.conv1, &mut dhidden, gradient);
        add_assign(pass.set, &mut dx, &dz);
        dx
    }
}
