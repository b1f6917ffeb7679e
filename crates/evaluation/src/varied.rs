//! An engine for tests that says something else of every position.

use std::sync::Arc;

use chess::{HistoryFill, Planes};
use network::{Architecture, Engine, Evaluator, HeadSelection, Network, Outputs};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws logits from a generator that the position seeds.
struct Varied {
    architecture: Arc<Architecture>,
    seed: u64,
    spread: f32,
}

impl Engine for Varied {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        let mut outputs = Outputs::zeros(
            planes.len(),
            self.architecture.value.kind,
            self.architecture.moves_left.is_some(),
        );
        let values = outputs.value.len() / planes.len().max(1);
        for (position, planes) in planes.iter().enumerate() {
            let mut generator = ChaCha8Rng::seed_from_u64(self.seed ^ fingerprint(planes));
            let mut logit = || generator.random_range(-self.spread..=self.spread);
            outputs.value[position * values..][..values].fill_with(&mut logit);
            let moves = chess::MoveIndex::COUNT;
            outputs.policy[position * moves..][..moves].fill_with(&mut logit);
        }
        outputs
    }
}

/// FNV-1a over the position as the network sees it.
fn fingerprint(planes: &Planes) -> u64 {
    let mut dense = [0.0; Planes::LEN];
    planes.write_by_plane(&mut dense);
    let bytes = dense.iter().flat_map(|value| value.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// An evaluator whose logits are drawn evenly from `-spread..=spread`, the same for the same
/// position with the same history, and others for another `seed`.
pub(crate) fn evaluator(seed: u64, spread: f32) -> Evaluator {
    let specification = lc0::random::Preset::Smallest.specification();
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let net = lc0::random::random_network(&specification, &mut generator);
    let file = lc0::NetworkFile::new("smallest", net).expect("a network");
    let network = Network::load(&file, HeadSelection::default()).expect("a network");
    let engine = Varied { architecture: Arc::new(network.architecture), seed, spread };
    Evaluator::new(Arc::new(engine), HistoryFill::FenOnly)
}
