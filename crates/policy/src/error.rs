//! Inputs that do not describe a distribution.

/// Why numbers from outside are not a distribution over moves or outcomes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// A distribution over no moves was asked for: the game is over in that position.
    #[error("a policy needs at least one legal move, got none")]
    NoMoves,
    /// A logit is NaN or infinite.
    #[error("logit {index} is {value}, expected a finite number")]
    NonFiniteLogit {
        /// Index in the slice given; 0 for a scalar.
        index: usize,
        /// What stood there.
        value: f32,
    },
    /// A weight is negative, NaN or infinite.
    #[error("weight {index} is {value}, expected a finite number of at least 0")]
    InvalidWeight {
        /// Index in the slice given.
        index: usize,
        /// What stood there.
        value: f64,
    },
    /// All weights are zero.
    #[error("all {count} weights are 0, expected a positive one")]
    ZeroWeights {
        /// How many weights were given.
        count: usize,
    },
    /// A temperature is negative, NaN or infinite.
    #[error("the temperature is {value}, expected a finite number of at least 0")]
    InvalidTemperature {
        /// What was given.
        value: f64,
    },
    /// Three numbers are not the probabilities of win, draw and loss.
    #[error(
        "win {win}, draw {draw}, loss {loss} are not probabilities: expected numbers of at least 0 \
         with sum 1"
    )]
    InvalidWdl {
        /// Probability given for a win.
        win: f64,
        /// Probability given for a draw.
        draw: f64,
        /// Probability given for a loss.
        loss: f64,
    },
}

/// The logits as `f64`, or the first that is not finite.
pub(crate) fn finite_logits(
    logits: &[f32],
) -> Result<impl Iterator<Item = f64> + Clone, PolicyError> {
    match logits.iter().position(|logit| !logit.is_finite()) {
        Some(index) => Err(PolicyError::NonFiniteLogit { index, value: logits[index] }),
        None => Ok(logits.iter().map(|&logit| f64::from(logit))),
    }
}
