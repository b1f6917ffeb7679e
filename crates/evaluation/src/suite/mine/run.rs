//! The whole work.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use chess::mate::MateSolver;

use super::super::build::HistoryFile;
use super::super::exclusions::{read_exclusions, sum};
use super::super::identity::Identities;
use super::super::output::{self, Output};
use super::analyst::Analyst;
use super::assembly::Assembly;
use super::counts::MineCounts;
use super::error::MineError;
use super::games::{self, SourceGame};
use super::manifest::{EngineRecord, MineManifest};
use super::miner::{MinedGame, Miner};
use super::settings::MineSettings;
use super::work_file::{WorkFile, WorkHeader, work_path};

/// A suite to mine.
#[derive(Clone, Debug, PartialEq)]
pub struct Mining {
    /// Files of games in PGN, plain or compressed by gzip or Zstandard. Games that do not begin at
    /// the standard start are passed over: a suite cannot say how they began.
    pub games: Vec<PathBuf>,
    /// Suites of which neither ids nor positions to solve are taken.
    pub exclude: Vec<PathBuf>,
    /// How puzzles are made.
    pub settings: MineSettings,
    /// Puzzles at the most; `None` mines all games.
    pub count: Option<u64>,
    /// Whether a game or row that cannot be read is an error.
    pub strict: bool,
}

/// How far mining is.
#[derive(Clone, Copy, Debug)]
pub enum MineProgress {
    /// So many games were read.
    Read {
        /// How many.
        games: u64,
    },
    /// So many games are mined.
    Mined {
        /// Games to mine, unless enough puzzles are found before.
        total: u64,
        /// Games that are done.
        done: u64,
        /// Puzzles of these.
        puzzles: u64,
    },
}

/// How mining ended.
#[derive(Clone, Debug, PartialEq)]
pub enum MineOutcome {
    /// The suite is written.
    Finished(Box<MineManifest>),
    /// It was stopped: there is no suite yet, and so many games are done.
    Stopped {
        /// How many.
        done: u64,
        /// Sums over them.
        counts: MineCounts,
    },
}

type Mined = Result<MinedGame, Box<dyn std::error::Error + Send + Sync>>;

impl Mining {
    /// Mines with all `analysts` at once, which are `engine`, and writes the suite to `path` and its
    /// manifest to [`manifest_path`](super::super::build::manifest_path). What is mined goes to the
    /// file at [`work_path`], from which the same work goes on, also with another
    /// [`Mining::count`]. Once `stop` is true, the games under way are finished and no others begun.
    ///
    /// # Errors
    ///
    /// [`MineError`]; what stood at `path` is then still there.
    pub fn write<A: Analyst + Send>(
        &self,
        path: &Path,
        analysts: Vec<A>,
        engine: EngineRecord,
        stop: &AtomicBool,
        mut observe: impl FnMut(MineProgress),
    ) -> Result<MineOutcome, MineError> {
        self.settings.validate()?;
        let (excluded, exclusions) = read_exclusions(&self.exclude, self.strict, |_| {})?;
        let observe_read = |games| observe(MineProgress::Read { games });
        let (games, files) =
            games::read(&self.games, self.settings.seed, self.strict, observe_read)?;
        if games.is_empty() {
            return Err(MineError::NoGames { reasons: reasons(&files) });
        }
        let header = WorkHeader {
            engine: engine.clone(),
            settings: self.settings.clone(),
            games: files.iter().map(|file| file.sha256.clone()).collect(),
            exclude: exclusions.iter().map(|file| file.sha256.clone()).collect(),
        };
        let mut work = WorkFile::open(&work_path(path), &header)?;
        let assembly = self.mine(&games, &excluded, analysts, &mut work, stop, &mut observe)?;
        if !assembly.is_full() && assembly.games() < games.len() as u64 {
            let mut counts = MineCounts::default();
            work.done().values().for_each(|mined| counts.merge(&mined.counts));
            return Ok(MineOutcome::Stopped { done: work.done().len() as u64, counts });
        }
        if assembly.puzzles.is_empty() {
            return Err(MineError::NoPuzzles {
                games: assembly.counts.games,
                candidates: assembly.counts.candidates,
                reasons: assembly.counts.reasons(),
            });
        }
        let mut suite = Output::create(path)?;
        assembly.puzzles.iter().try_for_each(|puzzle| suite.write(puzzle))?;
        suite.finish()?;
        let manifest = MineManifest {
            tool: format!("searchless {}", env!("CARGO_PKG_VERSION")),
            suite: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            sha256: sum(path)?,
            puzzles: assembly.puzzles.len() as u64,
            engine,
            settings: self.settings.clone(),
            count: self.count,
            games: files,
            excluded: exclusions,
            counts: assembly.counts,
            themes: assembly.themes,
            difficulty: assembly.difficulty,
            acceptable: assembly.acceptable,
        };
        output::write_manifest(path, &manifest)?;
        Ok(MineOutcome::Finished(Box::new(manifest)))
    }

