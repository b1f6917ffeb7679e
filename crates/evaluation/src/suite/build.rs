//! Building suites: puzzles of several files, filtered, drawn, with their histories and their
//! acceptable moves.
//!
//! Every row of every source is read and all its moves are played, so the counts are exact. A row
//! is counted once: as malformed, or as dropped for the first of these that holds, or as kept.
//!
//! 1. The [`Filter`] refuses it.
//! 2. A suite to exclude has its id, or its position to solve.
//! 3. It has no history, and [`SuiteBuild::require_history`] is set.
//! 4. It is in no stratum of the draw.
//! 5. An earlier row that came this far has its id, or its position to solve.
//! 6. It is not drawn.
//!
//! Memory grows by some 70 bytes with each row that comes to the last check, and by the rows
//! drawn; where all puzzles are taken they are written as they come.

mod error;
mod filter;
mod finishing;
mod histories;
mod manifest;
mod sample;
mod selection;
pub(super) mod source;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use super::output::manifest_path;
pub use error::SuiteBuildError;
pub use filter::{Filter, RatingRange, RatingRangeError, mate_depth};
pub use histories::{HistoryFile, Origin};
pub use manifest::{AcceptableReport, ExclusionReport, Manifest, SourceReport};
pub use sample::{Sample, Strata, StratumReport};
pub use source::SourceFormat;

use finishing::Finishing;
use histories::Histories;
use selection::Selection;

use super::exclusions::{read_exclusions, sum};
use super::output::{self, Output};

/// A suite to build. The same files and values give the same bytes, whatever the threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteBuild {
    /// Files of puzzles: CSV in Lichess's columns (with a column `PGN` that of Ruoss et al.), or
    /// EPD; plain or compressed by gzip or Zstandard. At least one.
    pub sources: Vec<PathBuf>,
    /// Which puzzles are taken.
    pub filter: Filter,
    /// How many of them are drawn; `None` takes all, in the order of the sources. Drawn puzzles
    /// stand in the order of the draw, so that the first ones are a draw too.
    pub sample: Option<Sample>,
    /// Files of puzzles of which neither ids nor positions to solve are taken.
    pub exclude: Vec<PathBuf>,
    /// Files of games in PGN, told by the address of a puzzle's game.
    pub games: Vec<PathBuf>,
    /// Files of histories: lines of JSON, `{"id": puzzle, "moves": "e2e4 e7e5 ..."}`.
    pub histories: Vec<PathBuf>,
    /// Whether puzzles without a history are left out.
    pub require_history: bool,
    /// Nodes that the proof of the acceptable moves of one position may take; `None` computes
    /// none.
    pub node_budget: Option<u64>,
    /// Whether a row, line or game that cannot be read is an error.
    pub strict: bool,
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading suites to exclude; counted in rows.
    Exclusions,
    /// Reading games; counted in games.
    Games,
    /// Reading the sources; counted in rows.
    Rows,
    /// Computing acceptable moves and writing; counted in puzzles.
    Puzzles,
}

impl SuiteBuild {
    /// Builds the suite and writes it to `path`, compressed where its name ends in `.gz` or
    /// `.zst`, and its manifest to [`manifest_path`]. `observe` is told what was done of a stage
    /// so far, and how much there is where that is known.
    ///
    /// # Errors
    ///
    /// [`SuiteBuildError`]; what stood at `path` is then still there, unless only the manifest
    /// could not be written.
    pub fn write(
        &self,
        path: &Path,
        mut observe: impl FnMut(Stage, u64, Option<u64>),
    ) -> Result<Manifest, SuiteBuildError> {
        let (excluded, exclusions) = read_exclusions(&self.exclude, self.strict, |rows| {
            observe(Stage::Exclusions, rows, None);
        })?;
        let (histories, history_files) = self.read_histories(&mut observe)?;
        let mut finishing = Finishing::new(&self.sources, Output::create(path)?, self.node_budget);
        let mut selection = Selection::new(self, &excluded, &histories);
        let mut sources = Vec::with_capacity(self.sources.len());
        for (number, source) in self.sources.iter().enumerate() {
            let report = selection.read(number, source, &mut finishing, &mut observe)?;
            sources.push(report);
        }
        let strata = selection.finish(&mut sources, &mut finishing, &mut observe)?;
        let finished = finishing.finish(&mut sources)?;
        if finished.puzzles == 0 {
            return Err(nothing_left(&sources));
        }
        finished.output.finish()?;
        let manifest = Manifest {
            tool: format!("searchless {}", env!("CARGO_PKG_VERSION")),
            suite: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: sum(path)?,
            puzzles: finished.puzzles,
            sources,
            excluded: exclusions,
            filter: self.filter.clone(),
            sample: self.sample,
            strata,
            require_history: self.require_history,
            history_files,
            acceptable: finished.acceptable,
            histories: finished.histories,
        };
        output::write_manifest(path, &manifest)?;
        Ok(manifest)
    }

    fn read_histories(
        &self,
        observe: &mut impl FnMut(Stage, u64, Option<u64>),
    ) -> Result<(Histories, Vec<HistoryFile>), SuiteBuildError> {
        let mut histories = Histories::default();
        let mut files = Vec::new();
        for path in &self.histories {
            files.push(histories.read_side_file(path, self.strict)?);
        }
        if !self.games.is_empty() {
            let wanted = histories::wanted_games(&self.sources)?;
            for path in &self.games {
                let observe = |done| observe(Stage::Games, done, None);
                files.push(histories.read_games(path, &wanted, self.strict, observe)?);
            }
        }
        Ok((histories, files))
    }
}

fn nothing_left(sources: &[SourceReport]) -> SuiteBuildError {
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    for source in sources {
        for skipped in [&source.malformed, &source.dropped] {
            for (reason, rows) in skipped.by_reason() {
                *counts.entry(reason).or_default() += rows.count;
            }
        }
    }
    let reasons: Vec<String> =
        counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let rows = sources.iter().map(|source| source.rows).sum();
    let reasons = if reasons.is_empty() { "there is none".to_owned() } else { reasons.join(", ") };
    SuiteBuildError::NothingLeft { rows, reasons }
}
