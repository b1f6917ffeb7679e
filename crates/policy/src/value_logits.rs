//! The outcome as a value head states it, for losses and their gradients.

mod divergence;

use crate::error::finite_logits;
use crate::expectation::weighted;
use crate::{MovePolicy, PolicyError, Temperature, Wdl};

/// The logits of a value head for one position: three for win, draw and loss, or the classical one
/// whose tanh is the value (LC0_FORMAT section 5). Finite, and from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueLogits(Head);

/// Kept as log-probabilities: all that any question about the logits needs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Head {
    /// Win, draw, loss.
    Wdl([f64; 3]),
    /// Win and loss; there is no draw.
    Scalar([f64; 2]),
}

impl ValueLogits {
    /// The logits of a WDL head, in the order win, draw, loss.
    ///
    /// # Errors
    ///
    /// [`PolicyError::NonFiniteLogit`] naming the first logit that is NaN or infinite.
    pub fn wdl(logits: [f32; 3]) -> Result<ValueLogits, PolicyError> {
        let softmax = MovePolicy::from_logits(&logits, Temperature::ONE)?;
        let log_probabilities = [0, 1, 2].map(|outcome| softmax.log_probability(outcome));
        Ok(ValueLogits(Head::Wdl(log_probabilities)))
    }

    /// The logit of a classical head. `Q = tanh z` is the expectation of a win (+1) with
    /// probability `(1 + tanh z)/2 = sigmoid(2z)` and a loss (-1) otherwise.
    ///
    /// # Errors
    ///
    /// [`PolicyError::NonFiniteLogit`] if the logit is NaN or infinite.
    pub fn scalar(logit: f32) -> Result<ValueLogits, PolicyError> {
        let doubled: f64 = 2.0 * finite_logits(&[logit])?.sum::<f64>();
        Ok(ValueLogits(Head::Scalar([log_sigmoid(doubled), log_sigmoid(-doubled)])))
    }

    /// How many logits the head has: 3 or 1.
    pub fn logit_count(&self) -> usize {
        match self.0 {
            Head::Wdl(_) => 3,
            Head::Scalar(_) => 1,
        }
    }

    /// The natural logarithms of the probabilities of win, draw and loss; `-inf` for the draw of a
    /// classical head.
    pub fn log_probabilities(&self) -> [f64; 3] {
        match self.0 {
            Head::Wdl(log_probabilities) => log_probabilities,
            Head::Scalar([win, loss]) => [win, f64::NEG_INFINITY, loss],
        }
    }

    /// The probabilities of win, draw and loss.
    pub fn outcome(&self) -> Wdl {
        Wdl::from_log_probabilities(self.log_probabilities())
    }

    /// The cross-entropy `-sum target ln predicted` in nats, at least 0 and finite.
    ///
    /// A classical head knows no draws: it is asked for the target's expected score `t = W + D/2`,
    /// `-t ln p - (1 - t) ln(1 - p)`, so that a draw is half a win and half a loss.
    pub fn cross_entropy(&self, target: &Wdl) -> f64 {
        let cross = |target: &[f64], log_probabilities: &[f64]| {
            let terms = target.iter().zip(log_probabilities);
            terms.map(|(&target, &log_predicted)| weighted(target, -log_predicted)).sum()
        };
        match self.0 {
            Head::Wdl(log_probabilities) => cross(&target.probabilities(), &log_probabilities),
            Head::Scalar(log_probabilities) => cross(&scores(target), &log_probabilities),
        }
    }

    /// Adds `coefficient` times the gradient of [`ValueLogits::cross_entropy`] with respect to the
    /// logits; the target is a constant.
    ///
    /// WDL head: with `p = softmax(z)` and `d ln p_j / d z_i = [i = j] - p_i`,
    /// `-sum_j t_j ([i = j] - p_i) = p_i - t_i`, as the target sums to 1.
    ///
    /// Classical head: with `p = sigmoid(u)`, `u = 2z`, `d ln p / du = 1 - p` and
    /// `d ln(1 - p) / du = -p`, hence `-t (1 - p) + (1 - t) p = p - t`, and twice that for z.
    ///
    /// # Panics
    ///
    /// If `gradient` does not have [`ValueLogits::logit_count`] entries.
    pub fn accumulate_cross_entropy_gradient(
        &self,
        target: &Wdl,
        coefficient: f64,
        gradient: &mut [f64],
    ) {
        assert_eq!(gradient.len(), self.logit_count(), "a gradient has one entry per logit");
        match self.0 {
            Head::Wdl(log_probabilities) => {
                let terms = log_probabilities.iter().zip(target.probabilities());
                for (sum, (log_predicted, target)) in gradient.iter_mut().zip(terms) {
                    *sum += coefficient * (log_predicted.exp() - target);
                }
            }
            Head::Scalar([win, _]) => {
                gradient[0] += coefficient * 2.0 * (win.exp() - target.expected_score());
            }
        }
    }
}

/// The expected scores of the two players, which sum to 1.
fn scores(target: &Wdl) -> [f64; 2] {
    [target.expected_score(), target.flip().expected_score()]
}

