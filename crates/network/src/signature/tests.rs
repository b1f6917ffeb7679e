use std::collections::HashSet;
use std::sync::Arc;

use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{Architecture, HeadSelection, Network};

/// Outputs that say which position they belong to, with one of them replaced.
struct Labels {
    architecture: Arc<Architecture>,
    replaced: Option<(usize, f32)>,
}

impl Labels {
    fn new(replaced: Option<(usize, f32)>) -> Self {
        let specification = Preset::Smallest.specification();
        let net = random_network(&specification, &mut ChaCha8Rng::seed_from_u64(1));
        let file = NetworkFile::new("smallest", net).unwrap();
        let network = Network::load(&file, HeadSelection::default()).unwrap();
        Self { architecture: Arc::new(network.architecture), replaced }
    }
}

impl Engine for Labels {
    fn architecture(&self) -> &Arc<Architecture> {
        &self.architecture
    }

    fn evaluate(&self, planes: &[Planes]) -> Outputs {
        let kind = self.architecture.value.kind;
        let mut outputs = Outputs::zeros(planes.len(), kind, true);
        let rows = outputs.policy.chunks_exact_mut(MoveIndex::COUNT).zip(planes);
        rows.for_each(|(row, planes)| row.fill(planes.masks[0] as f32));
        if let Some((position, value)) = self.replaced {
            outputs.value[position * kind.width() + 1] = value;
        }
        outputs
    }
}

fn hexadecimal(replaced: Option<(usize, f32)>) -> String {
    Signature::of(&Labels::new(replaced)).unwrap().to_string()
}

#[test]
fn one_bit_of_one_output_changes_the_signature() {
    let plain = hexadecimal(None);
    assert_eq!(plain.len(), 64);
    assert_eq!(plain, hexadecimal(None));
    assert_ne!(plain, hexadecimal(Some((63, f32::from_bits(1)))));
    assert_ne!(plain, hexadecimal(Some((63, -0.0))));
}

#[test]
fn outputs_that_are_no_numbers_have_no_signature() {
    for value in [f32::NAN, f32::INFINITY] {
        let error = Signature::of(&Labels::new(Some((17, value)))).unwrap_err();
        assert_eq!(error.to_string(), format!("a value logit of position 17 is {value}"));
    }
}

#[test]
fn the_games_are_always_the_same_and_unlike_each_other() {
    let games = sample_games(200);
    let fens: Vec<String> = games.iter().map(Game::fen).collect();
    assert_eq!(fens[0], "rnbqkbnr/1ppppppp/8/p5N1/8/8/PPPPPPPP/RNBQKB1R b KQkq - 1 2");
    assert_eq!(fens[63], "2rk1br1/p5p1/1np2p2/1pp5/2P1bQ2/1R1P2PP/5B1R/4K2B b - - 3 38");
    assert_eq!(fens.iter().collect::<HashSet<_>>().len(), 200);
    let shorter: Vec<String> = sample_games(64).iter().map(Game::fen).collect();
    assert_eq!(shorter, fens[..64]);
    assert!(games.iter().all(|game| !game.legal_moves().is_empty() && game.ply() > 0));
    assert!(games.iter().any(|game| game.ply() > 100));
    assert!(games.iter().any(|game| game.half_move_clock() > 10));
}
