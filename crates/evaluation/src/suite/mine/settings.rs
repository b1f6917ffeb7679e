//! What mining is told.

use chess::mate::MateSolver;
use serde::{Deserialize, Serialize};

use super::error::MineError;

/// Everything that determines the puzzles of a game, given the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MineSettings {
    /// Which puzzles are looked for.
    pub kind: PuzzleKind,
    /// Nodes with which a candidate's positions are searched, at least 1.
    pub nodes: u64,
    /// Nodes of the first look at each position of a game, at least 1.
    pub look_nodes: u64,
    /// Expected score that the solver has to have with the best move, in (0.5, 1].
    pub winning: f64,
    /// By how much the mistake has to raise the solver's expected score, in [0, 1].
    pub jump: f64,
    /// By how much the solver's best move has to be better than the second, in expected score, in
    /// (0, 1].
    pub gap: f64,
    /// Moves of the solver that a tactic has at least.
    pub least_moves: usize,
    /// Moves of the solver after which a tactic ends, at least `least_moves`.
    pub most_moves: usize,
    /// Puzzles taken from one game at the most.
    pub per_game: usize,
    /// Nodes that the proof of a mate in one position may take.
    pub node_budget: u64,
    /// Seed of the order of games, and of the candidates of each.
    pub seed: u64,
}

/// Which puzzles are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleKind {
    /// Those in which one move wins and does not mate.
    Tactics,
    /// Forced mates.
    Mates,
    /// All.
    Both,
}

impl MineSettings {
    /// The longest mate that is taken, in moves of the solver: beyond it proofs take long.
    pub const LONGEST_MATE: u8 = 5;

    /// How far a first look, or the search of a later position, may stay behind what a puzzle
    /// needs: searches of different positions differ by some hundredths.
    pub(super) const SLACK: f64 = 0.1;

    /// Checks every value's range.
    ///
    /// # Errors
    ///
    /// [`MineError::OutOfRange`] for the first value outside its range.
    pub fn validate(&self) -> Result<(), MineError> {
        let within = |setting, value: String, valid, expected| match valid {
            true => Ok(()),
            false => Err(MineError::OutOfRange { setting, value, expected }),
        };
        let whole =
            |setting, value: u64| within(setting, value.to_string(), value >= 1, "1 or more");
        whole("nodes", self.nodes)?;
        whole("look-nodes", self.look_nodes)?;
        whole("node-budget", self.node_budget)?;
        whole("least-moves", self.least_moves as u64)?;
        whole("per-game", self.per_game as u64)?;
        let most = self.most_moves;
        let valid = most >= self.least_moves;
        within("most-moves", most.to_string(), valid, "no less than the least moves")?;
        let valid = self.winning > 0.5 && self.winning <= 1.0;
        within("winning", self.winning.to_string(), valid, "above 0.5, at most 1")?;
        let valid = (0.0..=1.0).contains(&self.jump);
        within("jump", self.jump.to_string(), valid, "0 to 1")?;
        let valid = self.gap > 0.0 && self.gap <= 1.0;
        within("gap", self.gap.to_string(), valid, "above 0, at most 1")
    }
}

const _: () = assert!(MineSettings::LONGEST_MATE <= MateSolver::MOST_MOVES);

impl PuzzleKind {
    /// Whether mates are looked for.
    pub fn has_mates(self) -> bool {
        self != PuzzleKind::Tactics
    }

    /// Whether tactics are looked for.
    pub fn has_tactics(self) -> bool {
        self != PuzzleKind::Mates
    }
}
