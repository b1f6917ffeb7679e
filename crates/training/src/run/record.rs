//! What a run was, written so that it can be repeated.

use lc0::NetworkFile;
use network::HeadSelection;
use serde::{Deserialize, Serialize};

use crate::config::{ConfigError, FinetuneConfig};

#[cfg(test)]
mod tests;

/// What a run was: with the base's file, enough to repeat it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// Name and version of the program.
    pub program: String,
    /// The base network.
    pub base: BaseRecord,
    /// The settings, complete.
    pub finetune: FinetuneConfig,
    /// Where another program, or one on another device, went on with the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumption>,
}

/// A change of the program in the course of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumption {
    /// Steps made before.
    pub step: u64,
    /// Name and version of the program.
    pub program: String,
}

/// Which network a run started from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseRecord {
    /// Path as it was given.
    pub file: String,
    /// SHA-256 of the file in lower-case hexadecimal.
    pub sha256: String,
    /// Lc0's name of the policy head.
    pub policy_head: String,
    /// Lc0's name of the value head.
    pub value_head: String,
}

/// A base network that is not the one of the record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the recorded run has the base's {what} {recorded}, given is {given}")]
pub struct BaseMismatch {
    /// What differs.
    pub what: &'static str,
    /// What the record has.
    pub recorded: String,
    /// What was given.
    pub given: String,
}

/// A file of settings: these alone, or the record of a run that had them.
#[derive(Clone, Debug, PartialEq)]
pub enum Settings {
    /// Settings for any network.
    Plain(FinetuneConfig),
    /// A run to repeat.
    Record(RunConfig),
}

impl RunConfig {
    /// Notes which program goes on after `step`, where it is not the one that came before.
    pub(super) fn note_program(&mut self, step: u64, program: String) {
        let last = self.resumed.last().map_or(&self.program, |resumption| &resumption.program);
        if *last != program {
            self.resumed.push(Resumption { step, program });
        }
    }
}

impl BaseRecord {
    /// The record of a network file and the heads that are used of it.
    pub fn new(file: &NetworkFile, heads: HeadSelection) -> Self {
        Self {
            file: file.name().to_owned(),
            sha256: file.sha256().to_owned(),
            policy_head: heads.policy.name().to_owned(),
            value_head: heads.value.name().to_owned(),
        }
    }

    /// Whether `given` is the same network with the same heads, wherever its file is.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check(&self, given: &Self) -> Result<(), BaseMismatch> {
        let pairs = [
            ("SHA-256", &self.sha256, &given.sha256),
            ("policy head", &self.policy_head, &given.policy_head),
            ("value head", &self.value_head, &given.value_head),
        ];
        match pairs.into_iter().find(|(_, recorded, given)| recorded != given) {
            None => Ok(()),
            Some((what, recorded, given)) => {
                Err(BaseMismatch { what, recorded: recorded.clone(), given: given.clone() })
            }
        }
    }
}

impl Settings {
    /// Reads and validates settings or a record, told apart by the record's tables.
    ///
    /// # Errors
    ///
    /// As [`FinetuneConfig::from_toml`].
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let table: toml::Table = toml::from_str(text)?;
        if !table.contains_key("finetune") && !table.contains_key("base") {
            return FinetuneConfig::from_toml(text).map(Self::Plain);
        }
        let record: RunConfig = toml::from_str(text)?;
        record.finetune.validate()?;
        Ok(Self::Record(record))
    }
}
