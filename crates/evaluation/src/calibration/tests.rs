use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// A prediction of these probabilities of win, draw and loss, and a score of 1, 1/2 or 0.
pub(super) fn prediction(game: u64, predicted: [f64; 3], score: f64) -> Prediction {
    let logits = predicted.map(|p: f64| p.ln() as f32);
    let outcome = match score {
        1.0 => Wdl::WIN,
        0.5 => Wdl::DRAW,
        _ => Wdl::LOSS,
    };
    Prediction { game, predicted: ValueLogits::wdl(logits).expect("finite"), outcome }
}

/// Games of three positions whose outcome is drawn from what is predicted in all three.
pub(super) fn calibrated(games: u64, seed: u64) -> Vec<Prediction> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut predictions = Vec::new();
    for game in 0..games {
        let [a, b]: [f64; 2] =
            [generator.random_range(0.05..0.9), generator.random_range(0.1..0.9)];
        let predicted = [a, (1.0 - a) * b, (1.0 - a) * (1.0 - b)];
        let level: f64 = generator.random();
        let score = match level {
            _ if level < predicted[0] => 1.0,
            _ if level < predicted[0] + predicted[1] => 0.5,
            _ => 0.0,
        };
        predictions.extend([prediction(game, predicted, score); 3]);
    }
    predictions
}

fn close(found: f64, expected: f64) {
    // Logits are of single precision.
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}

#[test]
fn hand_computed_scores() {
    let check = |score: f64, brier_wdl: f64, brier_score: f64, log_loss: f64, bias: f64| {
        let scores = Scores::of(&[prediction(0, [0.5, 0.3, 0.2], score)]).expect("a prediction");
        close(scores.brier_wdl.mean, brier_wdl);
        close(scores.brier_score.mean, brier_score);
        close(scores.log_loss.mean, log_loss);
        close(scores.bias.mean, bias);
    };
    // The expected score is 0.65.
    check(1.0, 0.25 + 0.09 + 0.04, 0.1225, -0.5f64.ln(), -0.35);
    check(0.5, 0.25 + 0.49 + 0.04, 0.0225, -0.3f64.ln(), 0.15);
    check(0.0, 0.25 + 0.09 + 0.64, 0.4225, -0.2f64.ln(), 0.65);
    // Two games of one and of two positions.
    let two = [
        prediction(3, [0.5, 0.3, 0.2], 1.0),
        prediction(5, [0.5, 0.3, 0.2], 0.0),
        prediction(5, [0.2, 0.3, 0.5], 0.0),
    ];
    let scores = Scores::of(&two).expect("predictions");
    let bias = (-0.35 + 0.65 + 0.35) / 3.0;
    close(scores.bias.mean, bias);
    // sqrt(2 ((-0.35 - m)^2 + (1 - 2 m)^2)) / 3.
    let error = (2.0 * ((-0.35 - bias).powi(2) + (1.0 - 2.0 * bias).powi(2))).sqrt() / 3.0;
    close(scores.bias.standard_error, error);
    assert_eq!(Scores::of(&[]), None);
}

#[test]
fn a_classical_head_is_asked_for_the_expected_score() {
    // tanh z = 0.6: a win with 0.8.
    let predicted = ValueLogits::scalar(0.6f32.atanh()).expect("finite");
    let draw = Prediction { game: 0, predicted, outcome: Wdl::DRAW };
    let scores = Scores::of(&[draw]).expect("a prediction");
    close(scores.log_loss.mean, -0.5 * 0.8f64.ln() - 0.5 * 0.2f64.ln());
    close(scores.brier_wdl.mean, 0.64 + 1.0 + 0.04);
    close(scores.brier_score.mean, 0.09);
}

#[test]
fn climatology_is_the_best_constant() {
    let predictions: Vec<Prediction> = [1.0, 1.0, 0.5, 0.0]
        .into_iter()
        .enumerate()
        .map(|(game, score)| prediction(game as u64, [0.5, 0.25, 0.25], score))
        .collect();
    let found = Climatology::of(&predictions).expect("predictions");
    assert_eq!(found.outcome.probabilities(), [0.5, 0.25, 0.25]);
    let scores = Scores::of(&predictions).expect("predictions");
    close(found.brier_wdl, scores.brier_wdl.mean);
    close(found.brier_score, scores.brier_score.mean);
    close(found.log_loss, scores.log_loss.mean);
    assert_eq!(Climatology::of(&[]), None);
}

#[test]
fn outcomes_drawn_from_predictions_are_calibrated() {
    let predictions = calibrated(20_000, 3);
    let scores = Scores::of(&predictions).expect("predictions");
    assert!(scores.bias.mean.abs() < 4.0 * scores.bias.standard_error, "{scores:?}");
    // The expectation of a proper score is that of the predictions themselves.
    let mean = |of: fn(&Wdl) -> f64| {
        let values = predictions.iter().map(|made| of(&made.predicted.outcome()));
        values.sum::<f64>() / predictions.len() as f64
    };
    let check = |found: Estimate, expected: f64| {
        assert!((found.mean - expected).abs() < 4.0 * found.standard_error, "{found:?} {expected}");
    };
    check(scores.log_loss, mean(Wdl::entropy));
    check(
        scores.brier_wdl,
        mean(|wdl| 1.0 - wdl.probabilities().iter().map(|p| p * p).sum::<f64>()),
    );
    let climatology = Climatology::of(&predictions).expect("predictions");
    assert!(climatology.log_loss > scores.log_loss.mean);
    assert!(climatology.brier_score > scores.brier_score.mean);
}

proptest! {
    #[test]
    fn scores_are_in_range(
        logits in prop::collection::vec((-20f32..20.0, -20f32..20.0, 0u8..3), 1..30),
    ) {
        let predictions: Vec<Prediction> = (0..).zip(logits).map(|(game, (win, loss, outcome))| {
            let predicted = ValueLogits::wdl([win, 0.0, loss]).expect("finite");
            let outcome = [Wdl::WIN, Wdl::DRAW, Wdl::LOSS][usize::from(outcome)];
            Prediction { game: game / 3, predicted, outcome }
        }).collect();
        let scores = Scores::of(&predictions).expect("predictions");
        prop_assert!((0.0..=2.0).contains(&scores.brier_wdl.mean));
        prop_assert!((0.0..=1.0).contains(&scores.brier_score.mean));
        prop_assert!((-1.0..=1.0).contains(&scores.bias.mean));
        prop_assert!(scores.log_loss.mean >= 0.0 && scores.log_loss.mean.is_finite());
        let table = Reliability::of(&predictions, 1);
        prop_assert!((0.0..=1.0).contains(&table.calibration_error));
        prop_assert!(table.calibration_error >= scores.bias.mean.abs() - 1e-9);
        prop_assert!(table.interval.low <= table.interval.high);
        let positions: u64 = table.bins.iter().map(|bin| bin.positions).sum();
        prop_assert_eq!(positions, predictions.len() as u64);
        for bin in &table.bins {
            prop_assert_eq!(bin.scores.is_none(), bin.positions == 0);
            if let Some(BinScores { predicted, observed, interval }) = bin.scores {
                prop_assert!(bin.from <= predicted && predicted <= bin.to);
                prop_assert!(interval.low <= observed && observed <= interval.high);
                prop_assert!(0.0 <= interval.low && interval.high <= 1.0);
            }
        }
    }
}
