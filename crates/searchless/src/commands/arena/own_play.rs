//! Games of a network against itself, for a command that looks at their positions.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, ensure};
use arena::{Conditions, Format, GameFile, Schedule, play};
use chess::Rules;

use super::match_record::{EVENT, GAMES, MatchRecord, MatchSettings};
use super::openings;
use crate::device::DeviceArguments;
use crate::progress::Progress;

/// Plies after which a game is a draw.
const MOST_PLIES: u32 = 512;

/// Games side by side.
const CONCURRENCY: usize = 256;

/// Both sides draw their moves from the raw policy.
#[derive(Clone, Debug)]
pub(in crate::commands) struct OwnPlay {
    pub(in crate::commands) network: PathBuf,
    /// How many games, an even number.
    pub(in crate::commands) games: u32,
    /// Where they start; the initial position without.
    pub(in crate::commands) openings: Option<PathBuf>,
    pub(in crate::commands) seed: u64,
}

impl OwnPlay {
    /// The file of the games in `directory`.
    pub(in crate::commands) fn file(directory: &Path) -> PathBuf {
        directory.join(GAMES)
    }

    /// Plays the games that `directory`, which is that of a match, does not have yet. Whether all
    /// are there now: not where `stop` was raised before the last of them had ended.
    pub(in crate::commands) fn play(
        &self,
        directory: &Path,
        device: DeviceArguments,
        threads: NonZeroUsize,
        stop: &AtomicBool,
    ) -> anyhow::Result<bool> {
        let record = MatchRecord::of(self.settings()?)?;
        let players = record.players(device)?;
        let openings = openings::openings(self.openings.as_deref(), &record.settings, &record)?;
        let schedule = Schedule::new(players.len(), Format::RoundRobin, self.games, openings)?;
        if directory.exists() {
            let begun = MatchRecord::read(directory)?;
            ensure!(
                begun.plays_the_same(&record),
                "{} has games of other settings",
                directory.display()
            );
        } else {
            record.write(directory)?;
        }
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let path = Self::file(directory);
        let mut file = GameFile::open(&path, EVENT, &names, &schedule)?;
        let done: HashSet<_> = file.results().map(|result| result.pairing.number).collect();
        let mut played = done.len() as u64;
        let mut progress = Progress::new("play", "games", Some(schedule.games()));
        progress.start_at(played);
        let conditions = Conditions {
            rules: Rules { ply_cap: Some(MOST_PLIES) },
            seed: self.seed,
            games: NonZeroUsize::new(CONCURRENCY).expect("above 0"),
            processes: threads,
            // No engine plays.
            patience: Duration::from_secs(60),
        };
        play(
            &players,
            &schedule,
            &conditions,
            |number| done.contains(&number),
            stop,
            |game| {
                played += 1;
                progress.report(played, "");
                file.add(&schedule, &game)
            },
        )
        .with_context(|| path.display().to_string())?;
        file.sync()?;
        Ok(played == schedule.games())
    }

    fn settings(&self) -> anyhow::Result<MatchSettings> {
        let network = self.network.display().to_string();
        let player = |name| format!("{network},play=sampled,name={name}").parse();
        let players = ["one", "other"]
            .into_iter()
            .map(player)
            .collect::<Result<_, String>>()
            .map_err(|problem| anyhow::anyhow!("{network}: {problem}"))?;
        Ok(MatchSettings {
            gauntlet: false,
            games: self.games,
            openings: self.openings.clone(),
            max_plies: MOST_PLIES,
            seed: self.seed,
            players,
        })
    }
}
