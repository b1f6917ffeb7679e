//! The answers of a network that are not there yet.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, ensure};
use chess::mate::MateSolver;
use chess::puzzle::Puzzle;
use evaluation::{
    Census, Examiner, PosedPuzzle, PuzzleOutcome, Reading, Rule, SkippedRows, Solutions, Suite,
    SuiteError, SuitePuzzles,
};
use lc0::NetworkFile;
use network::{Engine, Network};
use rayon::prelude::*;
use report::{Measurement, MeasurementKey, ResultsStore, StoredSolutions};

use crate::arguments::{HeadArguments, history_fill_name};
use crate::commands::puzzles::{short_name, with_advice};
use crate::device::DeviceArguments;
use crate::progress::Progress;

/// Puzzles that are answered and written together: what a killed process loses at most. With some
/// two positions each they keep many threads, or a GPU, at work.
const BLOCK: usize = 128;

/// A suite that was read to its end.
pub(in crate::commands) struct ReadSuite {
    pub(in crate::commands) suite: Suite,
    /// Its puzzles, as far as they are asked for.
    pub(in crate::commands) puzzles: u64,
    /// Rows before the last of these that are no puzzles.
    pub(in crate::commands) skipped: SkippedRows,
}

/// A network that is put to suites.
pub(in crate::commands) struct Measuring<'a> {
    pub(in crate::commands) name: String,
    pub(in crate::commands) file: &'a NetworkFile,
    pub(in crate::commands) heads: HeadArguments,
    pub(in crate::commands) device: DeviceArguments,
    pub(in crate::commands) reading: Reading,
    pub(in crate::commands) limit: Option<u64>,
}

/// How it ended.
pub(in crate::commands) enum Ending {
    /// A measurement for each suite.
    Finished(Vec<Measurement>),
    /// It was interrupted; all that was answered is kept.
    Stopped {
        /// Puzzles of the suite under way that are answered.
        answered: u64,
        /// All of its puzzles.
        puzzles: u64,
    },
}

impl ReadSuite {
    /// Reads all puzzles that are asked for.
    pub(in crate::commands) fn new(
        suite: Suite,
        reading: Reading,
        limit: Option<u64>,
    ) -> anyhow::Result<Self> {
        let mut rows = suite.puzzles(reading, limit)?;
        let mut puzzles = 0;
        loop {
            match rows.next_block(BLOCK).map_err(with_advice)?.len() {
                0 => break,
                read => puzzles += read as u64,
            }
        }
        if puzzles == 0 && limit != Some(0) {
            let path = suite.path().display().to_string();
            return Err(SuiteError::NoPuzzle { path }.into());
        }
        let skipped = rows.skipped().clone();
        Ok(ReadSuite { suite, puzzles, skipped })
    }

    /// The puzzles behind the first `passed`.
    fn rest(&self, reading: Reading, passed: u64) -> anyhow::Result<SuitePuzzles> {
        let mut rows = self.suite.puzzles(reading, Some(self.puzzles))?;
        let mut left = passed;
        while left > 0 {
            let size = usize::try_from(left).map_or(BLOCK, |left| left.min(BLOCK));
            let read = rows.next_block(size)?.len() as u64;
            ensure!(read > 0, "{}: the file has changed meanwhile", self.suite.path().display());
            left -= read;
        }
        Ok(rows)
    }
}

