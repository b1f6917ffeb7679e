//! Rows of a file that are left out, and why.

use std::collections::BTreeMap;

use chess::puzzle::{EpdProblem, RowError, RowProblem};
use serde::Serialize;

/// Lines remembered for each reason why rows were skipped.
const LINES_SHOWN: usize = 5;

/// The rows of a suite that are no puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct SkippedRows {
    by_reason: BTreeMap<&'static str, SkippedReason>,
}

/// Rows skipped for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SkippedReason {
    /// How many.
    pub count: u64,
    /// The lines of the first few, counted from 1.
    pub first_lines: Vec<u64>,
    /// What is wrong with the first.
    pub example: String,
}

impl SkippedRows {
    /// How many in all.
    pub fn count(&self) -> u64 {
        self.by_reason.values().map(|reason| reason.count).sum()
    }

    /// Rows by reason, in alphabetical order.
    pub fn by_reason(&self) -> &BTreeMap<&'static str, SkippedReason> {
        &self.by_reason
    }

    /// Counts a row that cannot be read.
    pub(super) fn add(&mut self, error: &RowError) {
        self.add_row(reason(&error.problem), error.line, || error.problem.to_string());
    }

    /// Counts the row on `line`, left out for `reason`; `example` says more of it.
    pub(super) fn add_row(
        &mut self,
        reason: &'static str,
        line: u64,
        example: impl FnOnce() -> String,
    ) {
        let reason = self.by_reason.entry(reason).or_default();
        reason.count += 1;
        if reason.first_lines.len() < LINES_SHOWN {
            reason.first_lines.push(line);
        }
        if reason.count == 1 {
            reason.example = example();
        }
    }
}

/// The kind of a problem, the same for every row that has it.
fn reason(problem: &RowProblem) -> &'static str {
    match problem {
        RowProblem::Read(_) => "damaged file",
        RowProblem::Unterminated => "cut-off file",
        RowProblem::TooLong { .. } => "line too long",
        RowProblem::NotText => "not text",
        RowProblem::OpenQuote => "open quotation mark",
        RowProblem::TooManyFields | RowProblem::FieldCount { .. } => "wrong number of fields",
        RowProblem::NoId => "no id",
        RowProblem::NotANumber { .. } => "not a number",
        RowProblem::Fen(_) => "not a position",
        RowProblem::IllegalMove { .. } => "illegal move",
        RowProblem::TooFewMoves { .. } | RowProblem::NoMove => "too few moves",
        RowProblem::EndsWithOpponent { .. } | RowProblem::EvenMoves { .. } => {
            "ends with the opponent's move"
        }
        RowProblem::Epd(EpdProblem::Move { .. }) => "illegal move",
        RowProblem::Epd(EpdProblem::NoMoves) => "neither bm nor am",
        RowProblem::Epd(_) => "wrong operations",
        RowProblem::FirstMove { .. } => "unknown first move",
        RowProblem::HistoryMove(_) | RowProblem::HistoryElsewhere { .. } => "wrong history",
        RowProblem::AcceptableCount { .. }
        | RowProblem::AcceptableMove { .. }
        | RowProblem::AcceptableTwice { .. }
        | RowProblem::AcceptableMarked { .. }
        | RowProblem::Acceptance { .. }
        | RowProblem::AcceptanceAlone { .. } => "wrong acceptable moves",
    }
}
