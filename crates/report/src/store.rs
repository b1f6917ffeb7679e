//! The SQLite file of results.

mod error;
mod open;
mod row;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use chess::puzzle::Acceptance;
use evaluation::PuzzleRecord;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

pub use error::{StoreError, StoreProblem};

use self::error::AtPath;

/// A file of measurements: which network, on which suite, computed how, and every answer.
///
/// Answers are written in transactions: whatever happens to the process or the machine, a
/// measurement holds the answers to its first [`Measurement::puzzles`] puzzles and no others. The
/// file keeps SQLite's rollback journal instead of a write-ahead log: a measurement writes some
/// times a second at most, so there is nothing to gain, and at rest there is one file to copy. A
/// file `results.sqlite-journal` beside it belongs to it: a process was killed in the middle of a
/// transaction, which the next one to open the file takes back.
///
/// Several processes may have it open; they wait for each other, and of two with the same
/// measurement one is told so.
#[derive(Debug)]
pub struct ResultsStore {
    connection: Connection,
    path: PathBuf,
}

/// All that the answers of a measurement depend on, and names for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasurementKey {
    /// SHA-256 of the network's file.
    pub network_sha256: String,
    /// The network as the user named it; may change.
    pub network_name: String,
    /// SHA-256 of the suite's file.
    pub suite_sha256: String,
    /// The suite as the user named it; may change.
    pub suite_name: String,
    /// How the moves that are accepted under the multi-solution rule were found.
    pub solver: String,
    /// Name of the policy head.
    pub policy_head: String,
    /// Name of the value head.
    pub value_head: String,
    /// What the network is shown before the first position known.
    pub history_fill: String,
    /// What computed, and in which number format.
    pub device: String,
    /// The program that measures; not part of what is looked for.
    pub program: String,
}

/// A measurement in the file, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    id: i64,
    suite: i64,
    puzzles: u64,
    finished: bool,
}

/// The moves that solve a puzzle under the multi-solution rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSolutions {
    /// How they were found.
    pub acceptance: Acceptance,
    /// In UCI notation, for each of the solver's positions; the marked move comes first.
    pub positions: Vec<Vec<String>>,
}

impl Measurement {
    /// Puzzles answered: so many from the beginning of the suite.
    pub fn puzzles(&self) -> u64 {
        self.puzzles
    }

    /// Whether these are all puzzles of the suite.
    pub fn finished(&self) -> bool {
        self.finished
    }
}

