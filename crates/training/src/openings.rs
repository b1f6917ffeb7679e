//! How different the openings of the games are that self-play really generates.

use std::collections::{HashMap, VecDeque};

use chess::Game;
use serde::{Deserialize, Serialize};

mod record;
#[cfg(test)]
mod tests;

pub(crate) use record::OpeningsRecord;

/// Openings remembered for each depth. A window bounds the memory of a long run and shows a
/// narrowing when it happens, which a count since the start would hide.
pub const OPENING_WINDOW: usize = 1_000;

/// The first `depth` plies of the games that most recently got so far.
#[derive(Clone, Debug)]
struct OpeningWindow {
    depth: u32,
    /// As FEN of the start, where it is not the initial position, and moves in UCI notation.
    recent: VecDeque<Box<str>>,
    counts: HashMap<Box<str>, usize>,
}

/// Openings of several depths.
#[derive(Clone, Debug)]
pub(crate) struct Openings {
    first_move: OpeningWindow,
    four_plies: OpeningWindow,
    eight_plies: OpeningWindow,
}

/// Diversity of the openings by depth in plies that self-play played: those of a book's opening
/// do not count, but games from different openings of the book are different.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningMetrics {
    /// The first move.
    pub first_move: OpeningDiversity,
    /// The first four plies.
    pub four_plies: OpeningDiversity,
    /// The first eight plies.
    pub eight_plies: OpeningDiversity,
}

/// Diversity of the openings of one depth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningDiversity {
    /// Games looked at: the last ones to get so far, at most [`OPENING_WINDOW`].
    pub games: usize,
    /// Different openings among them.
    pub distinct: usize,
    /// Entropy of the openings' frequencies in nats, in [0, ln games].
    pub entropy: f64,
}

impl Openings {
    /// No games yet.
    pub(crate) fn new() -> Self {
        Self {
            first_move: OpeningWindow::new(1),
            four_plies: OpeningWindow::new(4),
            eight_plies: OpeningWindow::new(8),
        }
    }

    /// Looks at a game in which a move has just been played, the first `opening_plies` of it drawn
    /// from a book.
    pub(crate) fn observe(&mut self, game: &Game, opening_plies: u32) {
        for window in [&mut self.first_move, &mut self.four_plies, &mut self.eight_plies] {
            window.observe(game, opening_plies);
        }
    }

    /// Diversity now.
    pub(crate) fn metrics(&self) -> OpeningMetrics {
        OpeningMetrics {
            first_move: self.first_move.diversity(),
            four_plies: self.four_plies.diversity(),
            eight_plies: self.eight_plies.diversity(),
        }
    }
}

impl OpeningWindow {
    fn new(depth: u32) -> Self {
        Self { depth, recent: VecDeque::new(), counts: HashMap::new() }
    }

    /// Counts a game that has just got to this depth.
    fn observe(&mut self, game: &Game, opening_plies: u32) {
        if game.ply() == opening_plies + self.depth {
            self.count(opening(game));
        }
    }

    fn count(&mut self, opening: Box<str>) {
        if self.recent.len() == OPENING_WINDOW {
            self.forget_oldest();
        }
        *self.counts.entry(opening.clone()).or_insert(0) += 1;
        self.recent.push_back(opening);
    }

    fn forget_oldest(&mut self) {
        let Some(oldest) = self.recent.pop_front() else { return };
        if let Some(count) = self.counts.get_mut(&oldest) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&oldest);
            }
        }
    }

    fn diversity(&self) -> OpeningDiversity {
        let games = self.recent.len();
        // Sorted, as a hash map's order would make the sum's last bits differ between runs.
        let mut counts: Vec<usize> = self.counts.values().copied().collect();
        counts.sort_unstable();
        let term = |count: usize| {
            let share = count as f64 / games as f64;
            -share * share.ln()
        };
        // `abs` makes the -0.0 of a single opening, and of none, 0.0.
        let entropy = counts.iter().map(|&count| term(count)).sum::<f64>().abs();
        OpeningDiversity { games, distinct: counts.len(), entropy }
    }
}

/// The start and all moves of a game, so that equal texts are equal games.
fn opening(game: &Game) -> Box<str> {
    let start = game.up_to(0);
    let fen = (start.position() != Game::new().position()).then(|| start.fen());
    let moves = game.moves().iter().map(|&played| game.uci(played));
    fen.into_iter().chain(moves).collect::<Vec<_>>().join(" ").into()
}
