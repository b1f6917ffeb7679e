//! `z = activation(x + squeeze_excitation(conv2(conv1(x))))`.

use super::convolution::{Convolution, ConvolutionTape};
use super::dense::elementwise;
use super::squeeze_excitation::{SqueezeExcitation, SqueezeExcitationTape};
use super::{Gradient, Pass, Source};
use crate::kernels::{Activation, add_assign};
use crate::pool::Buffer;

pub(crate) struct ResidualBlock {
    conv1: Convolution,
    /// Without a squeeze-excitation this adds `x` and applies the activation too.
    conv2: Convolution,
    squeeze_excitation: Option<SqueezeExcitation>,
}

pub(crate) struct ResidualBlockTape {
    x: Buffer,
    conv1: ConvolutionTape,
    hidden: Buffer,
    conv2: ConvolutionTape,
    /// Output of `conv2` and what the squeeze-excitation keeps.
    squeeze_excitation: Option<(Buffer, SqueezeExcitationTape)>,
}

impl ResidualBlock {
    pub(crate) fn new(block: &network::ResidualBlock, source: Source<'_>) -> Self {
        let activation =
            elementwise(block.activation).expect("a tower's activation is ReLU or mish");
        let squeeze_excitation = block.squeeze_excitation.as_ref();
        let of_conv2 = squeeze_excitation.map_or(activation, |_| Activation::Identity);
        Self {
            conv1: Convolution::new(&block.conv1, source),
            conv2: Convolution::with_activation(&block.conv2, of_conv2, source),
            squeeze_excitation: squeeze_excitation
                .map(|layer| SqueezeExcitation::new(layer, activation, source)),
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
        let (hidden, conv1) = self.conv1.forward(pass, &x, None);
        let residual = self.squeeze_excitation.is_none().then_some(&x[..]);
        let (y, conv2) = self.conv2.forward(pass, &hidden, residual);
        let (z, squeeze_excitation) = match &self.squeeze_excitation {
            Some(layer) => {
                let (z, tape) = layer.forward_residual(pass, &y, &x);
                (z, Some((y, tape)))
            }
            None => (y, None),
        };
        (z, ResidualBlockTape { x, conv1, hidden, conv2, squeeze_excitation })
    }

    /// From `dz` to `dx`. `dz` becomes the gradient of the sum, and so that of the residual `x`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: ResidualBlockTape,
        mut dz: Buffer,
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let mut dhidden = match (&self.squeeze_excitation, &tape.squeeze_excitation) {
            (Some(layer), Some((y, kept))) => {
                let mut dy = layer.backward(pass, y, kept, &mut dz, gradient);
                self.conv2.backward(pass, &tape.hidden, &tape.conv2, &mut dy, gradient)
            }
            _ => self.conv2.backward(pass, &tape.hidden, &tape.conv2, &mut dz, gradient),
        };
        let mut dx = self.conv1.backward(pass, &tape.x, &tape.conv1, &mut dhidden, gradient);
        add_assign(pass.set, &mut dx, &dz);
        dx
    }
}
