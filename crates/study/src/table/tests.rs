use super::*;
use crate::description::Scale;
use crate::steps::tests::plan;

#[test]
fn a_new_study() {
    let plan = plan(Scale::Small, None);
    let standings = vec![Standing::ToDo; plan.steps.len()];
    insta::assert_snapshot!(table(&plan, &standings));
}

#[test]
fn a_study_under_way() {
    let plan = plan(Scale::Small, Some(1_200));
    let mut standings = vec![Standing::ToDo; plan.steps.len()];
    let mut set = |name: &str, standing: Standing| {
        let place = plan.steps.iter().position(|step| step.name == name).expect(name);
        standings[place] = standing;
    };
    let done = || Standing::Done { seconds: 100.0 };
    let changed =
        Standing::ToRedo { reason: "suites/hard.csv.zst has changed".to_owned(), afresh: true };
    for name in ["base", "sweep", "control", "control-network", "evaluate-selection", "select"] {
        set(name, done());
    }
    set("suite-hard", changed);
    set("evaluate-hard", done());
    set("evaluate-uniform", Standing::Begun);
    insta::assert_snapshot!(table(&plan, &standings));
}

#[test]
fn estimates_follow_what_was_seen() {
    let plan = plan(Scale::Small, None);
    let of = |name: &str| plan.steps.iter().find(|step| step.name == name).expect(name);
    let mut pace = Pace::default();
    let (sweep, half, ladder) = (of("sweep"), of("sweep-half"), of("arena-argmax"));
    assert_eq!(pace.estimate(half), half.seconds);
    pace.add(sweep, 2.0 * sweep.seconds);
    assert!((pace.estimate(half) / half.seconds - 2.0).abs() < 1e-9);
    assert_eq!(pace.estimate(ladder), ladder.seconds);
}

#[test]
fn times_in_words() {
    let check = |seconds: f64, expected: &str| assert_eq!(duration(seconds), expected);
    check(0.0, "1 s");
    check(59.6, "60 s");
    check(99.4, "99 s");
    check(100.0, "2 min");
    check(5_900.0, "98 min");
    check(7_200.0, "2 h");
    check(7_810.0, "2 h 10 min");
    check(1e6, "278 h");
}
