//! The loss of one transition and its gradient with respect to the logits, in closed form.
//!
//! With everything but pi and WDL a constant of the step (paper, Section 2.3, "Overall
//! objective"; the weight rho from Appendix E, "Truncated importance sampling"):
//!
//! ```text
//! L(s, a) = -rho A ln pi(a|s)  +  beta R(s)  +  c_v (rho CE(target, WDL(s)) + w V(s))
//! ```
//!
//! R keeps the policy at its prior, and V the value head at the base's; w is 0 in the paper.
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
    /// `R = KL(prior||pi)`: covers the moves of the prior, which is the base's policy unless
    /// there are further references (paper, Section 2.2).
    ForwardKl,
    /// `R = KL(pi||prior)`: stays within the moves of the prior.
    ReverseKl,
    /// `R = KL(pi||uniform over the legal moves)` (paper, Equation (1)).
    EntropyBonus,
}

impl ExplorationTerm {
    /// All four, in the order of their declaration.
    pub const ALL: [Self; 4] = [Self::None, Self::ForwardKl, Self::ReverseKl, Self::EntropyBonus];
}

/// How much of each transition the value head learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueWeighting {
    /// As much as the policy: `rho CE`.
    Rho,
    /// All of it: `CE`. The target is an estimate of the outcome after a move of mu, so that the
    /// head learns the value of playing by mu, not by pi.
    Unweighted,
}

/// The loss with its coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// R.
    pub exploration: ExplorationTerm,
    /// Weight of R.
    pub beta: f64,
    /// Weight c_v of the value loss, its anchor included.
    pub value_coefficient: f64,
    /// Whether rho weighs the value loss.
    pub value_weighting: ValueWeighting,
    /// Weight w of the anchor V within the value loss.
    pub value_anchor: f64,
}

/// One move of one game with all that the loss needs.
#[derive(Clone, Debug)]
pub struct Transition {
    /// `pi_theta(.|s)`, which is trained.
    pub policy: MovePolicy,
    /// The prior of R, a constant: `pi_base(.|s)`, or a mixture with further references.
    pub prior: MovePolicy,
    /// `WDL_theta(s)`, which is trained.
    pub value: ValueLogits,
    /// `WDL_base(s)`, a constant, from a head of the same kind.
    pub base_value: ValueLogits,
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
    /// The same as it enters the loss: times rho, unless [`ValueWeighting::Unweighted`].
    pub weighted_value: f64,
    /// V(s), at least 0: `KL(WDL_base||WDL)`, or `KL(WDL||WDL_base)` beside
    /// [`ExplorationTerm::ReverseKl`], so that policy and value are anchored in one direction.
    pub value_anchor: f64,
}

impl LossTerms {
    /// The parts with their names, for messages.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        [
            ("policy gradient loss", self.policy_gradient),
            ("exploration term", self.exploration),
            ("value cross-entropy", self.value),
            ("value loss", self.weighted_value),
            ("value anchor", self.value_anchor),
        ]
    }
}

impl Objective {
    /// The parts of the loss.
    pub fn terms(&self, transition: &Transition) -> LossTerms {
        let Transition { policy, prior, value, base_value, action, rho, target, advantage } =
            transition;
        let cross_entropy = value.cross_entropy(target);
        LossTerms {
            policy_gradient: -rho * advantage * policy.log_probability(*action),
            exploration: match self.exploration {
                ExplorationTerm::None => 0.0,
                ExplorationTerm::ForwardKl => policy::forward_kl(prior, policy),
                ExplorationTerm::ReverseKl => policy::reverse_kl(prior, policy),
                ExplorationTerm::EntropyBonus => policy::kl_to_uniform(policy),
            },
            value: cross_entropy,
            weighted_value: self.value_weight(*rho) * cross_entropy,
            value_anchor: if self.is_reverse() {
                value.reverse_kl(base_value)
            } else {
                value.forward_kl(base_value)
            },
        }
    }

    /// The loss with its coefficients: of one transition, or of means over a batch.
    pub fn total(&self, terms: &LossTerms) -> f64 {
        terms.policy_gradient
            + self.beta * terms.exploration
            + self.value_coefficient
                * (terms.weighted_value + self.value_anchor * terms.value_anchor)
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
        let Transition { policy, prior, value, base_value, action, rho, target, advantage } =
            transition;
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
                gradient::forward_kl(prior, policy, beta, policy_gradient);
            }
            ExplorationTerm::ReverseKl => {
                gradient::reverse_kl(prior, policy, beta, policy_gradient);
            }
            ExplorationTerm::EntropyBonus => gradient::kl_to_uniform(policy, beta, policy_gradient),
        }
        let coefficient = scale * self.value_coefficient;
        let weight = coefficient * self.value_weight(*rho);
        value.accumulate_cross_entropy_gradient(target, weight, value_gradient);
        let anchor = coefficient * self.value_anchor;
        if self.is_reverse() {
            value.accumulate_reverse_kl_gradient(base_value, anchor, value_gradient);
        } else {
            value.accumulate_forward_kl_gradient(base_value, anchor, value_gradient);
        }
    }

    /// What the value loss of a transition is multiplied by.
    fn value_weight(&self, rho: f64) -> f64 {
        match self.value_weighting {
            ValueWeighting::Rho => rho,
            ValueWeighting::Unweighted => 1.0,
        }
    }

    /// Whether the trained distributions stand first in the anchors' divergences.
    fn is_reverse(&self) -> bool {
        self.exploration == ExplorationTerm::ReverseKl
    }
}
