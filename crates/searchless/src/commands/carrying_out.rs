//! Carrying out the steps of a study or a demonstration, and telling how it goes.

use study::{Ending, Event, Pace, Standing, Step, StudyFiles, carry_out, duration, standings};

use super::program_runner::ProgramRunner;

/// What happens to steps that are interrupted.
pub(super) const CONSEQUENCE: &str = "the step under way ends in order; the same command goes on";

/// Steps that are about to be carried out.
pub(super) struct CarryingOut<'a> {
    steps: &'a [Step],
    files: &'a StudyFiles,
    pace: Pace,
    /// Steps that are done.
    done: usize,
    /// Estimated seconds of the others.
    left: f64,
}

impl<'a> CarryingOut<'a> {
    /// Looks at how the steps stand.
    pub(super) fn new(steps: &'a [Step], files: &'a StudyFiles) -> anyhow::Result<Self> {
        let standings = standings(steps, files)?;
        let pace = Pace::of(steps, &standings);
        let is_done = |standing: &Standing| matches!(standing, Standing::Done { .. });
        let done = standings.iter().filter(|standing| is_done(standing)).count();
        let left = steps.iter().zip(&standings).filter(|(_, standing)| !is_done(standing));
        let left = left.map(|(step, _)| pace.estimate(step)).sum();
        Ok(Self { steps, files, pace, done, left })
    }

    /// How many are to do, and about how long they take; nothing where all are done.
    pub(super) fn to_do(&self) -> Option<String> {
        let (total, done) = (self.steps.len(), self.done);
        let time = duration(self.left);
        (done < total).then(|| format!("{total} steps, {done} done; the others take about {time}"))
    }

    /// Does what is to do. Of a step that fails, what its program said last is repeated.
    pub(super) fn run(mut self, runner: &mut ProgramRunner<'_>) -> anyhow::Result<Ending> {
        let (total, files) = (self.steps.len(), self.files);
        let carried_out = carry_out(self.steps, files, runner, |event| match event {
            Event::Begins { number, step, standing } => {
                let time = duration(self.pace.estimate(step));
                eprintln!("[{number}/{total}] {} (about {time}){}", step.title, why(&standing));
            }
            Event::PutAside { place } => {
                eprintln!("what was there is now {}", files.path(place).display());
            }
            Event::Ends { step, seconds } => self.pace.add(step, seconds),
        });
        carried_out.map_err(|error| {
            for line in error.tail().lines() {
                eprintln!("  {line}");
            }
            error.into()
        })
    }
}

/// Why a step is done that was begun before.
fn why(standing: &Standing) -> String {
    match standing {
        Standing::ToRedo { reason, .. } => format!(", again because {reason}"),
        Standing::Begun => ", going on".to_owned(),
        Standing::ToDo | Standing::Done { .. } => String::new(),
    }
}
