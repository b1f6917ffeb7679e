//! What a study is asked to be.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::description::{Scale, SuiteRole};

#[cfg(test)]
pub(crate) mod tests;

/// What a study is asked to be. One that was begun goes on only as what it was begun as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Its size, before a budget.
    pub scale: Scale,
    /// Of every run and measurement.
    pub seed: u64,
    /// The base network.
    pub base: GivenFile,
    /// The suites, at most one for each role.
    pub suites: Vec<GivenSuite>,
    /// The openings of matches; none for openings that the base plays itself.
    pub openings: Option<GivenFile>,
    /// Seconds that it may take, about.
    pub budget: Option<u64>,
    /// Words that say what computes, for every command that computes.
    pub device: Vec<String>,
    /// A UCI engine whose verdicts are shown.
    pub engine: Option<String>,
}

/// A file that a study starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenFile {
    /// Where it lies, seen from the study's directory.
    pub path: PathBuf,
    /// What people call it.
    pub title: String,
    /// Of its bytes, in lower-case hexadecimal.
    pub sha256: String,
}

/// A suite that a study starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenSuite {
    /// What for.
    pub role: SuiteRole,
    /// The file.
    pub file: GivenFile,
    /// Its puzzles.
    pub puzzles: u64,
}

/// What is given when a study is to go on; what is not given is as it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// As [`Request::scale`].
    pub scale: Option<Scale>,
    /// As [`Request::seed`].
    pub seed: Option<u64>,
    /// SHA-256 of [`Request::base`].
    pub base: Option<String>,
    /// SHA-256 of [`Request::suites`] by role; all of them, where one is given.
    pub suites: Option<Vec<(SuiteRole, String)>>,
    /// SHA-256 of [`Request::openings`].
    pub openings: Option<String>,
    /// As [`Request::budget`].
    pub budget: Option<u64>,
    /// As [`Request::device`], where it is not empty.
    pub device: Option<Vec<String>>,
}

impl Request {
    /// Whether a file that it starts from lies in `folder`.
    pub fn uses(&self, folder: &Path) -> bool {
        let suites = self.suites.iter().map(|suite| &suite.file);
        let mut files = [&self.base].into_iter().chain(&self.openings).chain(suites);
        files.any(|file| file.path.starts_with(folder))
    }

    /// The suite for a role.
    pub fn suite(&self, role: SuiteRole) -> Option<&GivenSuite> {
        self.suites.iter().find(|suite| suite.role == role)
    }

    /// What is another now than it was, as in "its seed is 1, not 2"; none where all is the same.
    pub fn difference(&self, given: &Given) -> Option<String> {
        let differs = |what: &str, was: String, is: Option<String>| {
            is.filter(|is| *is != was).map(|is| format!("its {what} is {was}, not {is}"))
        };
        let suites = |suites: &[(SuiteRole, String)]| {
            let mut words: Vec<String> =
                suites.iter().map(|(role, sha256)| format!("{} {sha256}", role.key())).collect();
            words.sort_unstable();
            words.join(", ")
        };
        let own: Vec<(SuiteRole, String)> =
            self.suites.iter().map(|suite| (suite.role, suite.file.sha256.clone())).collect();
        let openings = || {
            let given = self.openings.as_ref();
            given.map_or_else(|| "the base's own".to_owned(), |file| file.sha256.clone())
        };
        differs(
            "scale",
            self.scale.key().to_owned(),
            given.scale.map(|scale| scale.key().to_owned()),
        )
        .or_else(|| differs("seed", self.seed.to_string(), given.seed.map(|seed| seed.to_string())))
        .or_else(|| differs("base network's SHA-256", self.base.sha256.clone(), given.base.clone()))
        .or_else(|| {
            differs(
                "suites' SHA-256",
                suites(&own),
                given.suites.as_ref().map(|given| suites(given)),
            )
        })
        .or_else(|| differs("openings' SHA-256", openings(), given.openings.clone()))
        .or_else(|| {
            let budget = |seconds: u64| format!("{seconds} s");
            let own = self.budget.map_or_else(|| "without limit".to_owned(), budget);
            differs("budget", own, given.budget.map(budget))
        })
        .or_else(|| {
            let words = |words: &[String]| match words {
                [] => "the processor".to_owned(),
                words => words.join(" "),
            };
            let given = given.device.as_ref().map(|given| words(given));
            differs("device", words(&self.device), given)
        })
    }
}
