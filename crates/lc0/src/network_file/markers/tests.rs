use super::*;
use crate::proto::{Encoding, Format, Layer, PolicyHeads, ValueHeads};

const CLASSICAL: i32 = 1;
const RELU: i32 = 2;
const MISH: i32 = 1;
const SWISH: i32 = 7;
const RELU2: i32 = 8;

/// What a file has besides its markers.
#[derive(Default)]
struct Parts {
    encoders: bool,
    smolgen: bool,
    both_heads: bool,
    preprocessing: bool,
}

fn normalised(format: Option<NetworkFormat>, parts: &Parts) -> NetworkFormat {
    let layer = |present: bool| present.then(Layer::default);
    let weights = Weights {
        encoder: vec![Default::default(); usize::from(parts.encoders)],
        smolgen_w: layer(parts.smolgen),
        policy_heads: parts.both_heads.then(PolicyHeads::default),
        value_heads: parts.both_heads.then(ValueHeads::default),
        ip_emb_preproc_w: layer(parts.preprocessing),
        ..Weights::default()
    };
    let format =
        Format { weights_encoding: Some(Encoding::Linear16 as i32), network_format: format };
    let mut net = Net { format: Some(format), weights: Some(weights), ..Net::default() };
    normalise(&mut net);
    net.format.unwrap().network_format.unwrap()
}

fn network(network: i32) -> NetworkFormat {
    NetworkFormat { network: Some(network), ..NetworkFormat::default() }
}

#[test]
fn old_markers_become_those_of_today() {
    let check = |stored: Option<NetworkFormat>, parts: Parts, expected: NetworkFormat| {
        assert_eq!(normalised(stored.clone(), &parts), expected, "{stored:?}");
    };
    let none = Parts::default;
    let heads = |format: NetworkFormat| NetworkFormat {
        policy: Some(CLASSICAL),
        value: Some(CLASSICAL),
        ..format
    };
    let body = |network: i32, embedding: i32| NetworkFormat {
        network: Some(network),
        smolgen_activation: Some(RELU),
        ffn_activation: Some(RELU),
        input_embedding: Some(embedding),
        ..NetworkFormat::default()
    };

    let oldest = NetworkFormat { input: Some(1), output: Some(CLASSICAL), ..network(3) };
    check(None, none(), heads(oldest));
    check(Some(network(1)), none(), heads(network(3)));
    check(Some(network(2)), none(), heads(network(4)));
    check(Some(network(3)), none(), network(3));
    check(Some(network(4)), none(), network(4));
    check(Some(network(5)), none(), network(5));

    check(Some(network(4)), Parts { encoders: true, ..none() }, body(6, 1));
    check(
        Some(network(4)),
        Parts { encoders: true, smolgen: true, ..none() },
        NetworkFormat {
            ffn_activation: Some(RELU2),
            smolgen_activation: Some(SWISH),
            ..body(6, 1)
        },
    );
    check(Some(network(6)), none(), body(6, 1));
    check(Some(network(6)), Parts { preprocessing: true, ..none() }, body(6, 2));
    check(Some(network(6)), Parts { both_heads: true, preprocessing: true, ..none() }, body(7, 2));
    check(Some(network(134)), Parts { preprocessing: true, ..none() }, body(7, 2));
    check(Some(network(7)), none(), body(7, 1));
    check(Some(NetworkFormat { input_embedding: Some(0), ..network(6) }), none(), body(6, 0));
}

#[test]
fn activations_are_named() {
    let stored = |default: i32, smolgen: Option<i32>, ffn: Option<i32>| NetworkFormat {
        default_activation: Some(default),
        smolgen_activation: smolgen,
        ffn_activation: ffn,
        ..network(6)
    };
    let check = |stored: NetworkFormat, smolgen: i32, ffn: i32| {
        let found = normalised(Some(stored), &Parts::default());
        assert_eq!((found.smolgen_activation, found.ffn_activation), (Some(smolgen), Some(ffn)));
    };
    check(stored(0, None, None), RELU, RELU);
    check(stored(1, Some(0), None), MISH, MISH);
    check(stored(1, Some(SWISH), Some(0)), SWISH, MISH);
    check(stored(0, Some(SWISH), Some(RELU2)), SWISH, RELU2);
    check(stored(0, Some(99), Some(MISH)), 99, MISH);
}

#[test]
fn undefined_markers_are_left_to_be_refused() {
    assert_eq!(normalised(Some(network(99)), &Parts::default()), network(99));
}
