//! The outcome of a game as a distribution over win, draw and loss.

use crate::expectation::entropy;
use crate::{PolicyError, ValueLogits};

/// The probabilities of win, draw and loss from the view of one player, usually the one to move.
///
/// Each is in `[0, 1]` and they sum to 1 (to rounding).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    win: f64,
    draw: f64,
    loss: f64,
}

impl Wdl {
    /// A certain win.
    pub const WIN: Wdl = Wdl { win: 1.0, draw: 0.0, loss: 0.0 };
    /// A certain draw.
    pub const DRAW: Wdl = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
    /// A certain loss.
    pub const LOSS: Wdl = Wdl { win: 0.0, draw: 0.0, loss: 1.0 };

    /// How far from 1 the sum of three numbers given to [`Wdl::new`] may be: what `f32` arithmetic
    /// leaves of a softmax.
    pub const SUM_TOLERANCE: f64 = 1e-5;

    /// An outcome from its three probabilities, which are divided by their sum.
    ///
    /// # Errors
    ///
    /// [`PolicyError::InvalidWdl`] if one is negative or NaN, or if the sum is further from 1 than
    /// [`Wdl::SUM_TOLERANCE`].
    pub fn new(win: f64, draw: f64, loss: f64) -> Result<Wdl, PolicyError> {
        let sum = win + draw + loss;
        let probabilities = win >= 0.0 && draw >= 0.0 && loss >= 0.0;
        if probabilities && (sum - 1.0).abs() <= Wdl::SUM_TOLERANCE {
            Ok(Wdl { win: win / sum, draw: draw / sum, loss: loss / sum })
        } else {
            Err(PolicyError::InvalidWdl { win, draw, loss })
        }
    }

    /// The outcome that a WDL head states: the softmax of its logits for win, draw, loss
    /// (LC0_FORMAT section 5).
    ///
    /// # Errors
    ///
    /// [`PolicyError::NonFiniteLogit`] naming the first logit that is NaN or infinite.
    pub fn from_logits(logits: [f32; 3]) -> Result<Wdl, PolicyError> {
        Ok(ValueLogits::wdl(logits)?.outcome())
    }

    /// The outcome that a classical head states, whose value is `Q = tanh(logit)`: no draws, and a
    /// win with probability `(1 + Q)/2 = sigmoid(2 logit)` (LC0_FORMAT section 5).
    ///
    /// # Errors
    ///
    /// [`PolicyError::NonFiniteLogit`] if the logit is NaN or infinite.
    pub fn from_scalar_logit(logit: f32) -> Result<Wdl, PolicyError> {
        Ok(ValueLogits::scalar(logit)?.outcome())
    }

    /// From normalised log-probabilities for win, draw, loss.
    pub(crate) fn from_log_probabilities([win, draw, loss]: [f64; 3]) -> Wdl {
        Wdl { win: win.exp(), draw: draw.exp(), loss: loss.exp() }
    }

    /// The probability of a win.
    pub fn win(&self) -> f64 {
        self.win
    }

    /// The probability of a draw.
    pub fn draw(&self) -> f64 {
        self.draw
    }

    /// The probability of a loss.
    pub fn loss(&self) -> f64 {
        self.loss
    }

    /// Win, draw, loss, in the order of a WDL head's logits.
    pub fn probabilities(&self) -> [f64; 3] {
        [self.win, self.draw, self.loss]
    }

    /// The expected score `v = W + D/2`, in `[0, 1]`.
    pub fn expected_score(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The value `Q = W - L`, in `[-1, 1]`; equal to `2 v - 1`.
    pub fn q(&self) -> f64 {
        self.win - self.loss
    }

    /// The entropy in nats, in `[0, ln 3]`.
    pub fn entropy(&self) -> f64 {
        entropy(self.probabilities().map(f64::ln).into_iter())
    }

    /// The same outcome from the other player's view.
    #[must_use]
    pub fn flip(&self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-12, "{actual} is not {expected}");
    }

    #[test]
    fn new_accepts_probabilities_only() {
        let outcome = Wdl::new(0.5, 0.25, 0.25).expect("a distribution");
        assert_eq!(outcome.probabilities(), [0.5, 0.25, 0.25]);
        let rounded = Wdl::new(0.5, 0.25, 0.250004).expect("within the tolerance");
        close(rounded.probabilities().iter().sum(), 1.0);
        for (win, draw, loss) in [
            (0.5, 0.5, 0.5),
            (0.5, 0.25, 0.2),
            (1.1, -0.1, 0.0),
            (0.0, 0.0, 0.0),
            (f64::INFINITY, 0.0, 0.0),
        ] {
            let expected = Err(PolicyError::InvalidWdl { win, draw, loss });
            assert_eq!(Wdl::new(win, draw, loss), expected);
        }
        assert!(Wdl::new(f64::NAN, 0.5, 0.5).is_err());
        assert!(Wdl::new(0.5, 0.5, f64::NAN).is_err());
    }

