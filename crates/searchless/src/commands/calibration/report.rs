//! What was measured, as JSON and as tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroU32;

use evaluation::calibration::{Bin, Climatology, Reliability, Scores, SkippedGames};
use evaluation::{Estimate, Interval};
use serde::Serialize;

/// What all networks have in common.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Settings {
    #[serde(rename = "file")]
    pub(super) games: String,
    pub(super) per_game: NonZeroU32,
    pub(super) skip: u32,
    pub(super) limit: Option<u64>,
    pub(super) seed: u64,
}

/// The calibration of a network.
pub(super) struct CalibrationRow {
    pub(super) network: String,
    pub(super) network_sha256: String,
    pub(super) reliability: Reliability,
    pub(super) scores: Scores,
    pub(super) climatology: Climatology,
    pub(super) positions: u64,
    pub(super) games: u64,
    pub(super) skipped: SkippedGames,
}

#[derive(Serialize)]
struct CalibrationLine<'a> {
    network: &'a str,
    network_sha256: &'a str,
    #[serde(flatten)]
    settings: &'a Settings,
    games: u64,
    positions: u64,
    skipped: BTreeMap<&'static str, u64>,
    brier_wdl: Number,
    brier_score: Number,
    log_loss: Number,
    bias: Number,
    calibration_error: Ranged,
    always_the_same: Same,
    bins: Vec<BinLine>,
}

/// Null stands for what is not known: of one game there is no standard error.
#[derive(Serialize)]
struct Number {
    mean: f64,
    standard_error: Option<f64>,
}

#[derive(Serialize)]
struct Ranged {
    value: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct Same {
    wdl: [f64; 3],
    brier_wdl: f64,
    brier_score: f64,
    log_loss: f64,
}

#[derive(Serialize)]
struct BinLine {
    from: f64,
    to: f64,
    positions: u64,
    games: u64,
    predicted: Option<f64>,
    observed: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl CalibrationRow {
    /// One line of JSON.
    pub(super) fn json(&self, settings: &Settings) -> serde_json::Result<String> {
        let Interval { low, high } = self.reliability.interval;
        let skipped = self.skipped.by_reason().iter();
        serde_json::to_string(&CalibrationLine {
            network: &self.network,
            network_sha256: &self.network_sha256,
            settings,
            games: self.games,
            positions: self.positions,
            skipped: skipped.map(|(reason, games)| (*reason, games.count)).collect(),
            brier_wdl: self.scores.brier_wdl.into(),
            brier_score: self.scores.brier_score.into(),
            log_loss: self.scores.log_loss.into(),
            bias: self.scores.bias.into(),
            calibration_error: Ranged { value: self.reliability.calibration_error, low, high },
            always_the_same: Same {
                wdl: self.climatology.outcome.probabilities(),
                brier_wdl: self.climatology.brier_wdl,
                brier_score: self.climatology.brier_score,
                log_loss: self.climatology.log_loss,
            },
            bins: self.reliability.bins.iter().map(BinLine::from).collect(),
        })
    }
}

impl From<Estimate> for Number {
    fn from(Estimate { mean, standard_error }: Estimate) -> Self {
        let standard_error = Some(standard_error).filter(|error| error.is_finite());
        Self { mean, standard_error }
    }
}

impl From<&Bin> for BinLine {
    fn from(&Bin { from, to, positions, games, scores }: &Bin) -> Self {
        Self {
            from,
            to,
            positions,
            games,
            predicted: scores.map(|scores| scores.predicted),
            observed: scores.map(|scores| scores.observed),
            low: scores.map(|scores| scores.interval.low),
            high: scores.map(|scores| scores.interval.high),
        }
    }
}

/// A table of all networks, then one of bins for each.
pub(super) fn table(settings: &Settings, rows: &[CalibrationRow]) -> String {
    let mut text = format!(
        "games {}, {} positions of each behind its first {} plies, seed {}; standard errors and \
         95% intervals over games\n\n",
        settings.games, settings.per_game, settings.skip, settings.seed
    );
    let same = "always the same";
    let width = rows.iter().map(|row| row.network.chars().count()).chain([same.len()]).max();
    let width = width.unwrap_or(same.len());
    line(
        &mut text,
        &format!(
            "{:<width$}  {:>6}  {:>9}  {:>17}  {:>17}  {:>17}  {:>18}  {:>17}  {:>17}",
            "network",
            "games",
            "positions",
            "Brier of WDL",
            "Brier of score",
            "log loss",
            "bias",
            "calibration error",
            "interval"
        ),
    );
    for row in rows {
        let Interval { low, high } = row.reliability.interval;
        line(
            &mut text,
            &format!(
                "{:<width$}  {:>6}  {:>9}  {:>17}  {:>17}  {:>17}  {:>18}  {:>17.4}  {:>17}",
                row.network,
                row.games,
                row.positions,
                estimate(row.scores.brier_wdl),
                estimate(row.scores.brier_score),
                estimate(row.scores.log_loss),
                estimate(row.scores.bias),
                row.reliability.calibration_error,
                format!("{low:.4} - {high:.4}")
            ),
        );
    }
    // Every network was shown the same positions.
    if let Some(row) = rows.first() {
        let Climatology { brier_wdl, brier_score, log_loss, .. } = row.climatology;
        line(
            &mut text,
            &format!(
                "{same:<width$}  {:>6}  {:>9}  {brier_wdl:>17.4}  {brier_score:>17.4}  {log_loss:>17.4}",
                row.games, row.positions
            ),
        );
    }
    for row in rows {
        line(&mut text, &format!("\n{}", row.network));
        line(
            &mut text,
            &format!(
                "{:<11}  {:>9}  {:>6}  {:>9}  {:>8}  {:>15}",
                "expected", "positions", "games", "predicted", "observed", "interval"
            ),
        );
        row.reliability.bins.iter().for_each(|bin| line(&mut text, &bin_line(bin)));
    }
    if let Some(skipped) = rows.first().map(|row| &row.skipped)
        && skipped.count() > 0
    {
        line(&mut text, &format!("\ngames skipped: {}", skipped.count()));
        for (reason, games) in skipped.by_reason() {
            let lines: Vec<String> = games.first_lines.iter().map(u64::to_string).collect();
            let more = if games.count > games.first_lines.len() as u64 { ", ..." } else { "" };
            let example = if games.example == *reason {
                String::new()
            } else {
                format!("; {}", games.example)
            };
            line(
                &mut text,
                &format!("  {}: {reason} (line {}{more}{example})", games.count, lines.join(", ")),
            );
        }
    }
    text
}

fn bin_line(bin: &Bin) -> String {
    let start =
        format!("{:.1} to {:.1}   {:>9}  {:>6}", bin.from, bin.to, bin.positions, bin.games);
    match bin.scores {
        None => start,
        Some(scores) => format!(
            "{start}  {:>9.4}  {:>8.4}  {:>15}",
            scores.predicted,
            scores.observed,
            format!("{:.4} - {:.4}", scores.interval.low, scores.interval.high)
        ),
    }
}

/// `0.4321 ± 0.0123`, without the error where it is not known.
fn estimate(Estimate { mean, standard_error }: Estimate) -> String {
    if standard_error.is_finite() {
        format!("{mean:.4} ± {standard_error:.4}")
    } else {
        format!("{mean:.4}")
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{}", line.trim_end()).expect("a string");
}
