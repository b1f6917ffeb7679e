//! The prior of the exploration term: the base's policy, or a mixture of several networks'.

use std::sync::Arc;

use chess::Planes;
use lc0::NetworkFile;
use network::{Engine, Outputs, PolicyHeadName};
use policy::{MovePolicy, PolicyError, Temperature};
use serde::{Deserialize, Serialize};

use crate::config::FinetuneConfig;
use crate::error::TrainingError;
use crate::materials::{FileMismatch, Materials, same_file};
use crate::objective::ExplorationTerm;
use crate::self_play::LiveGame;

#[cfg(test)]
mod tests;

/// A further reference network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReferenceConfig {
    /// Path of its Lc0 network file; it must read positions as the base does.
    pub file: String,
    /// Its weight in the mixture, beside the base's, at least 0. Only proportions matter.
    pub weight: f64,
    /// Lc0's name of its policy head.
    pub policy_head: String,
    /// SHA-256 of the file in hexadecimal, to be sure that it is the same; a run records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Default for ReferenceConfig {
    fn default() -> Self {
        Self {
            file: String::new(),
            weight: 1.0,
            policy_head: PolicyHeadName::default().name().to_owned(),
            sha256: None,
        }
    }
}

impl ReferenceConfig {
    /// Sees that `file` is the network that is meant, and remembers its sum.
    ///
    /// # Errors
    ///
    /// Where its SHA-256 is another than the one given here.
    pub fn pin(&mut self, file: &NetworkFile) -> Result<(), FileMismatch> {
        same_file(&self.file, &mut self.sha256, file.sha256())
    }
}

/// The networks beside the base whose policies make the prior.
pub(crate) struct References {
    engines: Vec<Arc<dyn Engine>>,
    /// The base's, then one for each engine.
    weights: Vec<f64>,
}

impl References {
    /// Those that the settings name; none where the exploration term has no prior.
    ///
    /// # Errors
    ///
    /// Where they are not those of the settings in number, or read positions differently.
    pub(crate) fn new(
        config: &FinetuneConfig,
        materials: &Materials,
        base: &dyn Engine,
    ) -> Result<Self, TrainingError> {
        let (expected, given) = (config.references.len(), materials.references.len());
        if expected != given {
            return Err(TrainingError::References { given, expected });
        }
        let format = base.architecture().input_format;
        for (settings, engine) in config.references.iter().zip(&materials.references) {
            let found = engine.architecture().input_format;
            if found != format {
                return Err(TrainingError::ReferenceFormat {
                    file: settings.file.clone(),
                    reference: found.id(),
                    base: format.id(),
                });
            }
        }
        let has_prior = match config.exploration {
            ExplorationTerm::ForwardKl | ExplorationTerm::ReverseKl => true,
            ExplorationTerm::None | ExplorationTerm::EntropyBonus => false,
        };
        let mut weights = vec![config.base_weight];
        let mut engines = Vec::new();
        if has_prior {
            weights.extend(config.references.iter().map(|reference| reference.weight));
            engines.clone_from(&materials.references);
        }
        Ok(Self { engines, weights })
    }

    /// What each of the networks says of the positions.
    pub(crate) fn evaluate(&self, planes: &[Planes]) -> Vec<Outputs> {
        self.engines.iter().map(|engine| engine.evaluate(planes)).collect()
    }

    /// The prior in the position `row` of those evaluated: to the bit `base`, its policy by the
    /// base, where there are no further networks.
    pub(crate) fn prior(
        &self,
        base: &MovePolicy,
        evaluated: &[Outputs],
        row: usize,
        live: &LiveGame,
    ) -> Result<MovePolicy, PolicyError> {
        if evaluated.is_empty() {
            return Ok(base.clone());
        }
        let policy =
            |outputs| MovePolicy::from_logits(&live.logits(outputs, row), Temperature::ONE);
        let others: Vec<MovePolicy> = evaluated.iter().map(policy).collect::<Result<_, _>>()?;
        let policies: Vec<&MovePolicy> = std::iter::once(base).chain(&others).collect();
        MovePolicy::mixture(&self.weights, &policies)
    }
}
