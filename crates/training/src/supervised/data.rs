//! Where samples come from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Files to learn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TrainingData {
    /// Puzzles: every position in which the solver is to move is a sample, all probability on the
    /// solution's move; the value has no target.
    Puzzles {
        /// Puzzle files, read one after another.
        files: Vec<PathBuf>,
        /// Puzzle files whose puzzles, known by their ids, are passed over: the suites that the
        /// network will be measured with.
        #[serde(default)]
        exclude: Vec<PathBuf>,
    },
    /// Lc0's training data, version 6: the policy's target is the search's share of visits.
    Chunks {
        /// Chunks (`.gz`), archives of them (`.tar`), and folders of both.
        files: Vec<PathBuf>,
        /// The part of the value's target that is the game's result, in [0, 1]; the rest is the
        /// value of the search's best move.
        #[serde(default)]
        result_ratio: f64,
    },
}
