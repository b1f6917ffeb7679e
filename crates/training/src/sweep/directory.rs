//! The directory of a sweep.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::cell::Cell;
use super::error::SweepError;
use super::files::write_whole;
use super::grid::Sweep;
use super::recent::RecentMetrics;
use super::record::{ScoringRecord, SweepRecord};
use crate::config::FinetuneConfig;
use crate::run::{self, RunDirectoryError, Settings, atomic};

#[cfg(test)]
mod tests;

const SWEEP: &str = "sweep.toml";
const CONFIG: &str = "config.toml";
const FAILURE: &str = "failure.txt";

/// The files of a sweep.
///
/// - `sweep.toml`: a [`SweepRecord`], there before anything else.
/// - `CELL/`: a directory for each cell, with its run (see [`RunDirectory`](crate::RunDirectory)),
///   or with `failure.txt`, which says why there is none to go on with.
/// - `lock`: locked while a process works on the sweep; the file stays.
#[derive(Debug)]
pub struct SweepDirectory {
    path: PathBuf,
    record: SweepRecord,
    sweep: Sweep,
    /// Given back by the operating system however the process ends.
    lock: Option<File>,
}

/// How a cell stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellStatus {
    /// Not begun.
    Waiting,
    /// Under way, or interrupted.
    Begun {
        /// Steps made, some perhaps after the last checkpoint.
        steps: u64,
    },
    /// All steps were made, and the network is there.
    Finished,
    /// It would fail again.
    Failed {
        /// Why, in one line.
        reason: String,
    },
}

impl SweepDirectory {
    /// Begins a sweep, or goes on with it where the directory holds it already.
    ///
    /// # Errors
    ///
    /// Where the directory holds another sweep or a single run, or is in use.
    pub fn begin(path: &Path, record: SweepRecord) -> Result<Self, SweepError> {
        let sweep = record.sweep()?;
        if path.is_file() {
            return Err(RunDirectoryError::NotADirectory { path: path.to_owned() }.into());
        }
        if !path.join(SWEEP).exists() {
            run::refuse_a_run(path)?;
        }
        fs::create_dir_all(path).map_err(at(path))?;
        let lock = run::lock(path)?;
        atomic::remove_strays(path).map_err(at(path))?;
        if path.join(SWEEP).exists() {
            let begun = Self::load(path, Some(lock))?;
            if let Some(what) = begun.record.difference(&record) {
                return Err(SweepError::Other { directory: path.to_owned(), what });
            }
            return Ok(begun);
        }
        let begun = Self { path: path.to_owned(), record, sweep, lock: Some(lock) };
        begun.write_record()?;
        Ok(begun)
    }

    /// Opens a sweep that was begun, for this process alone.
    ///
    /// # Errors
    ///
    /// Where there is none, its record cannot be read, or it is in use.
    pub fn open(path: &Path) -> Result<Self, SweepError> {
        if !path.join(SWEEP).is_file() {
            return Err(SweepError::NoSweep { directory: path.to_owned() });
        }
        let lock = run::lock(path)?;
        atomic::remove_strays(path).map_err(at(path))?;
        Self::load(path, Some(lock))
    }

    /// Looks at a sweep, whether or not a process works on it.
    ///
    /// # Errors
    ///
    /// Where there is none, or its record cannot be read.
    pub fn look(path: &Path) -> Result<Self, SweepError> {
        match Self::open(path) {
            Err(SweepError::Directory(RunDirectoryError::InUse { .. })) => Self::load(path, None),
            opened => opened,
        }
    }

