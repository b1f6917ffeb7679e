//! What was mined, game by game, in a file beside the suite.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::MineError;
use super::manifest::EngineRecord;
use super::miner::MinedGame;
use super::settings::MineSettings;

#[cfg(test)]
mod tests;

/// Lines of JSON: what decides the puzzles, then a line for each game that was mined, each whole
/// and synced.
pub(super) struct WorkFile {
    path: PathBuf,
    file: File,
    done: BTreeMap<u64, MinedGame>,
}

/// What decides the puzzles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkHeader {
    pub(super) engine: EngineRecord,
    pub(super) settings: MineSettings,
    /// SHA-256 of the files of games, in their order.
    pub(super) games: Vec<String>,
    /// SHA-256 of the suites to exclude.
    pub(super) exclude: Vec<String>,
}

/// Where the work on the suite at `path` is kept: `a.csv.zst` has `a.mining.jsonl`.
pub fn work_path(path: &Path) -> PathBuf {
    let manifest = super::super::output::manifest_path(path);
    let name = manifest.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".manifest.json").unwrap_or(&name);
    path.with_file_name(format!("{stem}.mining.jsonl"))
}

impl WorkFile {
    /// Begins the file, or opens it to go on. A last line that was cut off is taken out.
    pub(super) fn open(path: &Path, header: &WorkHeader) -> Result<WorkFile, MineError> {
        let fault = fault(path);
        let mut options = OpenOptions::new();
        let mut file = options.create(true).read(true).append(true).open(path).map_err(&fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(MineError::InUse { path: path.display().to_string() });
            }
            Err(TryLockError::Error(source)) => return Err(fault(source)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(&fault)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = (1_u64..).zip(text[..whole].lines());
        let mut work = WorkFile { path: path.to_owned(), file, done: BTreeMap::new() };
        let Some((number, first)) = lines.next() else {
            work.cut(0)?;
            work.append(header)?;
            return Ok(work);
        };
        let found: WorkHeader = work.parse(number, first)?;
        found.check(header, path)?;
        for (number, line) in lines {
            let mined: MinedGame = work.parse(number, line)?;
            work.done.insert(mined.game, mined);
        }
        if whole < text.len() {
            work.cut(whole as u64)?;
        }
        Ok(work)
    }

    /// The games that are done, by their places.
    pub(super) fn done(&self) -> &BTreeMap<u64, MinedGame> {
        &self.done
    }

    /// Adds a game.
    pub(super) fn add(&mut self, mined: MinedGame) -> Result<(), MineError> {
        self.append(&mined)?;
        self.done.insert(mined.game, mined);
        Ok(())
    }

    fn append(&mut self, line: &impl Serialize) -> Result<(), MineError> {
        let mut text = serde_json::to_string(line).expect("words and numbers have a JSON form");
        text.push('\n');
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(fault(&self.path))
    }

    fn cut(&mut self, length: u64) -> Result<(), MineError> {
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(drop).map_err(fault(&self.path))
    }

    fn parse<'a, T: Deserialize<'a>>(&self, number: u64, line: &'a str) -> Result<T, MineError> {
        serde_json::from_str(line).map_err(|error| MineError::Damaged {
            path: self.path.display().to_string(),
            problem: format!("line {number} is none of a work file: {error}"),
        })
    }
}

impl WorkHeader {
    /// Sees that the work that was begun is the one `asked` for.
    fn check(&self, asked: &WorkHeader, path: &Path) -> Result<(), MineError> {
        if self == asked {
            return Ok(());
        }
        let [found, asked] = [self, asked].map(|header| {
            let value = serde_json::to_value(header).expect("words and numbers have a JSON form");
            flat("", &value)
        });
        let difference = found
            .iter()
            .find(|(name, value)| asked.get(*name) != Some(value))
            .map(|(name, value)| {
                let now = asked.get(name).map_or("nothing", String::as_str);
                format!("{name} {value}, and not {now}")
            })
            .unwrap_or_else(|| "fewer settings".to_owned());
        Err(MineError::OtherWork { path: path.display().to_string(), difference })
    }
}

/// All values with their names.
fn flat(name: &str, value: &serde_json::Value) -> BTreeMap<String, String> {
    let within = |inner: &str| match name {
        "" => inner.to_owned(),
        _ => format!("{name}.{inner}"),
    };
    match value {
        serde_json::Value::Object(fields) => {
            fields.iter().flat_map(|(inner, value)| flat(&within(inner), value)).collect()
        }
        _ => BTreeMap::from([(name.to_owned(), value.to_string())]),
    }
}

fn fault(path: &Path) -> impl Fn(io::Error) -> MineError {
    let path = path.display().to_string();
    move |source| MineError::Io { path: path.clone(), source }
}