    /// Mines the games that are not done, until enough puzzles are there.
    fn mine<A: Analyst + Send>(
        &self,
        games: &[SourceGame],
        excluded: &Identities,
        analysts: Vec<A>,
        work: &mut WorkFile,
        stop: &AtomicBool,
        observe: &mut impl FnMut(MineProgress),
    ) -> Result<Assembly, MineError> {
        let mut assembly = Assembly::new(self.count, self.settings.node_budget);
        assembly.take_done(work)?;
        let total = games.len() as u64;
        let mut puzzles = work.done().values().map(|mined| mined.puzzles.len() as u64).sum();
        let mut done = work.done().len() as u64;
        observe(MineProgress::Mined { total, done, puzzles });
        let missing: Vec<u64> = (0..total).filter(|game| !work.done().contains_key(game)).collect();
        let next = AtomicUsize::new(0);
        let ended = AtomicBool::new(assembly.is_full());
        let must_end = || stop.load(Ordering::Relaxed) || ended.load(Ordering::Relaxed);
        let take = || {
            let place = next.fetch_add(1, Ordering::Relaxed);
            missing.get(place).copied().filter(|_| !must_end())
        };
        // Nobody is far ahead of what is written.
        let (sender, mined) = sync_channel(0);
        std::thread::scope(|scope| {
            for analyst in analysts {
                let (sender, take) = (sender.clone(), &take);
                scope.spawn(move || self.work(games, excluded, analyst, take, &sender));
            }
            drop(sender);
            let mut result = Ok(());
            for mined in mined {
                let taken = mined.map_err(MineError::Analyst).and_then(|mined| {
                    done += 1;
                    puzzles += mined.puzzles.len() as u64;
                    work.add(mined)?;
                    assembly.take_done(work)?;
                    observe(MineProgress::Mined { total, done, puzzles });
                    Ok(())
                });
                if taken.is_err() && result.is_ok() {
                    result = taken;
                }
                if assembly.is_full() || result.is_err() {
                    ended.store(true, Ordering::Relaxed);
                }
            }
            result
        })?;
        Ok(assembly)
    }

    /// Mines one game after another.
    fn work<A: Analyst>(
        &self,
        games: &[SourceGame],
        excluded: &Identities,
        mut analyst: A,
        take: &impl Fn() -> Option<u64>,
        sender: &SyncSender<Mined>,
    ) {
        let mut solver = MateSolver::new(self.settings.node_budget);
        while let Some(number) = take() {
            let place = usize::try_from(number).expect("a place in a list");
            let miner = Miner {
                settings: &self.settings,
                excluded,
                analyst: &mut analyst,
                solver: &mut solver,
                counts: MineCounts::default(),
            };
            let mined = miner.mine(number, &games[place]);
            let is_broken = mined.is_err();
            if sender.send(mined).is_err() || is_broken {
                return;
            }
        }
    }
}

impl Assembly {
    /// Takes the games that are done, up to the first that is not.
    fn take_done(&mut self, work: &WorkFile) -> Result<(), MineError> {
        while !self.is_full()
            && let Some(mined) = work.done().get(&self.games())
        {
            self.add(mined)?;
        }
        Ok(())
    }
}

/// Why games were passed over, in words.
fn reasons(files: &[HistoryFile]) -> String {
    let mut counts = BTreeMap::<&str, u64>::new();
    for file in files {
        for (reason, games) in file.skipped.by_reason() {
            *counts.entry(reason).or_default() += games.count;
        }
    }
    let reasons: Vec<String> =
        counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    if reasons.is_empty() { "there is none".to_owned() } else { reasons.join(", ") }
}
