//! A puzzle and a network's answers to it, without the network.

#[cfg(test)]
mod tests;

use chess::puzzle::{Acceptance, Puzzle};

use crate::{Answer, ByRule, Rule, Trial};

/// What a suite says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleFacts {
    /// Lichess's name of it; not always the only one of that name in a suite.
    pub id: String,
    /// The position to solve, as FEN.
    pub fen: String,
    /// The solution from there in UCI notation, solver and opponent in turn.
    pub line: Vec<String>,
    /// Lichess's rating, where the suite has one.
    pub rating: Option<u32>,
    /// Its themes.
    pub themes: Vec<String>,
    /// Moves of the solver to mate, where it is a puzzle of mate; see [`PuzzleFacts::of`].
    pub mate_depth: Option<u32>,
}

/// A puzzle and a network's answers in all its solver's positions.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleRecord {
    /// The puzzle.
    pub facts: PuzzleFacts,
    /// How the moves accepted under the multi-solution rule were found.
    pub acceptance: Acceptance,
    /// In the order of the line; at least one.
    pub answers: Vec<Answer>,
}

/// What all answers to a puzzle come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuzzleOutcome {
    /// Whether the most probable move is accepted in every solver's position.
    pub solved: ByRule<bool>,
    /// Logarithm of the solution probability, `-l` of the paper's section 3.1:
    /// `sum_t log sum_{a in W_t} pi(a|s_t)` along the marked line, the opponent's replies forced.
    pub log_probability: ByRule<f64>,
}

impl PuzzleFacts {
    /// What is known of `puzzle`.
    ///
    /// Its mate depth is the number of the solver's moves in its line where that ends in
    /// checkmate, else N of a theme `mateInN`. The line comes first because Lichess files deeper
    /// mates under `mateIn5` too.
    pub fn of(puzzle: &Puzzle) -> PuzzleFacts {
        let mut game = puzzle.start.clone();
        let mut line = Vec::with_capacity(puzzle.line.len());
        for &mv in &puzzle.line {
            line.push(game.uci(mv));
            game.play(mv).expect("the line of a puzzle is legal");
        }
        let by_line = puzzle.marked_mate().and_then(|moves| u32::try_from(moves).ok());
        let by_theme =
            || puzzle.themes.iter().find_map(|theme| theme.strip_prefix("mateIn")?.parse().ok());
        PuzzleFacts {
            id: puzzle.id.clone(),
            fen: puzzle.start.fen(),
            line,
            rating: puzzle.rating,
            themes: puzzle.themes.clone(),
            mate_depth: by_line.or_else(by_theme),
        }
    }
}

impl PuzzleOutcome {
    /// What `answers`, all those to one puzzle, come to.
    pub fn of(answers: &[Answer]) -> PuzzleOutcome {
        PuzzleOutcome {
            solved: ByRule::each(|rule| answers.iter().all(|answer| answer.accepted[rule])),
            log_probability: ByRule::each(|rule| {
                answers.iter().map(|answer| answer.log_mass[rule]).sum()
            }),
        }
    }

    /// The outcome under one rule.
    pub fn trial(&self, rule: Rule) -> Trial {
        Trial { solved: self.solved[rule], log_probability: self.log_probability[rule] }
    }
}
