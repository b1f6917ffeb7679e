//! The loss of one transition and its gradient with respect to the logits, in closed form.
//!
//! With everything but pi and WDL a constant of the step (paper, Section 2.3, "Overall
//! objective"; the weight rho from Appendix E, "Truncated importance sampling"):
//!
//! ```text
//! L(s, a) = -rho A ln pi(a|s)  +  beta R(s)  +  c_v rho CE(target, WDL(s))
//! ```
//!
//! All of it is exact sums over the legal moves or the three outcomes, never an estimate, so no
//! divergence comes out negative.

use policy::{MovePolicy, ValueLogits, Wdl};
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

/// The exploration term R(s), which keeps pi from collapsing onto few moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExplorationTerm {
    /// `R = 0`.
    None,
    /// `R = KL(pi_base||pi)`: covers the moves of the base (paper, Section 2.2).
    ForwardKl,
    /// `R = KL(pi||pi_base)`: stays within the moves of the base.
    ReverseKl,
    /// `R = KL(pi||uniform over the legal moves)` (paper, Equation (1)).
    EntropyBonus,
}

impl ExplorationTerm {
    /// All four, in the order of their declaration.
    pub const ALL: [Self; 4] = [Self::None, Self::ForwardKl, Self::ReverseKl, Self::EntropyBonus];
}

/// The loss with its coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// R.
    pub exploration: ExplorationTerm,
    /// Weight of R.
    pub beta: f64,
    /// Weight c_v of the value loss.
    pub value_coefficient: f64,
}

/// One move of one game with all that the loss needs.
#[derive(Clone, Debug)]
pub struct Transition {
    /// `pi_theta(.|s)`, which is trained.
    pub policy: MovePolicy,
    /// `pi_base(.|s)`, a constant.
    pub base: MovePolicy,
    /// `WDL_theta(s)`, which is trained.
    pub value: ValueLogits,
    /// The move a that was played.
    pub action: usize,
    /// `rho = min(1, pi_theta(a|s) / mu(a|s))`, a constant.
    pub rho: f64,
    /// What the value should have been, from the view of the mover at s; a constant.
    pub target: Wdl,
    /// [`advantage`] of the move; a constant.
    pub advantage: f64,
}

/// `A(s, a) = v(target) - v_theta(s)` (paper, Equation (4)), in [-1, 1], neither centred nor scaled.
///
/// The target is `flip(WDL_ema(s'))`, so that `v(target) = 1 - v_ema(s')`, or the game's result.
pub fn advantage(target: &Wdl, value: &ValueLogits) -> f64 {
    target.expected_score() - value.outcome().expected_score()
}

/// The parts of one transition's loss, before beta and c_v.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossTerms {
    /// `-rho A ln pi(a|s)`.
    pub policy_gradient: f64,
    /// R(s), at least 0.
    pub exploration: f64,
    /// `CE(target, WDL(s))`, at least 0.
    pub value: f64,
    /// `rho CE(target, WDL(s))`.
    pub weighted_value: f64,
}

impl LossTerms {
    /// The parts with their names, for messages.
    pub fn named(&self) -> [(&'static str, f64); 4] {
        [
            ("policy gradient loss", self.policy_gradient),
            ("exploration term", self.exploration),
            ("value cross-entropy", self.value),
            ("value loss", self.weighted_value),
        ]
    }
}

impl Objective {
    /// The parts of the loss.
    pub fn terms(&self, transition: &Transition) -> LossTerms {
        let Transition { policy, base, value, action, rho, target, advantage } = transition;
        let cross_entropy = value.cross_entropy(target);
        LossTerms {
            policy_gradient: -rho * advantage * policy.log_probability(*action),
            exploration: match self.exploration {
                ExplorationTerm::None => 0.0,
                ExplorationTerm::ForwardKl => policy::forward_kl(base, policy),
                ExplorationTerm::ReverseKl => policy::reverse_kl(base, policy),
                ExplorationTerm::EntropyBonus => policy::kl_to_uniform(policy),
            },
            value: cross_entropy,
            weighted_value: rho * cross_entropy,
        }
    }

    /// The loss with its coefficients: of one transition, or of means over a batch.
    pub fn total(&self, terms: &LossTerms) -> f64 {
        terms.policy_gradient
            + self.beta * terms.exploration
            + self.value_coefficient * terms.weighted_value
    }

    /// Adds `scale` times the gradient of the loss: with respect to the legal moves' logits to
    /// `policy_gradient`, with respect to the value head's to `value_gradient`.
    ///
    /// # Panics
    ///
    /// If a buffer does not have one entry per logit.
    pub fn accumulate_gradient(
        &self,
        transition: &Transition,
        scale: f64,
        policy_gradient: &mut [f64],
        value_gradient: &mut [f64],
    ) {
        use policy::gradient;
        let Transition { policy, base, value, action, rho, target, advantage } = transition;
        gradient::negative_log_probability(
            policy,
            *action,
            scale * rho * advantage,
            policy_gradient,
        );
        let beta = scale * self.beta;
        match self.exploration {
            ExplorationTerm::None => {}
            ExplorationTerm::ForwardKl => {
                gradient::forward_kl(base, policy, beta, policy_gradient);
            }
            ExplorationTerm::ReverseKl => {
                gradient::reverse_kl(base, policy, beta, policy_gradient);
            }
            ExplorationTerm::EntropyBonus => gradient::kl_to_uniform(policy, beta, policy_gradient),
        }
        let coefficient = scale * self.value_coefficient * rho;
        value.accumulate_cross_entropy_gradient(target, coefficient, value_gradient);
    }
}
