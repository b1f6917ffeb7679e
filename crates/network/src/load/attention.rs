//! The attention body (LC0_FORMAT section 5).

use lc0::proto::InputEmbedding;

use super::{LoadError, Loader};
use crate::activation::Activation;
use crate::architecture::{
    Attention, AttentionBody, Body, Dense, Embedding, Encoder, FeedForward, Gate, INPUT_CHANNELS,
    PositionEncoding, ResidualFeedForward, SQUARES, Smolgen,
};
use crate::tensor::{FileOrder, Group, TensorId};

/// Pieces of the current position: the planes that `PE_DENSE` sees.
const PIECE_PLANES: usize = 12;

/// Most attention heads of a layer. Each takes 16 KB of scores for a position, and no weights of a
/// file vouch for their number; published networks have up to 32.
const MAX_HEADS: usize = 256;

/// What the encoders of one stack have in common.
#[derive(Clone, Copy)]
pub(super) struct EncoderKind {
    pub(super) width: usize,
    pub(super) heads: usize,
    pub(super) residual_scale: f32,
    pub(super) epsilon: f32,
    pub(super) feed_forward_activation: Activation,
}

impl Loader<'_> {
    pub(super) fn attention_body(&mut self) -> Result<Body, LoadError> {
        // LC0_FORMAT section 1: this layer's presence, not the marker, decides.
        let dense_position = self.has("ip_emb_preproc_w");
        let width = self.count("ip_emb_b")?;
        let encoders = self.weights().encoder.len();
        if encoders == 0 {
            return Err(self.missing("encoder.0.mha.q_w"));
        }
        // LC0_FORMAT section 4: alpha = (2 L)^(-1/4).
        let residual_scale = (2.0 * encoders as f32).powf(-0.25);
        let epsilon = if dense_position { 1e-3 } else { 1e-6 };
        let embedding = self.embedding(width, dense_position, residual_scale)?;

        if self.has("residual.0.conv1.weights") {
            let what = "an attention body over a residual tower; lc0 itself has no complete CPU path \
                        for it";
            return Err(self.unsupported(what.to_owned()));
        }
        let kind = EncoderKind {
            width,
            heads: self.weights().headcount() as usize,
            residual_scale,
            epsilon,
            feed_forward_activation: self.markers.feed_forward_activation,
        };
        let mut layers = Vec::new();
        let mut generate = None;
        for layer in 0..encoders {
            if layer + 1 == encoders {
                self.group = Group::FinalBlock;
            }
            layers.push(self.encoder(&format!("encoder.{layer}"), kind, &mut generate)?);
        }
        Ok(Body::Attention(AttentionBody { embedding, encoders: layers }))
    }

    fn embedding(
        &mut self,
        width: usize,
        dense_position: bool,
        residual_scale: f32,
    ) -> Result<Embedding, LoadError> {
        let position = if dense_position {
            let inputs = SQUARES * PIECE_PLANES;
            let bias = "ip_emb_preproc_b";
            let dense = self.dense("ip_emb_preproc_w", bias, inputs, Activation::Identity)?;
            if dense.outputs % SQUARES != 0 {
                return Err(self.wrong_count(bias, dense.outputs, "a multiple of 64"));
            }
            PositionEncoding::Dense(dense)
        } else if self.markers.embedding == InputEmbedding::None {
            PositionEncoding::None
        } else {
            PositionEncoding::Map
        };
        let inputs = INPUT_CHANNELS + position.channels();
        let activation = self.markers.default_activation;
        let dense = self.dense("ip_emb_w", "ip_emb_b", inputs, activation)?;
        let norm = match dense_position {
            true => Some(self.layer_norm("ip_emb_ln", width, 1e-3)?),
            false => None,
        };
        let gated = self.has("ip_mult_gate") && self.has("ip_add_gate");
        let gate = match gated {
            true => Some(Gate {
                multiply: self.gate("ip_mult_gate", width)?,
                add: self.gate("ip_add_gate", width)?,
            }),
            false => None,
        };
        let feed_forward = match dense_position {
            true => Some(ResidualFeedForward {
                feed_forward: self.feed_forward(
                    "ip_emb_ffn",
                    width,
                    self.markers.feed_forward_activation,
                )?,
                norm: self.layer_norm("ip_emb_ffn_ln", width, 1e-3)?,
                residual_scale,
            }),
            false => None,
        };
        Ok(Embedding { position, dense, norm, gate, feed_forward })
    }

    fn gate(&mut self, path: &str, width: usize) -> Result<TensorId, LoadError> {
        let order = FileOrder::Transposed { outer: 1, rows: width, columns: SQUARES };
        self.tensor(path, vec![SQUARES, width], order)
    }

    fn feed_forward(
        &mut self,
        path: &str,
        width: usize,
        activation: Activation,
    ) -> Result<FeedForward, LoadError> {
        let (weight, bias) = (format!("{path}.dense1_w"), format!("{path}.dense1_b"));
        let dense1 = self.dense(&weight, &bias, width, activation)?;
        let (weight, bias) = (format!("{path}.dense2_w"), format!("{path}.dense2_b"));
        let identity = Activation::Identity;
        let dense2 = self.dense_to(&weight, &bias, dense1.outputs, width, identity)?;
        Ok(FeedForward { dense1, dense2 })
    }

    pub(super) fn encoder(
        &mut self,
        path: &str,
        kind: EncoderKind,
        generate: &mut Option<TensorId>,
    ) -> Result<Encoder, LoadError> {
        let EncoderKind { width, residual_scale, epsilon, .. } = kind;
        let attention = self.attention(&format!("{path}.mha"), kind, generate)?;
        let attention_norm = self.layer_norm(&format!("{path}.ln1"), width, epsilon)?;
        let feed_forward = ResidualFeedForward {
            feed_forward: self.feed_forward(
                &format!("{path}.ffn"),
                width,
                kind.feed_forward_activation,
            )?,
            norm: self.layer_norm(&format!("{path}.ln2"), width, epsilon)?,
            residual_scale,
        };
        Ok(Encoder { attention, attention_norm, residual_scale, feed_forward })
    }

    fn attention(
        &mut self,
        path: &str,
        kind: EncoderKind,
        generate: &mut Option<TensorId>,
    ) -> Result<Attention, LoadError> {
        let EncoderKind { width, heads, .. } = kind;
        for part in ["rpe_q", "rpe_k", "rpe_v"] {
            let path = format!("{path}.{part}");
            if self.has(&path) {
                let what = format!("relative position encoding ({path}); lc0 0.32 has none either");
                return Err(self.unsupported(what));
            }
        }
        let query_bias = format!("{path}.q_b");
        let inner = self.count(&query_bias)?;
        if !(1..=MAX_HEADS).contains(&heads) {
            let what = format!("{heads} attention heads in {path}; supported are 1 to {MAX_HEADS}");
            return Err(self.unsupported(what));
        }
        if inner % heads != 0 {
            let expected = format!("a multiple of the head count {heads}");
            return Err(self.wrong_count(&query_bias, inner, expected));
        }
        let mut projection = |name: &str, inputs, outputs| {
            let (weight, bias) = (format!("{path}.{name}_w"), format!("{path}.{name}_b"));
            self.dense_to(&weight, &bias, inputs, outputs, Activation::Identity)
        };
        let query = projection("q", width, inner)?;
        let key = projection("k", width, inner)?;
        let value = projection("v", width, inner)?;
        let output = projection("dense", inner, width)?;
        let smolgen = self.smolgen(&format!("{path}.smolgen"), width, heads, generate)?;
        Ok(Attention { query, key, value, output, heads, smolgen })
    }

    fn smolgen(
        &mut self,
        path: &str,
        width: usize,
        heads: usize,
        generate: &mut Option<TensorId>,
    ) -> Result<Option<Smolgen>, LoadError> {
        let compress_path = format!("{path}.compress");
        if !self.has(&compress_path) {
            return Ok(None);
        }
        let compressed = self.count(&compress_path)?;
        if compressed % width != 0 {
            let expected = format!("a multiple of the width {width}");
            return Err(self.wrong_count(&compress_path, compressed, expected));
        }
        let channels = compressed / width;
        let activation = self.markers.smolgen_activation;
        let shape = vec![channels, width];
        let compress = Dense {
            inputs: width,
            outputs: channels,
            weight: self.tensor(&compress_path, shape, FileOrder::Same)?,
            bias: None,
            activation: Activation::Identity,
        };
        let (weight, bias) = (format!("{path}.dense1_w"), format!("{path}.dense1_b"));
        let dense1 = self.dense(&weight, &bias, SQUARES * channels, activation)?;
        let norm1 = self.layer_norm(&format!("{path}.ln1"), dense1.outputs, 1e-3)?;
        let (weight, bias) = (format!("{path}.dense2_w"), format!("{path}.dense2_b"));
        let dense2 = self.dense(&weight, &bias, dense1.outputs, activation)?;
        if dense2.outputs % heads != 0 {
            let expected = format!("a multiple of the head count {heads}");
            return Err(self.wrong_count(&bias, dense2.outputs, expected));
        }
        let norm2 = self.layer_norm(&format!("{path}.ln2"), dense2.outputs, 1e-3)?;
        let code = dense2.outputs / heads;
        let weight = match *generate {
            Some(shared) => shared,
            None => {
                // Shared by all layers, so never part of the final block.
                let group = std::mem::replace(&mut self.group, Group::Backbone);
                let shape = vec![SQUARES * SQUARES, code];
                let shared = self.tensor("smolgen_w", shape, FileOrder::Same)?;
                self.group = group;
                *generate.insert(shared)
            }
        };
        let shape = &self.layout.info(weight).shape;
        if shape[1] != code {
            let expected = format!("{} as in the layers before", shape[1] * heads);
            return Err(self.wrong_count(&bias, dense2.outputs, expected));
        }
        let generate = Dense {
            inputs: code,
            outputs: SQUARES * SQUARES,
            weight,
            bias: None,
            activation: Activation::Identity,
        };
        Ok(Some(Smolgen { compress, dense1, norm1, dense2, norm2, generate }))
    }
}
