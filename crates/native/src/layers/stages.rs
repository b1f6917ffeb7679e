//! Every stage of a forward pass against the numbers of an independent implementation.

use chess::{Game, HistoryFill};
use lc0::NetworkFile;
use network::{EncodedPosition, HeadSelection, INPUT_CHANNELS, Network, SQUARES};
use serde_json::Value;

use super::attention_policy::SLOTS;
use super::{BoardHead, Body, BodyTape, Pass, PolicyHead, PolicyHeadTape, Purpose, Source};
use crate::kernels::{Arithmetic, Precision};
use crate::pool::Pool;

/// Largest difference in a stage, relative to the stage's largest magnitude.
const TOLERANCE: f32 = 2e-5;

fn check(stages: &Value, name: &str, ours: &[f32]) {
    let theirs = stages[name]["data"].as_array().unwrap_or_else(|| panic!("no stage {name}"));
    let theirs: Vec<f32> = theirs.iter().map(|value| value.as_f64().unwrap() as f32).collect();
    assert_eq!(ours.len(), theirs.len(), "{name}");
    let scale = theirs.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    for (index, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        let error = (ours - theirs).abs() / scale;
        assert!(error <= TOLERANCE, "{name}[{index}]: {ours} here, {theirs} there");
    }
}

fn check_position(network: &Network, name: &str, game: &Game, stages: &Value) {
    let format = network.architecture.input_format;
    let position = EncodedPosition::new(game, format, HistoryFill::default()).unwrap();
    let (arithmetic, pool) = (Arithmetic::detect(Precision::Float32), Pool::default());
    let set = arithmetic.instruction_set();
    let pass = Pass { set, arithmetic, pool: &pool, keep: true };
    let source = Source {
        layout: &network.architecture.layout,
        parameters: &network.parameters,
        purpose: Purpose::Inference,
        arithmetic,
    };

    let body = Body::new(&network.architecture.body, source);
    let (features, tape) = body.forward(pass, &[position.planes]);
    let BodyTape::Attention { embedding, encoders } = tape else { panic!("{name}: no attention") };
    let width = embedding.tokens.len() / SQUARES;
    let encoding: Vec<f32> = embedding
        .tokens
        .chunks(width)
        .flat_map(|token| &token[INPUT_CHANNELS..])
        .copied()
        .collect();
    check(stages, "embedding.preproc", &encoding);
    check(stages, "embedding.ln", embedding.before_gate.as_ref().unwrap());
    check(stages, "embedding.gated", &embedding.feed_forward.as_ref().unwrap().x);
    check(stages, "embedding.out", &encoders[0].x);
    for (layer, encoder) in encoders.iter().enumerate() {
        let stage = |part: &str| format!("encoder{layer}.{part}");
        check(stages, &stage("attn_probs"), &encoder.attention.probabilities);
        check(stages, &stage("after_ln1"), &encoder.feed_forward.x);
        let out = encoders.get(layer + 1).map_or(&features, |next| &next.x);
        check(stages, &stage("out"), out);
    }

    let policy = PolicyHead::new(&network.architecture.policy, source);
    let mut logits = vec![0.0; chess::MoveIndex::COUNT];
    let PolicyHeadTape::Attention(tape) = policy.forward(pass, &features, &mut logits) else {
        panic!("{name}: no attention policy")
    };
    let PolicyHead::Attention(head) = &policy else { panic!("{name}: no attention policy") };
    check(stages, "policy.embedding", &tape.embedded);
    let mut slots = vec![0.0; SLOTS];
    head.slots(pass, &tape.query, &tape.key, &mut slots);
    let (scores, promotions) = slots.split_at(SQUARES * SQUARES);
    check(stages, "policy.from_to", scores);
    check(stages, "policy.promotion", promotions);
    check(stages, "policy_1858", &logits);

    let value = BoardHead::new(&network.architecture.value.layers, source);
    let (wdl, tape) = value.forward(pass, &features);
    check(stages, "value.embedding_flat", &tape.flat);
    check(stages, "value.logits", &wdl);
}

#[test]
fn every_stage_is_that_of_an_independent_implementation() {
    let Some(trace) = fixtures::reference("lc0_golden/bt4tiny_trace.json") else { return };
    let Some(golden) = fixtures::reference("lc0_golden/golden.json") else { return };
    let Some(net) = fixtures::reference("nets/bt4tiny.pb.gz") else { return };
    let network =
        Network::load(&NetworkFile::read(net).unwrap(), HeadSelection::default()).unwrap();
    let read = |path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap();
    let (trace, golden) = (read(trace), read(golden));
    let positions = trace["positions"].as_object().unwrap();
    assert_eq!(positions.len(), 2);
    for (name, stages) in positions {
        let known = golden["nets"]["bt4tiny"]["positions"].as_array().unwrap();
        let position = known.iter().find(|position| position["name"] == name.as_str()).unwrap();
        let mut game = Game::from_fen(position["fen"].as_str().unwrap()).unwrap();
        for uci in position["moves"].as_array().unwrap() {
            game.play_uci(uci.as_str().unwrap()).unwrap();
        }
        check_position(&network, name, &game, stages);
    }
}
