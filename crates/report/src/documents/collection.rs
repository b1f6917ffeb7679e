//! All that is known of a study.

use std::collections::BTreeMap;
use std::path::Path;

use study::{
    ArenaKind, Arm, Selection, SelfPlayTemperature, Study, StudyDirectory, SuiteRole, Variant,
};

use super::{
    CalibrationLine, CoverageLine, CoverageSample, DirectionsDocument, DocumentError,
    EvaluationLine, GameLine, MetricsLine, RAW, RatingsDocument, RecoveryDocument, ShapeLine,
    TEMPERED, read_curves, read_document, read_lines, read_metrics,
};

/// A study's description and its measurements; what was not measured is none.
#[derive(Clone, Debug)]
pub struct Documents {
    /// What the study is.
    pub study: Study,
    /// Which network stands for each variant; none before that is chosen.
    pub selection: Option<Selection>,
    /// By suite.
    pub evaluations: BTreeMap<SuiteRole, Vec<EvaluationLine>>,
    /// The forward KL at all betas.
    pub beta_curve: Option<Vec<EvaluationLine>>,
    /// Trajectory coverage.
    pub coverage: Option<Vec<CoverageLine>>,
    /// Its curves.
    pub curves: Option<Vec<CoverageSample>>,
    /// Policy shape.
    pub shape: Option<Vec<ShapeLine>>,
    /// Calibration of value heads.
    pub calibration: Option<Vec<CalibrationLine>>,
    /// What is recovered and given back.
    pub recovery: Option<RecoveryDocument>,
    /// By match.
    pub ratings: BTreeMap<ArenaKind, RatingsDocument>,
    /// By variant.
    pub metrics: BTreeMap<Variant, Vec<MetricsLine>>,
    /// One game, position by position.
    pub game: Option<Vec<GameLine>>,
    /// One position, move by move.
    pub directions: Option<DirectionsDocument>,
}

/// A network and the policy by which it plays where moves are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Configuration<'a> {
    /// The network.
    pub arm: &'a Arm,
    /// [`RAW`] or [`TEMPERED`].
    pub sampling: &'static str,
}

impl Documents {
    /// Reads all that is there.
    ///
    /// # Errors
    ///
    /// Where a file is there and does not hold what it should, or where there is no `study.json`.
    pub fn read(directory: &StudyDirectory) -> Result<Documents, DocumentError> {
        let study = directory.read_description()?;
        let selection = match directory.selection() {
            path if path.exists() => Some(directory.read_selection()?),
            _ => None,
        };
        let mut evaluations = BTreeMap::new();
        for role in SuiteRole::ALL {
            if let Some(lines) = read_lines(&directory.evaluation(role))? {
                evaluations.insert(role, lines);
            }
        }
        let mut ratings = BTreeMap::new();
        for kind in ArenaKind::ALL {
            if let Some(document) = read_document(&directory.ratings(kind))? {
                ratings.insert(kind, document);
            }
        }
        let mut metrics = BTreeMap::new();
        for arm in selection.iter().flat_map(|selection| &selection.arms) {
            // The puzzle-tuned network learns from puzzles: its steps have other numbers.
            let Variant::SelfPlay { .. } = arm.variant else { continue };
            let Some(path) = directory.metrics(arm) else { continue };
            if let Some(lines) = read_metrics(&path)? {
                metrics.insert(arm.variant, lines);
            }
        }
        Ok(Documents {
            study,
            selection,
            evaluations,
            beta_curve: read_lines(&directory.beta_curve())?,
            coverage: read_lines(&directory.coverage())?,
            curves: read_curves(&directory.coverage_curves())?,
            shape: read_lines(&directory.shape())?,
            calibration: read_lines(&directory.calibration())?,
            recovery: read_document(&directory.recovery())?,
            ratings,
            metrics,
            game: read_lines(&directory.game())?,
            directions: read_document(&directory.directions())?,
        })
    }

    /// The network that stands for `variant`.
    pub fn arm(&self, variant: Variant) -> Option<&Arm> {
        self.selection.as_ref()?.arm(variant)
    }

