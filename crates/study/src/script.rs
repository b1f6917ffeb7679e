//! A plan as commands that a person can give.

use std::fmt::Write;

use crate::description::Selection;
use crate::plan::Plan;
use crate::step::{Action, quoted};

/// The commands in their order, as a script for bash. What is chosen on the way, once it is known.
pub(crate) fn script(plan: &Plan, selection: Option<&Selection>) -> String {
    let mut text = "#!/usr/bin/env bash\n\
        # The commands of this study, in their order. `searchless reproduce` gives them; they can be\n\
        # given by hand, in a folder with the .toml files of this one.\n\
        set -euo pipefail\n\
        mkdir -p networks suites openings measurements\n"
        .to_owned();
    for (number, step) in plan.steps.iter().enumerate() {
        let _ = write!(text, "\n# {}. {}\n", number + 1, step.title);
        let line = match &step.action {
            Action::Program(program) => {
                let sorted = program.sort_games.as_ref().map(|games| {
                    let games = games.display();
                    format!("\n# then the games of {games} are put in the order of their rounds")
                });
                step.command() + &sorted.unwrap_or_default()
            }
            Action::Copy { .. } => step.command(),
            Action::Select(rule) => {
                let mut lines =
                    "# of each arm the run that solves most puzzles, of equals that with \
                     the smaller coefficient;\n# listed in selection.json"
                        .to_owned();
                for candidates in &rule.variants {
                    let Some(to) = &candidates.copy_to else { continue };
                    let of = candidates.arms.first().map(|arm| arm.variant);
                    let chosen =
                        selection.and_then(|selection| selection.arm(of?)).and_then(|arm| {
                            candidates.arms.iter().find(|candidate| candidate.run == arm.run)
                        });
                    let from = match (chosen, candidates.arms.as_slice()) {
                        (Some(arm), _) | (None, [arm]) => {
                            quoted(&arm.network.display().to_string())
                        }
                        _ => "\"(the best run)\"".to_owned(),
                    };
                    let to = quoted(&to.display().to_string());
                    let _ = write!(lines, "\ncp {from} {to}");
                }
                lines
            }
            Action::Openings { from, to } => format!(
                "# the games of {} that were cut off, each sequence of moves once,\n# are {}",
                from.display(),
                to.display()
            ),
            Action::Game { from, to, player } => format!(
                "# the moves, in UCI notation, of the first game of {} that {player} wins\n# are {}",
                from.display(),
                to.display()
            ),
        };
        text += &line;
        text.push('\n');
    }
    text
}
