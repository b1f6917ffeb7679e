use policy::{Temperature, importance_weight};
use proptest::prelude::*;

use super::*;

fn policy(logits: &[f32]) -> MovePolicy {
    MovePolicy::from_logits(logits, Temperature::ONE).expect("finite logits")
}

fn objective(exploration: ExplorationTerm) -> Objective {
    Objective {
        exploration,
        beta: 0.5,
        value_coefficient: 0.2,
        value_weighting: ValueWeighting::Rho,
        value_anchor: 0.0,
    }
}

/// Two moves with pi = (3/4, 1/4), a uniform prior, WDL = (1/2, 1/4, 1/4), a drawn target, and
/// a base that sees (1/4, 1/2, 1/4).
fn two_moves() -> Transition {
    let value = ValueLogits::wdl([2f32.ln(), 0.0, 0.0]).expect("finite");
    let target = Wdl::DRAW;
    Transition {
        policy: policy(&[3f32.ln(), 0.0]),
        prior: policy(&[0.0, 0.0]),
        value,
        base_value: ValueLogits::wdl([0.0, 2f32.ln(), 0.0]).expect("finite"),
        action: 1,
        rho: 0.8,
        target,
        advantage: advantage(&target, &value),
    }
}

fn gradients(objective: &Objective, transition: &Transition, scale: f64) -> (Vec<f64>, Vec<f64>) {
    let mut policy = vec![0.0; transition.policy.move_count()];
    let mut value = vec![0.0; transition.value.logit_count()];
    objective.accumulate_gradient(transition, scale, &mut policy, &mut value);
    (policy, value)
}

fn assert_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(expected) {
        assert!((a - e).abs() <= tolerance, "{actual:?} is not {expected:?}");
    }
}

#[test]
fn terms_by_hand() {
    let transition = two_moves();
    // v = 1/2 + 1/8; a draw is worth 1/2.
    assert!((transition.advantage + 0.125).abs() < 1e-7);
    let (ln2, ln3) = (2f64.ln(), 3f64.ln());
    let check = |exploration, expected: f64| {
        let objective = objective(exploration);
        let terms = objective.terms(&transition);
        // -rho A ln pi(a) = 0.8 * 0.125 * ln(1/4).
        assert!((terms.policy_gradient + 0.8 * 0.125 * 2.0 * ln2).abs() < 1e-7);
        assert!((terms.exploration - expected).abs() < 1e-7, "{exploration:?}: {terms:?}");
        assert!((terms.value - 2.0 * ln2).abs() < 1e-7);
        assert!((terms.weighted_value - 0.8 * 2.0 * ln2).abs() < 1e-7);
        let total = terms.policy_gradient + 0.5 * terms.exploration + 0.2 * terms.weighted_value;
        assert_eq!(objective.total(&terms), total);
    };
    check(ExplorationTerm::None, 0.0);
    // sum 1/2 ln((1/2)/pi).
    check(ExplorationTerm::ForwardKl, 0.5 * (2.0 / 3.0f64).ln() + 0.5 * ln2);
    // sum pi ln(pi/(1/2)); the base is uniform, so the entropy term is the same.
    let reverse = 0.75 * (ln3 - ln2) - 0.25 * ln2;
    check(ExplorationTerm::ReverseKl, reverse);
    check(ExplorationTerm::EntropyBonus, reverse);
}

#[test]
fn gradients_by_hand() {
    let transition = two_moves();
    let check = |exploration, slope: f64| {
        let (policy, value) = gradients(&objective(exploration), &transition, 2.0);
        // rho A (pi - [a]) + beta dR, with A = -1/8 and a the second move.
        let first = 2.0 * (-0.1 * 0.75 + 0.5 * slope);
        assert_close(&policy, &[first, -first], 1e-7);
        // c_v rho (WDL - target).
        assert_close(&value, &[0.16, -0.24, 0.08], 1e-7);
    };
    check(ExplorationTerm::None, 0.0);
    check(ExplorationTerm::ForwardKl, 0.25);
    check(ExplorationTerm::ReverseKl, 3.0 / 16.0 * 3f64.ln());
    check(ExplorationTerm::EntropyBonus, 3.0 / 16.0 * 3f64.ln());
}

