//! What a study is, as its two files say.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::arm::{Arm, Variant};

/// How large a study is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// The embedded network and suites, some hours of a CPU.
    Small,
    /// The paper's settings.
    Paper,
}

impl Scale {
    /// All.
    pub const ALL: [Self; 2] = [Self::Small, Self::Paper];

    /// Its name in settings.
    pub fn key(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Paper => "paper",
        }
    }
}

/// What a suite is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuiteRole {
    /// Chooses the coefficient of each arm (the paper's 10,000 puzzles).
    Selection,
    /// Measures accuracy (the paper's 100,000 puzzles).
    Uniform,
    /// Puzzles where the base still fails (the paper's 20,000 from rating 2400 on).
    Hard,
    /// Forced mates of one to five moves.
    Mates,
    /// What the puzzle-tuned control is trained on; shares no puzzle with the others.
    Pool,
}

impl SuiteRole {
    /// All.
    pub const ALL: [Self; 5] =
        [Self::Selection, Self::Uniform, Self::Hard, Self::Mates, Self::Pool];

    /// Its name in settings and file names.
    pub fn key(self) -> &'static str {
        match self {
            Self::Selection => "selection",
            Self::Uniform => "uniform",
            Self::Hard => "hard",
            Self::Mates => "mates",
            Self::Pool => "pool",
        }
    }
}

/// A suite and what it is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteUsed {
    /// What for.
    pub role: SuiteRole,
    /// Its file, relative to the study's directory, or absolute.
    pub path: PathBuf,
    /// Of the file as it was given.
    pub sha256: String,
    /// Only so many puzzles are used; none for all. The first ones, but of mates, which a file may
    /// have in order of length, a draw of as many of each length.
    pub limit: Option<u64>,
}

/// What a study is: `study.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// The program that made it, with its version.
    pub program: String,
    /// Its size.
    pub scale: Scale,
    /// Of every run and measurement.
    pub seed: u64,
    /// What the base is called by people: the name of its file as it was given.
    pub base_title: String,
    /// Of the base's file.
    pub base_sha256: String,
    /// The suites, at most one for each role.
    pub suites: Vec<SuiteUsed>,
    /// All networks that the sweep makes, the base not among them, in the grid's order; after them
    /// those with coefficients between the grid's, which are for the curve alone (paper, Figure 5)
    /// and play no part in selection.
    pub cells: Vec<Arm>,
    /// Steps and games of each run of the sweep.
    pub steps: u64,
    /// Games played side by side.
    pub games: u64,
    /// What was left out or made smaller to fit a budget, a sentence each.
    pub cuts: Vec<String>,
}

/// The network that stands for each variant: `selection.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// In the order of [`Variant::all`]; the base is the first.
    pub arms: Vec<Arm>,
}

impl Study {
    /// The suite with this role.
    pub fn suite(&self, role: SuiteRole) -> Option<&SuiteUsed> {
        self.suites.iter().find(|suite| suite.role == role)
    }
}

impl Selection {
    /// The network that stands for `variant`.
    pub fn arm(&self, variant: Variant) -> Option<&Arm> {
        self.arms.iter().find(|arm| arm.variant == variant)
    }
}
