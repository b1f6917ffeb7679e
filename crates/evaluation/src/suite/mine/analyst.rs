//! Who judges positions.

use chess::{Game, Move};

/// A judge of positions, such as an engine's search.
pub trait Analyst {
    /// What it finds in the current position of `game`, which has a legal move, within `nodes`
    /// nodes. The answer depends on the game and the nodes alone.
    ///
    /// # Errors
    ///
    /// Where there is no answer to this question, or to any more.
    fn analyse(&mut self, game: &Game, nodes: u64) -> Result<Verdict, AnalystError>;
}

/// What was found in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The best move.
    pub best: Choice,
    /// The best of the others; `None` where there is none, or it was not looked at.
    pub second: Option<Choice>,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes after which the best move was found and kept; `None` where that is not known.
    pub settled: Option<u64>,
}

/// A move and what comes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The move; legal.
    pub played: Move,
    /// How the mover then stands.
    pub prospect: Prospect,
}

/// How a side stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prospect {
    /// Its expected score, in [0, 1].
    Score(f64),
    /// It mates in so many of its moves.
    Mates(u32),
    /// It is mated in so many moves of the other side.
    Mated(u32),
}

/// Why there is no verdict.
#[derive(Debug)]
pub enum AnalystError {
    /// None on this position, for a reason that names the kind of trouble.
    Passed(&'static str),
    /// None any more.
    Broken(Box<dyn std::error::Error + Send + Sync>),
}

impl Prospect {
    /// Its expected score, in [0, 1]: 1 where it mates, 0 where it is mated.
    pub fn expected_score(self) -> f64 {
        match self {
            Prospect::Score(score) => score,
            Prospect::Mates(_) => 1.0,
            Prospect::Mated(_) => 0.0,
        }
    }
}

impl Verdict {
    /// By how much the best move is better than the second; `None` where there is no second.
    pub(super) fn gap(&self) -> Option<f64> {
        let second = self.second?.prospect.expected_score();
        Some(self.best.prospect.expected_score() - second)
    }

    /// Nodes that it took to find `marked`: all of the search where that is not the best move.
    pub(super) fn effort(&self, marked: Move) -> u64 {
        self.settled.filter(|_| self.best.played == marked).unwrap_or(self.nodes)
    }
}
