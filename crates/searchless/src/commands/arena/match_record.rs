//! `arena.toml`: what a match is.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use arena::Player;
use serde::{Deserialize, Serialize};

use super::openings;
use super::specification::PlayerSpecification;
use crate::device::DeviceArguments;
use crate::files::read_network;

/// The file of the games.
pub(super) const GAMES: &str = "games.pgn";
/// The file of the settings.
const SETTINGS: &str = "arena.toml";
/// The games' `Event`.
pub(super) const EVENT: &str = "Searchless arena";

/// A match's settings, and the sums of the files that it depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchRecord {
    /// Name and version of the program.
    program: String,
    /// SHA-256 of the networks, in the order of the players; empty for an engine.
    networks: Vec<String>,
    /// SHA-256 of the openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) openings: Option<String>,
    /// The settings.
    #[serde(rename = "match")]
    pub(super) settings: MatchSettings,
}

/// What a match is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchSettings {
    /// The first player against each other one.
    pub(super) gauntlet: bool,
    /// Games of each pair.
    pub(super) games: u32,
    /// The file of openings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) openings: Option<PathBuf>,
    /// Half-moves after which a game is a draw.
    pub(super) max_plies: u32,
    /// Seed of openings and sampled moves.
    pub(super) seed: u64,
    /// The players as they were given.
    pub(super) players: Vec<PlayerSpecification>,
}

impl MatchRecord {
    /// The record of a new match.
    pub(super) fn of(settings: MatchSettings) -> anyhow::Result<MatchRecord> {
        let mut names = HashSet::new();
        for player in &settings.players {
            if !names.insert(&player.name) {
                bail!(
                    "two players are called {}; give one another by name=..., as in FILE,name=other",
                    player.name
                );
            }
        }
        let sum = |player: &PlayerSpecification| match player.network() {
            None => Ok(String::new()),
            Some(file) => read_network(file).map(|file| file.sha256().to_owned()),
        };
        let networks = settings.players.iter().map(sum).collect::<Result<_, _>>()?;
        let openings = settings.openings.as_deref().map(openings::sha256).transpose()?;
        let program = format!("searchless {}", env!("CARGO_PKG_VERSION"));
        Ok(MatchRecord { program, networks, openings, settings })
    }

    /// Reads that of a match.
    pub(super) fn read(directory: &Path) -> anyhow::Result<MatchRecord> {
        let path = directory.join(SETTINGS);
        let text =
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Whether both are the same games: the program may be another version, and files may have moved.
    pub(super) fn plays_the_same(&self, other: &MatchRecord) -> bool {
        let (mut one, other) = (self.clone(), other.clone());
        one.program.clone_from(&other.program);
        one.settings.players.clone_from(&other.settings.players);
        one.settings.openings.clone_from(&other.settings.openings);
        one == other
    }

    /// Begins the directory of a match.
    pub(super) fn write(&self, directory: &Path) -> anyhow::Result<()> {
        let path = directory.join(SETTINGS);
        fs::create_dir_all(directory)
            .with_context(|| format!("creating {}", directory.display()))?;
        for name in [SETTINGS, GAMES] {
            if directory.join(name).exists() {
                bail!(
                    "{} already holds a match; choose another --out, or go on with it by --resume",
                    directory.display()
                );
            }
        }
        let text = toml::to_string(self).expect("settings have a TOML form");
        let written = || -> std::io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist_noclobber(&path)?;
            Ok(())
        };
        written().with_context(|| format!("writing {}", path.display()))
    }

    /// Makes the players ready. Their networks are those of the record.
    pub(super) fn players(&self, device: DeviceArguments) -> anyhow::Result<Vec<Player>> {
        let mut players = Vec::with_capacity(self.settings.players.len());
        for (specification, recorded) in self.settings.players.iter().zip(&self.networks) {
            let (player, sha256) = specification.player(device)?;
            if sha256.unwrap_or_default() != *recorded {
                bail!(
                    "{}: not the network that the match began with (its SHA-256 was {recorded})",
                    specification.network().unwrap_or(Path::new("")).display()
                );
            }
            players.push(player);
        }
        Ok(players)
    }
}
