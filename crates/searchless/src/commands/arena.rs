//! `searchless arena`: matches and tournaments between networks and engines.

mod live;
mod match_record;
mod openings;
mod own_play;
mod specification;
mod table;
mod verification;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use arena::{Conditions, Format, GameFile, Player, Schedule, Standings, TournamentError, play};
use chess::Rules;

use self::live::Live;
use self::match_record::{EVENT, GAMES, MatchRecord, MatchSettings};
pub(super) use self::own_play::OwnPlay;
use self::specification::PlayerSpecification;
use super::runs::{quoted, stop_on_interrupt};
use crate::device::DeviceArguments;

/// What a command must have: clap would only say that nothing is required in every case.
const USAGE: &str =
    "searchless arena --player <SPEC> --player <SPEC>... --out <DIRECTORY> [OPTIONS]
       searchless arena --resume <DIRECTORY> [OPTIONS]
       searchless arena --verify <PGN> [--max-plies <N>]";

/// Lets networks and engines play each other, and rates them.
///
/// A player is a network file, or `engine:` and a UCI engine's program, with settings behind commas:
/// `base.pb.gz,play=adaptive,name=base` or `engine:stockfish,nodes=1000,option.UCI_LimitStrength=true`.
///
/// For networks: `name`; `play`, how moves are chosen: argmax (the default), sampled (temperature 1),
/// adaptive (the temperature that the network's own value sets), value (the move to the position
/// that its value finds worst for the opponent), lc0 (temperature 1.359) or a temperature;
/// `policy-head`, `value-head`, `history-fill`.
///
/// For engines: `name`; one of `nodes`, `depth`, `movetime` (milliseconds) or `tc` (seconds and
/// increment, as in 10+0.1); `arg`, once for each argument; `option.NAME` for a UCI option.
///
/// All pairs play the same openings, each twice with colours reversed. Games between networks go on
/// side by side and depend on --seed alone. The directory receives arena.toml and games.pgn, to which
/// each game is appended as it ends; --resume plays those that are missing. An engine that
/// crashes, hangs or plays an illegal move forfeits the game and is started again.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE)]
pub(crate) struct ArenaArguments {
    /// A player; give two or more
    #[arg(long = "player", value_name = "SPEC", required_unless_present_any = ["resume", "verify"])]
    players: Vec<PlayerSpecification>,
    /// Directory for the match; must not hold one already
    #[arg(long, value_name = "DIRECTORY", required_unless_present_any = ["resume", "verify"])]
    out: Option<PathBuf>,
    /// Play the missing games of the match in this directory
    #[arg(long, value_name = "DIRECTORY", conflicts_with_all = ["players", "out", "verify", "gauntlet", "games", "openings", "seed", "max_plies"])]
    resume: Option<PathBuf>,
    /// Play the games of a PGN file again and say which do not end as they say
    #[arg(long, value_name = "PGN", conflicts_with_all = ["players", "out", "gauntlet", "games", "openings", "seed"])]
    verify: Option<PathBuf>,
    /// The first player against each other one, in place of all against all
    #[arg(long)]
    gauntlet: bool,
    /// Games of each pair, an even number
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// Openings: EPD or PGN, plain or compressed (.gz, .zst, .zip); drawn without repetition
    /// [default: the initial position]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// A game of so many half-moves, those of its opening included, is a draw
    #[arg(long, value_name = "N", default_value_t = 512)]
    max_plies: u32,
    /// Seed of the choice of openings and of all sampled moves
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Games side by side between networks; results do not depend on it
    #[arg(long, value_name = "N", default_value = "256", help_heading = "Computation")]
    concurrency: NonZeroUsize,
    /// Processes of each engine [default: one per core]
    #[arg(long, value_name = "N", help_heading = "Computation")]
    processes: Option<NonZeroUsize>,
    /// Seconds that an engine may take beyond its limit before it forfeits
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, help_heading = "Computation")]
    patience: f64,
    /// Show the table as it stands, again and again
    #[arg(long)]
    live: bool,
    #[command(flatten)]
    device: DeviceArguments,
}

