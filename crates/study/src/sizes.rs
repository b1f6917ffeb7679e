//! How large the parts of a study are.

use std::collections::BTreeMap;

use crate::description::{Scale, SuiteRole};
use crate::request::GivenSuite;

/// The coefficients from which each arm's is selected (paper, Table 6).
const DECADES: [f64; 5] = [1e-4, 1e-3, 1e-2, 1e-1, 1.0];
/// Those between them, for the curve alone (paper, Figure 5).
const HALF_DECADES: [f64; 4] = [3e-4, 3e-3, 3e-2, 3e-1];
/// The one that the paper selects for five of its six arms.
pub(crate) const HEADLINE: f64 = 1e-2;

/// How large the parts of a study are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sizes {
    /// Steps of each run.
    pub(crate) steps: u64,
    /// Games played side by side, and samples of a step of the control.
    pub(crate) games: u64,
    /// Coefficients of the sweep.
    pub(crate) betas: Vec<f64>,
    /// Coefficients of the curve alone.
    pub(crate) half_decades: Vec<f64>,
    /// Puzzles used of each suite.
    pub(crate) puzzles: BTreeMap<SuiteRole, u64>,
    /// Games of each pair of the argmax ladder.
    pub(crate) ladder_games: u64,
    /// Games of each network against the base.
    pub(crate) base_games: u64,
    /// Games of each pair of the sampled ladder.
    pub(crate) sampled_games: u64,
    /// Games of each player in which policy shape is measured.
    pub(crate) shape_games: u64,
    /// Moves of a trajectory.
    pub(crate) coverage_depth: u64,
    /// Whether the value heads' calibration is measured.
    pub(crate) calibration: bool,
}

/// What is left out of a study that is too large, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Omission {
    /// The coefficients between the decades.
    HalfDecades,
    /// The smallest and the largest coefficient.
    OuterBetas,
    /// The last move of trajectories.
    CoverageDepth,
    /// The value heads' calibration.
    Calibration,
    /// All coefficients but the paper's.
    OtherBetas,
    /// Policy shape.
    Shape,
    /// The ladder of sampled moves.
    SampledLadder,
    /// Another move of trajectories.
    CoverageDepthAgain,
    /// The matches against the base.
    AgainstBase,
}

impl Omission {
    /// All, in the order in which they are made.
    pub(crate) const ALL: [Self; 9] = [
        Self::HalfDecades,
        Self::OuterBetas,
        Self::CoverageDepth,
        Self::Calibration,
        Self::OtherBetas,
        Self::Shape,
        Self::SampledLadder,
        Self::CoverageDepthAgain,
        Self::AgainstBase,
    ];
}

impl Sizes {
    /// Those of a scale, with these suites.
    pub(crate) fn of(scale: Scale, suites: &[GivenSuite]) -> Self {
        let puzzles = suites
            .iter()
            .filter(|suite| suite.role != SuiteRole::Pool)
            .map(|suite| {
                let most = match (scale, suite.role) {
                    (Scale::Paper, _) => u64::MAX,
                    (Scale::Small, SuiteRole::Uniform) => 5_000,
                    (Scale::Small, _) => 2_000,
                };
                (suite.role, suite.puzzles.min(most))
            })
            .collect();
        let paper = Self {
            steps: 2_000,
            games: 1_024,
            betas: DECADES.to_vec(),
            half_decades: HALF_DECADES.to_vec(),
            puzzles,
            ladder_games: 200,
            base_games: 1_000,
            sampled_games: 200,
            shape_games: 100,
            coverage_depth: 4,
            calibration: true,
        };
        match scale {
            Scale::Paper => paper,
            Scale::Small => Self {
                steps: 300,
                games: 128,
                ladder_games: 100,
                base_games: 400,
                sampled_games: 60,
                shape_games: 40,
                ..paper
            },
        }
    }

    /// The same parts with about `factor` of the work each, as far as that is possible.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let part = |size: u64, factor: f64, least: u64| {
            ((size as f64 * factor).round() as u64).max(least).min(size)
        };
        // Pairs of games share an opening.
        let games = |size: u64| part(size / 2, factor, 1) * 2;
        // A run's work is the product of both.
        let root = factor.sqrt();
        let puzzles =
            self.puzzles.iter().map(|(&role, &puzzles)| (role, part(puzzles, factor, 10)));
        Self {
            steps: part(self.steps, root, 2),
            games: part(self.games, root, 2),
            puzzles: puzzles.collect(),
            ladder_games: games(self.ladder_games),
            base_games: games(self.base_games),
            sampled_games: games(self.sampled_games),
            shape_games: part(self.shape_games, factor, 1),
            ..self.clone()
        }
    }

    /// Without a part.
    pub(crate) fn without(mut self, omission: Omission) -> Self {
        let keep = |betas: &mut Vec<f64>, ends: bool| {
            betas.retain(|&beta| {
                beta == HEADLINE || (!ends && beta != DECADES[0] && beta != DECADES[4])
            });
        };
        match omission {
            Omission::HalfDecades => self.half_decades.clear(),
            Omission::OuterBetas => keep(&mut self.betas, false),
            Omission::OtherBetas => keep(&mut self.betas, true),
            Omission::CoverageDepth | Omission::CoverageDepthAgain => self.coverage_depth -= 1,
            Omission::Calibration => self.calibration = false,
            Omission::Shape => self.shape_games = 0,
            Omission::SampledLadder => self.sampled_games = 0,
            Omission::AgainstBase => self.base_games = 0,
        }
        self
    }

    /// What is smaller than in `full` or not there, a sentence each.
    pub(crate) fn cuts(&self, full: &Self) -> Vec<String> {
        let mut cuts = Vec::new();
        let betas = |betas: &[f64]| betas.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
        if self.half_decades != full.half_decades {
            let left_out = betas(&full.half_decades);
            cuts.push(format!("The coefficients {left_out} of the curve are left out."));
        }
        if self.betas != full.betas {
            let left_out: Vec<f64> =
                full.betas.iter().copied().filter(|beta| !self.betas.contains(beta)).collect();
            cuts.push(format!("The coefficients {} are left out.", betas(&left_out)));
        }
        let mut smaller = |what: &str, is: u64, was: u64| {
            if is == 0 && was > 0 {
                cuts.push(format!("{what} left out."));
            } else if is != was {
                cuts.push(format!("{what} {is} instead of {was}."));
            }
        };
        smaller("Steps of each run:", self.steps, full.steps);
        smaller("Games played side by side:", self.games, full.games);
        for (role, &was) in &full.puzzles {
            let is = self.puzzles.get(role).copied().unwrap_or_default();
            smaller(&format!("Puzzles of the suite {}:", role.key()), is, was);
        }
        smaller("Games of each pair of the argmax ladder:", self.ladder_games, full.ladder_games);
        smaller("Games of each network against the base:", self.base_games, full.base_games);
        smaller(
            "Games of each pair of the sampled ladder:",
            self.sampled_games,
            full.sampled_games,
        );
        smaller("Games of each player for policy shape:", self.shape_games, full.shape_games);
        smaller("Moves of a trajectory:", self.coverage_depth, full.coverage_depth);
        if full.calibration && !self.calibration {
            cuts.push("Calibration of the value heads: left out.".to_owned());
        }
        cuts
    }
}
