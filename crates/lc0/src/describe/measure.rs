//! Sizes from element counts.

use super::{Encoder, Smolgen, Tower};
use crate::proto::{Layer, PolicyHeads, ValueHeads, Weights};
use crate::{NetworkFile, layer};

/// Squares of the board.
const SQUARES: usize = 64;

/// Input planes times squares under a 3x3 kernel.
const INPUT_KERNEL: usize = 112 * 9;

pub(super) fn encoder(file: &NetworkFile) -> Option<Encoder> {
    let weights = weights(file)?;
    let first = weights.encoder.first()?;
    let embedding = count(&weights.ip_emb_b);
    let heads = weights.headcount.map(|heads| heads as usize);
    let mha = first.mha.as_ref();
    Some(Encoder {
        layers: weights.encoder.len(),
        embedding,
        d_model: mha.and_then(|mha| count(&mha.q_b)),
        heads,
        dff: first.ffn.as_ref().and_then(|ffn| count(&ffn.dense1_b)),
        position_channels: divided(count(&weights.ip_emb_preproc_b), Some(SQUARES)),
        embedding_dff: weights.ip_emb_ffn.as_ref().and_then(|ffn| count(&ffn.dense1_b)),
        gating: weights.ip_mult_gate.is_some() && weights.ip_add_gate.is_some(),
        smolgen: mha.and_then(|mha| mha.smolgen.as_ref()).map(|smolgen| Smolgen {
            compress: divided(count(&smolgen.compress), embedding),
            hidden: count(&smolgen.dense1_b),
            generated: divided(count(&smolgen.dense2_b), heads),
        }),
    })
}

pub(super) fn tower(file: &NetworkFile) -> Option<Tower> {
    let weights = weights(file)?;
    let input = weights.input.as_ref()?;
    let squeeze = weights.residual.first().and_then(|block| block.se.as_ref());
    Some(Tower {
        blocks: weights.residual.len(),
        filters: divided(count(&input.weights), Some(INPUT_KERNEL)),
        squeeze: squeeze.and_then(|se| count(&se.b1)),
    })
}

pub(super) fn policy_heads(file: &NetworkFile) -> Vec<String> {
    let heads: Option<&PolicyHeads> = weights(file).and_then(|w| w.policy_heads.as_ref());
    let Some(heads) = heads else { return Vec::new() };
    let named = [
        ("vanilla", heads.vanilla.is_some()),
        ("optimistic_st", heads.optimistic_st.is_some()),
        ("soft", heads.soft.is_some()),
        ("opponent", heads.opponent.is_some()),
    ];
    names(&named, heads.policy_head_map.iter().map(|head| head.key()))
}

pub(super) fn value_heads(file: &NetworkFile) -> Vec<String> {
    let heads: Option<&ValueHeads> = weights(file).and_then(|w| w.value_heads.as_ref());
    let Some(heads) = heads else { return Vec::new() };
    let named =
        [("winner", heads.winner.is_some()), ("q", heads.q.is_some()), ("st", heads.st.is_some())];
    names(&named, heads.value_head_map.iter().map(|head| head.key()))
}

fn names<'a>(named: &[(&str, bool)], mapped: impl Iterator<Item = &'a str>) -> Vec<String> {
    let present = named.iter().filter(|(_, present)| *present).map(|(name, _)| *name);
    present.map(str::to_owned).chain(mapped.map(str::to_owned)).collect()
}

fn weights(file: &NetworkFile) -> Option<&Weights> {
    file.net().weights.as_ref()
}

fn count(layer: &Option<Layer>) -> Option<usize> {
    layer.as_ref().and_then(|layer| layer::element_count(layer).ok())
}

/// The quotient of a division without remainder.
fn divided(dividend: Option<usize>, divisor: Option<usize>) -> Option<usize> {
    let (dividend, divisor) = (dividend?, divisor.filter(|&divisor| divisor > 0)?);
    dividend.is_multiple_of(divisor).then_some(dividend / divisor)
}
