//! Lines of a run's `metrics.jsonl`.

use serde::Deserialize;

/// One step of training.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MetricsLine {
    /// Counted from 1.
    pub step: u64,
    /// The advantage.
    pub advantage: AdvantageMetrics,
    /// The trained policy.
    pub policy: PolicyMetrics,
    /// Openings that were played.
    pub openings: OpeningMetrics,
}

/// The advantage A.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct AdvantageMetrics {
    /// Mean of |A|.
    pub mean_absolute: f64,
}

/// The trained policy pi; nats.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct PolicyMetrics {
    /// Its entropy.
    pub entropy: f64,
    /// `KL(pi_base||pi)`.
    pub forward_kl: f64,
    /// `KL(pi||pi_base)`.
    pub reverse_kl: f64,
}

/// Diversity of openings by depth in plies.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct OpeningMetrics {
    /// The first move.
    pub first_move: OpeningWindow,
    /// The first four plies.
    pub four_plies: OpeningWindow,
    /// The first eight plies.
    pub eight_plies: OpeningWindow,
}

/// Openings of one depth.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct OpeningWindow {
    /// Games looked at.
    pub games: u64,
    /// Different openings among them.
    pub distinct: u64,
    /// Entropy of their frequencies in nats.
    pub entropy: f64,
}

impl OpeningWindow {
    /// Different openings in proportion to games; `None` without games.
    pub fn diversity(self) -> Option<f64> {
        (self.games > 0).then(|| self.distinct as f64 / self.games as f64)
    }
}
