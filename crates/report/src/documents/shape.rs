//! Lines of `searchless shape --json`.

use serde::Deserialize;

/// The shape of a player.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ShapeLine {
    /// The network, relative to the study.
    pub network: String,
    /// [`super::RAW`] or [`super::TEMPERED`].
    pub sampling: String,
    /// Games played.
    pub games: u64,
    /// Positions reached.
    pub positions: u64,
    /// The policy that played.
    pub played: PolicyShape,
}

/// Means over positions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PolicyShape {
    /// Entropy in nats.
    pub entropy: MeanAndError,
    /// `KL(base||p)` in nats.
    pub forward_kl: MeanAndError,
    /// `KL(p||base)` in nats.
    pub reverse_kl: MeanAndError,
    /// Mass on the base's five most probable moves.
    pub top_five: MeanAndError,
}

/// A mean over games; no mean is infinity, no error one that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct MeanAndError {
    /// The mean.
    pub mean: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
}
