//! Reading the sources and taking what the suite asks for.

use std::path::Path;

use chess::puzzle::Puzzle;

use super::error::SuiteBuildError;
use super::finishing::Finishing;
use super::histories::{Histories, Origin};
use super::manifest::SourceReport;
use super::sample::{Candidate, Draw, StratumReport};
use super::source::Rows;
use super::{Stage, SuiteBuild};
use crate::suite::SkippedRows;
use crate::suite::exclusions::sum;
use crate::suite::identity::{Identities, Identity, Shared};

/// Reason of a puzzle that could have been drawn and was not.
const NOT_DRAWN: &str = "not drawn";

pub(super) struct Selection<'a> {
    build: &'a SuiteBuild,
    excluded: &'a Identities,
    histories: &'a Histories,
    seen: Identities,
    draw: Option<Draw<'a>>,
    /// Rows of all sources so far.
    rows: u64,
}

impl<'a> Selection<'a> {
    pub(super) fn new(
        build: &'a SuiteBuild,
        excluded: &'a Identities,
        histories: &'a Histories,
    ) -> Selection<'a> {
        let draw = build.sample.map(|sample| Draw::new(sample, &build.filter));
        Selection { build, excluded, histories, seen: Identities::default(), draw, rows: 0 }
    }

    /// Reads a source, the one of `number`.
    pub(super) fn read(
        &mut self,
        number: usize,
        path: &Path,
        finishing: &mut Finishing<'_>,
        observe: &mut impl FnMut(Stage, u64, Option<u64>),
    ) -> Result<SourceReport, SuiteBuildError> {
        let sha256 = sum(path)?;
        let mut rows = Rows::open(path)?;
        let mut report = SourceReport {
            path: path.display().to_string(),
            sha256,
            format: rows.format(),
            rows: 0,
            kept: 0,
            malformed: SkippedRows::default(),
            dropped: SkippedRows::default(),
            history_mismatches: SkippedRows::default(),
        };
        while let Some(row) = rows.next() {
            report.rows += 1;
            self.rows += 1;
            observe(Stage::Rows, self.rows, None);
            let mut puzzle = match row {
                Ok(puzzle) => puzzle,
                Err(error) if self.build.strict => return Err(error.into()),
                Err(error) => {
                    report.malformed.add(&error);
                    continue;
                }
            };
            let place = (number, rows.line());
            let history = match self.check(&mut puzzle, place.1, &mut report) {
                Ok(history) => history,
                Err(reason) => {
                    report.dropped.add_row(reason, place.1, || puzzle.id.clone());
                    continue;
                }
            };
            let candidate = || Candidate { place, row: puzzle.to_row().into(), history };
            match &mut self.draw {
                Some(draw) => draw.offer(&puzzle, candidate),
                None => finishing.add(candidate())?,
            }
        }
        Ok(report)
    }

    /// Where the history of a puzzle that may be taken is from, or why it is not taken.
    fn check(
        &mut self,
        puzzle: &mut Puzzle,
        line: u64,
        report: &mut SourceReport,
    ) -> Result<Origin, &'static str> {
        if let Some(reason) = self.build.filter.refuse(puzzle) {
            return Err(reason);
        }
        let identity = Identity::of(puzzle);
        match self.excluded.shared(identity) {
            Some(Shared::Id) => return Err("excluded id"),
            Some(Shared::Position) => return Err("excluded position"),
            None => {}
        }
        let attachment = self.histories.attach(puzzle);
        for (reason, problem) in attachment.mismatches {
            report.history_mismatches.add_row(reason, line, || format!("{}: {problem}", puzzle.id));
        }
        if self.build.require_history && attachment.origin == Origin::None {
            return Err("no history");
        }
        if let Some(reason) = self.draw.as_ref().and_then(|draw| draw.refuse(puzzle)) {
            return Err(reason);
        }
        match self.seen.shared(identity) {
            Some(Shared::Id) => return Err("duplicate id"),
            Some(Shared::Position) => return Err("duplicate position"),
            None => {}
        }
        self.seen.add(identity);
        Ok(attachment.origin)
    }

    /// Ends the draw, hands on what was drawn, and says what the strata gave.
    pub(super) fn finish(
        self,
        sources: &mut [SourceReport],
        finishing: &mut Finishing<'_>,
        observe: &mut impl FnMut(Stage, u64, Option<u64>),
    ) -> Result<Vec<StratumReport>, SuiteBuildError> {
        let Some(draw) = self.draw else { return Ok(Vec::new()) };
        // No longer needed, and the rows drawn are about to take memory.
        drop(self.seen);
        let (drawn, strata) = draw.finish();
        let mut counts = vec![0; sources.len()];
        drawn.iter().for_each(|candidate| counts[candidate.place.0] += 1);
        for (source, drawn) in sources.iter_mut().zip(counts) {
            let out = source.malformed.count() + source.dropped.count();
            source.dropped.add_many(NOT_DRAWN, source.rows - out - drawn);
        }
        let total = drawn.len() as u64;
        for (done, candidate) in (1..).zip(drawn) {
            finishing.add(std::sync::Arc::unwrap_or_clone(candidate))?;
            observe(Stage::Puzzles, done, Some(total));
        }
        Ok(strata)
    }
}
