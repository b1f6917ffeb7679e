//! The directory of labels.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use lc0::training_data::{TrainingRecord, write_chunk};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::config::LabelConfig;
use super::counts::LabelCounts;
use crate::run::atomic::{self, Existing};

#[cfg(test)]
mod tests;

/// Labels that were made, and how.
///
/// `label.toml` has the settings with the sums of the files, `chunks/` the records, and
/// `labels.jsonl` a line for each chunk, written after it: a chunk without its line is made again.
pub struct LabelDirectory {
    path: PathBuf,
    record: LabelRecord,
    done: BTreeMap<u64, LabelCounts>,
}

/// What `label.toml` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelRecord {
    /// Name and version of the program.
    pub program: String,
    /// The engine's name for itself.
    pub engine: String,
    /// The settings.
    pub label: LabelConfig,
    /// Files of positions, and those that are kept out, in the order of the settings.
    pub files: Vec<SourceRecord>,
}

/// A file that labels depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRecord {
    /// Where it was.
    pub path: PathBuf,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub sha256: String,
}

/// Why a directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LabelDirectoryError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file is damaged.
    #[error("{path}: {problem}")]
    Damaged {
        /// Which.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// It has labels that were made otherwise.
    #[error("{path}: has labels of other settings: {difference}")]
    OtherSettings {
        /// The directory.
        path: String,
        /// The first difference.
        difference: String,
    },
    /// It is in use.
    #[error("{path}: another process is labelling into it")]
    InUse {
        /// The directory.
        path: String,
    },
    /// It holds something else.
    #[error("{path}: is not empty and holds no labels")]
    Foreign {
        /// The directory.
        path: String,
    },
}

/// A line of `labels.jsonl`.
#[derive(Serialize, Deserialize)]
struct Line {
    chunk: u64,
    #[serde(flatten)]
    counts: LabelCounts,
}

const SETTINGS: &str = "label.toml";
const LINES: &str = "labels.jsonl";
const CHUNKS: &str = "chunks";
const PLAY: &str = "play";

impl LabelDirectory {
    /// Makes the directory, or opens it to go on where labels of the same settings are in it.
    ///
    /// # Errors
    ///
    /// Where it holds something else or labels of other settings, or cannot be read or written.
    pub fn open(path: &Path, record: LabelRecord) -> Result<LabelDirectory, LabelDirectoryError> {
        let settings = path.join(SETTINGS);
        let chunks = path.join(CHUNKS);
        if settings.try_exists().map_err(fault(&settings))? {
            check_same(path, &settings, &record)?;
        } else {
            Self::check_place(path)?;
            fs::create_dir_all(path).map_err(fault(path))?;
            let text = toml::to_string(&record).expect("settings have a TOML form");
            atomic::write(&settings, Existing::Keep, |file| file.write_all(text.as_bytes()))
                .map_err(fault(&settings))?;
        }
        fs::create_dir_all(&chunks).map_err(fault(&chunks))?;
        let mut directory = LabelDirectory { path: path.to_owned(), record, done: BTreeMap::new() };
        directory.read_lines()?;
        Ok(directory)
    }

    /// Where games are kept whose positions are labelled, in the directory at `path`.
    pub fn play(path: &Path) -> PathBuf {
        path.join(PLAY)
    }

    /// Checks that a directory at `path` has labels, or has nothing but games, or is not there.
    ///
    /// # Errors
    ///
    /// Where it holds something else, or cannot be read.
    pub fn check_place(path: &Path) -> Result<(), LabelDirectoryError> {
        if !path.is_dir() || path.join(SETTINGS).exists() {
            return Ok(());
        }
        for entry in fs::read_dir(path).map_err(fault(path))? {
            if entry.map_err(fault(path))?.file_name() != PLAY {
                return Err(LabelDirectoryError::Foreign { path: path.display().to_string() });
            }
        }
        Ok(())
    }

    /// The settings.
    pub fn record(&self) -> &LabelRecord {
        &self.record
    }

    /// Whether a chunk is there and was made of so many positions. (The last one under a limit
    /// grows with the limit.)
    pub fn is_done(&self, chunk: u64, positions: u64) -> bool {
        let done = self.done.get(&chunk);
        done.is_some_and(|counts| counts.labelled + counts.skipped_positions() == positions)
    }

    /// The counts of all chunks.
    pub fn total(&self) -> LabelCounts {
        let mut total = LabelCounts::default();
        self.done.values().for_each(|counts| total.merge(counts));
        total
    }

    /// Where the records are: what `searchless train --chunks` reads.
    pub fn chunks(&self) -> PathBuf {
        self.path.join(CHUNKS)
    }

