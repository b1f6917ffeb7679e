//! Players for tests.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use chess::{HistoryFill, MoveIndex, Planes};
use network::{Architecture, Engine, Evaluator, HeadSelection, Network, Outputs};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use uci_engine::{EngineCommand, SearchLimit};

use crate::player::{EngineLimit, EnginePlayer, MoveChoice, NetworkPlayer, Player, PlayerKind};

/// An engine without a network: what it says of a position depends on the position and a seed.
struct Scrambler {
    architecture: Arc<Architecture>,
    seed: u64,
}

impl Engine for Scrambler {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        let kind = self.architecture.value.kind;
        let mut outputs =
            Outputs::zeros(planes.len(), kind, self.architecture.moves_left.is_some());
        for (position, planes) in planes.iter().enumerate() {
            let mut hasher = DefaultHasher::new();
            (self.seed, planes.masks).hash(&mut hasher);
            let state = hasher.finish();
            for index in 0..MoveIndex::COUNT {
                let mut hasher = DefaultHasher::new();
                (state, index).hash(&mut hasher);
                let logit = (hasher.finish() % 1000) as f32 / 250.0;
                outputs.policy[position * MoveIndex::COUNT + index] = logit;
            }
            let logits = outputs.value.len() / planes_count(&outputs);
            for index in 0..logits {
                let mut hasher = DefaultHasher::new();
                (state, "value", index).hash(&mut hasher);
                outputs.value[position * logits + index] = (hasher.finish() % 1000) as f32 / 500.0;
            }
        }
        outputs
    }
}

fn planes_count(outputs: &Outputs) -> usize {
    outputs.policy.len() / MoveIndex::COUNT
}

/// An evaluator that knows nothing of chess; another for each seed.
pub(crate) fn evaluator(seed: u64) -> Evaluator {
    let specification = lc0::random::Preset::Smallest.specification();
    let net = lc0::random::random_network(&specification, &mut ChaCha8Rng::seed_from_u64(1));
    let file = lc0::NetworkFile::new("smallest", net).expect("a network");
    let network = Network::load(&file, HeadSelection::default()).expect("a network");
    let architecture = Arc::new(network.architecture);
    Evaluator::new(Arc::new(Scrambler { architecture, seed }), HistoryFill::FenOnly)
}

/// A network player.
pub(crate) fn network(name: &str, seed: u64, choice: MoveChoice) -> Player {
    let evaluator = Arc::new(evaluator(seed));
    let kind = PlayerKind::Network(NetworkPlayer { evaluator, choice });
    Player { name: name.to_owned(), kind }
}

/// An engine that is a shell script and answers to each `go` by `answer`. It does not know the
/// rules: scripts play moves of a fixed line by their ply, `$ply`, from 0.
pub(crate) fn engine(name: &str, answer: &str) -> Player {
    let script = format!(
        r#"while read word rest; do case "$word" in
            uci) echo uciok;;
            isready) echo readyok;;
            position) set -- $rest; ply=0; seen=
                for part in "$@"; do
                    [ -n "$seen" ] && ply=$((ply + 1))
                    [ "$part" = moves ] && seen=1
                done;;
            go) {answer};;
            quit) exit;;
        esac; done"#
    );
    let mut command = EngineCommand::new("sh");
    command.arguments = vec!["-c".to_owned(), script];
    let limit = EngineLimit::Move(SearchLimit::Nodes(1));
    Player { name: name.to_owned(), kind: PlayerKind::Engine(EnginePlayer { command, limit }) }
}
