//! A plan as a table: what is done, what is to do, and about how long it takes.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::plan::Plan;
use crate::stamp::Standing;
use crate::step::{Step, Work};

#[cfg(test)]
mod tests;

/// Letters of a command that are shown.
const COMMAND_LETTERS: usize = 72;
/// Seconds of finished work of a kind from which on it corrects the estimates of that kind.
const ENOUGH: f64 = 1.0;

/// How much longer than estimated the steps take, by what they do, seen from those that are done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pace {
    /// Seconds taken and estimated.
    done: BTreeMap<Work, (f64, f64)>,
}

impl Pace {
    /// That of the steps that are done.
    pub fn of(steps: &[Step], standings: &[Standing]) -> Self {
        let mut pace = Self::default();
        for (step, standing) in steps.iter().zip(standings) {
            if let Standing::Done { seconds } = standing {
                pace.add(step, *seconds);
            }
        }
        pace
    }

    /// Another step is done.
    pub fn add(&mut self, step: &Step, seconds: f64) {
        let (taken, estimated) = self.done.entry(step.work).or_default();
        *taken += seconds;
        *estimated += step.seconds;
    }

    /// About how long a step takes, in seconds.
    pub fn estimate(&self, step: &Step) -> f64 {
        match self.done.get(&step.work) {
            Some((taken, estimated)) if *taken >= ENOUGH && *estimated >= ENOUGH => {
                step.seconds * taken / estimated
            }
            _ => step.seconds,
        }
    }
}

/// The steps with how they stand, and about how long what is to do takes.
pub fn table(plan: &Plan, standings: &[Standing]) -> String {
    let pace = Pace::of(&plan.steps, standings);
    let mut changing: HashSet<&Path> = HashSet::new();
    let mut rows = vec![[
        "".to_owned(),
        "step".to_owned(),
        "time".to_owned(),
        "state".to_owned(),
        "command".to_owned(),
    ]];
    let (mut total, mut left) = (0.0, 0.0);
    for (number, (step, standing)) in plan.steps.iter().zip(standings).enumerate() {
        let estimate = pace.estimate(step);
        let depends = step.inputs.iter().find(|path| changing.contains(path.as_path()));
        let (seconds, state) = match (standing, depends) {
            (Standing::Done { seconds }, None) => (*seconds, "done".to_owned()),
            (Standing::Done { seconds }, Some(path)) => {
                (*seconds, format!("done, unless {} changes", path.display()))
            }
            (Standing::ToDo, _) => (estimate, "to do".to_owned()),
            (Standing::Begun, _) => (estimate, "to go on".to_owned()),
            (Standing::ToRedo { reason, .. }, _) => (estimate, format!("to redo: {reason}")),
        };
        total += seconds;
        if !matches!(standing, Standing::Done { .. }) {
            left += seconds;
            changing.extend(step.outputs.iter().map(|output| output.path.as_path()));
        }
        rows.push([
            (number + 1).to_string(),
            step.name.clone(),
            duration(seconds),
            state,
            shortened(&step.command()),
        ]);
    }
    let mut text = aligned(&rows);
    let all = duration(total);
    text += &match left {
        0.0 => format!("\nin all {all}; all is done\n"),
        left => format!("\nin all about {all}, of which about {} are to do\n", duration(left)),
    };
    for cut in &plan.study.cuts {
        text += &format!("cut: {cut}\n");
    }
    text
}

/// A time in words: "40 s", "4 min", "2 h 10 min".
pub fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round();
    let minutes = (seconds / 60.0).max(0.0).round() as u64;
    match (whole, minutes) {
        (whole, _) if whole < 100.0 => format!("{} s", whole.max(1.0)),
        (_, minutes) if minutes < 100 => format!("{minutes} min"),
        (_, minutes) => match (minutes / 60, minutes % 60) {
            (hours, _) if hours >= 48 => format!("{} h", (minutes + 30) / 60),
            (hours, 0) => format!("{hours} h"),
            (hours, minutes) => format!("{hours} h {minutes} min"),
        },
    }
}

fn shortened(command: &str) -> String {
    if command.chars().count() <= COMMAND_LETTERS {
        return command.to_owned();
    }
    command.chars().take(COMMAND_LETTERS - 3).collect::<String>() + "..."
}

fn aligned(rows: &[[String; 5]]) -> String {
    let width = |column: usize| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let [number, step, time, state] = [0, 1, 2, 3].map(width);
    let mut text = String::new();
    for row in rows {
        let line = format!(
            "{:>number$}  {:<step$}  {:>time$}  {:<state$}  {}",
            row[0], row[1], row[2], row[3], row[4]
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}