impl ArenaArguments {
    /// Plays, or goes on, or verifies.
    pub(crate) fn run(self, threads: NonZeroUsize, output: &mut impl Write) -> anyhow::Result<()> {
        if let Some(games) = &self.verify {
            return verification::verify(games, self.rules(self.max_plies), output);
        }
        let (directory, record) = match &self.resume {
            Some(directory) => (directory.clone(), MatchRecord::read(directory)?),
            None => self.begin()?,
        };
        self.play(&directory, &record, threads, output)
    }

    fn rules(&self, max_plies: u32) -> Rules {
        Rules { ply_cap: Some(max_plies) }
    }

    fn begin(&self) -> anyhow::Result<(PathBuf, MatchRecord)> {
        let settings = MatchSettings {
            gauntlet: self.gauntlet,
            games: self.games,
            openings: self.openings.clone(),
            max_plies: self.max_plies,
            seed: self.seed,
            players: self.players.clone(),
        };
        let directory = self.out.clone().expect("required without --resume");
        Ok((directory, MatchRecord::of(settings)?))
    }

    fn play(
        &self,
        directory: &Path,
        record: &MatchRecord,
        threads: NonZeroUsize,
        output: &mut impl Write,
    ) -> anyhow::Result<()> {
        let patience =
            Duration::try_from_secs_f64(self.patience).ok().filter(|time| !time.is_zero());
        let Some(patience) = patience else {
            bail!("--patience {}: expected a number above 0", self.patience)
        };
        let settings = &record.settings;
        // All that can fail does so before anything is written.
        let players = record.players(self.device)?;
        let openings = openings::openings(settings.openings.as_deref(), settings, record)?;
        let format = if settings.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
        let schedule = Schedule::new(players.len(), format, settings.games, openings)?;
        if self.resume.is_none() {
            record.write(directory)?;
        }
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let mut file = GameFile::open(&directory.join(GAMES), EVENT, &names, &schedule)?;
        let before = file.results().len() as u64;

        let conditions = Conditions {
            rules: self.rules(settings.max_plies),
            seed: settings.seed,
            games: self.concurrency,
            processes: self.processes.unwrap_or(threads),
            patience,
        };
        let stop = stop_on_interrupt("giving up the games under way; those that ended stay")?;
        let mut standings: Standings = file.results().collect();
        let mut live = Live::new(schedule.games(), before, self.live);
        let done: std::collections::HashSet<_> =
            file.results().map(|result| result.pairing.number).collect();
        let played = play(
            &players,
            &schedule,
            &conditions,
            |number| done.contains(&number),
            &stop,
            |game| {
                file.add(&schedule, &game)?;
                standings.add(&(&game).into());
                live.show(&standings, &names);
                Ok(())
            },
        );
        file.sync()?;
        let elapsed = live.elapsed();
        drop(live);
        played.map_err(|error: TournamentError<arena::GameFileError>| match error {
            TournamentError::Record(error) => anyhow::Error::from(error),
            error => error.into(),
        })?;
        let new = standings.games - before;
        table::write(&standings, &players_line(&players), &names, output)?;
        if new > 0 {
            let rate = new as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
            writeln!(output, "\n{new} games in {:.1} s, {rate:.2} games/s", elapsed.as_secs_f64())?;
        }
        let missing = schedule.games() - standings.games;
        if missing > 0 {
            writeln!(
                output,
                "\n{missing} games are missing; to go on: searchless arena --resume {}",
                quoted(directory)
            )?;
            return Ok(());
        }
        writeln!(output)?;
        super::rate::of_match(&directory.join(GAMES), output)
            .with_context(|| format!("rating the games of {}", directory.display()))
    }
}

/// What is said of the players above the table.
fn players_line(players: &[Player]) -> Vec<String> {
    players.iter().map(specification::description).collect()
}
