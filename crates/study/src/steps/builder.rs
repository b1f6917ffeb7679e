//! What the parts of a plan are put together with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Facts;
use crate::arm::{Arm, Variant};
use crate::cost::Cost;
use crate::description::{SuiteRole, SuiteUsed};
use crate::directory::StudyDirectory;
use crate::request::Request;
use crate::sizes::Sizes;
use crate::step::{Action, Argument, Output, Program, Step, Work};

/// Seconds of a step that reads and writes a small file.
pub(super) const WRITING: f64 = 0.1;

/// The steps so far.
pub(super) struct Builder<'a> {
    pub(super) request: &'a Request,
    pub(super) facts: &'a Facts,
    pub(super) sizes: &'a Sizes,
    pub(super) cells: &'a [Arm],
    pub(super) half_decades: &'a [Arm],
    pub(super) cost: Cost,
    /// Paths relative to the study's directory.
    pub(super) place: StudyDirectory,
    pub(super) steps: Vec<Step>,
    pub(super) suites: Vec<SuiteUsed>,
    pub(super) files: BTreeMap<PathBuf, String>,
}

/// A run of `searchless` that prints a measurement, or fills a directory.
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) title: String,
    pub(super) arguments: Vec<Argument>,
    pub(super) inputs: Vec<PathBuf>,
    pub(super) outputs: Vec<Output>,
    pub(super) work: Work,
    pub(super) seconds: f64,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        request: &'a Request,
        facts: &'a Facts,
        sizes: &'a Sizes,
        cells: &'a [Arm],
        half_decades: &'a [Arm],
    ) -> Self {
        Self {
            request,
            facts,
            sizes,
            cells,
            half_decades,
            cost: Cost { rate: facts.forward_rate },
            place: StudyDirectory::new(""),
            steps: Vec::new(),
            suites: Vec::new(),
            files: BTreeMap::new(),
        }
    }

    /// The base's network.
    pub(super) fn base(&self) -> PathBuf {
        network(Variant::Base)
    }

    /// The variants that self-play makes, in the order of the tables.
    pub(super) fn self_play(&self) -> Vec<Variant> {
        let is_self_play = |variant: &Variant| matches!(variant, Variant::SelfPlay { .. });
        Variant::all().into_iter().filter(is_self_play).collect()
    }

    /// The networks of the base and of the variants that self-play makes.
    pub(super) fn exploring(&self) -> Vec<PathBuf> {
        [Variant::Base].into_iter().chain(self.self_play()).map(network).collect()
    }

    /// The networks of all variants that there are, the base first.
    pub(super) fn selected(&self) -> Vec<PathBuf> {
        let control = self.has_control().then_some(Variant::PuzzleTuned);
        self.exploring().into_iter().chain(control.map(network)).collect()
    }

    /// Whether there is a puzzle-tuned control.
    pub(super) fn has_control(&self) -> bool {
        self.suite(SuiteRole::Pool).is_some()
    }

    /// The suite for a role, as it lies in the study.
    pub(super) fn suite(&self, role: SuiteRole) -> Option<&SuiteUsed> {
        self.suites.iter().find(|suite| suite.role == role)
    }

    /// The seed as an argument.
    pub(super) fn seed(&self) -> [Argument; 2] {
        ["--seed".into(), self.request.seed.to_string().into()]
    }

    /// The words that say what computes.
    pub(super) fn device(&self) -> Vec<Argument> {
        self.request.device.iter().map(|word| word.as_str().into()).collect()
    }

    /// Adds a copy of a file.
    pub(super) fn copy(&mut self, name: &str, title: String, from: &Path, to: &Path) {
        self.steps.push(copy(name, title, from, to));
    }

    /// Adds a copy of a file that the study was given.
    pub(super) fn given(
        &mut self,
        name: &str,
        title: String,
        from: &Path,
        sha256: &str,
        to: &Path,
    ) {
        self.steps.push(Step {
            action: Action::Copy {
                from: from.to_owned(),
                to: to.to_owned(),
                sha256: Some(sha256.to_owned()),
            },
            // What was copied stays, whatever becomes of the file: it has the sum that is asked for.
            inputs: Vec::new(),
            ..copy(name, title, from, to)
        });
    }

    /// Adds a run whose standard output is its first output.
    pub(super) fn capture(&mut self, command: Command) {
        let capture = command.outputs.first().map(|output| output.path.clone());
        let program = Program { capture, ..Program::default() };
        self.program(command, program, None);
    }

    /// Adds a run.
    pub(super) fn program(
        &mut self,
        command: Command,
        program: Program,
        directory: Option<PathBuf>,
    ) {
        let Command { name, title, arguments, inputs, outputs, work, seconds } = command;
        self.steps.push(Step {
            name: name.to_owned(),
            title,
            action: Action::Program(Program { arguments, ..program }),
            inputs,
            outputs,
            directory,
            work,
            seconds,
        });
    }
}

/// Where the network that stands for a variant lies.
pub(super) fn network(variant: Variant) -> PathBuf {
    Path::new("networks").join(format!("{variant}.pb.gz"))
}

/// Words and paths as arguments.
pub(super) fn words<T: AsRef<Path>>(words: impl IntoIterator<Item = T>) -> Vec<Argument> {
    words.into_iter().map(|word| word.as_ref().display().to_string().into()).collect()
}

fn copy(name: &str, title: String, from: &Path, to: &Path) -> Step {
    Step {
        name: name.to_owned(),
        title,
        action: Action::Copy { from: from.to_owned(), to: to.to_owned(), sha256: None },
        inputs: vec![from.to_owned()],
        outputs: vec![Output::present(to)],
        directory: None,
        work: Work::Writing,
        seconds: WRITING,
    }
}
