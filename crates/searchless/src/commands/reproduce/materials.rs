//! What a study is given: the base, suites, openings.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use chess::OpeningBook;
use evaluation::{Reading, Suite};
use lc0::NetworkFile;
use study::{GivenFile, GivenSuite, SuiteRole};

use crate::commands::evaluate::measuring::ReadSuite;

/// Ends of the names of suites.
const SUITE_ENDS: [&str; 3] = [".csv", ".csv.gz", ".csv.zst"];
/// Ends of the names of books, and of their compressed forms.
const BOOK_ENDS: [&str; 2] = [".pgn", ".epd"];
const COMPRESSED_ENDS: [&str; 4] = ["", ".gz", ".zst", ".zip"];
/// The engine that gives verdicts, where it is installed.
const ENGINE: &str = "stockfish";

/// Where the files are, as far as they are given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Materials<'a> {
    /// The base.
    pub(super) network: Option<&'a Path>,
    /// A folder.
    pub(super) suites: Option<&'a Path>,
    /// A book.
    pub(super) openings: Option<&'a Path>,
}

impl Materials<'_> {
    /// The base, which must be a network.
    pub(super) fn base(&self) -> anyhow::Result<GivenFile> {
        let path = self.network.context("a base is needed")?;
        NetworkFile::read(path)?;
        given(path)
    }

    /// The SHA-256 of the base that is given.
    pub(super) fn base_sha256(&self) -> anyhow::Result<Option<String>> {
        self.network.map(sha256).transpose()
    }

    /// The suites, which must be read to their ends.
    pub(super) fn suites(&self) -> anyhow::Result<Vec<GivenSuite>> {
        let mut suites = Vec::new();
        for (role, path) in self.suite_paths()? {
            let puzzles = ReadSuite::new(Suite::open(&path)?, Reading::Strict, None)?.puzzles;
            suites.push(GivenSuite { role, file: given(&path)?, puzzles });
        }
        Ok(suites)
    }

    /// The SHA-256 of the suites that are given.
    pub(super) fn suites_sha256(&self) -> anyhow::Result<Option<Vec<(SuiteRole, String)>>> {
        if self.suites.is_none() {
            return Ok(None);
        }
        let sums = self.suite_paths()?.into_iter().map(|(role, path)| Ok((role, sha256(&path)?)));
        sums.collect::<anyhow::Result<Vec<_>>>().map(Some)
    }

    /// The openings, which must be a book.
    pub(super) fn openings(&self) -> anyhow::Result<Option<GivenFile>> {
        let Some(path) = self.openings_path()? else { return Ok(None) };
        OpeningBook::read(&path)?;
        given(&path).map(Some)
    }

    /// The SHA-256 of the openings that are given.
    pub(super) fn openings_sha256(&self) -> anyhow::Result<Option<String>> {
        self.openings_path()?.as_deref().map(sha256).transpose()
    }

    fn suite_paths(&self) -> anyhow::Result<Vec<(SuiteRole, PathBuf)>> {
        let Some(folder) = self.suites else { return Ok(Vec::new()) };
        let mut paths = Vec::new();
        for role in SuiteRole::ALL {
            let names = SUITE_ENDS.map(|end| format!("{}{end}", role.key()));
            paths.extend(one_of(folder, &names)?.map(|path| (role, path)));
        }
        ensure!(
            !paths.is_empty(),
            "{}: there is no suite; expected files such as selection.csv, uniform.csv.zst, \
             hard.csv, mates.csv and pool.csv",
            folder.display()
        );
        Ok(paths)
    }

    fn openings_path(&self) -> anyhow::Result<Option<PathBuf>> {
        if let Some(path) = self.openings {
            return Ok(Some(path.to_owned()));
        }
        let Some(folder) = self.suites else { return Ok(None) };
        let names = BOOK_ENDS
            .iter()
            .flat_map(|end| COMPRESSED_ENDS.map(|compressed| format!("openings{end}{compressed}")));
        one_of(folder, &names.collect::<Vec<_>>())
    }
}

/// The engine for verdicts, if it can be started by its name.
pub(super) fn engine() -> Option<String> {
    let path = env::var_os("PATH")?;
    let name = format!("{ENGINE}{}", env::consts::EXE_SUFFIX);
    let is_there = |folder: PathBuf| folder.join(&name).is_file();
    env::split_paths(&path).any(is_there).then(|| ENGINE.to_owned())
}

/// The file of a folder that has one of these names.
fn one_of(folder: &Path, names: &[String]) -> anyhow::Result<Option<PathBuf>> {
    let there: Vec<PathBuf> =
        names.iter().map(|name| folder.join(name)).filter(|path| path.is_file()).collect();
    match there.as_slice() {
        [] => Ok(None),
        [path] => Ok(Some(path.clone())),
        [one, other, ..] => {
            bail!("{} and {} are both there; remove one", one.display(), other.display())
        }
    }
}

fn given(path: &Path) -> anyhow::Result<GivenFile> {
    let absolute = std::path::absolute(path).with_context(|| path.display().to_string())?;
    let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(GivenFile { path: absolute, title, sha256: sha256(path)? })
}

fn sha256(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(study::sha256(&bytes))
}
