//! An engine for tests that plays what it is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess::{Game, HistoryFill, MoveIndex, Planes};
use network::{Architecture, Engine, Evaluator, HeadSelection, Network, Outputs};

/// Gives the chosen move of each known position logit 1 and everything else 0.
struct Scripted {
    architecture: Arc<Architecture>,
    choices: Vec<(Planes, MoveIndex)>,
    evaluated: Arc<AtomicU64>,
}

impl Engine for Scripted {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        self.evaluated.fetch_add(planes.len() as u64, Ordering::Relaxed);
        let mut outputs = Outputs::zeros(
            planes.len(),
            self.architecture.value.kind,
            self.architecture.moves_left.is_some(),
        );
        for (position, planes) in planes.iter().enumerate() {
            if let Some((_, index)) = self.choices.iter().find(|(known, _)| known == planes) {
                outputs.policy[position * MoveIndex::COUNT + index.get()] = 1.0;
            }
        }
        outputs
    }
}

/// An evaluator that plays the move `uci` in the current position of `game`, for each of
/// `choices`, and the legal move of the lowest index everywhere else.
pub(crate) fn evaluator(choices: &[(Game, &str)]) -> Evaluator {
    counting_evaluator(choices).0
}

/// The same, and the number of positions that it has evaluated.
pub(crate) fn counting_evaluator(choices: &[(Game, &str)]) -> (Evaluator, Arc<AtomicU64>) {
    let specification = lc0::random::Preset::Smallest.specification();
    let mut generator =
        <rand_chacha::ChaCha8Rng as rand_chacha::rand_core::SeedableRng>::seed_from_u64(1);
    let net = lc0::random::random_network(&specification, &mut generator);
    let file = lc0::NetworkFile::new("smallest", net).expect("a network");
    let network = Network::load(&file, HeadSelection::default()).expect("a network");
    let architecture = Arc::new(network.architecture);
    let choice = |(game, uci): &(Game, &str)| {
        let encoding = chess::encode(game, architecture.input_format, HistoryFill::FenOnly)
            .expect("standard chess");
        let mv = game.parse_uci(uci).expect("a legal move");
        (encoding.planes, MoveIndex::of(mv, encoding.orientation))
    };
    let choices = choices.iter().map(choice).collect();
    let evaluated = Arc::new(AtomicU64::new(0));
    let engine = Scripted { architecture, choices, evaluated: Arc::clone(&evaluated) };
    (Evaluator::new(Arc::new(engine), HistoryFill::FenOnly), evaluated)
}
