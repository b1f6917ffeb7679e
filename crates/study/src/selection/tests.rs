use std::path::PathBuf;

use super::*;
use crate::arm::{SelfPlayTemperature, Term};
use crate::step::Candidates;

fn arm(variant: Variant, beta: Option<f64>) -> Arm {
    let name = beta.map_or_else(|| variant.key(), |beta| format!("{variant}-beta={beta}"));
    let network = PathBuf::from("sweep").join(&name).join("net.pb.gz");
    Arm { network, run: Some(PathBuf::from("sweep").join(&name)), name, variant, beta }
}

fn forward() -> Variant {
    Variant::SelfPlay { term: Term::ForwardKl, temperature: SelfPlayTemperature::Adaptive }
}

fn rule() -> SelectionRule {
    let betas = [0.001, 0.01, 0.1];
    SelectionRule {
        variants: vec![
            Candidates { copy_to: None, arms: vec![arm(Variant::Base, None)] },
            Candidates {
                copy_to: Some("networks/forward_kl-adaptive.pb.gz".into()),
                arms: betas.map(|beta| arm(forward(), Some(beta))).to_vec(),
            },
            Candidates {
                copy_to: Some("networks/puzzle_tuned.pb.gz".into()),
                arms: vec![arm(Variant::PuzzleTuned, None)],
            },
        ],
        scores: Some("measurements/evaluate-selection.jsonl".into()),
        to: "selection.json".into(),
    }
}

fn scores(solved: [u64; 3]) -> String {
    let names = ["0.001", "0.01", "0.1"];
    let line = |(beta, solved)| {
        format!(
            "{{\"network\": \"sweep/forward_kl-adaptive-beta={beta}/net.pb.gz\", \"rules\": \
             {{\"strict\": {{\"solved\": 999}}, \"multi-solution\": {{\"solved\": {solved}}}}}}}\n"
        )
    };
    names.into_iter().zip(solved).map(line).collect()
}

#[test]
fn the_best_coefficient_is_chosen_and_of_equals_the_smallest() {
    let check = |solved: [u64; 3], expected: f64| {
        let chosen = select(&rule(), Some(&scores(solved))).expect("scores");
        let arm = chosen.selection.arm(forward()).expect("an arm");
        assert_eq!(arm.beta, Some(expected), "{solved:?}");
        assert_eq!(arm.name, "forward_kl-adaptive");
        assert_eq!(arm.network, PathBuf::from("networks/forward_kl-adaptive.pb.gz"));
        let run = format!("sweep/forward_kl-adaptive-beta={expected}");
        assert_eq!(arm.run, Some(PathBuf::from(&run)));
        assert_eq!(chosen.chosen[1].network, PathBuf::from(run).join("net.pb.gz"));
        let variants: Vec<Variant> = chosen.selection.arms.iter().map(|arm| arm.variant).collect();
        assert_eq!(variants, [Variant::Base, forward(), Variant::PuzzleTuned]);
    };
    check([5, 7, 6], 0.01);
    check([7, 7, 7], 0.001);
    check([5, 7, 7], 0.01);
    check([0, 0, 1], 0.1);
}

#[test]
fn scores_that_are_none_are_refused() {
    let error = select(&rule(), Some(&scores([1, 2, 3])[..100])).expect_err("cut off");
    assert!(error.to_string().starts_with("the scores, line 1: EOF"), "{error}");
    let two = scores([1, 2, 3]);
    let two: String = two.split_inclusive('\n').take(2).collect();
    let error = select(&rule(), Some(&two)).expect_err("one is missing").to_string();
    assert!(error.contains("no score of sweep/forward_kl-adaptive-beta=0.1/net.pb.gz"), "{error}");
}
