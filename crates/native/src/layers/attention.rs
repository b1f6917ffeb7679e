//! Multi-head attention over the 64 squares (LC0_FORMAT section 5, encoder steps 1 to 4), up to
//! but without its output layer.

use network::SQUARES;

use super::dense::Dense;
use super::projection::{PARTS, Projection};
use super::smolgen::{Smolgen, SmolgenTape};
use super::{Gradient, Pass, Source, positions};
use crate::kernels::{HeadLayout, MatrixMut, MatrixRef, ScoreBias, attention, attention_backward};
use crate::pool::Buffer;

/// Elements of one head's attention matrix.
const MATRIX: usize = SQUARES * SQUARES;

pub(crate) struct Attention {
    projection: Projection,
    heads: usize,
    smolgen: Option<Smolgen>,
}

pub(crate) struct AttentionTape {
    /// `[rows][query, key, value]`.
    projected: Buffer,
    /// `[positions][heads][64 queries][64 keys]`.
    pub(super) probabilities: Buffer,
    smolgen: Option<SmolgenTape>,
}

impl Attention {
    pub(crate) fn new(attention: &network::Attention, source: Source<'_>) -> Self {
        let smolgen = attention.smolgen.as_ref();
        Self {
            projection: Projection::new(attention, source),
            heads: attention.heads,
            smolgen: smolgen.map(|smolgen| Smolgen::new(smolgen, source)),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.projection.refresh(source);
        if let Some(smolgen) = &mut self.smolgen {
            smolgen.refresh(source);
        }
    }

    fn depth(&self) -> usize {
        self.projection.width / self.heads
    }

    fn layout(&self, head: usize) -> HeadLayout {
        let (width, depth) = (self.projection.width, self.depth());
        let query = head * depth;
        let (key, value) = (query + width, query + 2 * width);
        HeadLayout { query, key, value, stride: PARTS * width, depth }
    }

    fn scale(&self) -> f32 {
        1.0 / (self.depth() as f32).sqrt()
    }

    /// `softmax(Q K^T / sqrt(depth) + smolgen) V`, the heads side by side in each row.
    pub(crate) fn forward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        generate: Option<&Dense>,
    ) -> (Buffer, AttentionTape) {
        let positions = positions(x, self.projection.inputs);
        let projected = self.projection.forward(pass, x);
        let (mut probabilities, smolgen, bias) = match (&self.smolgen, generate) {
            (Some(smolgen), Some(generate)) => {
                let (biases, tape) = smolgen.forward(pass, x, generate);
                (biases, Some(tape), ScoreBias::InPlace)
            }
            _ => (pass.pool.take(positions * self.heads * MATRIX), None, ScoreBias::None),
        };
        let (width, depth) = (self.projection.width, self.depth());
        let mut y = pass.pool.take(positions * SQUARES * width);
        let (matrices, _) = probabilities.as_chunks_mut::<MATRIX>();
        let boards = projected.chunks_exact(SQUARES * PARTS * width);
        let boards = boards.zip(y.chunks_exact_mut(SQUARES * width));
        for ((projected, y), matrices) in boards.zip(matrices.chunks_exact_mut(self.heads)) {
            for (head, matrix) in matrices.iter_mut().enumerate() {
                let y = MatrixMut::strided(&mut y[head * depth..], SQUARES, depth, width);
                let layout = self.layout(head);
                attention(pass.set, projected, layout, self.scale(), bias, matrix, y);
            }
        }
        (y, AttentionTape { projected, probabilities, smolgen })
    }

    /// Adds to `dx`.
    ///
    /// With `O = P V` and `P = softmax(S)`: `dV = P^T dO`, `dP = dO V^T`,
    /// `dS = P * (dP - sum over keys of P dP)`, `dQ = dS K / sqrt(depth)`,
    /// `dK = dS^T Q / sqrt(depth)`, and `dS` is the gradient of the biases too.
    #[expect(clippy::too_many_arguments, reason = "what every backward pass needs, and `generate`")]
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        generate: Option<&Dense>,
        tape: AttentionTape,
        dy: &[f32],
        dx: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        let AttentionTape { projected, mut probabilities, smolgen } = tape;
        let mut dprojected = pass.pool.take(projected.len());
        let (width, depth) = (self.projection.width, self.depth());
        let (matrices, _) = probabilities.as_chunks_mut::<MATRIX>();
        let board = SQUARES * PARTS * width;
        let boards = projected.chunks_exact(board).zip(dprojected.chunks_exact_mut(board));
        let boards = boards.zip(dy.chunks_exact(SQUARES * width));
        for (((projected, dprojected), dy), matrices) in
            boards.zip(matrices.chunks_exact_mut(self.heads))
        {
            for (head, matrix) in matrices.iter_mut().enumerate() {
                let dy = MatrixRef::strided(&dy[head * depth..], SQUARES, depth, width);
                let (layout, scale) = (self.layout(head), self.scale());
                attention_backward(pass.set, projected, layout, scale, matrix, dy, dprojected);
            }
        }
        self.projection.backward_adding(pass, x, &dprojected, dx, gradient);
        if let (Some(layer), Some(generate), Some(tape)) = (&self.smolgen, generate, &smolgen) {
            layer.backward(pass, x, generate, tape, &mut probabilities, dx, gradient);
        }
    }
}
