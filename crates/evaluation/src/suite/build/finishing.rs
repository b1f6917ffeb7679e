//! The acceptable moves of the puzzles taken, and their rows in the suite.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chess::mate::MateSolver;
use chess::puzzle::{Acceptance, Puzzle, RowError, RowProblem};
use rayon::prelude::*;

use super::error::SuiteBuildError;
use super::histories::Origin;
use super::manifest::{AcceptableReport, SourceReport};
use super::sample::Candidate;
use crate::prove;
use crate::suite::output::Output;

/// Puzzles that are finished together: enough that threads seldom wait for the slowest proof.
const BLOCK: usize = 1024;

/// Takes puzzles in the order of the suite.
pub(super) struct Finishing<'a> {
    sources: &'a [PathBuf],
    output: Output,
    node_budget: Option<u64>,
    waiting: Vec<Candidate>,
    kept: BTreeMap<usize, u64>,
    acceptable: AcceptableReport,
    histories: BTreeMap<Origin, u64>,
    puzzles: u64,
}

/// What was written.
pub(super) struct Finished {
    pub(super) output: Output,
    pub(super) acceptable: AcceptableReport,
    pub(super) histories: BTreeMap<Origin, u64>,
    pub(super) puzzles: u64,
}

impl<'a> Finishing<'a> {
    pub(super) fn new(
        sources: &'a [PathBuf],
        output: Output,
        node_budget: Option<u64>,
    ) -> Finishing<'a> {
        Finishing {
            sources,
            output,
            node_budget,
            waiting: Vec::with_capacity(BLOCK),
            kept: BTreeMap::new(),
            acceptable: AcceptableReport { node_budget, ..AcceptableReport::default() },
            histories: BTreeMap::new(),
            puzzles: 0,
        }
    }

    /// Takes the next puzzle of the suite.
    pub(super) fn add(&mut self, candidate: Candidate) -> Result<(), SuiteBuildError> {
        self.waiting.push(candidate);
        if self.waiting.len() == BLOCK { self.write_waiting() } else { Ok(()) }
    }

    /// Writes the last puzzles and tells each source how many of its rows were kept.
    pub(super) fn finish(
        mut self,
        sources: &mut [SourceReport],
    ) -> Result<Finished, SuiteBuildError> {
        self.write_waiting()?;
        for (number, kept) in self.kept {
            sources[number].kept = kept;
        }
        let Finishing { output, acceptable, histories, puzzles, .. } = self;
        Ok(Finished { output, acceptable, histories, puzzles })
    }

    /// What is wrong with a row that can be read where it is from and not where it is written.
    fn fault(&self, candidate: &Candidate, problem: RowProblem) -> SuiteBuildError {
        let (source, line) = candidate.place;
        let file = self.sources[source].display().to_string().into();
        SuiteBuildError::Row(RowError { file, line, problem })
    }

    fn write_waiting(&mut self) -> Result<(), SuiteBuildError> {
        let budget = self.node_budget;
        let finish = |solver: &mut Option<MateSolver>, candidate: &Candidate| {
            let mut puzzle = Puzzle::from_row(&candidate.row)
                .map_err(|problem| self.fault(candidate, problem))?;
            // What the source itself says is the solution stays.
            if let (Some(solver), true) = (solver, puzzle.acceptance != Some(Acceptance::Given)) {
                let moves = prove(&puzzle, solver);
                puzzle.acceptable = Some(moves.positions);
                puzzle.acceptance = Some(moves.acceptance);
            }
            Ok(puzzle)
        };
        let finished: Result<Vec<Puzzle>, SuiteBuildError> =
            self.waiting.par_iter().map_init(|| budget.map(MateSolver::new), finish).collect();
        for (puzzle, candidate) in finished?.iter().zip(self.waiting.drain(..)) {
            self.output.write(puzzle)?;
            self.puzzles += 1;
            *self.kept.entry(candidate.place.0).or_default() += 1;
            *self.histories.entry(candidate.history).or_default() += 1;
            if let Some(acceptable) = &puzzle.acceptable {
                self.acceptable.add(puzzle.acceptance, acceptable);
            }
        }
        Ok(())
    }
}
