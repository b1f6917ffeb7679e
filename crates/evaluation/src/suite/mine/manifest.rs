//! What is known of how a suite was mined.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::build::{AcceptableReport, ExclusionReport, HistoryFile};
use super::counts::MineCounts;
use super::settings::MineSettings;

/// How a suite was mined and what came of it; written beside the suite as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MineManifest {
    /// The program and its version.
    pub tool: String,
    /// The suite's file name.
    pub suite: String,
    /// SHA-256 of the suite, in lower-case hexadecimal.
    pub sha256: String,
    /// Puzzles of the suite.
    pub puzzles: u64,
    /// Who judged.
    pub engine: EngineRecord,
    /// How.
    pub settings: MineSettings,
    /// Puzzles asked for; null where all were.
    pub count: Option<u64>,
    /// Files of games, in the order given.
    pub games: Vec<HistoryFile>,
    /// Suites of which nothing was taken.
    pub excluded: Vec<ExclusionReport>,
    /// What was come upon in the games up to the last puzzle.
    pub counts: MineCounts,
    /// Puzzles by theme.
    pub themes: BTreeMap<String, u64>,
    /// Puzzles by index of difficulty, 200 points together.
    pub difficulty: BTreeMap<u32, u64>,
    /// The acceptable moves.
    pub acceptable: AcceptableReport,
}

/// An engine and how it was set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineRecord {
    /// Its name for itself.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// UCI options by name: those that were asked for, and those that are set where the engine has
    /// them.
    pub options: Vec<(String, String)>,
}

impl EngineRecord {
    /// An engine with its own settings.
    pub fn named(name: &str) -> EngineRecord {
        EngineRecord { name: name.to_owned(), arguments: Vec::new(), options: Vec::new() }
    }
}
