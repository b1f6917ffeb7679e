//! The files that a study starts from, and the networks that it makes.

use std::path::{Path, PathBuf};

use super::builder::{Builder, Command, WRITING, network, words};
use super::cells::{SWEEP, SWEEP_HALF, half_decade_settings, last_network, sweep_settings};
use crate::arm::{Arm, Variant};
use crate::cost::Cost;
use crate::description::{Scale, SuiteRole, SuiteUsed};
use crate::sizes::HEADLINE;
use crate::step::{
    Action, Argument, Candidates, Output, Program, Resume, SelectionRule, Step, Whole, Work,
};

/// Directory of the puzzle-tuned control.
const CONTROL: &str = "control";
/// Lengths of mates (paper, Table 3).
const MATES: [&str; 5] = ["1", "2", "3", "4", "5"];

impl Builder<'_> {
    /// Copies of what the study is given.
    pub(super) fn materials(&mut self) {
        let request = self.request;
        let base = &request.base;
        let to = self.base();
        self.given("base", "copy the base network".to_owned(), &base.path, &base.sha256, &to);
        for role in SuiteRole::ALL {
            let Some(suite) = request.suite(role) else { continue };
            let used = self.sizes.puzzles.get(&role).copied();
            let limit = used.filter(|&used| used < suite.puzzles);
            let is_drawn = role == SuiteRole::Mates && limit.is_some();
            let end = compression(&suite.file.path);
            let stem = if is_drawn { "mates-all" } else { role.key() };
            let copy = Path::new("suites").join(format!("{stem}.csv{end}"));
            let (name, title) = (format!("suite-{stem}"), format!("copy the suite {}", role.key()));
            self.given(&name, title, &suite.file.path, &suite.file.sha256, &copy);
            let path = match limit {
                Some(limit) if is_drawn => self.draw_mates(&copy, limit),
                _ => copy,
            };
            self.suites.push(SuiteUsed { role, path, sha256: suite.file.sha256.clone(), limit });
        }
    }

    /// A draw of mates, as many of each length: the first ones of a file may all have one.
    fn draw_mates(&mut self, all: &Path, puzzles: u64) -> PathBuf {
        let path = PathBuf::from("suites/mates.csv");
        let each = (puzzles / MATES.len() as u64).max(1).to_string();
        let mut arguments = words(["suite", "build", "--from"]);
        arguments.extend(words([all, Path::new("--out"), &path]));
        arguments.push("--force".into());
        arguments.push("--mate-depth".into());
        arguments.extend(words(MATES));
        arguments.extend(words(["--count", &each, "--stratify", "mate-depth"]));
        arguments.extend(self.seed());
        self.program(
            Command {
                name: "suite-mates",
                title: "draw mates of each length".to_owned(),
                arguments,
                inputs: vec![all.to_owned()],
                outputs: vec![Output::present(&path)],
                work: Work::Writing,
                seconds: 1.0 + Cost::mates(puzzles),
            },
            Program::default(),
            None,
        );
        path
    }

    /// The sweeps, the control, and the choice of the networks that stand for the variants.
    pub(super) fn networks(&mut self) {
        self.sweep(
            "sweep",
            SWEEP,
            "fine-tune by self-play: all terms, temperatures and coefficients",
            sweep_settings(&self.settings(), self.sizes),
            self.cells,
        );
        if !self.half_decades.is_empty() {
            self.sweep(
                "sweep-half",
                SWEEP_HALF,
                "fine-tune with the coefficients between the decades",
                half_decade_settings(&self.settings(), self.sizes),
                self.half_decades,
            );
        }
        if self.has_control() {
            self.control();
        }
        self.evaluate_cells();
        self.select();
    }

    fn sweep(
        &mut self,
        name: &'static str,
        directory: &str,
        title: &str,
        settings: String,
        cells: &[Arm],
    ) {
        let config = PathBuf::from(format!("{directory}.toml"));
        let base = self.base();
        let mut arguments = words([Path::new("sweep"), Path::new("--network"), &base]);
        arguments.extend(words([Path::new("--config"), &config]));
        arguments.extend(words(["--out", directory]));
        arguments.extend(self.device());
        let outputs = cells.iter().flat_map(|cell| {
            let metrics = cell.run.iter().map(|run| Output::present(run.join("metrics.jsonl")));
            [Output::present(&cell.network)].into_iter().chain(metrics)
        });
        let seconds = self.cost.self_play(cells.len(), self.sizes.steps, self.sizes.games);
        self.program(
            Command {
                name,
                title: format!("{title} ({} runs)", cells.len()),
                arguments,
                inputs: vec![base, config.clone()],
                outputs: outputs.collect(),
                work: Work::Training,
                seconds: seconds + Cost::start(cells.len()),
            },
            Program::default(),
            Some(directory.into()),
        );
        self.files.insert(config, settings);
    }

    /// What all runs of the sweeps have in common (paper, Table 2).
    fn settings(&self) -> String {
        format!(
            "preset = \"{}\"\nseed = {}\nsteps = {}\ngames = {}\nwarmup_steps = {}\n\n[saving]\n\
             keep_checkpoints = 1\n",
            self.request.scale.key(),
            self.request.seed,
            self.sizes.steps,
            self.sizes.games,
            self.warmup_steps(),
        )
    }

    /// A tenth of the steps, as in both presets.
    fn warmup_steps(&self) -> u64 {
        self.sizes.steps / 10
    }

    /// Supervised training on puzzle solutions with self-play's steps and rates (paper, Section
    /// 3.6).
    fn control(&mut self) {
        let Some(pool) = self.suite(SuiteRole::Pool) else { return };
        let pool = pool.path.clone();
        let others: Vec<PathBuf> = self
            .suites
            .iter()
            .filter(|suite| suite.role != SuiteRole::Pool)
            .map(|suite| suite.path.clone())
            .collect();
        let base = self.base();
        let mut arguments = words([Path::new("train"), Path::new("--network"), &base]);
        arguments.extend(words(["--out", CONTROL, "--puzzles"]));
        arguments.extend(words([&pool]));
        if !others.is_empty() {
            arguments.push("--exclude".into());
            arguments.extend(words(&others));
        }
        let (steps, batch) = (self.sizes.steps, self.sizes.games);
        // Those of the preset of the sweeps.
        let (factor, decay) = match self.request.scale {
            Scale::Small => ("10", "0.98"),
            Scale::Paper => ("1", "0.995"),
        };
        let settings = [
            ("--steps", steps.to_string()),
            ("--batch", batch.to_string()),
            ("--warmup-steps", self.warmup_steps().to_string()),
            ("--learning-rate-factor", factor.to_owned()),
            ("--ema-decay", decay.to_owned()),
        ];
        for (name, value) in settings {
            arguments.extend([Argument::from(name), value.into()]);
        }
        arguments.extend(self.seed());
        arguments.extend(self.device());
        let mut resume = words(["train", "--resume", CONTROL]);
        resume.extend(self.device());
        let run = Path::new(CONTROL);
        let tuned = last_network(run, steps);
        self.program(
            Command {
                name: "control",
                title: "train the control on puzzle solutions".to_owned(),
                arguments,
                inputs: [base, pool].into_iter().chain(others).collect(),
                outputs: vec![Output::present(&tuned), Output::present(run.join("metrics.jsonl"))],
                work: Work::Training,
                seconds: self.cost.supervised(steps, batch) + Cost::start(1),
            },
            Program {
                resume: Some(Resume { marker: run.join("config.toml"), arguments: resume }),
                ..Program::default()
            },
            Some(run.to_owned()),
        );
        let to = network(Variant::PuzzleTuned);
        self.copy("control-network", "name the control's network".to_owned(), &tuned, &to);
    }

    /// All cells on the selection suite (paper, Table 6).
    fn evaluate_cells(&mut self) {
        let networks: Vec<PathBuf> = [self.base()]
            .into_iter()
            .chain(self.cells.iter().map(|cell| cell.network.clone()))
            .collect();
        let title = "evaluate all runs on the selection suite";
        self.evaluate("evaluate-selection", SuiteRole::Selection, title, &networks, None);
    }

    fn select(&mut self) {
        let scores =
            self.suite(SuiteRole::Selection).map(|_| self.place.evaluation(SuiteRole::Selection));
        let mut variants =
            vec![Candidates { copy_to: None, arms: vec![single(Variant::Base, None)] }];
        for variant in self.self_play() {
            let own = self.cells.iter().filter(|cell| cell.variant == variant);
            // Nothing tells them apart without a suite.
            let is_candidate =
                |cell: &&Arm| scores.is_some() || cell.beta.is_none_or(|beta| beta == HEADLINE);
            variants.push(Candidates {
                copy_to: Some(network(variant)),
                arms: own.filter(is_candidate).cloned().collect(),
            });
        }
        if self.has_control() {
            variants.push(Candidates {
                copy_to: None,
                arms: vec![single(Variant::PuzzleTuned, Some(CONTROL.into()))],
            });
        }
        let arms = variants.iter().flat_map(|candidates| &candidates.arms);
        let mut inputs: Vec<PathBuf> = arms.map(|arm| arm.network.clone()).collect();
        inputs.extend(scores.clone());
        let to = self.place.selection();
        let copies = self.self_play().into_iter().map(|variant| Output::present(network(variant)));
        let outputs = copies.chain([Output { path: to.clone(), whole: Whole::Json }]).collect();
        self.steps.push(Step {
            name: "select".to_owned(),
            title: "choose the network that stands for each arm".to_owned(),
            action: Action::Select(SelectionRule { variants, scores, to }),
            inputs,
            outputs,
            directory: None,
            work: Work::Writing,
            seconds: WRITING,
        });
    }
}

fn single(variant: Variant, run: Option<PathBuf>) -> Arm {
    Arm { name: variant.key(), variant, beta: None, network: network(variant), run }
}

/// The end of a compressed file's name.
fn compression(path: &Path) -> String {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(extension @ ("gz" | "zst")) => format!(".{extension}"),
        _ => String::new(),
    }
}
