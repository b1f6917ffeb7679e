//! The plan of a study: `plan.json`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::budget::fit;
use crate::description::{Selection, Study, SuiteRole};
use crate::files::{FileError, StudyFiles};
use crate::request::Request;
use crate::script::script;
use crate::sizes::Sizes;
use crate::step::Step;
use crate::steps::{Facts, Outline, without_suite};

/// The file of the plan.
const PLAN: &str = "plan.json";
/// The file with the plan's commands.
const SCRIPT: &str = "commands.sh";

/// What a study does. Once it is written it does not change, so that an interrupted study ends as
/// it would have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What it was asked to be.
    pub request: Request,
    /// Positions that the base evaluated in a second when it was planned.
    pub forward_rate: f64,
    /// What the study is.
    pub study: Study,
    /// Files that the steps need and no step makes. Those that are there are a person's and stay.
    pub files: BTreeMap<PathBuf, String>,
    /// In the order in which they are done.
    pub steps: Vec<Step>,
}

impl Plan {
    /// The plan of a new study.
    pub fn new(request: Request, facts: &Facts) -> Self {
        let full = Sizes::of(request.scale, &request.suites);
        let seconds = |sizes: &Sizes| Outline::new(&request, facts, sizes).seconds();
        let sizes = fit(&full, request.budget.map(|budget| budget as f64), seconds);
        let outline = Outline::new(&request, facts, &sizes);
        let mut cuts = sizes.cuts(&full);
        let is_absent = |role: &SuiteRole| request.suite(*role).is_none();
        cuts.extend(
            SuiteRole::ALL.into_iter().filter(is_absent).map(|role| without_suite(role).to_owned()),
        );
        let study = Study {
            program: facts.program.clone(),
            scale: request.scale,
            seed: request.seed,
            base_title: request.base.title.clone(),
            base_sha256: request.base.sha256.clone(),
            suites: outline.suites,
            cells: outline.cells.into_iter().chain(outline.half_decades).collect(),
            steps: sizes.steps,
            games: sizes.games,
            cuts,
        };
        let forward_rate = facts.forward_rate;
        Self { request, forward_rate, study, files: outline.files, steps: outline.steps }
    }

    /// Reads the plan of a study; `None` where there is none.
    ///
    /// # Errors
    ///
    /// Where it cannot be read.
    pub fn read(files: &StudyFiles) -> Result<Option<Self>, FileError> {
        let bytes = match files.read(PLAN) {
            Ok(bytes) => bytes,
            Err(error) if error.source.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        serde_json::from_slice(&bytes).map(Some).map_err(|error| FileError {
            path: files.path(PLAN),
            source: io::Error::new(io::ErrorKind::InvalidData, error),
        })
    }

    /// Begins the study: writes the plan.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn write(&self, files: &StudyFiles) -> Result<(), FileError> {
        files.write(PLAN, &json(self))
    }

    /// Writes what is to be read beside the plan: the description, the commands, and the settings
    /// where they are not there.
    ///
    /// # Errors
    ///
    /// Where a file cannot be written.
    pub fn prepare(&self, files: &StudyFiles) -> Result<(), FileError> {
        replace(files, "study.json", &json(&self.study))?;
        for (path, text) in &self.files {
            if !files.path(path).exists() {
                files.write(path, text.as_bytes())?;
            }
        }
        self.write_commands(files)
    }

    /// Writes `commands.sh`, with the networks that were chosen once they are.
    ///
    /// # Errors
    ///
    /// Where it cannot be written, or what was chosen cannot be read.
    pub fn write_commands(&self, files: &StudyFiles) -> Result<(), FileError> {
        let path = "selection.json";
        let selection = match files.read(path) {
            Ok(bytes) => serde_json::from_slice::<Selection>(&bytes).ok(),
            Err(error) if error.source.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        replace(files, SCRIPT, script(self, selection.as_ref()).as_bytes())
    }

    /// About how long all of it takes, in seconds.
    pub fn seconds(&self) -> f64 {
        self.steps.iter().map(|step| step.seconds).sum()
    }
}

/// Writes a file where it is another.
fn replace(files: &StudyFiles, path: impl AsRef<Path>, contents: &[u8]) -> Result<(), FileError> {
    if files.read(&path).is_ok_and(|there| there == contents) {
        return Ok(());
    }
    files.write(path, contents)
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let text = serde_json::to_string_pretty(value).expect("strings and numbers are JSON");
    (text + "\n").into_bytes()
}
