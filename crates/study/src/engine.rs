//! Doing what a plan says, and no more than is to be done.

mod internal;

use std::io;
use std::path::{Path, PathBuf};

use crate::files::{FileError, StudyFiles};
use crate::games;
use crate::stamp::{Stamp, Standing, standing};
use crate::step::{Action, Argument, Program, Step, Whole};

pub use internal::InternalError;

#[cfg(test)]
mod tests;

/// Lines of a failed program's output that its error repeats.
const TAIL_LINES: usize = 20;
/// Bytes of the output that are looked at for them.
const TAIL_BYTES: usize = 8 << 10;

/// Runs `searchless`.
pub trait Runner {
    /// Runs it to its end.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    fn run(&mut self, invocation: &Invocation<'_>) -> io::Result<Run>;

    /// Whether the person at the keyboard wants to stop.
    fn is_interrupted(&self) -> bool;
}

/// A run of `searchless`.
#[derive(Debug)]
pub struct Invocation<'a> {
    /// The step that it is for.
    pub step: &'a Step,
    /// The arguments.
    pub arguments: &'a [String],
    /// Where it runs: the study's directory.
    pub directory: &'a Path,
    /// The file that receives its standard output, to be emptied before; none for the log.
    pub output: Option<&'a Path>,
    /// The file to which all else that it says is appended.
    pub log: &'a Path,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What went wrong, as in "exit code 2"; none where it says that all is well.
    pub failure: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

/// What happens while a plan is carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// A step is begun.
    Begins {
        /// Its place in the plan, from 1.
        number: usize,
        /// The step.
        step: &'a Step,
        /// How it stood before.
        standing: Standing,
    },
    /// A step was done.
    Ends {
        /// The step.
        step: &'a Step,
        /// How long it took, this time.
        seconds: f64,
    },
    /// A step's directory was of no use.
    PutAside {
        /// Where it lies now.
        place: PathBuf,
    },
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All is done.
    Finished,
    /// It was interrupted.
    Interrupted,
}

/// A plan could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that a step needs is not there.
    #[error("step {step} needs {}, which is not there", path.display())]
    NoInput {
        /// The step.
        step: String,
        /// The file.
        path: PathBuf,
    },
    /// The program could not be started.
    #[error("step {step}: starting the program: {source}")]
    Start {
        /// The step.
        step: String,
        /// What the system said.
        source: io::Error,
    },
    /// The program failed.
    #[error("step {step} failed ({failure}): {command}")]
    Failed {
        /// The step.
        step: String,
        /// How it ended.
        failure: String,
        /// What was run.
        command: String,
        /// The last lines of what it said.
        tail: String,
    },
    /// The program ended well and has not made what it should.
    #[error("step {step} ended, but {problem}: {command}")]
    NotWhole {
        /// The step.
        step: String,
        /// The file, and what is wrong with it.
        problem: String,
        /// What was run.
        command: String,
        /// The last lines of what it said.
        tail: String,
    },
    /// A step of our own failed.
    #[error("step {step}: {source}")]
    Internal {
        /// The step.
        step: String,
        /// Why.
        source: Box<InternalError>,
    },
}

impl EngineError {
    /// The last lines of what the failed program said; empty where none failed.
    pub fn tail(&self) -> &str {
        match self {
            Self::Failed { tail, .. } | Self::NotWhole { tail, .. } => tail,
            _ => "",
        }
    }
}

/// How each step of a plan stands, in its order.
///
/// # Errors
///
/// Where a file cannot be read.
pub fn standings(steps: &[Step], files: &StudyFiles) -> Result<Vec<Standing>, FileError> {
    steps.iter().map(|step| standing(files, step)).collect()
}

