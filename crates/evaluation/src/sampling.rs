//! The distribution from which a network's moves are drawn.

use std::fmt;

use network::Evaluation;
use policy::{MovePolicy, PolicyError, Temperature, adaptive_temperature};

/// How a network's moves are drawn from what it says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sampling {
    /// From pi, the network's policy at temperature 1.
    Raw,
    /// From mu, tempered by the entropy of the network's own outcome, `tau(s) = H(WDL(s))` in nats
    /// (paper, Equation (6)).
    Tempered,
}

impl Sampling {
    /// Both, raw first.
    pub const ALL: [Sampling; 2] = [Sampling::Raw, Sampling::Tempered];

    /// The name by which people choose it and reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Sampling::Raw => "raw",
            Sampling::Tempered => "tempered",
        }
    }

    /// The temperature in the position of `evaluation`.
    pub fn temperature(self, evaluation: &Evaluation) -> Temperature {
        match self {
            Sampling::Raw => Temperature::ONE,
            Sampling::Tempered => adaptive_temperature(&evaluation.wdl()),
        }
    }

    /// The distribution over the legal moves of `evaluation`.
    ///
    /// # Errors
    ///
    /// Without legal moves, or where a logit is not finite.
    pub fn policy(self, evaluation: &Evaluation) -> Result<MovePolicy, PolicyError> {
        evaluation.policy(self.temperature(evaluation))
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
