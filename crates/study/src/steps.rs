//! The steps of a study: what the paper did, as commands.

mod builder;
mod cells;
mod matches;
mod measuring;
mod networks;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::arm::Arm;
use crate::description::{SuiteRole, SuiteUsed};
use crate::request::Request;
use crate::sizes::Sizes;
use crate::step::Step;

use self::builder::Builder;
use self::cells::{half_decades, sweep_cells};

/// What the steps depend on beside the request.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The program and its version.
    pub program: String,
    /// Positions that the base evaluates in a second.
    pub forward_rate: f64,
    /// The moves of the position that Figure 2 shows, in UCI notation.
    pub shown_position: String,
}

/// The steps of a study of some size, and what there is to say of it.
pub(crate) struct Outline {
    /// In the order in which they are done.
    pub(crate) steps: Vec<Step>,
    /// The cells of the sweep.
    pub(crate) cells: Vec<Arm>,
    /// The cells of the curve alone.
    pub(crate) half_decades: Vec<Arm>,
    /// The suites as they are used.
    pub(crate) suites: Vec<SuiteUsed>,
    /// Files that the steps need and no step makes.
    pub(crate) files: BTreeMap<PathBuf, String>,
}

impl Outline {
    /// The steps of a study.
    pub(crate) fn new(request: &Request, facts: &Facts, sizes: &Sizes) -> Self {
        let cells = sweep_cells(sizes);
        let half_decades = half_decades(sizes);
        let mut builder = Builder::new(request, facts, sizes, &cells, &half_decades);
        builder.materials();
        builder.networks();
        builder.measurements();
        builder.matches();
        builder.games();
        builder.report();
        let Builder { steps, suites, files, .. } = builder;
        Self { steps, cells, half_decades, suites, files }
    }

    /// About how long all of it takes, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.steps.iter().map(|step| step.seconds).sum()
    }
}

/// What a study lacks without a suite.
pub(crate) fn without_suite(role: SuiteRole) -> &'static str {
    match role {
        SuiteRole::Selection => {
            "There is no selection suite: every arm stands with the coefficient 0.01, and the table \
             of coefficients is left out."
        }
        SuiteRole::Uniform => {
            "There is no uniform suite: accuracy on it, the curve of coefficients and recovery are \
             left out."
        }
        SuiteRole::Hard => "There is no suite of hard puzzles: accuracy on them is left out.",
        SuiteRole::Mates => "There is no suite of mates: accuracy by their length is left out.",
        SuiteRole::Pool => "There is no pool of puzzles: the puzzle-tuned control is left out.",
    }
}

#[cfg(test)]
pub(crate) mod tests;
