//! Lines of `searchless calibration --json`.

use serde::Deserialize;

use super::MeanAndError;

/// How well a network's value head foretells how games end.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CalibrationLine {
    /// The network, relative to the study.
    pub network: String,
    /// The games.
    pub file: String,
    /// How many.
    pub games: u64,
    /// Positions taken from them.
    pub positions: u64,
    /// Brier score of win, draw and loss.
    pub brier_wdl: MeanAndError,
    /// Of win, draw and loss, in nats.
    pub log_loss: MeanAndError,
    /// Predicted less observed score.
    pub bias: MeanAndError,
    /// Mean distance from the diagonal.
    pub calibration_error: Ranged,
    /// Positions of like predictions together.
    pub bins: Vec<ReliabilityBin>,
}

/// A value with a 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Ranged {
    /// The value.
    pub value: f64,
    /// Beginning of the interval.
    pub low: f64,
    /// Its end.
    pub high: f64,
}

/// Positions of like predictions.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct ReliabilityBin {
    /// Positions in it.
    pub positions: u64,
    /// Mean predicted score, in [0, 1]; none without positions, as the rest.
    pub predicted: Option<f64>,
    /// Mean score of the games.
    pub observed: Option<f64>,
    /// Beginning of its 95% interval.
    pub low: Option<f64>,
    /// Its end.
    pub high: Option<f64>,
}
