use std::collections::HashSet;
use std::path::Path;

use training::sweep::Sweep;

use super::*;
use crate::description::Scale;
use crate::plan::Plan;
use crate::request::tests::request;
use crate::script::script;
use crate::step::{Action, Argument};

pub(crate) fn facts() -> Facts {
    Facts {
        program: "searchless 0.1.0".to_owned(),
        forward_rate: 1_500.0,
        shown_position: "e2e4 c7c5".to_owned(),
    }
}

pub(crate) fn plan(scale: Scale, budget: Option<u64>) -> Plan {
    Plan::new(request(scale, budget), &facts())
}

/// Sees that each step has what it needs from those before it, and that no two make the same.
fn assert_sound(plan: &Plan) {
    let mut made: HashSet<PathBuf> = plan.files.keys().cloned().collect();
    made.insert("study.json".into());
    let mut names = HashSet::new();
    for step in &plan.steps {
        assert!(names.insert(&step.name), "{}: twice", step.name);
        for input in &step.inputs {
            assert!(made.contains(input), "{}: {} is not made before", step.name, input.display());
        }
        for output in &step.outputs {
            assert!(made.insert(output.path.clone()), "{}: made twice", output.path.display());
        }
        assert!(step.seconds > 0.0 && step.seconds.is_finite(), "{}", step.name);
        if let Action::Program(program) = &step.action {
            // Networks and files that stand in the command are among its inputs.
            let files = program.arguments.iter().filter_map(|argument| match argument {
                Argument::Text(text) => text.split(',').next().map(Path::new),
                Argument::Contents { contents_of } => Some(contents_of.as_path()),
            });
            let is_read = |path: &&Path| {
                let name = path.to_string_lossy();
                name.ends_with(".pb.gz") || name.contains(".csv") || name.contains("moves.txt")
            };
            let is_made = |path: &Path| step.outputs.iter().any(|output| output.path == path);
            for path in files.filter(is_read).filter(|path| !is_made(path)) {
                assert!(step.inputs.contains(&path.to_owned()), "{}: {path:?}", step.name);
            }
        }
    }
}

#[test]
fn plans_are_sound() {
    for scale in Scale::ALL {
        for budget in [None, Some(7_200), Some(1_200), Some(60), Some(1)] {
            assert_sound(&plan(scale, budget));
        }
    }
}

#[test]
fn a_suite_that_is_not_there_is_no_obstacle() {
    let full = plan(Scale::Small, None).steps.len();
    for role in SuiteRole::ALL {
        let mut request = request(Scale::Small, None);
        request.suites.retain(|suite| suite.role != role);
        let plan = Plan::new(request, &facts());
        assert_sound(&plan);
        assert!(plan.steps.len() < full);
        assert_eq!(plan.study.cuts, [without_suite(role)]);
    }
    let mut request = request(Scale::Small, None);
    request.suites.clear();
    assert_sound(&Plan::new(request, &facts()));
}

#[test]
fn openings_may_be_given() {
    let mut request = request(Scale::Small, None);
    let mut book = request.base.clone();
    book.path = "/given/8moves_v3.pgn.zip".into();
    request.openings = Some(book);
    let plan = Plan::new(request, &facts());
    assert_sound(&plan);
    assert!(plan.steps.iter().all(|step| step.name != "opening-games"));
    let copy = plan.steps.iter().find(|step| step.name == "openings").expect("a copy");
    assert_eq!(copy.outputs[0].path, Path::new("openings/book.pgn.zip"));
}

#[test]
fn cells_are_those_of_the_sweep() {
    for (scale, budget) in [(Scale::Small, None), (Scale::Paper, None), (Scale::Small, Some(600))] {
        let plan = plan(scale, budget);
        let check = |file: &str| {
            let directory = Path::new(file).with_extension("");
            let is_of_it =
                |arm: &&Arm| arm.run.as_ref().is_some_and(|run| run.starts_with(&directory));
            let arms: Vec<&Arm> = plan.study.cells.iter().filter(is_of_it).collect();
            let Some(text) = plan.files.get(Path::new(file)) else {
                assert!(arms.is_empty(), "{file}");
                return;
            };
            let sweep = Sweep::from_toml(text, &[]).expect(file);
            assert_eq!(sweep.cells().len(), arms.len(), "{file}");
            for (cell, arm) in sweep.cells().iter().zip(arms) {
                assert_eq!(cell.name, arm.name);
                assert_eq!(arm.run, Some(directory.join(&cell.name)));
                assert_eq!(cell.config.steps, plan.study.steps);
                assert_eq!(cell.config.games as u64, plan.study.games);
                assert_eq!(cell.config.seed, plan.study.seed);
                if let Some(beta) = arm.beta {
                    assert_eq!(cell.config.beta.to_bits(), beta.to_bits());
                }
            }
        };
        check("sweep.toml");
        check("sweep-half.toml");
    }
    let paper = plan(Scale::Paper, None);
    assert_eq!(paper.study.cells.len(), 32 + 4);
}

#[test]
fn a_budget_is_kept_by_estimate() {
    let whole = plan(Scale::Small, None).seconds();
    assert!((6_000.0..14_400.0).contains(&whole), "{whole}: about three hours");
    for budget in [7_200, 3_600, 1_200, 600] {
        let seconds = plan(Scale::Small, Some(budget)).seconds();
        let budget = budget as f64;
        assert!(seconds <= budget && seconds > 0.6 * budget, "{seconds} of {budget}");
    }
}

#[test]
fn the_commands_of_the_paper() {
    insta::assert_snapshot!(script(&plan(Scale::Paper, None), None));
}

#[test]
fn the_commands_of_a_small_study_with_a_budget() {
    let plan = plan(Scale::Small, Some(1_200));
    let files: String =
        plan.files.iter().map(|(path, text)| format!("== {}\n{text}", path.display())).collect();
    insta::assert_snapshot!(format!("{}\n{files}", script(&plan, None)));
}
