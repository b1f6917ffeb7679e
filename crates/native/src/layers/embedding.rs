//! From planes to tokens (LC0_FORMAT section 5, `PE_DENSE` steps 1 to 6, `PE_MAP`).

use std::ops::Range;

use chess::Planes;
use network::{INPUT_CHANNELS, SQUARES, position_map};

use super::dense::{Dense, DenseTape};
use super::feed_forward::{FeedForwardTape, ResidualFeedForward};
use super::layer_norm::{LayerNorm, LayerNormTape};
use super::{Gradient, Pass, Source, write_planes};
use crate::kernels::{gate, gate_backward};
use crate::pool::Buffer;

/// Pieces of the current position, which stand first among the planes.
const PIECE_PLANES: usize = 12;

pub(crate) struct Embedding {
    position: PositionEncoding,
    dense: Dense,
    norm: Option<LayerNorm>,
    gate: Option<Gate>,
    feed_forward: Option<ResidualFeedForward>,
}

enum PositionEncoding {
    None,
    Map(Box<[[f32; SQUARES]; SQUARES]>),
    Dense(Dense),
}

pub(crate) struct EmbeddingTape {
    /// `[positions][64 * 12]`, with a dense position encoding.
    pieces: Option<Buffer>,
    /// `[rows][112 + channels]`.
    pub(super) tokens: Buffer,
    dense: DenseTape,
    norm: Option<LayerNormTape>,
    pub(super) before_gate: Option<Buffer>,
    pub(super) feed_forward: Option<FeedForwardTape>,
}

impl Embedding {
    pub(crate) fn new(embedding: &network::Embedding, source: Source<'_>) -> Self {
        let position = match &embedding.position {
            network::PositionEncoding::None => PositionEncoding::None,
            network::PositionEncoding::Map => PositionEncoding::Map(position_map()),
            network::PositionEncoding::Dense(dense) => {
                PositionEncoding::Dense(Dense::new(dense, source))
            }
        };
        let feed_forward = embedding.feed_forward.as_ref();
        Self {
            position,
            dense: Dense::new(&embedding.dense, source),
            norm: embedding.norm.as_ref().map(|norm| LayerNorm::new(norm, source)),
            gate: embedding.gate.as_ref().map(|gate| Gate::new(gate, source)),
            feed_forward: feed_forward.map(|block| ResidualFeedForward::new(block, source)),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        if let PositionEncoding::Dense(dense) = &mut self.position {
            dense.refresh(source);
        }
        self.dense.refresh(source);
        if let Some(norm) = &mut self.norm {
            norm.refresh(source);
        }
        if let Some(gate) = &mut self.gate {
            gate.refresh(source);
        }
        if let Some(block) = &mut self.feed_forward {
            block.refresh(source);
        }
    }

    pub(crate) fn forward(&self, pass: Pass<'_>, planes: &[Planes]) -> (Buffer, EmbeddingTape) {
        let (tokens, pieces) = self.tokens(pass, planes);
        let (mut h, dense) = self.dense.forward(pass, &tokens);
        let mut norm = None;
        if let Some(layer) = &self.norm {
            let (y, tape) = layer.forward(pass, &h);
            (h, norm) = (y, Some(tape));
        }
        let mut before_gate = None;
        if let Some(gate) = &self.gate {
            let y = gate.forward(pass, &h);
            before_gate = Some(std::mem::replace(&mut h, y));
        }
        let (h, feed_forward) = match &self.feed_forward {
            Some(block) => {
                let (h, tape) = block.forward(pass, h);
                (h, Some(tape))
            }
            None => (h, None),
        };
        (h, EmbeddingTape { pieces, tokens, dense, norm, before_gate, feed_forward })
    }

    /// The planes of each square with its position encoding, `[rows][112 + channels]`.
    fn tokens(&self, pass: Pass<'_>, planes: &[Planes]) -> (Buffer, Option<Buffer>) {
        let width = self.dense.inputs;
        let mut tokens = pass.pool.zeros(planes.len() * SQUARES * width);
        for (planes, board) in planes.iter().zip(tokens.chunks_exact_mut(SQUARES * width)) {
            write_planes(planes, board, width);
        }
        let pieces = match &self.position {
            PositionEncoding::None => None,
            PositionEncoding::Map(map) => {
                for (row, token) in tokens.chunks_exact_mut(width).enumerate() {
                    token[INPUT_CHANNELS..].copy_from_slice(&map[row % SQUARES]);
                }
                None
            }
            PositionEncoding::Dense(dense) => {
                let mut pieces = pass.pool.take(planes.len() * SQUARES * PIECE_PLANES);
                let rows = pieces.chunks_exact_mut(PIECE_PLANES).zip(tokens.chunks_exact(width));
                rows.for_each(|(pieces, token)| pieces.copy_from_slice(&token[..PIECE_PLANES]));
                let (encoding, _) = dense.forward(pass, &pieces);
                let channels = width - INPUT_CHANNELS;
                let rows = tokens.chunks_exact_mut(width).zip(encoding.chunks_exact(channels));
                rows.for_each(|(token, row)| token[INPUT_CHANNELS..].copy_from_slice(row));
                Some(pieces)
            }
        };
        (tokens, pieces)
    }

    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: EmbeddingTape,
        mut dy: Buffer,
        gradient: &mut Gradient<'_>,
    ) {
        if let (Some(block), Some(tape)) = (&self.feed_forward, tape.feed_forward) {
            dy = block.backward(pass, tape, dy, gradient);
        }
        if let (Some(gate), Some(before)) = (&self.gate, &tape.before_gate) {
            gate.backward(pass, before, &mut dy, gradient);
        }
        if let (Some(norm), Some(tape)) = (&self.norm, &tape.norm) {
            dy = norm.backward(pass, tape, &dy, gradient);
        }
        match (&self.position, &tape.pieces) {
            (PositionEncoding::Dense(position), Some(pieces)) => {
                let dtokens =
                    self.dense.backward(pass, &tape.tokens, &tape.dense, &mut dy, gradient);
                let width = self.dense.inputs;
                let channels = width - INPUT_CHANNELS;
                let mut dencoding = pass.pool.take(dtokens.len() / width * channels);
                let rows = dencoding.chunks_exact_mut(channels).zip(dtokens.chunks_exact(width));
                rows.for_each(|(row, token)| row.copy_from_slice(&token[INPUT_CHANNELS..]));
                position.backward_parameters(
                    pass,
                    pieces,
                    &DenseTape::Nothing,
                    &mut dencoding,
                    gradient,
                );
            }
            _ => {
                self.dense.backward_parameters(pass, &tape.tokens, &tape.dense, &mut dy, gradient);
            }
        }
    }
}

