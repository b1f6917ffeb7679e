//! How the weight of the exploration term goes over a run.

use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

/// How beta goes over a run: a function of the step and of the [`DriftAverage`] before it alone,
/// so that a run that is taken up again goes on with the same values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BetaSchedule {
    /// Which of the schedules it is; each uses only the keys that it names.
    pub kind: BetaScheduleKind,
    /// What beta goes to (linear), or the least that is left of it (drift), at least 0. May be
    /// larger than beta.
    pub final_beta: f64,
    /// Steps of the linear schedule, of which the first has beta and the last `final_beta`; 0 for
    /// all of the run.
    pub steps: u64,
    /// Average `KL(pi_base||pi)` up to which beta stays, in nats, above 0 (drift).
    pub drift_target: f64,
    /// Decay of that average from step to step, in [0, 1) (drift).
    pub drift_decay: f64,
}

/// The schedules of beta.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BetaScheduleKind {
    /// Beta at every step.
    Constant,
    /// From beta in a straight line to `final_beta`, which stays.
    Linear,
    /// `final_beta + (beta - final_beta) min(1, drift_target / D)`, where D is the average over
    /// the steps before of `KL(pi_base||pi)`, the batch's mean: the base is least reliable where
    /// the policy has left it (paper, "Limitations").
    Drift,
}

/// The average, over the steps made, of how far the policy was from the base.
///
/// Each step's weight is `drift_decay` times that of the step after it. Sum and weight decay side
/// by side, so that the average is one of the steps made also when these are few.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DriftAverage {
    sum: f64,
    weight: f64,
}

impl Default for BetaSchedule {
    fn default() -> Self {
        Self {
            kind: BetaScheduleKind::Constant,
            final_beta: 0.0,
            steps: 0,
            drift_target: 0.1,
            drift_decay: 0.99,
        }
    }
}

impl BetaSchedule {
    /// Beta at step `step`, counted from 1, of a run of `run_steps` that starts with `beta`;
    /// `drift` is the average over the steps before.
    pub fn at(&self, beta: f64, step: u64, run_steps: u64, drift: &DriftAverage) -> f64 {
        // What is left of the way from `final_beta` to `beta`.
        let left = match self.kind {
            BetaScheduleKind::Constant => return beta,
            BetaScheduleKind::Linear => {
                let steps = if self.steps == 0 { run_steps } else { self.steps };
                if step >= steps { 0.0 } else { (steps - step) as f64 / (steps - 1) as f64 }
            }
            BetaScheduleKind::Drift => match drift.mean() {
                Some(mean) if mean > self.drift_target => self.drift_target / mean,
                _ => 1.0,
            },
        };
        // As a weighted mean, so that both ends are met exactly.
        left * beta + (1.0 - left) * self.final_beta
    }
}

impl DriftAverage {
    /// Takes in a step's mean `KL(pi_base||pi)`.
    pub fn observe(&mut self, divergence: f64, decay: f64) {
        self.sum = decay * self.sum + (1.0 - decay) * divergence;
        self.weight = decay * self.weight + (1.0 - decay);
    }

    /// The average, in nats; `None` before the first step.
    pub fn mean(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}