/// `ln sigmoid(x) = -ln(1 + e^-x)`, finite for every finite x.
fn log_sigmoid(x: f64) -> f64 {
    if x >= 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outcome(win: f64, draw: f64, loss: f64) -> Wdl {
        Wdl::new(win, draw, loss).expect("a distribution")
    }

    #[test]
    fn cross_entropy_rows() {
        let check = |logits: ValueLogits, target: Wdl, expected: f64| {
            let actual = logits.cross_entropy(&target);
            assert!((actual - expected).abs() < 1e-7, "{logits:?} {target:?}: {actual}");
        };
        let ln2 = std::f64::consts::LN_2;
        // Predicted 1/2, 1/4, 1/4.
        let half = ValueLogits::wdl([ln2 as f32, 0.0, 0.0]).expect("finite");
        check(half, Wdl::WIN, ln2);
        check(half, Wdl::DRAW, 2.0 * ln2);
        check(half, outcome(0.5, 0.25, 0.25), 1.5 * ln2);
        // The direction: the target weighs the logarithms of the prediction.
        check(half, outcome(0.25, 0.5, 0.25), 1.75 * ln2);
        // Predicted score 3/4: tanh(z) = 1/2.
        let scalar = ValueLogits::scalar(0.5f32.atanh()).expect("finite");
        check(scalar, Wdl::WIN, (4.0f64 / 3.0).ln());
        check(scalar, Wdl::LOSS, 4f64.ln());
        check(scalar, Wdl::DRAW, (4f64.ln() + (4.0f64 / 3.0).ln()) / 2.0);
        // Half a point is half a point, however it is made.
        check(scalar, outcome(0.5, 0.0, 0.5), (4f64.ln() + (4.0f64 / 3.0).ln()) / 2.0);
    }

    #[test]
    fn stays_finite_where_probabilities_vanish() {
        let wdl = ValueLogits::wdl([1e30, 0.0, -1e30]).expect("finite");
        assert!((wdl.cross_entropy(&Wdl::LOSS) / 2e30 - 1.0).abs() < 1e-6);
        assert_eq!(wdl.cross_entropy(&Wdl::WIN), 0.0);
        let scalar = ValueLogits::scalar(-1e30).expect("finite");
        assert!((scalar.cross_entropy(&Wdl::WIN) / 2e30 - 1.0).abs() < 1e-6);
        assert_eq!(scalar.cross_entropy(&Wdl::LOSS), 0.0);
        // ln sigmoid(80) = -e^-80, which 1 - probability has lost.
        let sure = ValueLogits::scalar(40.0).expect("finite");
        assert!((sure.cross_entropy(&Wdl::WIN) / (-80f64).exp() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn gradient_rows() {
        let ln2 = std::f32::consts::LN_2;
        let mut gradient = [10.0, 20.0, 30.0];
        let half = ValueLogits::wdl([ln2, 0.0, 0.0]).expect("finite");
        half.accumulate_cross_entropy_gradient(&Wdl::DRAW, 2.0, &mut gradient);
        for (actual, expected) in gradient.into_iter().zip([11.0, 18.5, 30.5]) {
            assert!((actual - expected).abs() < 1e-6, "{actual} {expected}");
        }
        let mut gradient = [1.0];
        let scalar = ValueLogits::scalar(0.5f32.atanh()).expect("finite");
        scalar.accumulate_cross_entropy_gradient(&Wdl::DRAW, 3.0, &mut gradient);
        assert!((gradient[0] - 2.5).abs() < 1e-6, "{gradient:?}");
    }

    #[test]
    #[should_panic(expected = "one entry per logit")]
    fn a_gradient_of_another_shape_is_refused() {
        let scalar = ValueLogits::scalar(0.0).expect("finite");
        scalar.accumulate_cross_entropy_gradient(&Wdl::WIN, 1.0, &mut [0.0; 3]);
    }

    fn outcomes() -> impl Strategy<Value = Wdl> {
        (0f64..=1.0, 0f64..=1.0).prop_map(|(a, b)| {
            let (low, high) = (a.min(b), a.max(b));
            outcome(low, high - low, 1.0 - high)
        })
    }

    /// Multiples of 1/64 in [-8, 8] with a step of 1/1024 are exact in `f32`, so that central
    /// differences taken between exact logits see the arithmetic in `f64`.
    const STEP: f32 = 1.0 / 1024.0;

    fn exact_logit() -> impl Strategy<Value = f32> {
        (-512i16..=512).prop_map(|sixty_fourths| f32::from(sixty_fourths) / 64.0)
    }

    proptest! {
        #[test]
        fn wdl_gradient_is_the_slope(
            logits in prop::array::uniform3(exact_logit()),
            target in outcomes(),
        ) {
            let mut gradient = [0.0; 3];
            let head = ValueLogits::wdl(logits).expect("finite");
            head.accumulate_cross_entropy_gradient(&target, 1.0, &mut gradient);
            for index in 0..3 {
                let at = |step: f32| {
                    let mut moved = logits;
                    moved[index] += step;
                    ValueLogits::wdl(moved).expect("finite").cross_entropy(&target)
                };
                let slope = (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP);
                prop_assert!((slope - gradient[index]).abs() < 1e-6);
            }
        }

        #[test]
        fn scalar_gradient_is_the_slope(logit in exact_logit(), target in outcomes()) {
            let mut gradient = [0.0];
            let head = ValueLogits::scalar(logit).expect("finite");
            head.accumulate_cross_entropy_gradient(&target, 1.0, &mut gradient);
            let at = |logit| ValueLogits::scalar(logit).expect("finite").cross_entropy(&target);
            let slope = (at(logit + STEP) - at(logit - STEP)) / f64::from(2.0 * STEP);
            prop_assert!((slope - gradient[0]).abs() < 1e-6);
        }

        #[test]
        fn no_prediction_beats_the_target_itself(
            logits in prop::array::uniform3(exact_logit()),
            other in prop::array::uniform3(exact_logit()),
        ) {
            let target = ValueLogits::wdl(logits).expect("finite").outcome();
            let own = ValueLogits::wdl(logits).expect("finite").cross_entropy(&target);
            let cross = ValueLogits::wdl(other).expect("finite").cross_entropy(&target);
            prop_assert!((own - target.entropy()).abs() < 1e-12);
            prop_assert!(cross >= own - 1e-12);
        }
    }
}