/// `y = multiply * x + add`, each factor and summand for one square and feature.
struct Gate {
    multiply: Vec<f32>,
    add: Vec<f32>,
    ids: [network::TensorId; 2],
    ranges: [Range<usize>; 2],
}

impl Gate {
    fn new(gate: &network::Gate, source: Source<'_>) -> Self {
        Self {
            multiply: source.tensor(gate.multiply).to_vec(),
            add: source.tensor(gate.add).to_vec(),
            ids: [gate.multiply, gate.add],
            ranges: [gate.multiply, gate.add].map(|id| source.layout.range(id)),
        }
    }

    fn refresh(&mut self, source: Source<'_>) {
        self.multiply.copy_from_slice(source.tensor(self.ids[0]));
        self.add.copy_from_slice(source.tensor(self.ids[1]));
    }

    fn forward(&self, pass: Pass<'_>, x: &[f32]) -> Buffer {
        let mut y = pass.pool.take(x.len());
        gate(pass.set, x, &self.multiply, &self.add, &mut y);
        y
    }

    /// From `dy` to `dx`, in place: `dmultiply = sum over positions of dy x`, `dadd = sum of dy`,
    /// `dx = multiply dy`.
    fn backward(&self, pass: Pass<'_>, x: &[f32], dy: &mut [f32], gradient: &mut Gradient<'_>) {
        let (dmultiply, dadd) = gradient.pair(&self.ranges[0], &self.ranges[1]);
        gate_backward(pass.set, x, &self.multiply, dy, dmultiply, dadd);
    }
}
