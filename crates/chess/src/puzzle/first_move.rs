//! Whose move begins the moves of a row.

use std::fmt;

/// Whose move is the first of a row's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstMove {
    /// The opponent's, which sets the puzzle, as in Lichess's files: the position to solve is the
    /// one after it.
    #[default]
    Opponent,
    /// The solver's: the FEN is the position to solve, as in suites of test positions.
    Solver,
}

impl FirstMove {
    /// Both.
    pub const ALL: [FirstMove; 2] = [FirstMove::Opponent, FirstMove::Solver];

    /// The word for it in the column `FirstMove`.
    pub fn name(self) -> &'static str {
        match self {
            FirstMove::Opponent => "opponent",
            FirstMove::Solver => "solver",
        }
    }

    /// The one of that name.
    pub fn by_name(name: &str) -> Option<FirstMove> {
        FirstMove::ALL.into_iter().find(|first| first.name() == name)
    }

    /// Moves of the row that come before the position to solve.
    pub(super) fn moves_before_start(self) -> usize {
        match self {
            FirstMove::Opponent => 1,
            FirstMove::Solver => 0,
        }
    }
}

impl fmt::Display for FirstMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
