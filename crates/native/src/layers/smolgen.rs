//! Attention biases generated from the whole board (LC0_FORMAT section 5, encoder step 3).

use super::dense::{Dense, DenseTape};
use super::layer_norm::{LayerNorm, LayerNormTape};
use super::{Gradient, Pass, Source};
use crate::pool::Buffer;

pub(crate) struct Smolgen {
    compress: Dense,
    dense1: Dense,
    norm1: LayerNorm,
    dense2: Dense,
    norm2: LayerNorm,
}

pub(crate) struct SmolgenTape {
    compressed: Buffer,
    dense1: DenseTape,
    norm1: LayerNormTape,
    hidden: Buffer,
    dense2: DenseTape,
    norm2: LayerNormTape,
    codes: Buffer,
}

impl Smolgen {
    pub(crate) fn new(smolgen: &network::Smolgen, source: Source<'_>) -> Self {
        Self {
            compress: Dense::new(&smolgen.compress, source),
            dense1: Dense::new(&smolgen.dense1, source),
            norm1: LayerNorm::new(&smolgen.norm1, source),
            dense2: Dense::new(&smolgen.dense2, source),
            norm2: LayerNorm::new(&smolgen.norm2, source),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.compress.refresh(source);
        self.dense1.refresh(source);
        self.norm1.refresh(source);
        self.dense2.refresh(source);
        self.norm2.refresh(source);
    }

    /// `x: [positions][64][width]` to biases `[positions][heads][64 queries][64 keys]`, through
    /// `generate`, which all layers share.
    pub(crate) fn forward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        generate: &Dense,
    ) -> (Buffer, SmolgenTape) {
        let (compressed, _) = self.compress.forward(pass, x);
        // Square-major rows of one position are that position's flattened vector already.
        let (activated, dense1) = self.dense1.forward(pass, &compressed);
        let (hidden, norm1) = self.norm1.forward(pass, &activated);
        let (activated, dense2) = self.dense2.forward(pass, &hidden);
        let (codes, norm2) = self.norm2.forward(pass, &activated);
        // The heads' codes stand one after another, so each head is a row of its own here.
        let (biases, _) = generate.forward(pass, &codes);
        let tape = SmolgenTape { compressed, dense1, norm1, hidden, dense2, norm2, codes };
        (biases, tape)
    }

    /// Adds to `dx`, the gradient of the encoder's input.
    #[expect(clippy::too_many_arguments, reason = "what every backward pass needs, and `generate`")]
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        generate: &Dense,
        tape: &SmolgenTape,
        dbiases: &mut [f32],
        dx: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        let dcodes = generate.backward(pass, &tape.codes, &DenseTape::Nothing, dbiases, gradient);
        let mut dactivated = self.norm2.backward(pass, &tape.norm2, &dcodes, gradient);
        let dhidden =
            self.dense2.backward(pass, &tape.hidden, &tape.dense2, &mut dactivated, gradient);
        let mut dactivated = self.norm1.backward(pass, &tape.norm1, &dhidden, gradient);
        let mut dcompressed =
            self.dense1.backward(pass, &tape.compressed, &tape.dense1, &mut dactivated, gradient);
        self.compress.backward_adding(pass, x, &DenseTape::Nothing, &mut dcompressed, dx, gradient);
    }
}
