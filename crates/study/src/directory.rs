//! Where the files of a study lie.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::arm::Arm;
use crate::description::{Selection, Study, SuiteRole};

/// A match of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArenaKind {
    /// All pairs, moves by argmax (paper, Table 1).
    Argmax,
    /// Everyone against the base, moves by argmax (paper, Table 1, direct record).
    AgainstBase,
    /// All pairs, each network sampled as in its self-play, the base both ways (paper, Table 5).
    Sampled,
}

impl ArenaKind {
    /// All.
    pub const ALL: [Self; 3] = [Self::Argmax, Self::AgainstBase, Self::Sampled];

    /// Its name in file names.
    pub fn key(self) -> &'static str {
        match self {
            Self::Argmax => "argmax",
            Self::AgainstBase => "against-base",
            Self::Sampled => "sampled",
        }
    }
}

/// A directory with a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyDirectory {
    root: PathBuf,
}

/// A file of a study could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct StudyError {
    /// The file.
    pub path: PathBuf,
    /// What was wrong.
    #[source]
    pub problem: StudyProblem,
}

/// Why a file of a study could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StudyProblem {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no such file.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl StudyDirectory {
    /// The study in `root`, which need not be there yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// `study.json`.
    pub fn description(&self) -> PathBuf {
        self.root.join("study.json")
    }

    /// `selection.json`.
    pub fn selection(&self) -> PathBuf {
        self.root.join("selection.json")
    }

    /// The networks' answers to the suites, of `searchless evaluate` and `recovery`.
    pub fn results(&self) -> PathBuf {
        self.root.join("results.sqlite")
    }

    /// A measurement: `measurements/NAME`.
    pub fn measurement(&self, name: &str) -> PathBuf {
        self.root.join("measurements").join(name)
    }

    /// `searchless evaluate --json` of the selected networks (of all cells for the selection
    /// suite), the base first: one line for each network.
    pub fn evaluation(&self, role: SuiteRole) -> PathBuf {
        self.measurement(&format!("evaluate-{}.jsonl", role.key()))
    }

    /// `searchless evaluate --json` of the forward KL with adaptive temperature at all betas on
    /// the uniform suite, after the base and the run without a term (paper, Figure 5).
    pub fn beta_curve(&self) -> PathBuf {
        self.measurement("beta-curve.jsonl")
    }

    /// `searchless coverage --json` of the selected networks at all positions, and beside it
    /// `coverage.csv` with the curves.
    pub fn coverage(&self) -> PathBuf {
        self.measurement("coverage.json")
    }

    /// `searchless shape --json` of the selected networks.
    pub fn shape(&self) -> PathBuf {
        self.measurement("shape.json")
    }

    /// `searchless calibration --json` of the selected networks on the games of the study.
    pub fn calibration(&self) -> PathBuf {
        self.measurement("calibration.jsonl")
    }

    /// `searchless recovery --json` of forward KL and reverse KL, both adaptive.
    pub fn recovery(&self) -> PathBuf {
        self.measurement("recovery.json")
    }

    /// `searchless inspect --each-ply --json` of the base along one game, from open to decided: one
    /// line for each position (paper, Figure 3).
    pub fn game(&self) -> PathBuf {
        self.measurement("game.jsonl")
    }

    /// `searchless inspect --successors --json` of the base in one position: its policy, and its
    /// verdict on what each move leads to (paper, Figure 2).
    pub fn directions(&self) -> PathBuf {
        self.measurement("directions.json")
    }

    /// The curves of coverage, `searchless coverage --csv`, beside [`Self::coverage`].
    pub fn coverage_curves(&self) -> PathBuf {
        self.measurement("coverage.csv")
    }

    /// Directory of a match: `arena-KIND/`, with `games.pgn`.
    pub fn arena(&self, kind: ArenaKind) -> PathBuf {
        self.root.join(format!("arena-{}", kind.key()))
    }

    /// `searchless rate --json` of a match, anchored at the base.
    pub fn ratings(&self, kind: ArenaKind) -> PathBuf {
        self.measurement(&format!("rate-{}.json", kind.key()))
    }

    /// `metrics.jsonl` of the run that made `arm`.
    pub fn metrics(&self, arm: &Arm) -> Option<PathBuf> {
        Some(self.root.join(arm.run.as_ref()?).join("metrics.jsonl"))
    }

    /// The report: `report/index.html`, `report/tables/`, `report/figures/`.
    pub fn report(&self) -> PathBuf {
        self.root.join("report")
    }

    /// Reads `study.json`.
    ///
    /// # Errors
    ///
    /// With the file's name, where it cannot be read or is no description of a study.
    pub fn read_description(&self) -> Result<Study, StudyError> {
        read(self.description())
    }

    /// Reads `selection.json`.
    ///
    /// # Errors
    ///
    /// As [`Self::read_description`].
    pub fn read_selection(&self) -> Result<Selection, StudyError> {
        read(self.selection())
    }
}

fn read<T: DeserializeOwned>(path: PathBuf) -> Result<T, StudyError> {
    let read = || -> Result<T, StudyProblem> { Ok(serde_json::from_slice(&fs::read(&path)?)?) };
    read().map_err(|problem| StudyError { path, problem })
}