    fn load(path: &Path, lock: Option<File>) -> Result<Self, SweepError> {
        let file = path.join(SWEEP);
        let text = fs::read_to_string(&file).map_err(at(&file))?;
        let wrong = |problem: String| SweepError::Record { path: file.clone(), problem };
        let record: SweepRecord =
            toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let sweep = record.sweep().map_err(|error| wrong(error.to_string()))?;
        Ok(Self { path: path.to_owned(), record, sweep, lock })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the sweep belongs to this process.
    pub fn is_ours(&self) -> bool {
        self.lock.is_some()
    }

    /// What the sweep is.
    pub fn record(&self) -> &SweepRecord {
        &self.record
    }

    /// The grid and its cells.
    pub fn sweep(&self) -> &Sweep {
        &self.sweep
    }

    /// Records how the cells are scored.
    ///
    /// # Errors
    ///
    /// Where the record cannot be written.
    pub fn set_scoring(&mut self, scoring: ScoringRecord) -> Result<(), SweepError> {
        if self.record.scoring.as_ref() != Some(&scoring) {
            self.record.scoring = Some(scoring);
            self.write_record()?;
        }
        Ok(())
    }

    /// The directory of a cell.
    pub fn cell_path(&self, cell: &Cell) -> PathBuf {
        self.path.join(&cell.name)
    }

    /// The averaged network of a cell's last step.
    pub fn network_path(&self, cell: &Cell) -> PathBuf {
        run::network_path(&self.cell_path(cell), cell.config.steps)
    }

    /// The settings of a cell's run, with the sums of the files that they name.
    pub fn config(&self, cell: &Cell) -> FinetuneConfig {
        let mut config = cell.config.clone();
        let book = config.opening_book.iter_mut().map(|book| (&book.file, &mut book.sha256));
        let references = config.references.iter_mut();
        let references = references.map(|reference| (&reference.file, &mut reference.sha256));
        for (file, sha256) in book.chain(references) {
            if sha256.is_none() {
                *sha256 = self.record.files.get(file).cloned();
            }
        }
        config
    }

    /// How a cell stands; nothing is changed.
    ///
    /// # Errors
    ///
    /// Where its directory holds another run, or cannot be read.
    pub fn status(&self, cell: &Cell) -> Result<CellStatus, SweepError> {
        let path = self.cell_path(cell);
        let is_begun = self.check_run(cell, &path)?;
        let failure = path.join(FAILURE);
        if failure.is_file() {
            let reason = fs::read_to_string(&failure).map_err(at(&failure))?;
            let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
            return Ok(CellStatus::Failed { reason });
        }
        Ok(match is_begun {
            false => CellStatus::Waiting,
            true if run::is_finished(&path, cell.config.steps) => CellStatus::Finished,
            true => CellStatus::Begun { steps: lines(&run::metrics_path(&path))? },
        })
    }

    /// Whether the cell's run has a record, which is then the one that it should have.
    fn check_run(&self, cell: &Cell, path: &Path) -> Result<bool, SweepError> {
        let file = path.join(CONFIG);
        if !file.is_file() {
            return Ok(false);
        }
        let text = fs::read_to_string(&file).map_err(at(&file))?;
        let other = |what| SweepError::OtherRun { directory: path.to_owned(), what };
        match Settings::from_toml(&text) {
            Ok(Settings::Record(record)) => {
                let base = self.record.base.check(&record.base);
                base.map_err(|mismatch| other(mismatch.what))?;
                if record.finetune != self.config(cell) {
                    return Err(other("a setting"));
                }
                Ok(true)
            }
            Ok(Settings::Plain(_)) => Err(RunDirectoryError::NoRecord { path: file }.into()),
            Err(source) => Err(RunDirectoryError::Config { path: file, source }.into()),
        }
    }

    /// Records that a cell fails, and would again.
    ///
    /// # Errors
    ///
    /// Where that cannot be written.
    pub fn record_failure(&self, cell: &Cell, reason: &str) -> Result<(), SweepError> {
        let path = self.cell_path(cell);
        fs::create_dir_all(&path).map_err(at(&path))?;
        let file = path.join(FAILURE);
        write_whole(&file, format!("{reason}\n")).map_err(at(&file))
    }

    /// Forgets that a cell failed, so that it is tried again.
    ///
    /// # Errors
    ///
    /// Where the file cannot be removed.
    pub fn forget_failure(&self, cell: &Cell) -> Result<(), SweepError> {
        let file = self.cell_path(cell).join(FAILURE);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(&file)(error)),
            _ => Ok(()),
        }
    }

    /// What the last steps of a cell were like; `None` before the first.
    ///
    /// # Errors
    ///
    /// Where its metrics cannot be read.
    pub fn recent(&self, cell: &Cell) -> Result<Option<RecentMetrics>, SweepError> {
        RecentMetrics::read(&run::metrics_path(&self.cell_path(cell)))
    }

    /// SHA-256 of the averaged network of a cell's last step, in lower-case hexadecimal.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn network_sha256(&self, cell: &Cell) -> Result<String, SweepError> {
        let path = self.network_path(cell);
        let mut file = File::open(&path).map_err(at(&path))?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer).map_err(at(&path))? {
                0 => break,
                length => hasher.update(&buffer[..length]),
            }
        }
        Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn write_record(&self) -> Result<(), SweepError> {
        let path = self.path.join(SWEEP);
        let text = toml::to_string(&self.record).expect("strings, numbers and tables are TOML");
        write_whole(&path, &text).map_err(at(&path))
    }
}

/// Whole lines of a file, none where it is not there.
fn lines(path: &Path) -> Result<u64, SweepError> {
    if !path.exists() {
        return Ok(0);
    }
    let mut reader = BufReader::new(File::open(path).map_err(at(path))?);
    let mut lines = 0;
    loop {
        let buffer = reader.fill_buf().map_err(at(path))?;
        if buffer.is_empty() {
            return Ok(lines);
        }
        lines += buffer.iter().filter(|byte| **byte == b'\n').count() as u64;
        let length = buffer.len();
        reader.consume(length);
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> SweepError {
    let path = path.to_owned();
    move |source| SweepError::Io { path: path.clone(), source }
}
