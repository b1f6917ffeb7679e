//! The moves that solve a puzzle besides the marked ones.

use std::fmt;

use shakmaty::Move;

use super::Puzzle;
use super::error::RowProblem;

/// How the acceptable moves of a puzzle were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Acceptance {
    /// The line ends in mate, and search decided in every position which moves keep the mate.
    Proved,
    /// The line does not end in mate: the marked moves only.
    Marked,
    /// The line ends in mate, but in some position search could not decide within its limits:
    /// there the marked move only.
    Unproved,
    /// The source itself lists the moves.
    Given,
}

impl Acceptance {
    /// All of them.
    pub const ALL: [Acceptance; 4] =
        [Acceptance::Proved, Acceptance::Marked, Acceptance::Unproved, Acceptance::Given];

    /// The word for it in the column `Acceptance`.
    pub fn name(self) -> &'static str {
        match self {
            Acceptance::Proved => "proved",
            Acceptance::Marked => "marked",
            Acceptance::Unproved => "unproved",
            Acceptance::Given => "given",
        }
    }

    /// The one of that name.
    pub fn by_name(name: &str) -> Option<Acceptance> {
        Acceptance::ALL.into_iter().find(|acceptance| acceptance.name() == name)
    }
}

impl fmt::Display for Acceptance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Reads the column `Acceptable`.
pub(super) fn parse(puzzle: &Puzzle, text: &str) -> Result<Vec<Vec<Move>>, RowProblem> {
    let positions = puzzle.solver_positions();
    let groups: Vec<&str> = text.split_ascii_whitespace().collect();
    if groups.len() != positions.len() {
        let (expected, found) = (positions.len(), groups.len());
        return Err(RowProblem::AcceptableCount { expected, found });
    }
    let mut acceptable = Vec::with_capacity(groups.len());
    for ((number, (game, marked)), group) in (1..).zip(&positions).zip(groups) {
        let mut moves = Vec::new();
        for uci in group.split('|') {
            let mv = game
                .parse_uci(uci)
                .map_err(|error| RowProblem::AcceptableMove { number, error })?;
            if moves.contains(&mv) {
                return Err(RowProblem::AcceptableTwice { number, uci: uci.to_owned() });
            }
            moves.push(mv);
        }
        if moves.first() != Some(marked) {
            return Err(RowProblem::AcceptableMarked { number, marked: game.uci(*marked) });
        }
        acceptable.push(moves);
    }
    Ok(acceptable)
}

/// Writes the column `Acceptable`.
pub(super) fn format(puzzle: &Puzzle, acceptable: &[Vec<Move>]) -> String {
    let group = |((game, _), moves): ((crate::Game, Move), &Vec<Move>)| {
        moves.iter().map(|&mv| game.uci(mv)).collect::<Vec<_>>().join("|")
    };
    let groups = puzzle.solver_positions().into_iter().zip(acceptable).map(group);
    groups.collect::<Vec<_>>().join(" ")
}
