//! The demonstration: the main job on the embedded network, in minutes.

use std::path::{Path, PathBuf};

use crate::step::{Action, Argument, Output, Program, Resume, Step, Whole, Work};

#[cfg(test)]
mod tests;

/// The embedded files, as they are written out.
const BASE: &str = "base.pb.gz";
const OPENINGS: &str = "openings.pgn";
const SUITES: [&str; 2] = ["uniform.csv.zst", "mates.csv.zst"];
/// The match.
const MATCH: &str = "match";

/// What a demonstration does: fine-tunes the embedded base by self-play with and without the
/// forward KL, and measures all three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demonstration {
    /// Of every run and measurement.
    pub seed: u64,
    /// Steps of each run.
    pub steps: u64,
    /// Games played side by side.
    pub games: u64,
    /// Games of each pair in the match, even.
    pub match_games: u64,
}

impl Demonstration {
    /// The networks and what they are called, the base first.
    pub fn networks(&self) -> [(&'static str, PathBuf); 3] {
        let tuned = |name: &'static str| {
            (name, Path::new(name).join("networks").join(format!("step-{:06}.pb.gz", self.steps)))
        };
        [("base", BASE.into()), tuned("forward_kl"), tuned("none")]
    }

    /// `searchless evaluate --json` of the networks on puzzles, then on mates.
    pub fn puzzles() -> PathBuf {
        "puzzles.jsonl".into()
    }

    /// `searchless coverage --json` of the networks from the initial position.
    pub fn coverage() -> PathBuf {
        "coverage.jsonl".into()
    }

    /// `searchless rate --json` of the match.
    pub fn ratings() -> PathBuf {
        "ratings.json".into()
    }

    /// `metrics.jsonl` of a run.
    pub fn metrics(name: &str) -> PathBuf {
        Path::new(name).join("metrics.jsonl")
    }

    /// The commands in their order, as a script for bash.
    pub fn script(&self) -> String {
        let commands = self
            .steps()
            .into_iter()
            .map(|step| format!("\n# {}\n{}\n", step.title, step.command()));
        let head = "#!/usr/bin/env bash\n\
            # The commands of this demonstration, in their order; for an empty folder.\n\
            set -euo pipefail\n";
        head.to_owned() + &commands.collect::<String>()
    }

