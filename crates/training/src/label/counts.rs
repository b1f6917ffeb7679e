//! What labels are like, summed over positions.

use std::collections::BTreeMap;

use policy::Wdl;
use serde::{Deserialize, Serialize};

use super::target::SearchTarget;

/// Sums over labelled positions; a chunk's line in `labels.jsonl`, and their total.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabelCounts {
    /// Positions labelled.
    pub labelled: u64,
    /// Positions without a label, by what happened to the engine.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, u64>,
    /// How often an engine had to be started again.
    #[serde(default)]
    pub restarts: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Entropy of the targets over moves, in nats, summed.
    pub entropy: f64,
    /// Probability of the best move, summed.
    pub best: f64,
    /// Moves that have a hundredth of the target or more, summed.
    pub alive: u64,
    /// Expected score from the mover's view, summed.
    pub score: f64,
    /// Entropy of the outcomes, in nats, summed.
    pub outcome_entropy: f64,
}

/// The part of a target from which on a move counts as alive.
const ALIVE: f64 = 0.01;

impl LabelCounts {
    /// Counts a label.
    pub(crate) fn add(&mut self, target: &SearchTarget) {
        self.labelled += 1;
        self.nodes += target.nodes.unwrap_or(0);
        self.entropy += target.policy.entropy();
        let probabilities = target.policy.probabilities();
        self.best += target.policy.probability(target.policy.argmax());
        self.alive += probabilities.iter().filter(|&&part| part >= ALIVE).count() as u64;
        self.score += Wdl::expected_score(&target.value);
        self.outcome_entropy += target.value.entropy();
    }

    /// Counts a position without a label.
    pub(crate) fn skip(&mut self, reason: &str) {
        *self.skipped.entry(reason.to_owned()).or_insert(0) += 1;
    }

    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &LabelCounts) {
        self.labelled += other.labelled;
        for (reason, count) in &other.skipped {
            *self.skipped.entry(reason.clone()).or_insert(0) += count;
        }
        self.restarts += other.restarts;
        self.nodes += other.nodes;
        self.entropy += other.entropy;
        self.best += other.best;
        self.alive += other.alive;
        self.score += other.score;
        self.outcome_entropy += other.outcome_entropy;
    }

    /// Positions without a label.
    pub fn skipped_positions(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// `sum` divided by the positions labelled; `None` without any.
    pub fn mean(&self, sum: f64) -> Option<f64> {
        (self.labelled > 0).then(|| sum / self.labelled as f64)
    }
}