#[test]
fn the_value_loss_by_hand_with_and_without_rho_and_anchor() {
    let transition = two_moves();
    let ln2 = 2f64.ln();
    // KL((1/4, 1/2, 1/4)||(1/2, 1/4, 1/4)) = 1/4 ln(1/2) + 1/2 ln 2, and the same in reverse.
    let anchor = ln2 / 4.0;
    let check = |exploration, value_weighting, value_anchor, weight: f64, slope: [f64; 3]| {
        let objective = Objective { value_weighting, value_anchor, ..objective(exploration) };
        let terms = objective.terms(&transition);
        // Cross-entropy of a draw with probability 1/4.
        assert!((terms.weighted_value - weight * 2.0 * ln2).abs() < 1e-7, "{terms:?}");
        assert!((terms.value_anchor - anchor).abs() < 1e-7, "{terms:?}");
        let without = Objective { value_coefficient: 0.0, ..objective };
        let value = objective.total(&terms) - without.total(&terms);
        let expected = 0.2 * (weight * 2.0 * ln2 + value_anchor * anchor);
        assert!((value - expected).abs() < 1e-7, "{value} {expected}");
        let (_, gradient) = gradients(&objective, &transition, 1.0);
        // c_v (weight (WDL - target) + w slope), with WDL - target = (1/2, -3/4, 1/4).
        let expected: Vec<f64> = [0.5, -0.75, 0.25]
            .iter()
            .zip(slope)
            .map(|(learnt, slope)| 0.2 * (weight * learnt + value_anchor * slope))
            .collect();
        assert_close(&gradient, &expected, 1e-7);
    };
    use ExplorationTerm::{EntropyBonus, ForwardKl, None, ReverseKl};
    use ValueWeighting::{Rho, Unweighted};
    // WDL - WDL_base.
    let forward = [0.25, -0.25, 0.0];
    // p (ln(p/base) - KL) with ln(p/base) = (ln 2, -ln 2, 0).
    let reverse = [0.375 * ln2, -0.3125 * ln2, -0.0625 * ln2];
    for exploration in [None, ForwardKl, EntropyBonus] {
        check(exploration, Rho, 0.0, 0.8, forward);
        check(exploration, Rho, 0.1, 0.8, forward);
        check(exploration, Unweighted, 0.1, 1.0, forward);
    }
    check(ReverseKl, Rho, 0.1, 0.8, reverse);
    check(ReverseKl, Unweighted, 0.1, 1.0, reverse);
}

#[test]
fn the_prior_may_be_a_mixture() {
    // References (1, 1)/2 and (1, 7)/8 in equal parts: (5/16, 11/16).
    let references = [policy(&[0.0, 0.0]), policy(&[0.0, 7f32.ln()])];
    let prior = MovePolicy::mixture(&[1.0, 1.0], &[&references[0], &references[1]]);
    let transition = Transition { prior: prior.expect("a mixture"), advantage: 0.0, ..two_moves() };
    let check = |exploration, kl: f64, slope: f64| {
        let objective = objective(exploration);
        assert!((objective.terms(&transition).exploration - kl).abs() < 1e-7, "{exploration:?}");
        let (gradient, _) = gradients(&objective, &transition, 1.0);
        assert_close(&gradient, &[0.5 * slope, -0.5 * slope], 1e-7);
    };
    // pi = (3/4, 1/4).
    let forward = 0.3125 * (0.3125 / 0.75f64).ln() + 0.6875 * (0.6875 / 0.25f64).ln();
    check(ExplorationTerm::ForwardKl, forward, 0.75 - 0.3125);
    let logarithms = [(0.75 / 0.3125f64).ln(), (0.25 / 0.6875f64).ln()];
    let reverse = 0.75 * logarithms[0] + 0.25 * logarithms[1];
    check(ExplorationTerm::ReverseKl, reverse, 0.75 * (logarithms[0] - reverse));
    // The uniform reference of the entropy bonus is no network's.
    let entropy = 0.75 * 3f64.ln() - 2f64.ln();
    check(ExplorationTerm::EntropyBonus, entropy, 3.0 / 16.0 * 3f64.ln());
}

#[test]
fn forward_kl_diverges_as_a_covered_move_vanishes_and_reverse_kl_does_not() {
    let at = |exploration, logit| {
        let transition = Transition { policy: policy(&[0.0, logit]), ..two_moves() };
        let (gradient, _) = gradients(
            &objective(exploration),
            &Transition { advantage: 0.0, ..transition.clone() },
            1.0,
        );
        (objective(exploration).terms(&transition).exploration, gradient[1])
    };
    for logit in [-10f32, -100.0, -1e4] {
        // Half of the prior's mass is on the move: 1/2 (-logit) - ln 2, pulled back by beta/2.
        let (loss, slope) = at(ExplorationTerm::ForwardKl, logit);
        assert!((loss - (f64::from(-logit) / 2.0 - 2f64.ln())).abs() < 1e-4, "{logit}: {loss}");
        assert!((slope + 0.25).abs() < 1e-4, "{logit}: {slope}");
        // The reverse direction is at most ln 2, and no longer pulls.
        let (loss, slope) = at(ExplorationTerm::ReverseKl, logit);
        assert!(loss <= 2f64.ln() && slope.abs() < 1e-3, "{logit}: {loss} {slope}");
    }
}

#[test]
fn a_classical_value_head_learns_the_expected_score() {
    let value = ValueLogits::scalar(0.0).expect("finite");
    let transition = Transition {
        value,
        base_value: value,
        target: Wdl::WIN,
        advantage: 0.5,
        rho: 1.0,
        ..two_moves()
    };
    assert_eq!(advantage(&Wdl::WIN, &value), 0.5);
    let (_, value) = gradients(&objective(ExplorationTerm::None), &transition, 1.0);
    // 2 c_v (p - t).
    assert_close(&value, &[-0.2], 1e-15);
}