    /// What is done, in its order.
    pub fn steps(&self) -> Vec<Step> {
        let networks = self.networks();
        let tuned: Vec<PathBuf> = networks[1..].iter().map(|(_, path)| path.clone()).collect();
        let all: Vec<PathBuf> = networks.iter().map(|(_, path)| path.clone()).collect();
        let seed = self.seed.to_string();
        let mut steps = vec![step(
            "files",
            "write out the embedded files",
            words(["embedded", "--out", "."]),
            Vec::new(),
            [BASE, OPENINGS].into_iter().chain(SUITES).map(Output::present).collect(),
            Work::Writing,
            1.0,
        )];
        for ((name, title), network) in [
            ("forward_kl", "fine-tune by self-play, held to the prior by the forward KL"),
            ("none", "fine-tune by self-play, held by nothing"),
        ]
        .into_iter()
        .zip(tuned)
        {
            let mut arguments = words(["finetune", "--network", BASE, "--out", name]);
            arguments.extend(words(["--preset", "small", "--seed", &seed]));
            arguments.extend(words(["--steps", &self.steps.to_string()]));
            arguments.extend(words(["--games", &self.games.to_string()]));
            let exploration = format!("exploration={name}");
            arguments.extend(words(["--set", &exploration]));
            let mut run = step(
                name,
                title,
                arguments,
                vec![BASE.into()],
                vec![Output::present(network), Output::present(Self::metrics(name))],
                Work::Training,
                (self.steps * self.games) as f64 / TRAINED_IN_A_SECOND,
            );
            run.resumes(name, "config.toml", words(["finetune", "--resume", name]));
            steps.push(run);
        }
        let named = |before: &[&str], after: &[&str]| {
            let networks = all.iter().map(|path| path.display().to_string());
            words(before).into_iter().chain(networks.map(Argument::Text)).chain(words(after))
        };
        let with_networks = |files: &[&str]| {
            all.iter().cloned().chain(files.iter().map(PathBuf::from)).collect::<Vec<_>>()
        };
        let lines =
            |path: PathBuf, count: u64| vec![Output { path, whole: Whole::JsonLines(Some(count)) }];
        let count = all.len() as u64;
        let mut puzzles = step(
            "puzzles",
            "try puzzles and mates",
            named(&["evaluate"], &["--suite", SUITES[0], "--suite", SUITES[1], "--json"]).collect(),
            with_networks(&SUITES),
            lines(Self::puzzles(), count * SUITES.len() as u64),
            Work::Measuring,
            15.0,
        );
        puzzles.captures(Self::puzzles());
        let mut coverage = step(
            "coverage",
            "count the lines of play from the initial position",
            named(&["coverage"], &["--raw", "--json"]).collect(),
            with_networks(&[]),
            lines(Self::coverage(), count),
            Work::Measuring,
            25.0,
        );
        coverage.captures(Self::coverage());

        let mut arguments = words(["arena"]);
        for (name, path) in &networks {
            let player = format!("{},name={name}", path.display());
            arguments.extend(words(["--player", &player]));
        }
        arguments.extend(words(["--out", MATCH, "--openings", OPENINGS, "--seed", &seed]));
        arguments.extend(words(["--games", &self.match_games.to_string()]));
        let games = Path::new(MATCH).join("games.pgn");
        let pairs = count * (count - 1) / 2;
        let mut arena = step(
            MATCH,
            "play each other",
            arguments,
            with_networks(&[OPENINGS]),
            vec![Output { path: games.clone(), whole: Whole::Games(pairs * self.match_games) }],
            Work::Playing,
            (pairs * self.match_games) as f64 / GAMES_IN_A_SECOND,
        );
        arena.resumes(MATCH, "arena.toml", words(["arena", "--resume", MATCH]));
        let games_name = games.display().to_string();
        let mut ratings = step(
            "ratings",
            "rate the players",
            words(["rate", &games_name, "--json", "--anchor", "base=0", "--versus", "base"]),
            vec![games],
            vec![Output { path: Self::ratings(), whole: Whole::Json }],
            Work::Measuring,
            1.0,
        );
        ratings.captures(Self::ratings());
        steps.extend([puzzles, coverage, arena, ratings]);
        steps
    }
}

/// Positions of which two cores learn in a second, with the play that they are from.
const TRAINED_IN_A_SECOND: f64 = 270.0;
/// Games that two cores play in a second.
const GAMES_IN_A_SECOND: f64 = 12.0;

fn words<'a>(words: impl IntoIterator<Item = impl AsRef<str> + 'a>) -> Vec<Argument> {
    words.into_iter().map(|word| Argument::Text(word.as_ref().to_owned())).collect()
}

fn step(
    name: &str,
    title: &str,
    arguments: Vec<Argument>,
    inputs: Vec<PathBuf>,
    outputs: Vec<Output>,
    work: Work,
    seconds: f64,
) -> Step {
    Step {
        name: name.to_owned(),
        title: title.to_owned(),
        action: Action::Program(Program { arguments, ..Program::default() }),
        inputs,
        outputs,
        directory: None,
        work,
        seconds,
    }
}

impl Step {
    fn program(&mut self) -> &mut Program {
        match &mut self.action {
            Action::Program(program) => program,
            _ => unreachable!("the steps here are programs"),
        }
    }

    /// Its standard output is a file.
    fn captures(&mut self, path: PathBuf) {
        self.program().capture = Some(path);
    }

    /// Goes on in `directory` where `marker` is in it.
    fn resumes(&mut self, directory: &str, marker: &str, arguments: Vec<Argument>) {
        self.directory = Some(directory.into());
        let marker = Path::new(directory).join(marker);
        self.program().resume = Some(Resume { marker, arguments });
    }
}
