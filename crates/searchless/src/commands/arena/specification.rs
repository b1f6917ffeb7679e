//! Players, as words of a command.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use arena::{EngineLimit, EnginePlayer, MoveChoice, NetworkPlayer, Player, PlayerKind};
use chess::HistoryFill;
use network::HeadSelection;
use serde::{Deserialize, Serialize};
use uci_engine::{EngineCommand, SearchLimit};

use crate::arguments::history_fill;
use crate::device::DeviceArguments;
use crate::loading::load_evaluator;

#[cfg(test)]
mod tests;

/// A player as it was given, which can be read again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct PlayerSpecification {
    text: String,
    /// Its name in tables.
    pub(super) name: String,
    /// What plays.
    pub(super) kind: KindSpecification,
}

/// What plays.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum KindSpecification {
    /// A network.
    Network {
        /// Its file.
        file: PathBuf,
        /// How its moves are chosen.
        choice: MoveChoice,
        /// Its heads.
        heads: HeadSelection,
        /// What it sees before a game's first position.
        fill: HistoryFill,
    },
    /// An engine.
    Engine {
        /// How it is started.
        command: EngineCommand,
        /// When it has to answer.
        limit: EngineLimit,
    },
}

impl PlayerSpecification {
    /// The network file, if it is one.
    pub(super) fn network(&self) -> Option<&Path> {
        match &self.kind {
            KindSpecification::Network { file, .. } => Some(file),
            KindSpecification::Engine { .. } => None,
        }
    }

    /// Makes the player ready, and says the SHA-256 of its network.
    pub(super) fn player(
        &self,
        device: DeviceArguments,
    ) -> anyhow::Result<(Player, Option<String>)> {
        let (kind, sha256) = match &self.kind {
            KindSpecification::Network { file, choice, heads, fill } => {
                let loaded = load_evaluator(file, *heads, *fill, device)?;
                let evaluator = Arc::new(loaded.evaluator);
                let player = NetworkPlayer { evaluator, choice: *choice };
                (PlayerKind::Network(player), Some(loaded.sha256))
            }
            KindSpecification::Engine { command, limit } => {
                let player = EnginePlayer { command: command.clone(), limit: *limit };
                (PlayerKind::Engine(player), None)
            }
        };
        Ok((Player { name: self.name.clone(), kind }, sha256))
    }
}

/// How a player plays, in words.
pub(super) fn description(player: &Player) -> String {
    match &player.kind {
        PlayerKind::Network(network) => format!("{}: network, {}", player.name, network.choice),
        PlayerKind::Engine(engine) => {
            let limit = match engine.limit {
                EngineLimit::Move(SearchLimit::Nodes(nodes)) => format!("{nodes} nodes a move"),
                EngineLimit::Move(SearchLimit::Depth(depth)) => format!("depth {depth}"),
                EngineLimit::Move(SearchLimit::MoveTime(time)) => {
                    format!("{} ms a move", time.as_millis())
                }
                EngineLimit::Move(SearchLimit::Clock { white: base, increment, .. })
                | EngineLimit::Clock { base, increment } => {
                    format!("{}+{} s", base.as_secs_f64(), increment.as_secs_f64())
                }
            };
            let options: String = engine
                .command
                .options
                .iter()
                .map(|(name, value)| format!(", {name}={value}"))
                .collect();
            format!("{}: engine {}, {limit}{options}", player.name, engine.command.name())
        }
    }
}

impl FromStr for PlayerSpecification {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerSpecification, String> {
        let mut words = text.split(',');
        let what = words.next().unwrap_or_default();
        let settings = words
            .map(|word| word.split_once('=').ok_or(format!("'{word}' is not NAME=VALUE")))
            .collect::<Result<Vec<(&str, &str)>, String>>()?;
        let (kind, own_name) = match what.strip_prefix("engine:") {
            Some(program) => engine(program, &settings)?,
            None => network(what, &settings)?,
        };
        let name = last(&settings, "name").map_or(own_name, str::to_owned);
        if name.trim().is_empty() {
            return Err("a player needs a name".to_owned());
        }
        Ok(PlayerSpecification { text: text.to_owned(), name, kind })
    }
}

impl TryFrom<String> for PlayerSpecification {
    type Error = String;

    fn try_from(text: String) -> Result<PlayerSpecification, String> {
        text.parse()
    }
}

