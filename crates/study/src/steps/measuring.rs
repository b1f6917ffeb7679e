//! What is measured of networks without games.

use std::path::{Path, PathBuf};

use super::builder::{Builder, Command, network, words};
use super::cells::CURVE;
use crate::arm::{SelfPlayTemperature, Term, Variant};
use crate::cost::Cost;
use crate::description::SuiteRole;
use crate::step::{Argument, Output, Whole, Work};

/// Positions at which coverage is measured (paper, Figures 7 and 10).
const STARTS: [&str; 4] = ["initial", "ruy-lopez", "najdorf-english-attack", "qgd-tartakower"];
/// The distributions of a network of which each is a row: raw and tempered.
const DISTRIBUTIONS: u64 = 2;
/// Seconds of an engine's verdicts on the moves of a few positions.
const VERDICTS: f64 = 120.0;

impl Builder<'_> {
    /// Puzzles, coverage, shape.
    pub(super) fn measurements(&mut self) {
        let selected = self.selected();
        for (name, role, title, by) in [
            ("evaluate-uniform", SuiteRole::Uniform, "on the uniform suite", "rating"),
            ("evaluate-hard", SuiteRole::Hard, "on hard puzzles", "rating"),
            ("evaluate-mates", SuiteRole::Mates, "on mates", "mate-depth"),
        ] {
            let title = format!("evaluate the selected networks {title}");
            self.evaluate(name, role, &title, &selected, Some(by));
        }
        self.beta_curve();
        self.coverage();
        if self.sizes.shape_games > 0 {
            self.shape();
        }
        self.recovery();
        self.directions();
    }

    /// Networks on a suite, where it is there.
    pub(super) fn evaluate(
        &mut self,
        name: &'static str,
        role: SuiteRole,
        title: &str,
        networks: &[PathBuf],
        by: Option<&str>,
    ) {
        let to = self.place.evaluation(role);
        self.evaluate_to(name, role, title, networks, by, to);
    }

    fn evaluate_to(
        &mut self,
        name: &'static str,
        role: SuiteRole,
        title: &str,
        networks: &[PathBuf],
        by: Option<&str>,
        to: PathBuf,
    ) {
        let Some(suite) = self.suite(role) else { return };
        let suite = suite.path.clone();
        let mut arguments = words(["evaluate"]);
        arguments.extend(words(networks));
        arguments.extend(self.puzzles(role, &suite));
        if let Some(by) = by {
            arguments.extend(words(["--by", by]));
        }
        arguments.extend(self.seed());
        arguments.push("--json".into());
        arguments.extend(self.device());
        let puzzles = self.sizes.puzzles.get(&role).copied().unwrap_or_default();
        let lines = networks.len() as u64;
        self.capture(Command {
            name,
            title: title.to_owned(),
            arguments,
            inputs: networks.iter().cloned().chain([suite]).collect(),
            outputs: vec![Output { path: to, whole: Whole::JsonLines(Some(lines)) }],
            work: Work::Measuring,
            seconds: self.cost.puzzles(networks.len(), puzzles) + Cost::start(networks.len()),
        });
    }

    /// A suite, and where the answers are kept.
    fn puzzles(&self, role: SuiteRole, suite: &Path) -> Vec<Argument> {
        let mut arguments = words([Path::new("--suite"), suite]);
        arguments.extend(words([Path::new("--results"), &self.place.results()]));
        // A draw has the right number already.
        let limit = self.suite(role).and_then(|suite| suite.limit);
        if let Some(limit) = limit.filter(|_| role != SuiteRole::Mates) {
            arguments.extend(words(["--limit", &limit.to_string()]));
        }
        arguments
    }

    /// The forward KL at all coefficients (paper, Figure 5).
    fn beta_curve(&mut self) {
        let none =
            Variant::SelfPlay { term: Term::None, temperature: SelfPlayTemperature::Adaptive };
        let of = |variant| self.cells.iter().filter(move |cell| cell.variant == variant);
        let cells = of(none).chain(of(CURVE)).chain(self.half_decades);
        let networks: Vec<PathBuf> =
            [self.base()].into_iter().chain(cells.map(|cell| cell.network.clone())).collect();
        let title = "evaluate the forward KL at all coefficients on the uniform suite";
        let to = self.place.beta_curve();
        self.evaluate_to("beta-curve", SuiteRole::Uniform, title, &networks, None, to);
    }

    fn coverage(&mut self) {
        let networks = self.exploring();
        let curves = self.place.measurement("coverage.csv");
        let mut arguments = words(["coverage"]);
        arguments.extend(words(&networks));
        for start in STARTS {
            arguments.extend(words(["--from", start]));
        }
        arguments.extend(words(["--depth", &self.sizes.coverage_depth.to_string()]));
        arguments.extend(words(["--samples", "0"]));
        arguments.extend(words([Path::new("--csv"), &curves]));
        arguments.push("--json".into());
        arguments.extend(self.device());
        let lines = networks.len() as u64 * STARTS.len() as u64 * DISTRIBUTIONS;
        let depth = self.sizes.coverage_depth;
        let seconds = self.cost.coverage(networks.len(), STARTS.len() - 1, depth);
        self.capture(Command {
            name: "coverage",
            title: "measure trajectory coverage at four positions".to_owned(),
            arguments,
            outputs: vec![
                Output { path: self.place.coverage(), whole: Whole::JsonLines(Some(lines)) },
                Output::present(curves),
            ],
            work: Work::Measuring,
            seconds: seconds + Cost::start(networks.len()),
            inputs: networks,
        });
    }

    fn shape(&mut self) {
        let networks = self.exploring();
        let games = self.sizes.shape_games;
        let mut arguments = words(["shape"]);
        arguments.extend(words(&networks));
        arguments.extend(words(["--games", &games.to_string()]));
        arguments.extend(self.seed());
        arguments.push("--json".into());
        arguments.extend(self.device());
        let players = networks.len() as u64 * DISTRIBUTIONS;
        // The player and the base see every position.
        let seconds = 2.0 * self.cost.sampled_games(players * games);
        self.capture(Command {
            name: "shape",
            title: "measure policy shape".to_owned(),
            arguments,
            outputs: vec![Output {
                path: self.place.shape(),
                whole: Whole::JsonLines(Some(players)),
            }],
            work: Work::Playing,
            seconds: seconds + Cost::start(networks.len()),
            inputs: networks,
        });
    }

    /// The two anchored arms on the uniform suite (paper, Section 3.5).
    fn recovery(&mut self) {
        let role = SuiteRole::Uniform;
        let Some(suite) = self.suite(role) else { return };
        let suite = suite.path.clone();
        let anchored =
            |term| network(Variant::SelfPlay { term, temperature: SelfPlayTemperature::Adaptive });
        let networks = [self.base(), anchored(Term::ForwardKl), anchored(Term::ReverseKl)];
        let mut arguments = words(["recovery"]);
        arguments.extend(words(&networks));
        arguments.extend(self.puzzles(role, &suite));
        if let Some(engine) = &self.request.engine {
            arguments.extend(words(["--engine", engine]));
        }
        arguments.push("--json".into());
        arguments.extend(self.device());
        let verdicts = if self.request.engine.is_some() { VERDICTS } else { 0.0 };
        self.capture(Command {
            name: "recovery",
            title: "see what fine-tuning recovers".to_owned(),
            arguments,
            outputs: vec![Output { path: self.place.recovery(), whole: Whole::Json }],
            work: Work::Measuring,
            seconds: 5.0 + verdicts + Cost::start(networks.len()),
            inputs: networks.into_iter().chain([suite]).collect(),
        });
    }

    /// The base on a position and all that follow it (paper, Figure 2).
    fn directions(&mut self) {
        let base = self.base();
        let mut arguments = words([Path::new("inspect"), &base]);
        arguments.extend(words(["--moves", &self.facts.shown_position]));
        arguments.extend(words(["--successors", "--json"]));
        arguments.extend(self.device());
        let to = self.place.measurement("directions.json");
        self.capture(Command {
            name: "directions",
            title: "look at a position and its successors".to_owned(),
            arguments,
            inputs: vec![base],
            outputs: vec![Output { path: to, whole: Whole::Json }],
            work: Work::Measuring,
            seconds: 1.0 + Cost::start(1),
        });
    }
}