    /// Writes a chunk, then its line.
    ///
    /// # Errors
    ///
    /// Where a file cannot be written.
    pub fn add(
        &mut self,
        chunk: u64,
        records: &[TrainingRecord],
        counts: LabelCounts,
    ) -> Result<(), LabelDirectoryError> {
        // A chunk without records is no chunk to Lc0's tools.
        if !records.is_empty() {
            let path = self.chunks().join(format!("chunk-{chunk:08}.gz"));
            atomic::write(&path, Existing::Replace, |file| write_chunk(records, file))
                .map_err(fault(&path))?;
        }
        let path = self.path.join(LINES);
        let mut line = serde_json::to_string(&Line { chunk, counts: counts.clone() })
            .expect("counts have a JSON form");
        line.push('\n');
        let mut lines =
            OpenOptions::new().create(true).append(true).open(&path).map_err(fault(&path))?;
        lines.write_all(line.as_bytes()).and_then(|()| lines.sync_data()).map_err(fault(&path))?;
        self.done.insert(chunk, counts);
        Ok(())
    }

    /// Reads the lines; one that was cut off is cut away.
    fn read_lines(&mut self) -> Result<(), LabelDirectoryError> {
        let path = self.path.join(LINES);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(fault(&path)(error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in (1..).zip(text[..whole].lines()) {
            let Line { chunk, counts } =
                serde_json::from_str(line).map_err(|error| LabelDirectoryError::Damaged {
                    path: path.display().to_string(),
                    problem: format!("line {number}: {error}"),
                })?;
            let file = self.chunks().join(format!("chunk-{chunk:08}.gz"));
            if counts.labelled > 0 && !file.try_exists().map_err(fault(&file))? {
                return Err(LabelDirectoryError::Damaged {
                    path: file.display().to_string(),
                    problem: format!("is gone, and {LINES} says that it was made"),
                });
            }
            self.done.insert(chunk, counts);
        }
        if whole < text.len() {
            let lines = OpenOptions::new().write(true).open(&path).map_err(fault(&path))?;
            lines.set_len(whole as u64).and_then(|()| lines.sync_all()).map_err(fault(&path))?;
        }
        atomic::remove_strays(&self.chunks()).map_err(fault(&self.chunks()))
    }
}

impl SourceRecord {
    /// The file at `path` as it is now.
    ///
    /// # Errors
    ///
    /// Where it cannot be read.
    pub fn of(path: &Path) -> Result<SourceRecord, LabelDirectoryError> {
        let sha256 = sha256(path).map_err(fault(path))?;
        Ok(SourceRecord { path: path.to_owned(), sha256 })
    }
}

fn check_same(
    path: &Path,
    settings: &Path,
    record: &LabelRecord,
) -> Result<(), LabelDirectoryError> {
    let text = fs::read_to_string(settings).map_err(fault(settings))?;
    let found: LabelRecord =
        toml::from_str(&text).map_err(|error| LabelDirectoryError::Damaged {
            path: settings.display().to_string(),
            problem: error.to_string(),
        })?;
    let (mut found, asked) = (found, record.clone());
    // Another version may go on, a limit may be raised, and patience changes no label.
    found.program.clone_from(&asked.program);
    found.label.teacher.patience_seconds = asked.label.teacher.patience_seconds;
    found.label.limit = asked.label.limit;
    // Files are known by their sums: they may have moved.
    let sums = |record: &LabelRecord| -> Vec<String> {
        record.files.iter().map(|file| file.sha256.clone()).collect()
    };
    if sums(&found) == sums(&asked) {
        found.files.clone_from(&asked.files);
        found.label.sources.clone_from(&asked.label.sources);
        found.label.exclude.clone_from(&asked.label.exclude);
        found.label.teacher.program.clone_from(&asked.label.teacher.program);
    }
    if found == asked {
        return Ok(());
    }
    let [found, asked] =
        [&found, &asked].map(|record| toml::to_string(record).expect("settings have a TOML form"));
    let difference = found
        .lines()
        .zip(asked.lines())
        .find(|(found, asked)| found != asked)
        .map_or("one has more than the other".to_owned(), |(found, asked)| {
            format!("there {found}, now {asked}")
        });
    Err(LabelDirectoryError::OtherSettings { path: path.display().to_string(), difference })
}

fn fault(path: &Path) -> impl FnOnce(io::Error) -> LabelDirectoryError {
    let path = path.display().to_string();
    move |source| LabelDirectoryError::Io { path, source }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            length => hasher.update(&buffer[..length]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
