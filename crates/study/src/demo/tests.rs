use std::collections::HashSet;

use super::*;

const DEMONSTRATION: Demonstration =
    Demonstration { seed: 7, steps: 30, games: 8, match_games: 10 };

#[test]
fn every_step_has_what_it_needs() {
    let mut made: HashSet<PathBuf> = HashSet::new();
    let mut names = HashSet::new();
    for step in DEMONSTRATION.steps() {
        for input in &step.inputs {
            assert!(made.contains(input), "{} needs {}", step.name, input.display());
        }
        made.extend(step.outputs.iter().map(|output| output.path.clone()));
        assert!(names.insert(step.name.clone()), "two steps are called {}", step.name);
        assert!(step.seconds > 0.0);
    }
    for path in [Demonstration::puzzles(), Demonstration::coverage(), Demonstration::ratings()] {
        assert!(made.contains(&path), "{}", path.display());
    }
    for (_, network) in DEMONSTRATION.networks() {
        assert!(made.contains(&network), "{}", network.display());
    }
}

#[test]
fn the_runs_differ_in_their_term_alone() {
    let script = DEMONSTRATION.script();
    let runs: Vec<&str> = script.lines().filter(|line| line.contains(" finetune ")).collect();
    let [held, free] = runs[..] else { panic!("{script}") };
    assert!(held.contains("exploration=forward_kl"), "{held}");
    assert_eq!(held.replace("forward_kl", "none"), free);
}
