use super::*;

fn schedule(kind: BetaScheduleKind) -> BetaSchedule {
    BetaSchedule { kind, final_beta: 0.02, steps: 0, drift_target: 0.5, drift_decay: 0.5 }
}

fn drift(divergences: &[f64]) -> DriftAverage {
    let mut average = DriftAverage::default();
    divergences.iter().for_each(|&divergence| average.observe(divergence, 0.5));
    average
}

#[test]
fn the_average_is_one_of_the_steps_made() {
    let check = |divergences: &[f64], expected: Option<f64>| {
        assert_eq!(drift(divergences).mean(), expected, "{divergences:?}");
    };
    check(&[], None);
    check(&[3.0], Some(3.0));
    // Weights 1/4, 1/2 of 3/4.
    check(&[3.0, 6.0], Some(5.0));
    check(&[7.0, 0.0, 7.0], Some((0.125 * 7.0 + 0.5 * 7.0) / 0.875));
    check(&[0.25; 40], Some(0.25));
}

#[test]
fn beta_by_hand() {
    use BetaScheduleKind::{Constant, Drift, Linear};
    let check = |schedule: BetaSchedule, step, divergences: &[f64], expected: f64| {
        let beta = schedule.at(0.1, step, 5, &drift(divergences));
        assert!((beta - expected).abs() < 1e-15, "{schedule:?} at {step}: {beta}");
    };
    for step in [1, 5, 9] {
        check(schedule(Constant), step, &[9.0], 0.1);
    }
    for (step, expected) in [(1, 0.1), (2, 0.08), (3, 0.06), (4, 0.04), (5, 0.02), (6, 0.02)] {
        check(schedule(Linear), step, &[9.0], expected);
    }
    let short = BetaSchedule { steps: 3, ..schedule(Linear) };
    for (step, expected) in [(1, 0.1), (2, 0.06), (3, 0.02), (5, 0.02)] {
        check(short, step, &[], expected);
    }
    let rising = BetaSchedule { final_beta: 0.3, ..schedule(Linear) };
    check(rising, 3, &[], 0.2);
    let at_once = BetaSchedule { steps: 1, ..schedule(Linear) };
    check(at_once, 1, &[], 0.02);

    // 0.02 + 0.08 min(1, 0.5 / D), whatever the step.
    for (divergences, expected) in [
        (&[][..], 0.1),
        (&[0.0], 0.1),
        (&[0.5], 0.1),
        (&[1.0], 0.06),
        (&[2.0], 0.04),
        (&[3.0, 6.0], 0.028),
    ] {
        check(schedule(Drift), 1, divergences, expected);
        check(schedule(Drift), 5, divergences, expected);
    }
}

#[test]
fn the_average_survives_being_written() {
    let average = drift(&[0.1, 0.3, 0.7]);
    let text = serde_json::to_string(&average).expect("JSON");
    assert_eq!(serde_json::from_str::<DriftAverage>(&text).expect("JSON"), average);
}