    /// What was measured of a network on a suite.
    pub fn evaluation(&self, role: SuiteRole, network: &Path) -> Option<&EvaluationLine> {
        let lines = self.evaluations.get(&role)?;
        lines.iter().find(|line| Path::new(&line.network) == network)
    }

    /// What was measured of the network that stands for `variant` on a suite.
    pub fn evaluation_of(&self, role: SuiteRole, variant: Variant) -> Option<&EvaluationLine> {
        self.evaluation(role, &self.arm(variant)?.network)
    }

    /// The networks as they play where moves are drawn, in the order of the paper's Table 5: the
    /// base raw and tempered, each arm by its policy of self-play.
    pub fn configurations(&self) -> Vec<Configuration<'_>> {
        let samplings = |variant: Variant| match variant {
            Variant::Base => &[RAW, TEMPERED][..],
            Variant::SelfPlay { temperature: SelfPlayTemperature::Adaptive, .. } => &[TEMPERED][..],
            Variant::SelfPlay { temperature: SelfPlayTemperature::One, .. } => &[RAW][..],
            Variant::PuzzleTuned => &[],
        };
        Variant::all()
            .into_iter()
            .filter_map(|variant| Some((variant, self.arm(variant)?)))
            .flat_map(|(variant, arm)| {
                samplings(variant).iter().map(move |sampling| Configuration { arm, sampling })
            })
            .collect()
    }

    /// The coverage of a configuration at a position.
    pub fn coverage_of(&self, at: Configuration<'_>, position: &str) -> Option<&CoverageLine> {
        self.coverage
            .as_ref()?
            .iter()
            .find(|line| at.is(&line.network, &line.sampling) && line.position == position)
    }

    /// The curve of a configuration at a position: draws and coverage.
    pub fn curve_of(&self, at: Configuration<'_>, position: &str) -> Vec<(f64, f64)> {
        let samples = self.curves.iter().flatten();
        samples
            .filter(|sample| {
                at.is(&sample.network, &sample.sampling) && sample.position == position
            })
            .map(|sample| (sample.draws as f64, sample.coverage))
            .collect()
    }

    /// The shape of a configuration.
    pub fn shape_of(&self, at: Configuration<'_>) -> Option<&ShapeLine> {
        self.shape.as_ref()?.iter().find(|line| at.is(&line.network, &line.sampling))
    }

    /// By how much a variant is better than the base in a match, with its interval.
    pub fn elo(&self, kind: ArenaKind, variant: Variant) -> Option<(f64, f64)> {
        let player = variant.key();
        self.ratings.get(&kind)?.difference(&player, &Variant::Base.key())
    }

    /// By how much a configuration is better than the raw base where moves are drawn.
    pub fn sampled_elo(&self, at: Configuration<'_>) -> Option<(f64, f64)> {
        let base = self.arm(Variant::Base)?;
        self.sampled_lead(Some(at), Some(Configuration { arm: base, sampling: RAW }))
    }

    /// By how much one configuration is better than another where moves are drawn.
    pub fn sampled_lead(
        &self,
        one: Option<Configuration<'_>>,
        other: Option<Configuration<'_>>,
    ) -> Option<(f64, f64)> {
        let ratings = self.ratings.get(&ArenaKind::Sampled)?;
        let player = |at: Configuration<'_>| {
            let names = match (at.arm.variant, at.sampling) {
                (Variant::Base, TEMPERED) => vec!["base-mu".to_owned()],
                (Variant::Base, _) => vec![Variant::Base.key()],
                (variant, _) => vec![at.arm.name.clone(), variant.key()],
            };
            names.into_iter().find(|name| ratings.players.iter().any(|found| found.name == *name))
        };
        ratings.difference(&player(one?)?, &player(other?)?)
    }
}

impl Configuration<'_> {
    fn is(&self, network: &str, sampling: &str) -> bool {
        Path::new(network) == self.arm.network && sampling == self.sampling
    }
}
