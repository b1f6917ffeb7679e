//! Attention policy head (LC0_FORMAT section 5): a move's logit is the product of the query of the
//! square it leaves and the key of the square it reaches.

use std::ops::Range;
use std::sync::LazyLock;

use chess::MoveIndex;
use network::SQUARES;

use super::dense::{Dense, DenseTape};
use super::encoder::{Encoder, EncoderTape};
use super::{Gradient, Pass, Source};
use crate::kernels::{
    Epilogue, MatrixMut, MatrixRef, PackedMatrix, Start, matmul, matmul_transposed_left,
};
use crate::pool::Buffer;

/// Scores of squares to squares, then of promotions `24 * from_file + 3 * to_file + piece`.
pub(super) const SLOTS: usize = SQUARES * SQUARES + PROMOTIONS;
const PROMOTIONS: usize = 192;
/// Rows of the promotion tensor: queen, rook, bishop, knight.
const KNIGHT: usize = 3;
/// First squares of the ranks that promotions leave and reach.
const SEVENTH: usize = 48;
const EIGHTH: usize = 56;

/// The slot of each of the 1858 moves.
static SLOT_OF_MOVE: LazyLock<Vec<usize>> =
    LazyLock::new(|| MoveIndex::all().map(MoveIndex::attention_slot).collect());

pub(crate) struct AttentionPolicy {
    embedding: Dense,
    encoders: Vec<Encoder>,
    query: Dense,
    key: Dense,
    promotion: Vec<f32>,
    promotion_id: network::TensorId,
    promotion_range: Range<usize>,
}

pub(crate) struct AttentionPolicyTape {
    embedding: DenseTape,
    encoders: Vec<EncoderTape>,
    pub(super) embedded: Buffer,
    pub(super) query: Buffer,
    pub(super) key: Buffer,
}

impl AttentionPolicy {
    pub(crate) fn new(head: &network::AttentionPolicy, source: Source<'_>) -> Self {
        Self {
            embedding: Dense::new(&head.embedding, source),
            encoders: head.encoders.iter().map(|encoder| Encoder::new(encoder, source)).collect(),
            query: Dense::new(&head.query, source),
            key: Dense::new(&head.key, source),
            promotion: source.tensor(head.promotion).to_vec(),
            promotion_id: head.promotion,
            promotion_range: source.layout.range(head.promotion),
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        self.embedding.refresh(source);
        self.encoders.iter_mut().for_each(|encoder| encoder.refresh(source));
        self.query.refresh(source);
        self.key.refresh(source);
        self.promotion.copy_from_slice(source.tensor(self.promotion_id));
    }

    /// `x: [positions][64][width]` to `logits: [positions][1858]`.
    pub(crate) fn forward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        logits: &mut [f32],
    ) -> AttentionPolicyTape {
        let (mut embedded, embedding) = self.embedding.forward(pass, x);
        let mut encoders = Vec::new();
        for encoder in &self.encoders {
            let (y, tape) = encoder.forward(pass, embedded, None);
            embedded = y;
            if pass.keep {
                encoders.push(tape);
            }
        }
        let (query, _) = self.query.forward(pass, &embedded);
        let (key, _) = self.key.forward(pass, &embedded);
        let board = SQUARES * self.query.outputs;
        let mut slots = pass.pool.take(SLOTS);
        let positions = query.chunks_exact(board).zip(key.chunks_exact(board));
        for ((query, key), logits) in positions.zip(logits.chunks_exact_mut(MoveIndex::COUNT)) {
            self.slots(pass, query, key, &mut slots);
            for (logit, &slot) in logits.iter_mut().zip(SLOT_OF_MOVE.iter()) {
                *logit = slots[slot];
            }
        }
        AttentionPolicyTape { embedding, encoders, embedded, query, key }
    }

