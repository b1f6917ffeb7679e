//! Value and moves-left heads: a layer per square, then two over the whole board.

use network::SQUARES;

use super::convolution::{Convolution, ConvolutionTape};
use super::dense::{Dense, DenseTape};
use super::{Gradient, Pass, Source};
use crate::pool::Buffer;

pub(crate) struct BoardHead {
    embedding: SquareEmbedding,
    dense1: Dense,
    dense2: Dense,
}

enum SquareEmbedding {
    Dense(Dense),
    Convolution(Convolution),
}

pub(crate) struct BoardHeadTape {
    embedding: SquareEmbeddingTape,
    pub(super) flat: Buffer,
    dense1: DenseTape,
    hidden: Buffer,
    dense2: DenseTape,
}

enum SquareEmbeddingTape {
    Dense(DenseTape),
    Convolution(ConvolutionTape),
}

impl BoardHead {
    pub(crate) fn new(head: &network::BoardHead, source: Source<'_>) -> Self {
        let embedding = match &head.embedding {
            network::SquareEmbedding::Dense(dense) => {
                SquareEmbedding::Dense(Dense::new(dense, source))
            }
            network::SquareEmbedding::Convolution(convolution) => {
                SquareEmbedding::Convolution(Convolution::new(convolution, source))
            }
        };
        let (dense1, dense2) = (Dense::new(&head.dense1, source), Dense::new(&head.dense2, source));
        Self { embedding, dense1, dense2 }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        match &mut self.embedding {
            SquareEmbedding::Dense(dense) => dense.refresh(source),
            SquareEmbedding::Convolution(convolution) => convolution.refresh(source),
        }
        self.dense1.refresh(source);
        self.dense2.refresh(source);
    }

    /// `x: [positions][64][width]` to `[positions][outputs]`.
    pub(crate) fn forward(&self, pass: Pass<'_>, x: &[f32]) -> (Buffer, BoardHeadTape) {
        let (flat, embedding) = match &self.embedding {
            // Square-major rows of one position are its flattened vector already.
            SquareEmbedding::Dense(dense) => {
                let (flat, tape) = dense.forward(pass, x);
                (flat, SquareEmbeddingTape::Dense(tape))
            }
            SquareEmbedding::Convolution(convolution) => {
                let (rows, tape) = convolution.forward(pass, x, None);
                let mut flat = pass.pool.take(rows.len());
                transpose_boards(&rows, SQUARES, convolution.outputs(), &mut flat);
                (flat, SquareEmbeddingTape::Convolution(tape))
            }
        };
        let (hidden, dense1) = self.dense1.forward(pass, &flat);
        let (y, dense2) = self.dense2.forward(pass, &hidden);
        (y, BoardHeadTape { embedding, flat, dense1, hidden, dense2 })
    }

    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: &BoardHeadTape,
        dy: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let mut dhidden = self.dense2.backward(pass, &tape.hidden, &tape.dense2, dy, gradient);
        let mut dflat =
            self.dense1.backward(pass, &tape.flat, &tape.dense1, &mut dhidden, gradient);
        match (&self.embedding, &tape.embedding) {
            (SquareEmbedding::Dense(dense), SquareEmbeddingTape::Dense(tape)) => {
                dense.backward(pass, x, tape, &mut dflat, gradient)
            }
            (SquareEmbedding::Convolution(layer), SquareEmbeddingTape::Convolution(tape)) => {
                let mut drows = pass.pool.take(dflat.len());
                transpose_boards(&dflat, layer.outputs(), SQUARES, &mut drows);
                layer.backward(pass, x, tape, &mut drows, gradient)
            }
            _ => unreachable!("a tape is used with the head that recorded it"),
        }
    }
}

/// Each `[rows][columns]` matrix of `from` to `[columns][rows]`.
pub(super) fn transpose_boards(from: &[f32], rows: usize, columns: usize, to: &mut [f32]) {
    let size = rows * columns;
    for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(size)) {
        for (column, to) in to.chunks_exact_mut(rows).enumerate() {
            for (row, to) in to.iter_mut().enumerate() {
                *to = from[row * columns + column];
            }
        }
    }
}
