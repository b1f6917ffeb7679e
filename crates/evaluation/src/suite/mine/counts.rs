//! What mining came upon.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Sums over mined games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MineCounts {
    /// Games.
    pub games: u64,
    /// Positions that got a first look.
    pub positions: u64,
    /// Of these, positions without a verdict, by what happened to the engine.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unseen: BTreeMap<String, u64>,
    /// Candidates: those that became puzzles and those that did not.
    pub candidates: u64,
    /// Candidates that became no puzzles, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rejected: BTreeMap<String, u64>,
    /// Nodes searched by the engine.
    pub nodes: u64,
}

impl MineCounts {
    /// Counts a candidate that became no puzzle.
    pub(super) fn reject(&mut self, reason: &str) {
        *self.rejected.entry(reason.to_owned()).or_default() += 1;
    }

    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &MineCounts) {
        self.games += other.games;
        self.positions += other.positions;
        self.candidates += other.candidates;
        self.nodes += other.nodes;
        for (sums, counts) in
            [(&mut self.unseen, &other.unseen), (&mut self.rejected, &other.rejected)]
        {
            for (reason, count) in counts {
                *sums.entry(reason.clone()).or_default() += count;
            }
        }
    }

    /// Why candidates became no puzzles, in words.
    pub(super) fn reasons(&self) -> String {
        let reasons = self.rejected.iter().map(|(reason, count)| format!("{count} {reason}"));
        reasons.collect::<Vec<_>>().join(", ")
    }
}
