//! From planes to the features of each square.

use chess::Planes;
use network::{INPUT_CHANNELS, SQUARES};
use rayon::prelude::*;

use super::convolution::{Convolution, ConvolutionTape};
use super::dense::Dense;
use super::embedding::{Embedding, EmbeddingTape};
use super::encoder::{Encoder, EncoderTape};
use super::residual_block::{ResidualBlock, ResidualBlockTape};
use super::{Gradient, Pass, Source, write_planes};
use crate::pool::Buffer;

pub(crate) enum Body {
    Attention(Box<AttentionBody>),
    Residual(Box<ResidualTower>),
}

pub(crate) enum BodyTape {
    Attention { embedding: Box<EmbeddingTape>, encoders: Vec<EncoderTape> },
    Residual { planes: Buffer, input: ConvolutionTape, blocks: Vec<ResidualBlockTape> },
}

pub(crate) struct AttentionBody {
    embedding: Embedding,
    encoders: Vec<Encoder>,
    /// Shared by the smolgens of all encoders.
    generate: Option<Dense>,
}

pub(crate) struct ResidualTower {
    input: Convolution,
    blocks: Vec<ResidualBlock>,
}

impl Body {
    pub(crate) fn new(body: &network::Body, source: Source<'_>) -> Self {
        match body {
            network::Body::Attention(body) => {
                let smolgens = body.encoders.iter().map(|encoder| &encoder.attention.smolgen);
                let generate = smolgens.flatten().next().map(|smolgen| &smolgen.generate);
                Self::Attention(Box::new(AttentionBody {
                    embedding: Embedding::new(&body.embedding, source),
                    encoders: body
                        .encoders
                        .iter()
                        .map(|encoder| Encoder::new(encoder, source))
                        .collect(),
                    generate: generate.map(|generate| Dense::new(generate, source)),
                }))
            }
            network::Body::Residual(tower) => Self::Residual(Box::new(ResidualTower {
                input: Convolution::new(&tower.input, source),
                blocks: tower
                    .blocks
                    .iter()
                    .map(|block| ResidualBlock::new(block, source))
                    .collect(),
            })),
        }
    }

    /// Takes changed parameters over.
    pub(crate) fn refresh(&mut self, source: Source<'_>) {
        match self {
            Self::Attention(body) => {
                let AttentionBody { embedding, encoders, generate } = body.as_mut();
                rayon::scope(|scope| {
                    scope.spawn(|_| embedding.refresh(source));
                    if let Some(generate) = generate {
                        scope.spawn(|_| generate.refresh(source));
                    }
                    encoders.par_iter_mut().for_each(|encoder| encoder.refresh(source));
                });
            }
            Self::Residual(tower) => {
                tower.input.refresh(source);
                tower.blocks.par_iter_mut().for_each(|block| block.refresh(source));
            }
        }
    }

    /// Features of each square, `[rows][width]`.
    pub(crate) fn forward(&self, pass: Pass<'_>, planes: &[Planes]) -> (Buffer, BodyTape) {
        match self {
            Self::Attention(body) => {
                let (mut h, embedding) = body.embedding.forward(pass, planes);
                let mut encoders = Vec::new();
                for encoder in &body.encoders {
                    let (y, tape) = encoder.forward(pass, h, body.generate.as_ref());
                    h = y;
                    if pass.keep {
                        encoders.push(tape);
                    }
                }
                (h, BodyTape::Attention { embedding: Box::new(embedding), encoders })
            }
            Self::Residual(tower) => {
                let size = SQUARES * INPUT_CHANNELS;
                let mut boards = pass.pool.zeros(planes.len() * size);
                for (planes, board) in planes.iter().zip(boards.chunks_exact_mut(size)) {
                    write_planes(planes, board, INPUT_CHANNELS);
                }
                let (mut h, input) = tower.input.forward(pass, &boards, None);
                let mut blocks = Vec::new();
                for block in &tower.blocks {
                    let (y, tape) = block.forward(pass, h);
                    h = y;
                    if pass.keep {
                        blocks.push(tape);
                    }
                }
                (h, BodyTape::Residual { planes: boards, input, blocks })
            }
        }
    }

    pub(crate) fn backward(
        &self,
        pass: Pass<'_>,
        tape: BodyTape,
        mut dy: Buffer,
        gradient: &mut Gradient<'_>,
    ) {
        match (self, tape) {
            (Self::Attention(body), BodyTape::Attention { embedding, encoders }) => {
                for (encoder, tape) in body.encoders.iter().zip(encoders).rev() {
                    dy = encoder.backward(pass, tape, dy, body.generate.as_ref(), gradient);
                }
                body.embedding.backward(pass, *embedding, dy, gradient);
            }
            (Self::Residual(tower), BodyTape::Residual { planes, input, blocks }) => {
                for (block, tape) in tower.blocks.iter().zip(blocks).rev() {
                    dy = block.backward(pass, tape, dy, gradient);
                }
                tower.input.backward_parameters(pass, &planes, &input, &mut dy, gradient);
            }
            _ => unreachable!("a tape is used with the body that recorded it"),
        }
    }
}