impl From<PlayerSpecification> for String {
    fn from(specification: PlayerSpecification) -> String {
        specification.text
    }
}

/// The value of a setting; of several the last.
fn last<'a>(settings: &[(&'a str, &'a str)], name: &str) -> Option<&'a str> {
    settings.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

fn network(file: &str, settings: &[(&str, &str)]) -> Result<(KindSpecification, String), String> {
    const KNOWN: [&str; 5] = ["name", "play", "policy-head", "value-head", "history-fill"];
    if file.is_empty() {
        return Err("expected a network file, or engine:PROGRAM".to_owned());
    }
    known(settings, |name| KNOWN.contains(&name), &KNOWN)?;
    let mut heads = HeadSelection::default();
    if let Some(head) = last(settings, "policy-head") {
        heads.policy = head.parse().map_err(|_| format!("'{head}' is no policy head"))?;
    }
    if let Some(head) = last(settings, "value-head") {
        heads.value = head.parse().map_err(|_| format!("'{head}' is no value head"))?;
    }
    let fill = match last(settings, "history-fill") {
        None => HistoryFill::default(),
        Some(name) => history_fill(name).ok_or(format!("'{name}' is no history fill"))?,
    };
    let choice = match last(settings, "play") {
        None => MoveChoice::Argmax,
        Some(name) => name.parse().map_err(|error: arena::UnknownMoveChoice| error.to_string())?,
    };
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(".gz").trim_end_matches(".pb");
    let name = match choice {
        MoveChoice::Argmax => name.to_owned(),
        // One network may play in several ways.
        choice => format!("{name}:{choice}"),
    };
    Ok((KindSpecification::Network { file: file.into(), choice, heads, fill }, name))
}

fn engine(program: &str, settings: &[(&str, &str)]) -> Result<(KindSpecification, String), String> {
    const KNOWN: [&str; 7] = ["name", "nodes", "depth", "movetime", "tc", "arg", "option.NAME"];
    if program.is_empty() {
        return Err("expected engine:PROGRAM".to_owned());
    }
    known(settings, |name| KNOWN.contains(&name) || name.starts_with("option."), &KNOWN)?;
    let mut command = EngineCommand::new(program);
    for (name, value) in settings {
        if *name == "arg" {
            command.arguments.push((*value).to_owned());
        } else if let Some(option) = name.strip_prefix("option.") {
            command = command.with_option(option, value);
        }
    }
    let limits: Vec<_> = settings
        .iter()
        .filter(|(name, _)| ["nodes", "depth", "movetime", "tc"].contains(name))
        .collect();
    let [(limit, value)] = limits[..] else {
        return Err("an engine needs one of nodes, depth, movetime and tc".to_owned());
    };
    let number = |value: &str| {
        let number: Option<u64> = value.parse().ok().filter(|&number| number > 0);
        number.ok_or(format!("{limit}={value}: expected a number of at least 1"))
    };
    let limit = match *limit {
        "nodes" => EngineLimit::Move(SearchLimit::Nodes(number(value)?)),
        "depth" => {
            let depth = u32::try_from(number(value)?);
            EngineLimit::Move(SearchLimit::Depth(depth.map_err(|_| "too deep".to_owned())?))
        }
        "movetime" => {
            EngineLimit::Move(SearchLimit::MoveTime(Duration::from_millis(number(value)?)))
        }
        _ => clock(value)?,
    };
    let name = command.name();
    Ok((KindSpecification::Engine { command, limit }, name))
}

/// `10+0.1`, in seconds.
fn clock(text: &str) -> Result<EngineLimit, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| {
        let number: Option<f64> = text.parse().ok();
        number.and_then(|number| Duration::try_from_secs_f64(number).ok())
    };
    match (seconds(base), seconds(increment)) {
        (Some(base), Some(increment)) if !base.is_zero() => {
            Ok(EngineLimit::Clock { base, increment })
        }
        _ => Err(format!("tc={text}: expected seconds and increment, as in 10+0.1")),
    }
}

fn known(
    settings: &[(&str, &str)],
    is_known: impl Fn(&str) -> bool,
    names: &[&str],
) -> Result<(), String> {
    match settings.iter().find(|(name, _)| !is_known(name)) {
        None => Ok(()),
        Some((name, _)) => {
            Err(format!("'{name}' is no setting here; expected {}", names.join(", ")))
        }
    }
}
