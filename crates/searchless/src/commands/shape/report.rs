//! What was measured, as JSON and as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroU32;

use evaluation::{Estimate, PolicyShape, Sampling, Shape};
use serde::Serialize;

/// What all players have in common.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Settings {
    pub(super) base: String,
    pub(super) base_sha256: String,
    pub(super) games: NonZeroU32,
    pub(super) plies: NonZeroU32,
    pub(super) seed: u64,
    /// Null for the initial position.
    pub(super) openings: Option<String>,
    pub(super) openings_sha256: Option<String>,
}

/// The shape of a player.
pub(super) struct ShapeRow {
    pub(super) network: String,
    pub(super) network_sha256: String,
    pub(super) sampling: Sampling,
    pub(super) shape: Shape,
}

#[derive(Serialize)]
struct ShapeLine<'a> {
    network: &'a str,
    network_sha256: &'a str,
    sampling: &'static str,
    #[serde(flatten)]
    settings: &'a Settings,
    positions: u64,
    plies_per_game: f64,
    /// Games by how they ended.
    endings: BTreeMap<&'static str, u64>,
    temperature: Number,
    played: PolicyLine,
    raw: PolicyLine,
}

#[derive(Serialize)]
struct PolicyLine {
    entropy: Number,
    forward_kl: Number,
    median_forward_kl: Option<f64>,
    reverse_kl: Number,
    top_five: Number,
}

/// Null stands for infinity.
#[derive(Serialize)]
struct Number {
    mean: Option<f64>,
    standard_error: Option<f64>,
}

impl ShapeRow {
    /// One line of JSON.
    pub(super) fn json(&self, settings: &Settings) -> serde_json::Result<String> {
        let Self { network, network_sha256, sampling, shape } = self;
        serde_json::to_string(&ShapeLine {
            network,
            network_sha256,
            sampling: sampling.name(),
            settings,
            positions: shape.positions,
            plies_per_game: plies_per_game(shape),
            endings: endings(shape),
            temperature: shape.temperature.into(),
            played: shape.played.into(),
            raw: shape.raw.into(),
        })
    }
}

impl From<PolicyShape> for PolicyLine {
    fn from(shape: PolicyShape) -> Self {
        Self {
            entropy: shape.entropy.into(),
            forward_kl: shape.forward_kl.into(),
            median_forward_kl: finite(shape.median_forward_kl),
            reverse_kl: shape.reverse_kl.into(),
            top_five: shape.top_five.into(),
        }
    }
}

impl From<Estimate> for Number {
    fn from(Estimate { mean, standard_error }: Estimate) -> Self {
        Self { mean: finite(mean), standard_error: finite(standard_error) }
    }
}

fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

fn plies_per_game(shape: &Shape) -> f64 {
    let plies: u64 = shape.games.iter().map(|game| u64::from(game.plies)).sum();
    plies as f64 / shape.games.len() as f64
}

fn endings(shape: &Shape) -> BTreeMap<&'static str, u64> {
    let mut endings = BTreeMap::new();
    for game in &shape.games {
        *endings.entry(game.ending.reason()).or_insert(0) += 1;
    }
    endings
}

/// All players, and how their games ended.
pub(super) fn table(settings: &Settings, rows: &[ShapeRow]) -> String {
    let mut text = format!(
        "base {} (sha256 {})\n{} games of each player from {}, at most {} plies, seed {}; \
         standard errors over games\n\n",
        settings.base,
        settings.base_sha256,
        settings.games,
        settings.openings.as_deref().unwrap_or("the initial position"),
        settings.plies,
        settings.seed
    );
    let width = rows.iter().map(|row| row.network.chars().count()).chain([7]).max().unwrap_or(7);
    line(
        &mut text,
        &format!(
            "{:<width$}  {:<8}  {:<6}  {:>13}  {:>16}  {:>8}  {:>13}  {:>13}  {:>13}  {:>9}  {:>10}",
            "network",
            "plays",
            "policy",
            "entropy",
            "KL(base||p)",
            "(median)",
            "KL(p||base)",
            "top 5",
            "tau",
            "positions",
            "plies/game"
        ),
    );
    for row in rows {
        let ShapeRow { network, sampling, shape, .. } = row;
        let (policy, below) = match sampling {
            Sampling::Raw => ("pi", None),
            Sampling::Tempered => ("mu", Some(&shape.raw)),
        };
        line(
            &mut text,
            &format!(
                "{network:<width$}  {:<8}  {policy:<6}  {}  {:>13}  {:>9}  {:>10.1}",
                sampling.name(),
                columns(&shape.played),
                estimate(shape.temperature),
                shape.positions,
                plies_per_game(shape)
            ),
        );
        if let Some(raw) = below {
            line(&mut text, &format!("{:<width$}  {:<8}  {:<6}  {}", "", "", "pi", columns(raw)));
        }
    }
    line(&mut text, "\nhow the games ended:");
    for row in rows {
        let endings = endings(&row.shape).into_iter();
        let endings: Vec<String> =
            endings.map(|(reason, count)| format!("{count} {reason}")).collect();
        line(
            &mut text,
            &format!("{:<width$}  {:<8}  {}", row.network, row.sampling.name(), endings.join(", ")),
        );
    }
    text
}

fn columns(shape: &PolicyShape) -> String {
    format!(
        "{:>13}  {:>16}  {:>8}  {:>13}  {:>13}",
        estimate(shape.entropy),
        estimate(shape.forward_kl),
        number(shape.median_forward_kl),
        estimate(shape.reverse_kl),
        estimate(shape.top_five)
    )
}

/// `1.694 ± 0.012`, without the error where it is not known.
fn estimate(Estimate { mean, standard_error }: Estimate) -> String {
    if standard_error.is_finite() {
        format!("{} ± {}", number(mean), number(standard_error))
    } else {
        number(mean)
    }
}

/// Three digits behind the point, fewer where there are many before it.
fn number(number: f64) -> String {
    match number {
        _ if number >= 1e6 => format!("{number:.1e}"),
        _ if number >= 1e3 => format!("{number:.0}"),
        _ if number >= 1e2 => format!("{number:.1}"),
        _ => format!("{number:.3}"),
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{}", line.trim_end()).expect("a string");
}
