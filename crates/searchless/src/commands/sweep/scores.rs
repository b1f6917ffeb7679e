//! Scores that are kept beside the networks, so that none is computed twice.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use evaluation::Score;
use serde::{Deserialize, Serialize};
use training::sweep::{ScoringRecord, write_whole};

const FILE: &str = "scores.json";

/// The scores of one network, or of several that were in one place.
pub(super) struct Scores {
    path: PathBuf,
    scores: Vec<StoredScore>,
}

/// A score and all that it depends on, beside the heads and the history's fill, which a sweep fixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredScore {
    network_sha256: String,
    suite_sha256: String,
    rule: String,
    limit: Option<u64>,
    lenient: bool,
    solved: u64,
    total: u64,
}

impl Scores {
    /// Those kept in a folder.
    pub(super) fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        let scores: Vec<StoredScore> = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read
                .map_err(anyhow::Error::from)
                .and_then(|text| Ok(serde_json::from_str(&text)?))
                .with_context(|| path.display().to_string())?,
        };
        for score in &scores {
            let StoredScore { solved, total, .. } = score;
            ensure!(solved <= total, "{}: {solved} solved of {total}", path.display());
        }
        Ok(Self { path, scores })
    }

    /// The score of a network, if it is there.
    pub(super) fn find(&self, network_sha256: &str, scoring: &ScoringRecord) -> Option<Score> {
        let mut scores = self.scores.iter();
        let StoredScore { solved, total, .. } = scores
            .find(|score| **score == stored(network_sha256, scoring, score.solved, score.total))?;
        Some(Score { solved: *solved, total: *total, ..Score::default() })
    }

    /// Keeps a score.
    pub(super) fn keep(
        &mut self,
        network_sha256: &str,
        scoring: &ScoringRecord,
        score: &Score,
    ) -> anyhow::Result<()> {
        self.scores.push(stored(network_sha256, scoring, score.solved, score.total));
        let text = serde_json::to_string_pretty(&self.scores)? + "\n";
        write_whole(&self.path, &text).with_context(|| self.path.display().to_string())
    }
}

fn stored(network: &str, scoring: &ScoringRecord, solved: u64, total: u64) -> StoredScore {
    StoredScore {
        network_sha256: network.to_owned(),
        suite_sha256: scoring.sha256.clone(),
        rule: scoring.rule.clone(),
        limit: scoring.limit,
        lenient: scoring.lenient,
        solved,
        total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_found_by_all_that_it_depends_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let scoring = ScoringRecord {
            suite: "a.csv".to_owned(),
            sha256: "ab".to_owned(),
            rule: "strict".to_owned(),
            limit: Some(5),
            lenient: false,
        };
        let score = Score { solved: 2, total: 5, ..Score::default() };
        let mut scores = Scores::read(folder.path()).expect("none yet");
        scores.keep("cd", &scoring, &score).expect("written");
        let scores = Scores::read(folder.path()).expect("a file");
        let moved = ScoringRecord { suite: "b.csv".to_owned(), ..scoring.clone() };
        for scoring in [&scoring, &moved] {
            assert_eq!(scores.find("cd", scoring), Some(score.clone()));
        }
        assert_eq!(scores.find("ce", &scoring), None);
        for other in [
            ScoringRecord { sha256: "ac".to_owned(), ..scoring.clone() },
            ScoringRecord { rule: "immediate-mate".to_owned(), ..scoring.clone() },
            ScoringRecord { limit: None, ..scoring.clone() },
            ScoringRecord { lenient: true, ..scoring.clone() },
        ] {
            assert_eq!(scores.find("cd", &other), None);
        }
        let file = folder.path().join(FILE);
        let text =
            fs::read_to_string(&file).expect("a file").replace("\"total\": 5", "\"total\": 1");
        fs::write(&file, text).expect("written");
        let error = Scores::read(folder.path()).err().expect("refused").to_string();
        assert!(error.ends_with("scores.json: 2 solved of 1"), "{error}");
    }
}
