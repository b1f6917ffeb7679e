//! Policy, value and moves-left heads of both kinds of body.

use chess::MoveIndex;
use lc0::proto::{MovesLeftFormat, PolicyFormat, ValueFormat};

use super::attention::EncoderKind;
use super::markers::Structure;
use super::{LoadError, Loader};
use crate::activation::Activation;
use crate::architecture::{
    AttentionPolicy, BoardHead, ConvolutionPolicy, DensePolicy, MovesLeftHead, PolicyHead, SQUARES,
    SquareEmbedding, ValueHead, ValueKind,
};
use crate::heads::{PolicyHeadName, ValueHeadName};
use crate::tensor::{FileOrder, Group};

/// Output planes of the second convolution of a convolution policy head; the last 7 are padding.
const POLICY_PLANES: usize = 80;

impl Loader<'_> {
    pub(super) fn policy_head(
        &mut self,
        name: PolicyHeadName,
        structure: Structure,
        width: usize,
    ) -> Result<PolicyHead, LoadError> {
        self.group = Group::PolicyHead;
        let prefix = self.policy_prefix(name)?;
        match self.markers.policy {
            PolicyFormat::Attention => {
                let head = self.attention_policy(&prefix, structure, width)?;
                Ok(PolicyHead::Attention(head))
            }
            PolicyFormat::Convolution => {
                let activation = self.markers.default_activation;
                let conv1 = self.convolution(&format!("{prefix}policy1"), width, 3, activation)?;
                let path = format!("{prefix}policy");
                let conv2 = self.convolution(&path, conv1.outputs, 3, Activation::Identity)?;
                if conv2.outputs != POLICY_PLANES {
                    let path = format!("{path}.weights");
                    let expected = (POLICY_PLANES * conv2.inputs * 9).to_string();
                    return Err(self.wrong_count(&path, self.count(&path)?, expected));
                }
                Ok(PolicyHead::Convolution(ConvolutionPolicy { conv1, conv2 }))
            }
            PolicyFormat::Classical => {
                let activation = self.markers.default_activation;
                let convolution =
                    self.convolution(&format!("{prefix}policy"), width, 1, activation)?;
                let dense = self.dense_to(
                    &format!("{prefix}ip_pol_w"),
                    &format!("{prefix}ip_pol_b"),
                    SQUARES * convolution.outputs,
                    MoveIndex::COUNT,
                    Activation::Identity,
                )?;
                Ok(PolicyHead::Dense(DensePolicy { convolution, dense }))
            }
            other => Err(self.unsupported(format!("policy format {other:?}"))),
        }
    }

    /// Path of the head's message: the head's own in a multi-head file, else the top level.
    fn policy_prefix(&self, wanted: PolicyHeadName) -> Result<String, LoadError> {
        let heads = PolicyHeadName::ALL.map(|head| (head.name(), head.path()));
        let layers = ["ip2_pol_w", "ip_pol_w", "policy.weights"];
        self.head_prefix("policy", &heads, wanted.name(), &layers)
    }

    /// As [`policy_prefix`](Self::policy_prefix), for the value head.
    fn value_prefix(&self, wanted: ValueHeadName) -> Result<String, LoadError> {
        let heads = ValueHeadName::ALL.map(|head| (head.name(), head.path()));
        self.head_prefix("value", &heads, wanted.name(), &["ip1_val_w"])
    }

    /// The path of the head `wanted` among `heads`, names and paths with lc0's default first; a
    /// head is there where one of `layers` is.
    fn head_prefix(
        &self,
        kind: &'static str,
        heads: &[(&'static str, &str)],
        wanted: &'static str,
        layers: &[&str],
    ) -> Result<String, LoadError> {
        let has = |path: &str| layers.iter().any(|layer| self.has(&format!("{path}{layer}")));
        let mut present: Vec<_> = heads.iter().filter(|(_, path)| has(path)).copied().collect();
        if present.is_empty() {
            present.push((heads[0].0, ""));
        }
        if let Some((_, path)) = present.iter().find(|(name, _)| *name == wanted) {
            return Ok((*path).to_owned());
        }
        let present: Vec<&str> = present.into_iter().map(|(name, _)| name).collect();
        let (file, present) = (self.file.name().to_owned(), present.join(", "));
        Err(LoadError::NoSuchHead { file, kind, wanted, present })
    }

    fn attention_policy(
        &mut self,
        prefix: &str,
        structure: Structure,
        width: usize,
    ) -> Result<AttentionPolicy, LoadError> {
        let activation = match structure {
            Structure::Attention => self.markers.default_activation,
            Structure::Residual => Activation::Selu,
        };
        // The head's own embedding, else the one shared by all heads, else the top level's.
        let own = [prefix, "policy_heads.", ""]
            .into_iter()
            .find(|owner| self.has(&format!("{owner}ip_pol_w")))
            .ok_or_else(|| self.missing(&format!("{prefix}ip_pol_w")))?;
        let (weight, bias) = (format!("{own}ip_pol_w"), format!("{own}ip_pol_b"));
        let embedding = self.dense(&weight, &bias, width, activation)?;
        let encoders = self.policy_encoders(prefix, structure, embedding.outputs)?;
        let (weight, bias) = (format!("{prefix}ip2_pol_w"), format!("{prefix}ip2_pol_b"));
        let query = self.dense(&weight, &bias, embedding.outputs, Activation::Identity)?;
        let (weight, bias) = (format!("{prefix}ip3_pol_w"), format!("{prefix}ip3_pol_b"));
        let key =
            self.dense_to(&weight, &bias, embedding.outputs, query.outputs, Activation::Identity)?;
        let shape = vec![4, key.outputs];
        let promotion = self.tensor(&format!("{prefix}ip4_pol_w"), shape, FileOrder::Same)?;
        Ok(AttentionPolicy { embedding, encoders, query, key, promotion })
    }

    fn policy_encoders(
        &mut self,
        prefix: &str,
        structure: Structure,
        width: usize,
    ) -> Result<Vec<crate::architecture::Encoder>, LoadError> {
        let (encoders, heads) = self.policy_stack(prefix);
        let kind = EncoderKind {
            width,
            heads,
            residual_scale: 1.0,
            epsilon: 1e-6,
            feed_forward_activation: match structure {
                Structure::Attention => self.markers.feed_forward_activation,
                Structure::Residual => Activation::Selu,
            },
        };
        let mut layers = Vec::new();
        for layer in 0..encoders {
            let path = format!("{prefix}pol_encoder.{layer}");
            if self.has(&format!("{path}.mha.smolgen.compress")) {
                let what = format!("smolgen in a policy head ({path}); lc0 has it in bodies only");
                return Err(self.unsupported(what));
            }
            layers.push(self.encoder(&path, kind, &mut None)?);
        }
        Ok(layers)
    }

    /// Encoders of a policy head, and the attention heads of each.
    fn policy_stack(&self, prefix: &str) -> (usize, usize) {
        let weights = self.weights();
        let Some(heads) = weights.policy_heads.as_ref().filter(|_| !prefix.is_empty()) else {
            return (weights.pol_encoder.len(), weights.pol_headcount() as usize);
        };
        let named = [
            (PolicyHeadName::Vanilla, &heads.vanilla),
            (PolicyHeadName::Optimistic, &heads.optimistic_st),
            (PolicyHeadName::Soft, &heads.soft),
            (PolicyHeadName::Opponent, &heads.opponent),
        ];
        named
            .into_iter()
            .filter(|(name, _)| name.path() == prefix)
            .find_map(|(_, head)| head.as_ref())
            .map_or((0, 0), |head| (head.pol_encoder.len(), head.pol_headcount() as usize))
    }

    pub(super) fn value_head(
        &mut self,
        name: ValueHeadName,
        structure: Structure,
        width: usize,
    ) -> Result<ValueHead, LoadError> {
        self.group = Group::ValueHead;
        let prefix = self.value_prefix(name)?;
        let kind = match self.markers.value {
            ValueFormat::Wdl => ValueKind::Wdl,
            ValueFormat::Classical => ValueKind::Scalar,
            other => return Err(self.unsupported(format!("value format {other:?}"))),
        };
        let names = BoardNames { square: "ip_val", first: "ip1_val", last: "ip2_val" };
        let block = format!("{prefix}value");
        let (outputs, last) = (kind.width(), Activation::Identity);
        let layers = self.board_head(&prefix, &block, names, structure, width, outputs, last)?;
        Ok(ValueHead { kind, layers })
    }

    pub(super) fn moves_left_head(
        &mut self,
        structure: Structure,
        width: usize,
    ) -> Result<Option<MovesLeftHead>, LoadError> {
        self.group = Group::MovesLeftHead;
        match self.markers.moves_left {
            MovesLeftFormat::None => Ok(None),
            MovesLeftFormat::V1 => {
                let names = BoardNames { square: "ip_mov", first: "ip1_mov", last: "ip2_mov" };
                let last = Activation::Relu;
                let layers = self.board_head("", "moves_left", names, structure, width, 1, last)?;
                Ok(Some(MovesLeftHead { layers }))
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the two heads differ in each of them")]
    fn board_head(
        &mut self,
        prefix: &str,
        block: &str,
        names: BoardNames,
        structure: Structure,
        width: usize,
        outputs: usize,
        last: Activation,
    ) -> Result<BoardHead, LoadError> {
        let activation = self.markers.default_activation;
        let layer = |name: &str| (format!("{prefix}{name}_w"), format!("{prefix}{name}_b"));
        let embedding = match structure {
            Structure::Attention => {
                let (weight, bias) = layer(names.square);
                SquareEmbedding::Dense(self.dense(&weight, &bias, width, activation)?)
            }
            Structure::Residual => {
                SquareEmbedding::Convolution(self.convolution(block, width, 1, activation)?)
            }
        };
        let (weight, bias) = layer(names.first);
        let dense1 = self.dense(&weight, &bias, SQUARES * embedding.width(), activation)?;
        let (weight, bias) = layer(names.last);
        let dense2 = self.dense_to(&weight, &bias, dense1.outputs, outputs, last)?;
        Ok(BoardHead { embedding, dense1, dense2 })
    }
}

/// Lc0's names of the layers of a board head.
#[derive(Clone, Copy)]
struct BoardNames {
    square: &'static str,
    first: &'static str,
    last: &'static str,
}
