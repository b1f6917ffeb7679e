//! Making puzzles of one game after another.

use chess::mate::MateSolver;
use chess::puzzle::{FirstMove, Puzzle};
use chess::{Game, Move};
use serde::{Deserialize, Serialize};

use super::super::identity::{Fingerprint, Identities, Identity};
use super::analyst::{Analyst, AnalystError, Prospect, Verdict};
use super::counts::MineCounts;
use super::difficulty::difficulty;
use super::games::SourceGame;
use super::settings::MineSettings;
use super::themes::themes;
use crate::prove;

/// Letters of a puzzle's id: among 10,000 positions two have the same with a probability of
/// 2 in 100,000, and then only the first is taken.
const ID_LETTERS: usize = 8;

/// What came of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MinedGame {
    /// Its place in the order of games, from 0.
    pub(super) game: u64,
    pub(super) counts: MineCounts,
    /// Rows of a suite.
    pub(super) puzzles: Vec<String>,
}

/// Mines games with one analyst.
pub(super) struct Miner<'a, A> {
    pub(super) settings: &'a MineSettings,
    pub(super) excluded: &'a Identities,
    pub(super) analyst: &'a mut A,
    pub(super) solver: &'a mut MateSolver,
    pub(super) counts: MineCounts,
}

/// Why there is no puzzle.
#[derive(Debug)]
pub(super) enum Refusal {
    /// This is none, for this reason.
    Rejected(&'static str),
    /// There will be no more.
    Broken(Box<dyn std::error::Error + Send + Sync>),
}

/// A line that solves a position.
pub(super) struct Solution {
    /// Moves from the position to solve, the solver's at even places.
    pub(super) line: Vec<Move>,
    /// Nodes that it took to find the solver's moves, together.
    pub(super) effort: u64,
    /// How the solver stands with the first.
    pub(super) prospect: Prospect,
}

impl<A: Analyst> Miner<'_, A> {
    /// Mines a game, the one at place `number`.
    pub(super) fn mine(
        mut self,
        number: u64,
        source: &SourceGame,
    ) -> Result<MinedGame, Box<dyn std::error::Error + Send + Sync>> {
        self.counts.games = 1;
        let whole = source.game();
        let mut puzzles = Vec::new();
        let broken = |refusal| match refusal {
            Refusal::Broken(error) => error,
            Refusal::Rejected(reason) => reason.into(),
        };
        let mut candidates = self.scan(&whole).map_err(broken)?;
        let seed = self.settings.seed.to_le_bytes();
        candidates.sort_by_cached_key(|ply| source.key.drawn(&ply.to_le_bytes(), &seed));
        for ply in candidates {
            if puzzles.len() >= self.settings.per_game {
                self.counts.reject("more than asked for of a game");
                continue;
            }
            match self.puzzle(&whole, ply, &source.address) {
                Ok(puzzle) => puzzles.push(puzzle.to_row()),
                Err(Refusal::Rejected(reason)) => self.counts.reject(reason),
                Err(Refusal::Broken(error)) => return Err(error),
            }
        }
        Ok(MinedGame { game: number, counts: self.counts, puzzles })
    }

    /// The puzzle that begins with the move behind the first `ply` of `whole`.
    fn puzzle(&mut self, whole: &Game, ply: u32, address: &str) -> Result<Puzzle, Refusal> {
        let start = whole.up_to(ply + 1);
        let first = self.analyse(&start, self.settings.nodes)?;
        let solution = match first.best.prospect {
            Prospect::Mates(moves) if self.settings.kind.has_mates() => {
                self.mate(&start, &first, moves)?
            }
            Prospect::Mates(_) => return Err(Refusal::Rejected("a mate")),
            _ if self.settings.kind.has_tactics() => self.tactic(&start, &first)?,
            _ => return Err(Refusal::Rejected("no mate")),
        };
        let before = whole.up_to(ply);
        let mut moves = vec![before.uci(whole.moves()[ply as usize])];
        moves.extend(solution.line.iter().map(|&mv| before.uci(mv)));
        let mut puzzle = Puzzle::of_game("", before, FirstMove::Opponent, &moves.join(" "))
            .expect("the line was played, and ends with the solver's move");
        puzzle.id = Fingerprint::of(&[puzzle.position_key().as_bytes()]).letters(ID_LETTERS);
        if self.excluded.shared(Identity::of(&puzzle)).is_some() {
            return Err(Refusal::Rejected("in a suite to exclude"));
        }
        puzzle.rating = Some(difficulty(solution.effort));
        puzzle.themes = themes(&puzzle, solution.prospect);
        puzzle.game_url = Some(format!("{address}#{}", ply + 1));
        let acceptable = prove(&puzzle, self.solver);
        puzzle.acceptable = Some(acceptable.positions);
        puzzle.acceptance = Some(acceptable.acceptance);
        Ok(puzzle)
    }

    /// Asks the analyst, and counts the nodes.
    pub(super) fn analyse(&mut self, game: &Game, nodes: u64) -> Result<Verdict, Refusal> {
        match self.analyst.analyse(game, nodes) {
            Ok(verdict) => {
                self.counts.nodes += verdict.nodes;
                Ok(verdict)
            }
            Err(AnalystError::Passed(reason)) => Err(Refusal::Rejected(reason)),
            Err(AnalystError::Broken(error)) => Err(Refusal::Broken(error)),
        }
    }
}