#[test]
fn a_better_move_than_expected_gets_likelier() {
    let check = |target: Wdl, sign: f64| {
        let mut transition = two_moves();
        transition.target = target;
        transition.advantage = advantage(&target, &transition.value);
        let (policy, _) = gradients(&objective(ExplorationTerm::None), &transition, 1.0);
        // Descent follows the negative gradient.
        assert_eq!((-policy[transition.action]).signum(), sign, "{target:?}");
    };
    check(Wdl::WIN, 1.0);
    check(Wdl::DRAW, -1.0);
    check(Wdl::LOSS, -1.0);
}

/// The derivative of `value` along each logit, by central differences. Logits are `f32`, so the
/// step is one that they hold exactly.
fn slopes(logits: &[f32], value: impl Fn(&[f32]) -> f64) -> Vec<f64> {
    const STEP: f32 = 1.0 / 1024.0;
    (0..logits.len())
        .map(|index| {
            let at = |step: f32| {
                let mut moved = logits.to_vec();
                moved[index] += step;
                value(&moved)
            };
            (at(STEP) - at(-STEP)) / f64::from(2.0 * STEP)
        })
        .collect()
}

/// Logits on a grid on which the step of [`slopes`] is exact.
fn logit() -> impl Strategy<Value = f32> {
    (-4096i16..4096).prop_map(|value| f32::from(value) / 1024.0)
}

fn exploration() -> impl Strategy<Value = ExplorationTerm> {
    prop::sample::select(ExplorationTerm::ALL.to_vec())
}

proptest! {
    #[test]
    fn the_gradient_is_the_slope_of_the_loss(
        logits in prop::collection::vec((logit(), logit()), 1..30),
        wdl in prop::array::uniform3(logit()),
        base_wdl in prop::array::uniform3(logit()),
        weighting in prop::sample::select(vec![ValueWeighting::Rho, ValueWeighting::Unweighted]),
        value_anchor in 0f64..2.0,
        target in prop::sample::select(vec![
            Wdl::WIN,
            Wdl::LOSS,
            Wdl::new(0.2, 0.5, 0.3).expect("a distribution"),
        ]),
        action in any::<prop::sample::Index>(),
        rho in 0f64..=1.0,
        exploration in exploration(),
    ) {
        let (logits, base): (Vec<f32>, Vec<f32>) = logits.into_iter().unzip();
        let value = ValueLogits::wdl(wdl).expect("finite");
        let transition = Transition {
            policy: policy(&logits),
            prior: policy(&base),
            value,
            base_value: ValueLogits::wdl(base_wdl).expect("finite"),
            action: action.index(logits.len()),
            rho,
            target,
            advantage: advantage(&target, &value),
        };
        let objective =
            Objective { value_weighting: weighting, value_anchor, ..objective(exploration) };
        let (along_policy, along_value) = gradients(&objective, &transition, 1.0);
        // rho and A stay what they are: they are constants of the step.
        let loss = |changed: &Transition| objective.total(&objective.terms(changed));
        let expected = slopes(&logits, |logits| {
            loss(&Transition { policy: policy(logits), ..transition.clone() })
        });
        assert_close(&along_policy, &expected, 1e-5);
        let expected = slopes(&wdl, |wdl| {
            let value = ValueLogits::wdl([wdl[0], wdl[1], wdl[2]]).expect("finite");
            loss(&Transition { value, ..transition.clone() })
        });
        assert_close(&along_value, &expected, 1e-5);
    }

    /// Paper, Appendix E, "Single-step reduction of PPO": with one update per batch,
    /// theta = theta_old, the ratio is 1, nothing is clipped, and the gradient of the surrogate is
    /// that of the plain policy gradient.
    #[test]
    fn ppo_with_one_update_is_the_policy_gradient(
        logits in prop::collection::vec(logit(), 2..30),
        action in any::<prop::sample::Index>(),
        advantage in -1f64..1.0,
    ) {
        let action = action.index(logits.len());
        let old = policy(&logits);
        let epsilon = 0.2;
        let surrogate = slopes(&logits, |logits| {
            let ratio = (policy(logits).log_probability(action) - old.log_probability(action)).exp();
            let clipped = ratio.clamp(1.0 - epsilon, 1.0 + epsilon);
            -(ratio * advantage).min(clipped * advantage)
        });
        let mu = policy(&logits);
        let rho = importance_weight(old.log_probability(action), mu.log_probability(action));
        prop_assert_eq!(rho, 1.0);
        let transition = Transition { policy: old, action, rho, advantage, ..two_moves() };
        let (gradient, _) = gradients(&objective(ExplorationTerm::None), &transition, 1.0);
        assert_close(&gradient, &surrogate, 1e-5);
    }
}