/// Does all steps that are not done, in their order; what they depend on must be made by steps
/// before them, or be there. Killed at any moment, the next call goes on to the same files.
///
/// # Errors
///
/// With the first step that cannot be done; those before it stay done.
pub fn carry_out(
    steps: &[Step],
    files: &StudyFiles,
    runner: &mut impl Runner,
    mut observe: impl FnMut(Event<'_>),
) -> Result<Ending, EngineError> {
    for (number, step) in steps.iter().enumerate() {
        // Only now: the steps before it may have changed what it depends on.
        let standing = standing(files, step)?;
        if matches!(standing, Standing::Done { .. }) {
            continue;
        }
        if runner.is_interrupted() {
            return Ok(Ending::Interrupted);
        }
        observe(Event::Begins { number: number + 1, step, standing: standing.clone() });
        let mut stamp = begin(step, &standing, files, &mut observe)?;
        let seconds = match &step.action {
            Action::Program(program) => match run(step, program, &mut stamp, files, runner)? {
                Some(seconds) => seconds,
                None => return Ok(Ending::Interrupted),
            },
            action => {
                let done = internal::perform(action, files);
                done.map_err(|source| internal(step, source))?;
                0.0
            }
        };
        end(step, stamp, files)?;
        observe(Event::Ends { step, seconds });
    }
    Ok(Ending::Finished)
}

/// Records that a step is begun, and with what.
fn begin(
    step: &Step,
    standing: &Standing,
    files: &StudyFiles,
    observe: &mut impl FnMut(Event<'_>),
) -> Result<Stamp, EngineError> {
    let inputs = Stamp::inputs(files, step, None)?;
    if let Some(path) = step.inputs.iter().find(|path| !inputs.contains_key(*path)) {
        return Err(EngineError::NoInput { step: step.name.clone(), path: path.clone() });
    }
    // What was never begun by us is not ours to go on with either.
    let is_of_no_use = matches!(standing, Standing::ToDo | Standing::ToRedo { afresh: true, .. });
    if let Some(directory) = step.directory.as_ref().filter(|_| is_of_no_use)
        && let Some(place) = files.put_aside(directory)?
    {
        observe(Event::PutAside { place });
    }
    let seconds = match standing {
        Standing::Begun => Stamp::read(files, &step.name)?.map_or(0.0, |stamp| stamp.seconds),
        _ => 0.0,
    };
    let stamp = Stamp { fingerprint: step.fingerprint(), inputs, outputs: None, seconds };
    stamp.write(files, &step.name)?;
    Ok(stamp)
}

/// Runs a step's program; `None` where it was interrupted.
fn run(
    step: &Step,
    program: &Program,
    stamp: &mut Stamp,
    files: &StudyFiles,
    runner: &mut impl Runner,
) -> Result<Option<f64>, EngineError> {
    let resume = program.resume.as_ref().filter(|resume| files.path(&resume.marker).exists());
    let arguments = resume.map_or(&program.arguments, |resume| &resume.arguments);
    let partial = program.capture.as_ref().map(|_| partial_output(step));
    let log = log(step);
    let words = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Text(text) => Ok(text.clone()),
            Argument::Contents { contents_of } => {
                let bytes = files.read(contents_of)?;
                Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
            }
        })
        .collect::<Result<Vec<String>, FileError>>()?;
    let output = partial.as_ref().map(|partial| files.path(partial));
    let invocation = Invocation {
        step,
        arguments: &words,
        directory: files.root(),
        output: output.as_deref(),
        log: &files.path(&log),
    };
    let ran = runner.run(&invocation);
    let ran = ran.map_err(|source| EngineError::Start { step: step.name.clone(), source })?;
    stamp.seconds += ran.seconds;
    if runner.is_interrupted() {
        // So that the time is not lost.
        stamp.write(files, &step.name)?;
        return Ok(None);
    }
    let command = program.command(arguments);
    if let Some(failure) = ran.failure {
        let tail = tail(files, &log);
        return Err(EngineError::Failed { step: step.name.clone(), failure, command, tail });
    }
    if let Some(games) = &program.sort_games {
        let sorted = internal::sort_games(games, files);
        sorted.map_err(|source| internal(step, source))?;
    }
    for made in &step.outputs {
        let is_captured = program.capture.as_ref() == Some(&made.path);
        let lies = partial.as_ref().filter(|_| is_captured).unwrap_or(&made.path);
        if let Err(problem) = check(files, lies, made.whole)? {
            let problem = format!("{} {problem}", made.path.display());
            let (step, tail) = (step.name.clone(), tail(files, &log));
            return Err(EngineError::NotWhole { step, problem, command, tail });
        }
    }
    if let (Some(partial), Some(capture)) = (&partial, &program.capture) {
        files.rename(partial, capture)?;
    }
    Ok(Some(ran.seconds))
}

/// Records that a step is done.
fn end(step: &Step, mut stamp: Stamp, files: &StudyFiles) -> Result<(), EngineError> {
    let mut outputs = std::collections::BTreeMap::new();
    for output in &step.outputs {
        match files.sum(&output.path, None)? {
            Some(sum) => outputs.insert(output.path.clone(), sum),
            None => {
                return Err(EngineError::NotWhole {
                    step: step.name.clone(),
                    problem: format!("{} is not there", output.path.display()),
                    command: step.command(),
                    tail: String::new(),
                });
            }
        };
    }
    stamp.outputs = Some(outputs);
    Ok(stamp.write(files, &step.name)?)
}

/// Sees whether a file is whole; says what is wrong with it where it is not.
fn check(files: &StudyFiles, path: &Path, whole: Whole) -> Result<Result<(), String>, FileError> {
    if !files.path(path).is_file() {
        return Ok(Err("is not there".to_owned()));
    }
    if whole == Whole::Present {
        return Ok(Ok(()));
    }
    let bytes = files.read(path)?;
    let is_json = |bytes: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    Ok(match whole {
        Whole::Present => Ok(()),
        Whole::Json if is_json(&bytes) => Ok(()),
        Whole::Json => Err("is not JSON".to_owned()),
        Whole::JsonLines(expected) => {
            let lines: Vec<&[u8]> =
                bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
            let found = lines.len() as u64;
            if !lines.iter().all(|line| is_json(line)) {
                Err("has a line that is not JSON".to_owned())
            } else if expected.map_or(found > 0, |expected| found == expected) {
                Ok(())
            } else {
                let expected =
                    expected.map_or_else(|| "one or more".to_owned(), |lines| lines.to_string());
                Err(format!("has {found} lines, expected {expected}"))
            }
        }
        Whole::Games(expected) => match games::count(&String::from_utf8_lossy(&bytes)) {
            found if found == expected => Ok(()),
            found => Err(format!("has {found} games, expected {expected}")),
        },
    })
}

/// The last lines of what a program said.
fn tail(files: &StudyFiles, log: &Path) -> String {
    let bytes = files.read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(TAIL_BYTES)..]);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}

fn internal(step: &Step, source: InternalError) -> EngineError {
    EngineError::Internal { step: step.name.clone(), source: Box::new(source) }
}

fn partial_output(step: &Step) -> PathBuf {
    Path::new("steps").join(format!("{}.stdout", step.name))
}

/// What a step's programs said.
pub(crate) fn log(step: &Step) -> PathBuf {
    Path::new("steps").join(format!("{}.log", step.name))
}
