//! From the body's features to 1858 logits.

use std::sync::LazyLock;

use chess::MoveIndex;
use network::SQUARES;

use super::attention_policy::{AttentionPolicy, AttentionPolicyTape};
use super::board_head::transpose_boards;
use super::convolution::{Convolution, ConvolutionTape};
use super::dense::{Dense, DenseTape};
use super::{Gradient, Pass, Source};
use crate::pool::Buffer;

/// The place of each of the 1858 moves among `plane * 64 + square`.
static SLOT_OF_MOVE: LazyLock<Vec<usize>> =
    LazyLock::new(|| MoveIndex::all().map(MoveIndex::convolution_slot).collect());

pub(crate) enum PolicyHead {
    Attention(Box<AttentionPolicy>),
    Convolution { conv1: Convolution, conv2: Convolution },
    Dense { convolution: Convolution, dense: Dense },
}

pub(crate) enum PolicyHeadTape {
    Attention(AttentionPolicyTape),
    Convolution { conv1: ConvolutionTape, hidden: Buffer, conv2: ConvolutionTape },
    Dense { convolution: ConvolutionTape, flat: Buffer, dense: DenseTape },
}

impl PolicyHead {
    pub(crate) fn new(head: &network::PolicyHead, source: Source<'_>) -> Self {
        match head {
            network::PolicyHead::Attention(head) => {
                Self::Attention(Box::new(AttentionPolicy::new(head, source)))
            }
            network::PolicyHead::Convolution(head) => Self::Convolution {
                conv1: Convolution::new(&head.conv1, source),
                conv2: Convolution::new(&head.conv2, source),
            },
            network::PolicyHead::Dense(head) => Self::Dense {
                convolution: Convolution::new(&head.convolution, source),
                dense: Dense::new(&head.dense, source),
            },
        }
    }

    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        match self {
            Self::Attention(head) => head.refresh(source),
            Self::Convolution { conv1, conv2 } => {
                conv1.refresh(source);
                conv2.refresh(source);
            }
            Self::Dense { convolution, dense } => {
                convolution.refresh(source);
                dense.refresh(source);
            }
        }
    }

    /// `x: [positions][64][width]` to `logits: [positions][1858]`.
    pub(crate) fn forward(&self, pass: Pass<'_>, x: &[f32], logits: &mut [f32]) -> PolicyHeadTape {
        match self {
            Self::Attention(head) => PolicyHeadTape::Attention(head.forward(pass, x, logits)),
            Self::Convolution { conv1, conv2 } => {
                let (hidden, conv1) = conv1.forward(pass, x, None);
                let planes = conv2.outputs();
                let (y, conv2) = conv2.forward(pass, &hidden, None);
                let boards = y.chunks_exact(SQUARES * planes);
                for (y, logits) in boards.zip(logits.chunks_exact_mut(MoveIndex::COUNT)) {
                    for (logit, &slot) in logits.iter_mut().zip(SLOT_OF_MOVE.iter()) {
                        *logit = y[(slot % SQUARES) * planes + slot / SQUARES];
                    }
                }
                PolicyHeadTape::Convolution { conv1, hidden, conv2 }
            }
            Self::Dense { convolution, dense } => {
                let channels = convolution.outputs();
                let (rows, convolution) = convolution.forward(pass, x, None);
                let mut flat = pass.pool.take(rows.len());
                transpose_boards(&rows, SQUARES, channels, &mut flat);
                let (y, dense) = dense.forward(pass, &flat);
                logits.copy_from_slice(&y);
                PolicyHeadTape::Dense { convolution, flat, dense }
            }
        }
    }

    /// From the logits' gradient to `dx`.
    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        x: &[f32],
        tape: PolicyHeadTape,
        dlogits: &[f32],
        gradient: &mut Gradient<'_>,
    ) -> Buffer {
        match (self, tape) {
            (Self::Attention(head), PolicyHeadTape::Attention(tape)) => {
                head.backward(pass, x, tape, dlogits, gradient)
            }
            (
                Self::Convolution { conv1, conv2 },
                PolicyHeadTape::Convolution { conv1: tape1, hidden, conv2: tape2 },
            ) => {
                let planes = conv2.outputs();
                let positions = dlogits.len() / MoveIndex::COUNT;
                let mut dy = pass.pool.zeros(positions * SQUARES * planes);
                let boards = dy.chunks_exact_mut(SQUARES * planes);
                for (dy, dlogits) in boards.zip(dlogits.chunks_exact(MoveIndex::COUNT)) {
                    for (&dlogit, &slot) in dlogits.iter().zip(SLOT_OF_MOVE.iter()) {
                        dy[(slot % SQUARES) * planes + slot / SQUARES] = dlogit;
                    }
                }
                let mut dhidden = conv2.backward(pass, &hidden, &tape2, &mut dy, gradient);
                conv1.backward(pass, x, &tape1, &mut dhidden, gradient)
            }
            (
                Self::Dense { convolution, dense },
                PolicyHeadTape::Dense { convolution: tape, flat, dense: dense_tape },
            ) => {
                let mut dy = pass.pool.copy(dlogits);
                let dflat = dense.backward(pass, &flat, &dense_tape, &mut dy, gradient);
                let mut drows = pass.pool.take(dflat.len());
                transpose_boards(&dflat, convolution.outputs(), SQUARES, &mut drows);
                convolution.backward(pass, x, &tape, &mut drows, gradient)
            }
            _ => unreachable!("a tape is used with the head that recorded it"),
        }
    }
}
