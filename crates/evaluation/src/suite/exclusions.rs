//! Suites of which a new one shall have nothing.

use std::path::{Path, PathBuf};

use chess::puzzle::RowProblem;

use super::build::source::Rows;
use super::build::{ExclusionReport, SuiteBuildError};
use super::identity::{Identities, Identity};
use super::{SkippedRows, sha256};

/// The ids and positions to solve of the puzzles of `paths`. A row that is no puzzle is counted, or
/// an error where `strict`. `observe` is told the rows read so far.
pub(super) fn read_exclusions(
    paths: &[PathBuf],
    strict: bool,
    mut observe: impl FnMut(u64),
) -> Result<(Identities, Vec<ExclusionReport>), SuiteBuildError> {
    let mut excluded = Identities::default();
    let mut reports = Vec::with_capacity(paths.len());
    let mut rows = 0;
    for path in paths {
        let sha256 = sum(path)?;
        let (mut puzzles, mut malformed) = (0, SkippedRows::default());
        for row in Rows::open(path)? {
            rows += 1;
            observe(rows);
            match row {
                Ok(puzzle) => {
                    puzzles += 1;
                    excluded.add(Identity::of(&puzzle));
                }
                // What lies behind would come into the suite.
                Err(error) if matches!(error.problem, RowProblem::Read(_)) => {
                    return Err(SuiteBuildError::DamagedExclusion(error));
                }
                Err(error) if strict => return Err(error.into()),
                Err(error) => malformed.add(&error),
            }
        }
        let path = path.display().to_string();
        reports.push(ExclusionReport { path, sha256, puzzles, malformed });
    }
    Ok((excluded, reports))
}

/// SHA-256 of a file.
pub(super) fn sum(path: &Path) -> Result<String, SuiteBuildError> {
    sha256(path).map_err(|source| SuiteBuildError::Io { path: path.display().to_string(), source })
}