impl Measuring<'_> {
    /// Answers all puzzles of all suites that are not answered yet.
    pub(in crate::commands) fn run(
        &self,
        suites: &[ReadSuite],
        store: &mut ResultsStore,
        stop: &AtomicBool,
    ) -> anyhow::Result<Ending> {
        let mut measurements = Vec::new();
        for suite in suites {
            measurements.push(store.measurement(&self.key(suite))?);
        }
        let lacking =
            |measurement: &Measurement, suite: &ReadSuite| measurement.puzzles() < suite.puzzles;
        if measurements.iter().zip(suites).any(|(measurement, suite)| lacking(measurement, suite)) {
            let engine = self.device.engine(Network::load(self.file, self.heads.selection())?)?;
            let mut examiner = self.examiner(engine, suites, &measurements)?;
            for (measurement, suite) in measurements.iter_mut().zip(suites) {
                if lacking(measurement, suite) {
                    self.answer(suite, measurement, &mut examiner, store, stop)?;
                }
                if lacking(measurement, suite) {
                    let answered = measurement.puzzles();
                    return Ok(Ending::Stopped { answered, puzzles: suite.puzzles });
                }
            }
        }
        for (measurement, suite) in measurements.iter_mut().zip(suites) {
            // With a limit it is not known whether there are more.
            let all = self.limit.is_none() && measurement.puzzles() == suite.puzzles;
            if all && !measurement.finished() {
                store.finish(measurement)?;
            }
            ensure!(
                self.limit.is_some() || measurement.puzzles() <= suite.puzzles,
                "{}: holds answers to {} puzzles of {}, which has {}; choose another file",
                store.path().display(),
                measurement.puzzles(),
                suite.suite.path().display(),
                suite.puzzles
            );
        }
        Ok(Ending::Finished(measurements))
    }

    /// What the answers depend on.
    fn key(&self, suite: &ReadSuite) -> MeasurementKey {
        MeasurementKey {
            network_sha256: self.file.sha256().to_owned(),
            network_name: self.name.clone(),
            suite_sha256: suite.suite.sha256().to_owned(),
            suite_name: suite.suite.path().display().to_string(),
            solver: format!("mates proved with at most {} nodes a position", Rule::NODE_BUDGET),
            policy_head: self.heads.policy_head.to_string(),
            value_head: self.heads.value_head.to_string(),
            history_fill: history_fill_name(self.heads.fill()).to_owned(),
            device: self.device.to_string(),
            program: format!("searchless {}", env!("CARGO_PKG_VERSION")),
        }
    }

    /// Knows which of the positions that are still to come come more than once.
    fn examiner(
        &self,
        engine: Arc<dyn Engine>,
        suites: &[ReadSuite],
        measurements: &[Measurement],
    ) -> anyhow::Result<Examiner> {
        let fill = self.heads.fill();
        let mut census = Census::new(engine.architecture().input_format, fill);
        for (suite, measurement) in suites.iter().zip(measurements) {
            if measurement.puzzles() >= suite.puzzles {
                continue;
            }
            let mut rows = suite.rest(self.reading, measurement.puzzles())?;
            loop {
                let puzzles = rows.next_block(BLOCK)?;
                if puzzles.is_empty() {
                    break;
                }
                census.add(&puzzles).with_context(|| {
                    format!("{} on {}", self.name, suite.suite.path().display())
                })?;
            }
        }
        Ok(Examiner::new(engine, fill, census))
    }

    /// Answers the puzzles of a suite, block by block, until all are answered or `stop` is raised.
    fn answer(
        &self,
        suite: &ReadSuite,
        measurement: &mut Measurement,
        examiner: &mut Examiner,
        store: &mut ResultsStore,
        stop: &AtomicBool,
    ) -> anyhow::Result<()> {
        let before = measurement.puzzles();
        let mut progress = Progress::new(&short_name(&self.name), "puzzles", Some(suite.puzzles));
        if before > 0 {
            progress.say(&format!(
                "{} on {}: going on after {before} puzzles",
                self.name,
                suite.suite.path().display()
            ));
        }
        progress.start_at(before);
        let mut rows = suite.rest(self.reading, before)?;
        let solvers = Solvers::default();
        let mut solved = 0u64;
        while measurement.puzzles() < suite.puzzles && !stop.load(Ordering::Relaxed) {
            let puzzles = rows.next_block(BLOCK)?;
            ensure!(
                !puzzles.is_empty(),
                "{}: the file has changed meanwhile",
                suite.suite.path().display()
            );
            let known = store.solutions(measurement, measurement.puzzles(), BLOCK as u64)?;
            let records = examiner
                .examine(pose(&puzzles, &known, &solvers))
                .with_context(|| self.name.clone())?;
            solved += records
                .iter()
                .filter(|record| PuzzleOutcome::of(&record.answers).solved[Rule::MultiSolution])
                .count() as u64;
            store.append(measurement, &records)?;
            let done = measurement.puzzles();
            let percent = 100.0 * solved as f64 / (done - before) as f64;
            progress.report(done, &format!("{percent:.1}% solved"));
        }
        Ok(())
    }
}

/// Solvers that are free: each has a table of tens of megabytes, which is made once a thread.
#[derive(Default)]
struct Solvers(Mutex<Vec<MateSolver>>);

impl Solvers {
    /// Lends one to `work`.
    fn lend<T>(&self, work: impl FnOnce(&mut MateSolver) -> T) -> T {
        // A thread that broke down left whole solvers behind.
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = free().pop();
        let mut solver = lent.unwrap_or_else(|| MateSolver::new(Rule::NODE_BUDGET));
        let done = work(&mut solver);
        free().push(solver);
        done
    }
}

/// The puzzles and their solutions, which `known` holds for the first of them.
fn pose(puzzles: &[Puzzle], known: &[StoredSolutions], solvers: &Solvers) -> Vec<PosedPuzzle> {
    let pose = |(place, puzzle): (usize, &Puzzle)| {
        // Those of another puzzle are noticed when the answers are added.
        let solutions = solvers.lend(|solver| {
            let recalled =
                known.get(place).and_then(|StoredSolutions { acceptance, positions }| {
                    Solutions::recall(puzzle, *acceptance, positions, solver)
                });
            recalled.unwrap_or_else(|| Solutions::find(puzzle, solver))
        });
        PosedPuzzle::new(puzzle, &solutions)
    };
    puzzles.par_iter().enumerate().map(pose).collect()
}
