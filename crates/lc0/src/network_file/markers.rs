//! Bringing the markers of older files to today's values (LC0_FORMAT section 1).

use crate::proto::{
    ActivationFunction, DefaultActivation, InputEmbedding, InputFormat, Net, NetworkFormat,
    NetworkStructure, OutputFormat, PolicyFormat, ValueFormat, Weights,
};

/// Rewrites the markers of `net` so that a reader needs to know no older values.
///
/// Values that the format does not define are left for the reader to refuse.
pub(super) fn normalise(net: &mut Net) {
    let weights = net.weights.get_or_insert_default();
    let format =
        net.format.get_or_insert_default().network_format.get_or_insert_with(|| NetworkFormat {
            input: Some(InputFormat::Classical112Plane as i32),
            output: Some(OutputFormat::Classical as i32),
            network: Some(NetworkStructure::Classical as i32),
            ..NetworkFormat::default()
        });
    structure(format, weights);
    if is_attention_body(format) {
        embedding(format, weights);
        activations(format);
    }
}

fn structure(format: &mut NetworkFormat, weights: &Weights) {
    use NetworkStructure as Structure;
    // Files older than the head markers had these heads and no others.
    if matches!(format.network(), Structure::Classical | Structure::Se) {
        format.policy = Some(PolicyFormat::Classical as i32);
        format.value = Some(ValueFormat::Classical as i32);
    }
    match format.network() {
        Structure::Classical => set(format, Structure::ClassicalWithHeadformat),
        Structure::Se => set(format, Structure::SeWithHeadformat),
        Structure::AbLegacyWithMultiheadformat => {
            set(format, Structure::AttentionbodyWithMultiheadformat);
        }
        Structure::SeWithHeadformat if !weights.encoder.is_empty() => {
            set(format, Structure::AttentionbodyWithHeadformat);
            if weights.smolgen_w.is_some() {
                format.ffn_activation = Some(ActivationFunction::Relu2 as i32);
                format.smolgen_activation = Some(ActivationFunction::Swish as i32);
            }
        }
        Structure::AttentionbodyWithHeadformat
            if weights.policy_heads.is_some() && weights.value_heads.is_some() =>
        {
            set(format, Structure::AttentionbodyWithMultiheadformat);
        }
        _ => {}
    }
}

fn set(format: &mut NetworkFormat, structure: NetworkStructure) {
    format.network = Some(structure as i32);
}

fn is_attention_body(format: &NetworkFormat) -> bool {
    matches!(
        format.network(),
        NetworkStructure::AttentionbodyWithHeadformat
            | NetworkStructure::AttentionbodyWithMultiheadformat
    )
}

/// The weights of a dense position encoding say more than the marker, which early trainers of
/// such networks left out.
fn embedding(format: &mut NetworkFormat, weights: &Weights) {
    if weights.ip_emb_preproc_w.is_some() {
        format.input_embedding = Some(InputEmbedding::PeDense as i32);
    } else if format.input_embedding.is_none() {
        format.input_embedding = Some(InputEmbedding::PeMap as i32);
    }
}

/// Replaces "as the default activation" by that activation.
fn activations(format: &mut NetworkFormat) {
    let default = match format.default_activation() {
        DefaultActivation::Relu => ActivationFunction::Relu,
        DefaultActivation::Mish => ActivationFunction::Mish,
    };
    for activation in [&mut format.smolgen_activation, &mut format.ffn_activation] {
        if activation.unwrap_or_default() == ActivationFunction::Default as i32 {
            *activation = Some(default as i32);
        }
    }
}

#[cfg(test)]
mod tests;
