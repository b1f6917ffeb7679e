//! What is known of how a suite was built.

use std::collections::BTreeMap;

use chess::puzzle::Acceptance;
use serde::Serialize;

use super::filter::Filter;
use super::histories::{HistoryFile, Origin};
use super::sample::{Sample, StratumReport};
use super::source::SourceFormat;
use crate::suite::SkippedRows;

/// How a suite was built and what came of it; written beside the suite as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manifest {
    /// The program and its version.
    pub tool: String,
    /// The suite's file name.
    pub suite: String,
    /// SHA-256 of the suite, in lower-case hexadecimal.
    pub sha256: String,
    /// Puzzles of the suite.
    pub puzzles: u64,
    /// Where they are from, in the order given.
    pub sources: Vec<SourceReport>,
    /// Files of puzzles that were left out.
    pub excluded: Vec<ExclusionReport>,
    /// What was asked of the puzzles.
    pub filter: Filter,
    /// How they were drawn; null where all were taken.
    pub sample: Option<Sample>,
    /// What the strata of the draw had and gave.
    pub strata: Vec<StratumReport>,
    /// Whether puzzles without a history were left out.
    pub require_history: bool,
    /// Where histories were looked for.
    pub history_files: Vec<HistoryFile>,
    /// The acceptable moves.
    pub acceptable: AcceptableReport,
    /// Puzzles of the suite by where their history is from.
    pub histories: BTreeMap<Origin, u64>,
}

/// A file that puzzles were taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceReport {
    /// The file.
    pub path: String,
    /// Its SHA-256, in lower-case hexadecimal.
    pub sha256: String,
    /// What it is.
    pub format: SourceFormat,
    /// Rows read, the unreadable ones included: those kept and those left out.
    pub rows: u64,
    /// Rows that are in the suite.
    pub kept: u64,
    /// Rows that are no puzzles, by reason.
    pub malformed: SkippedRows,
    /// Puzzles that are not in the suite, by the first reason that holds in the order of the
    /// [checks](super). Lines of those not drawn are not kept.
    pub dropped: SkippedRows,
    /// Histories that do not lead to their puzzle.
    pub history_mismatches: SkippedRows,
}

/// A file of puzzles that were left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExclusionReport {
    /// The file.
    pub path: String,
    /// Its SHA-256, in lower-case hexadecimal.
    pub sha256: String,
    /// Puzzles read.
    pub puzzles: u64,
    /// Rows that are no puzzles, by reason.
    pub malformed: SkippedRows,
}

/// What is known of the acceptable moves of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AcceptableReport {
    /// Nodes that a proof of one position might take; null where nothing was computed.
    pub node_budget: Option<u64>,
    /// Puzzles by how their acceptable moves were found.
    pub puzzles: BTreeMap<&'static str, u64>,
    /// Positions of the solver in puzzles that have acceptable moves.
    pub positions: u64,
    /// Positions of these with more than one acceptable move.
    pub positions_with_several: u64,
    /// Acceptable moves, all positions together.
    pub moves: u64,
}

impl AcceptableReport {
    pub(in crate::suite) fn add(
        &mut self,
        acceptance: Option<Acceptance>,
        acceptable: &[Vec<chess::Move>],
    ) {
        let name = acceptance.map_or("not said", Acceptance::name);
        *self.puzzles.entry(name).or_default() += 1;
        self.positions += acceptable.len() as u64;
        for moves in acceptable {
            self.positions_with_several += u64::from(moves.len() > 1);
            self.moves += moves.len() as u64;
        }
    }
}