    #[test]
    fn certain_outcomes() {
        for (outcome, score, q) in
            [(Wdl::WIN, 1.0, 1.0), (Wdl::DRAW, 0.5, 0.0), (Wdl::LOSS, 0.0, -1.0)]
        {
            assert_eq!(outcome.expected_score(), score);
            assert_eq!(outcome.q(), q);
            assert_eq!(outcome.entropy(), 0.0);
            assert!(outcome.entropy().is_sign_positive());
        }
        assert_eq!(Wdl::WIN.flip(), Wdl::LOSS);
        assert_eq!(Wdl::DRAW.flip(), Wdl::DRAW);
    }

    #[test]
    fn a_hand_computed_wdl_head() {
        // Weights 4 : 2 : 2.
        let ln2 = std::f32::consts::LN_2;
        let outcome = Wdl::from_logits([2.0 * ln2, ln2, ln2]).expect("finite");
        assert!((outcome.win() - 0.5).abs() < 1e-7);
        assert!((outcome.draw() - 0.25).abs() < 1e-7);
        assert!((outcome.loss() - 0.25).abs() < 1e-7);
        assert!((outcome.expected_score() - 0.625).abs() < 1e-7);
        assert!((outcome.q() - 0.25).abs() < 1e-7);
    }

    #[test]
    fn a_scalar_head_is_a_tanh_without_draws() {
        for logit in [-20.0f32, -1.0, -1e-3, 0.0, 0.3, 2.0, 20.0] {
            let outcome = Wdl::from_scalar_logit(logit).expect("finite");
            let q = f64::from(logit).tanh();
            assert_eq!(outcome.draw(), 0.0);
            close(outcome.q(), q);
            close(outcome.win(), (1.0 + q) / 2.0);
        }
    }

    #[test]
    fn huge_logits_are_certain_outcomes() {
        assert_eq!(Wdl::from_logits([1e30, -1e30, 0.0]), Ok(Wdl::WIN));
        assert_eq!(Wdl::from_logits([f32::MIN, f32::MIN, f32::MAX]), Ok(Wdl::LOSS));
        assert_eq!(Wdl::from_scalar_logit(f32::MAX), Ok(Wdl::WIN));
        assert_eq!(Wdl::from_scalar_logit(f32::MIN), Ok(Wdl::LOSS));
    }

    #[test]
    fn non_finite_logits_are_named() {
        let check = |result: Result<Wdl, PolicyError>, expected_index: usize| match result {
            Err(PolicyError::NonFiniteLogit { index, .. }) => assert_eq!(index, expected_index),
            other => panic!("{other:?}"),
        };
        check(Wdl::from_logits([0.0, f32::NAN, f32::INFINITY]), 1);
        check(Wdl::from_logits([0.0, 0.0, f32::NEG_INFINITY]), 2);
        check(Wdl::from_scalar_logit(f32::NAN), 0);
    }

    proptest! {
        #[test]
        fn every_outcome_keeps_its_bounds(logits in prop::array::uniform3(-100f32..100.0)) {
            let outcome = Wdl::from_logits(logits).expect("finite");
            let flipped = outcome.flip();
            prop_assert!((outcome.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-14);
            prop_assert!((0.0..=3f64.ln()).contains(&outcome.entropy()));
            prop_assert!((outcome.q() - (2.0 * outcome.expected_score() - 1.0)).abs() < 1e-14);
            prop_assert!((outcome.expected_score() + flipped.expected_score() - 1.0).abs() < 1e-14);
            prop_assert_eq!(outcome.q(), -flipped.q());
            prop_assert!((outcome.entropy() - flipped.entropy()).abs() < 1e-14);
            prop_assert_eq!(flipped.flip(), outcome);
        }

        #[test]
        fn equal_logits_are_uniform(logit in -1e30f32..1e30) {
            let outcome = Wdl::from_logits([logit; 3]).expect("finite");
            prop_assert!((outcome.entropy() - 3f64.ln()).abs() < 1e-15);
            prop_assert!(outcome.entropy() <= 3f64.ln());
        }
    }
}