impl ResultsStore {
    /// Opens the file at `path`, which is made where there is none.
    ///
    /// # Errors
    ///
    /// Where the file cannot be opened, is not of this program, or of a later version of it.
    pub fn open(path: impl Into<PathBuf>) -> Result<ResultsStore, StoreError> {
        let path = path.into();
        let connection = open::connect(&path, open::PATIENCE).at(&path)?;
        Ok(ResultsStore { connection, path })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The measurement of that key, with no puzzles yet if it was never begun.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read or written.
    pub fn measurement(&mut self, key: &MeasurementKey) -> Result<Measurement, StoreError> {
        find_or_begin(&mut self.connection, key).at(&self.path)
    }

    /// Adds the answers to the puzzles that follow those of `measurement`, all or none.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written, where another process has gone on with the measurement
    /// ([`StoreProblem::TakenOver`]), or where the suite's puzzles are not those that were
    /// measured before.
    pub fn append(
        &mut self,
        measurement: &mut Measurement,
        records: &[PuzzleRecord],
    ) -> Result<(), StoreError> {
        let puzzles = measurement.puzzles + records.len() as u64;
        self.update(measurement, |transaction, measurement| {
            row::insert(transaction, measurement, records)?;
            transaction.execute(
                "UPDATE measurement SET puzzles = ?2 WHERE measurement = ?1",
                params![measurement.id, puzzles],
            )?;
            Ok(())
        })?;
        measurement.puzzles = puzzles;
        Ok(())
    }

    /// Marks that `measurement` holds all puzzles of its suite.
    ///
    /// # Errors
    ///
    /// As [`ResultsStore::append`].
    pub fn finish(&mut self, measurement: &mut Measurement) -> Result<(), StoreError> {
        self.update(measurement, |transaction, measurement| {
            transaction.execute(
                "UPDATE measurement SET finished = 1 WHERE measurement = ?1",
                [measurement.id],
            )?;
            Ok(())
        })?;
        measurement.finished = true;
        Ok(())
    }

    /// Shows the answers to the first `limit` puzzles of `measurement`, or all that there are, in
    /// the order of the suite.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read or does not hold what it should.
    pub fn for_each(
        &self,
        measurement: &Measurement,
        limit: Option<u64>,
        see: impl FnMut(PuzzleRecord),
    ) -> Result<(), StoreError> {
        let puzzles = limit.unwrap_or(u64::MAX).min(measurement.puzzles);
        row::for_each(&self.connection, measurement, puzzles, see).at(&self.path)
    }

    /// What is known of the solutions of the puzzles from `first` on, at most `count`, in the suite
    /// of `measurement`: no network changes them.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read or does not hold what it should.
    pub fn solutions(
        &self,
        measurement: &Measurement,
        first: u64,
        count: u64,
    ) -> Result<Vec<StoredSolutions>, StoreError> {
        row::solutions(&self.connection, measurement, first, count).at(&self.path)
    }

    /// Does `work` in a transaction, unless the measurement has moved on.
    fn update(
        &mut self,
        measurement: &Measurement,
        work: impl FnOnce(&Transaction<'_>, &Measurement) -> Result<(), StoreProblem>,
    ) -> Result<(), StoreError> {
        let connection = &mut self.connection;
        let updated = (|| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let found: u64 = transaction.query_row(
                "SELECT puzzles FROM measurement WHERE measurement = ?1",
                [measurement.id],
                |row| row.get(0),
            )?;
            if found != measurement.puzzles {
                return Err(StoreProblem::TakenOver { puzzles: found });
            }
            work(&transaction, measurement)?;
            Ok(transaction.commit()?)
        })();
        updated.at(&self.path)
    }
}

fn find_or_begin(
    connection: &mut Connection,
    key: &MeasurementKey,
) -> Result<Measurement, StoreProblem> {
    // A file that cannot be written is good enough to look at what is finished.
    if let Some(found) = find(connection, key)? {
        return Ok(found);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute(
        "INSERT INTO network (sha256, name) VALUES (?1, ?2)
         ON CONFLICT (sha256) DO UPDATE SET name = excluded.name",
        [&key.network_sha256, &key.network_name],
    )?;
    transaction.execute(
        "INSERT INTO suite (sha256, solver, name) VALUES (?1, ?2, ?3)
         ON CONFLICT (sha256, solver) DO UPDATE SET name = excluded.name",
        [&key.suite_sha256, &key.solver, &key.suite_name],
    )?;
    // Another process may have begun it since we looked.
    transaction.execute(
        "INSERT OR IGNORE INTO measurement
             (network, suite, policy_head, value_head, history_fill, device, program)
         SELECT network, suite, ?4, ?5, ?6, ?7, ?8 FROM network, suite
         WHERE network.sha256 = ?1 AND suite.sha256 = ?2 AND suite.solver = ?3",
        params![
            key.network_sha256,
            key.suite_sha256,
            key.solver,
            key.policy_head,
            key.value_head,
            key.history_fill,
            key.device,
            key.program,
        ],
    )?;
    let begun = find(&transaction, key)?;
    transaction.commit()?;
    begun.ok_or_else(|| StoreProblem::Contents("a measurement that was begun is not there".into()))
}

fn find(
    connection: &Connection,
    key: &MeasurementKey,
) -> Result<Option<Measurement>, StoreProblem> {
    let found = connection
        .query_row(
            "SELECT measurement, suite, puzzles, finished
             FROM measurement JOIN network USING (network) JOIN suite USING (suite)
             WHERE network.sha256 = ?1 AND suite.sha256 = ?2 AND suite.solver = ?3
                 AND policy_head = ?4 AND value_head = ?5 AND history_fill = ?6 AND device = ?7",
            params![
                key.network_sha256,
                key.suite_sha256,
                key.solver,
                key.policy_head,
                key.value_head,
                key.history_fill,
                key.device,
            ],
            |row| {
                Ok(Measurement {
                    id: row.get(0)?,
                    suite: row.get(1)?,
                    puzzles: row.get(2)?,
                    finished: row.get(3)?,
                })
            },
        )
        .optional()?;
    Ok(found)
}
