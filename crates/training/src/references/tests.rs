use chess::InputFormat;

use super::*;
use crate::step::Trainer;
use crate::testing::{LinearEngine, config};

fn settings(exploration: ExplorationTerm, base_weight: f64, weights: &[f64]) -> FinetuneConfig {
    let reference = |&weight| ReferenceConfig {
        file: "other.pb".to_owned(),
        weight,
        ..ReferenceConfig::default()
    };
    let references = weights.iter().map(reference).collect();
    FinetuneConfig {
        exploration,
        base_weight,
        references,
        warm_start_moves: 0,
        ply_cap: 1,
        ..config()
    }
}

fn trainer(config: FinetuneConfig, references: &[&LinearEngine]) -> Result<Trainer, TrainingError> {
    let engine = LinearEngine::new(5);
    let references = references.iter().map(|&engine| Arc::new(engine.clone()) as Arc<dyn Engine>);
    let materials = Materials { references: references.collect(), ..Materials::default() };
    Trainer::with_materials(config, Box::new(engine.clone()), Arc::new(engine), &materials)
}

#[test]
fn the_prior_is_the_mixture_and_the_metrics_are_the_bases() {
    let other = LinearEngine::new(6);
    // All games stand at the initial position.
    let probabilities = |engine: &LinearEngine| {
        let trainer = trainer(settings(ExplorationTerm::ForwardKl, 1.0, &[]), &[]).expect("valid");
        let live = &trainer.games().games()[0];
        let outputs = engine.evaluate(std::slice::from_ref(&live.position.planes));
        let policy = MovePolicy::from_logits(&live.logits(&outputs, 0), Temperature::ONE);
        policy.expect("finite").probabilities()
    };
    let (base, second) = (probabilities(&LinearEngine::new(5)), probabilities(&other));
    let check = |base_weight: f64, weight: f64, share: f64| {
        for exploration in [ExplorationTerm::ForwardKl, ExplorationTerm::ReverseKl] {
            let settings = settings(exploration, base_weight, &[weight]);
            let mut trainer = trainer(settings, &[&other]).expect("valid");
            let metrics = trainer.step().expect("a step");
            // theta is still the base, pi.
            let expected: f64 = base
                .iter()
                .zip(&second)
                .map(|(pi, second)| {
                    let prior = share * pi + (1.0 - share) * second;
                    match exploration {
                        ExplorationTerm::ForwardKl => prior * (prior / pi).ln(),
                        _ => pi * (pi / prior).ln(),
                    }
                })
                .sum();
            let found = metrics.loss.exploration;
            assert!((found - expected).abs() < 1e-12, "{exploration:?}: {found} {expected}");
            assert_eq!((metrics.policy.forward_kl, metrics.policy.reverse_kl), (0.0, 0.0));
        }
    };
    check(1.0, 1.0, 0.5);
    check(3.0, 1.0, 0.75);
    check(0.0, 0.1, 0.0);
    check(2.0, 0.0, 1.0);
}

#[test]
fn terms_without_a_prior_need_no_references() {
    for exploration in [ExplorationTerm::None, ExplorationTerm::EntropyBonus] {
        let run = |settings, references: &[&LinearEngine]| {
            let mut trainer = trainer(settings, references).expect("valid");
            trainer.step().expect("a step").loss
        };
        // One that would stop the run if it were asked.
        let mut broken = LinearEngine::new(6);
        broken.parameters.fill(f32::NAN);
        let with = run(settings(exploration, 1.0, &[1.0]), &[&broken]);
        assert_eq!(with, run(settings(exploration, 1.0, &[]), &[]));
    }
}

#[test]
fn a_reference_that_is_not_finite_is_named() {
    let mut broken = LinearEngine::new(6);
    broken.parameters.fill(f32::NAN);
    let mut trainer =
        trainer(settings(ExplorationTerm::ForwardKl, 1.0, &[1.0]), &[&broken]).expect("valid");
    let error = trainer.step().expect_err("not finite").to_string();
    assert!(error.starts_with("step 1: the references' policy of \""), "{error}");
}

#[test]
fn references_must_be_those_of_the_settings_and_read_the_same_planes() {
    let forward = || settings(ExplorationTerm::ForwardKl, 1.0, &[1.0]);
    let check = |references: &[&LinearEngine], expected: &str| {
        let error = trainer(forward(), references).err().expect("refused").to_string();
        assert_eq!(error, expected);
    };
    let other = LinearEngine::new(6);
    check(&[], "0 reference networks are given, the settings name 1");
    check(&[&other, &other], "2 reference networks are given, the settings name 1");
    let format = other.with_input_format(InputFormat::CastlingPlane);
    check(&[&format], "other.pb has input format 2, the base 1; expected the same");
}
