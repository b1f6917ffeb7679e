//! What a sweep is, written so that it can go on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::SweepError;
use super::grid::{Axis, Sweep};
use crate::config::FinetuneConfig;
use crate::run::BaseRecord;

/// What a sweep is: with the base's file and those that the settings name, enough to repeat it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepRecord {
    /// Name and version of the program.
    pub program: String,
    /// The base network.
    pub base: BaseRecord,
    /// SHA-256 of the files that the cells' settings name, by path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// How the cells are scored; no part of what they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<ScoringRecord>,
    /// The settings that all cells share, complete.
    finetune: FinetuneConfig,
    /// The grid.
    grid: Vec<Axis>,
}

/// Which puzzles the networks are scored on, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoringRecord {
    /// Path of the suite as it was given.
    pub suite: String,
    /// SHA-256 of the suite in lower-case hexadecimal.
    pub sha256: String,
    /// Name of the rule.
    pub rule: String,
    /// Puzzles at the most; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Whether a damaged suite is scored as far as it can be read.
    #[serde(default)]
    pub lenient: bool,
}

impl SweepRecord {
    /// The record of a sweep.
    pub fn new(
        program: String,
        base: BaseRecord,
        files: BTreeMap<String, String>,
        sweep: &Sweep,
    ) -> Self {
        let (finetune, grid) = (sweep.settings().clone(), sweep.axes().to_vec());
        Self { program, base, files, scoring: None, finetune, grid }
    }

    /// The sweep.
    ///
    /// # Errors
    ///
    /// Where a value is out of range, or the grid is none.
    pub fn sweep(&self) -> Result<Sweep, SweepError> {
        Sweep::expand(self.finetune.clone(), self.grid.clone())
    }

    /// What tells this sweep from another, if anything does.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        if let Err(mismatch) = self.base.check(&other.base) {
            return Some(format!("the base's {}", mismatch.what));
        }
        let what = if self.grid != other.grid {
            "the grid"
        } else if self.finetune != other.finetune {
            "a setting of all cells"
        } else if self.files != other.files {
            "a file that the settings name"
        } else {
            return None;
        };
        Some(what.to_owned())
    }
}