    /// `S = Q K^T / sqrt(width)`; a promotion from `f` to `t` has `S + offset[t]`, where a file's
    /// offset is `(row of the piece + row of the knight) . key`, not divided.
    pub(super) fn slots(&self, pass: Pass<'_>, query: &[f32], key: &[f32], slots: &mut [f32]) {
        let width = self.query.outputs;
        let keys = MatrixRef::new(key, SQUARES, width);
        let keys = PackedMatrix::from_output_input(pass.set, keys);
        let (scores, promotions) = slots.split_at_mut(SQUARES * SQUARES);
        let epilogue = Epilogue { alpha: 1.0 / (width as f32).sqrt(), ..Epilogue::default() };
        let query = MatrixRef::new(query, SQUARES, width);
        matmul(pass.set, query, &keys, MatrixMut::new(scores, SQUARES, SQUARES), epilogue);
        for to in 0..8 {
            let key = &key[(EIGHTH + to) * width..][..width];
            let offset = |row: usize| -> f32 {
                let row = &self.promotion[row * width..][..width];
                row.iter().zip(key).map(|(row, key)| row * key).sum()
            };
            let knight = offset(KNIGHT);
            for piece in 0..KNIGHT {
                let offset = offset(piece) + knight;
                for from in 0..8 {
                    let score = scores[(SEVENTH + from) * SQUARES + EIGHTH + to];
                    promotions[24 * from + 3 * to + piece] = score + offset;
                }
            }
        }
    }

    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: AttentionPolicyTape,
        dlogits: &[f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        let board = SQUARES * self.query.outputs;
        let mut dquery = pass.pool.take(tape.query.len());
        let mut dkey = pass.pool.zeros(tape.key.len());
        let mut dslots = pass.pool.take(SLOTS);
        for (position, dlogits) in dlogits.chunks_exact(MoveIndex::COUNT).enumerate() {
            dslots.fill(0.0);
            for (&dlogit, &slot) in dlogits.iter().zip(SLOT_OF_MOVE.iter()) {
                dslots[slot] = dlogit;
            }
            let rows = position * board..(position + 1) * board;
            self.slots_backward(
                pass,
                &tape.query[rows.clone()],
                &tape.key[rows.clone()],
                &mut dslots,
                &mut dquery[rows.clone()],
                &mut dkey[rows],
                gradient,
            );
        }
        let none = DenseTape::Nothing;
        let mut dembedded = self.query.backward(pass, &tape.embedded, &none, &mut dquery, gradient);
        let key = &self.key;
        key.backward_adding(pass, &tape.embedded, &none, &mut dkey, &mut dembedded, gradient);
        for (encoder, tape) in self.encoders.iter().zip(tape.encoders).rev() {
            dembedded = encoder.backward(pass, tape, dembedded, None, gradient);
        }
        self.embedding.backward(pass, x, &tape.embedding, &mut dembedded, gradient)
    }

    /// `dQ = dS K / sqrt(width)`, `dK = dS^T Q / sqrt(width)`, and for a promotion offset
    /// `o = r . k` both `dr = do k` and `dk = do r`.
    #[expect(clippy::too_many_arguments, reason = "queries, keys, slots and their gradients")]
    fn slots_backward(
        &self,
        pass: Pass<'_>,
        query: &[f32],
        key: &[f32],
        dslots: &mut [f32],
        dquery: &mut [f32],
        dkey: &mut [f32],
        gradient: &mut Gradient<'_>,
    ) {
        let width = self.query.outputs;
        let (dscores, dpromotions) = dslots.split_at_mut(SQUARES * SQUARES);
        let dpromotion = gradient.tensor(&self.promotion_range);
        for to in 0..8 {
            let reached = EIGHTH + to;
            let mut doffsets = [0.0; 4];
            for piece in 0..KNIGHT {
                for from in 0..8 {
                    let dlogit = dpromotions[24 * from + 3 * to + piece];
                    dscores[(SEVENTH + from) * SQUARES + reached] += dlogit;
                    doffsets[piece] += dlogit;
                    doffsets[KNIGHT] += dlogit;
                }
            }
            let rows = reached * width..(reached + 1) * width;
            for (row, doffset) in doffsets.into_iter().enumerate() {
                let tensor = row * width..(row + 1) * width;
                let products = dpromotion[tensor.clone()].iter_mut().zip(&key[rows.clone()]);
                products.for_each(|(drow, key)| *drow += doffset * key);
                let products = dkey[rows.clone()].iter_mut().zip(&self.promotion[tensor]);
                products.for_each(|(dkey, row)| *dkey += doffset * row);
            }
        }
        let scale = 1.0 / (width as f32).sqrt();
        dscores.iter_mut().for_each(|dscore| *dscore *= scale);
        let dscores = MatrixRef::new(dscores, SQUARES, SQUARES);
        let keys = PackedMatrix::from_rows(pass.set, MatrixRef::new(key, SQUARES, width));
        let dquery = MatrixMut::new(dquery, SQUARES, width);
        matmul(pass.set, dscores, &keys, dquery, Epilogue::default());
        let query = MatrixRef::new(query, SQUARES, width);
        let dkey = MatrixMut::new(dkey, SQUARES, width);
        matmul_transposed_left(pass.set, dscores, query, dkey, Start::Target, None);
    }
}
