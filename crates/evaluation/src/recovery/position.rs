//! What changed in one position.

use crate::{Answer, Rule};

/// A solver's position as the base and the tuned network see it. The solution is all that the
/// multi-solution rule accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionChange {
    /// Whether the base's most probable move is right.
    pub base_right: bool,
    /// Whether the tuned network's is.
    pub tuned_right: bool,
    /// Logarithm of the base's probability of the solution.
    pub base_log_mass: f64,
    /// The tuned network's probability of the solution.
    pub tuned_mass: f64,
    /// Rank of the solution for the base, from 0.
    pub base_rank: u32,
    /// Rank of the solution for the tuned network, from 0.
    pub tuned_rank: u32,
    /// The base's probability of its best move.
    pub base_best: f64,
    /// The base's lead of its best move over the second.
    pub base_lead: f64,
    /// The base's wins less losses, in [-1, 1].
    pub base_q: f64,
    /// The tuned network's.
    pub tuned_q: f64,
}

impl PositionChange {
    /// Between two answers to one position.
    pub(crate) fn of(base: &Answer, tuned: &Answer) -> PositionChange {
        let q = |answer: &Answer| answer.wdl[0] - answer.wdl[2];
        PositionChange {
            base_right: base.accepted[Rule::MultiSolution],
            tuned_right: tuned.accepted[Rule::MultiSolution],
            base_log_mass: base.log_mass[Rule::MultiSolution],
            tuned_mass: tuned.log_mass[Rule::MultiSolution].exp(),
            base_rank: base.accepted_rank,
            tuned_rank: tuned.accepted_rank,
            base_best: base.played_probability,
            base_lead: base.played_probability - base.runner_up_probability,
            base_q: q(base),
            tuned_q: q(tuned),
        }
    }

    /// The base's probability of the solution.
    pub fn base_mass(&self) -> f64 {
        self.base_log_mass.exp()
    }

    /// How much more probable the tuned network finds the solution.
    pub fn mass_moved(&self) -> f64 {
        self.tuned_mass - self.base_mass()
    }

    /// By how much the base's best move led the solution; at most 0 where it is the solution.
    pub fn gap(&self) -> f64 {
        self.base_best - self.base_mass()
    }
}
