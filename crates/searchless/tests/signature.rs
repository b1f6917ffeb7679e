//! What the engine computes, to the bit: the signatures of fixed networks.
//!
//! A change of these numbers is a change of every network's outputs. Where that is meant, the new
//! signatures belong in the same commit, with the reason in its message.

use std::sync::Arc;

use chess::Planes;
use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::NativeEngine;
use native::kernels::InstructionSet;
use network::{Architecture, Engine, HeadSelection, Network, Outputs, Signature};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn network(preset: Preset) -> Network {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let net = random_network(&preset.specification(), &mut generator);
    let file = NetworkFile::new(preset.name(), net).unwrap();
    Network::load(&file, HeadSelection::default()).unwrap()
}

/// An engine that is never given more than `size` positions at once.
struct InBatches {
    engine: NativeEngine,
    size: usize,
}

impl Engine for InBatches {
    fn architecture(&self) -> &Arc<Architecture> {
        self.engine.architecture()
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        let kind = self.architecture().value.kind;
        let mut all = Outputs::zeros(0, kind, false);
        for planes in planes.chunks(self.size) {
            let outputs = self.engine.evaluate(planes);
            all.policy.extend(outputs.policy);
            all.value.extend(outputs.value);
            all.moves_left.extend(outputs.moves_left);
        }
        all
    }
}

fn check(preset: Preset, expected: &str) {
    let all = Signature::POSITIONS;
    for (place, set) in InstructionSet::available().into_iter().enumerate() {
        // The slow sets once are enough: their kernels know nothing of threads and batches.
        let ways = if place == 0 { &[(2, all), (1, all), (2, 7)][..] } else { &[(2, all)] };
        for &(threads, size) in ways {
            let engine = NativeEngine::with_instruction_set(network(preset), set);
            let engine = InBatches { engine, size };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let signature = pool.install(|| Signature::of(&engine)).unwrap().to_string();
            let name = preset.name();
            assert_eq!(signature, expected, "{name}, {set}, {threads} threads, batches of {size}");
        }
    }
}

#[test]
fn an_attention_body() {
    check(Preset::TinyBt4, "7e04a0745876e90d57691501b1af30b8af0849ad0f21461e24e9f1e92c5a3bbd");
}

#[test]
fn an_attention_body_with_a_position_map() {
    check(Preset::TinyT82, "b7f07ea6441e39132b9a1d6112c0d9c9aaa71a1439535641caac3c26bddae650");
}

#[test]
fn a_residual_tower() {
    check(
        Preset::TowerConvolution,
        "87bf9e4597126230a0378e5a949ebb5939df260c360951920f571cb105a094c0",
    );
}

#[test]
fn a_residual_tower_with_an_attention_policy() {
    check(
        Preset::TowerAttention,
        "ea5ac8fb27100fad15ac7f3877dd98ca1500f96c2679a112f8ca489d34942611",
    );
}
