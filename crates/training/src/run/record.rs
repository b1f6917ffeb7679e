//! What a run was, written so that it can be repeated.

use lc0::NetworkFile;
use network::HeadSelection;
use serde::{Deserialize, Serialize};

use crate::config::{ConfigBuilder, ConfigError, FinetuneConfig, Preset, SavingConfig};

#[cfg(test)]
mod tests;

/// What a kind of run writes of itself into its directory.
pub trait RunRecord: Clone + PartialEq + Serialize {
    /// Reads a record and validates its settings; `None` where the text has settings alone.
    ///
    /// # Errors
    ///
    /// Where it is neither, [`ConfigError::OtherRun`] where it is a record of another kind.
    fn read(text: &str) -> Result<Option<Self>, ConfigError>;

    /// Steps that the run is to make.
    fn steps(&self) -> u64;

    /// When the run is saved.
    fn saving(&self) -> SavingConfig;
}

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
        Resumption::note(&mut self.resumed, &self.program, step, program);
    }
}

impl RunRecord for RunConfig {
    fn read(text: &str) -> Result<Option<Self>, ConfigError> {
        match Settings::from_toml(text)? {
            Settings::Record(record) => Ok(Some(record)),
            Settings::Plain(_) => Ok(None),
        }
    }

    fn steps(&self) -> u64 {
        self.finetune.steps
    }

    fn saving(&self) -> SavingConfig {
        self.finetune.saving
    }
}

impl Resumption {
    /// Notes in `resumed` which program goes on after `step` with a run that `first` began, where
    /// it is not the one that came before.
    pub(crate) fn note(resumed: &mut Vec<Self>, first: &str, step: u64, program: String) {
        let last = resumed.last().map_or(first, |resumption| &resumption.program);
        if last != program {
            resumed.push(Self { step, program });
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
        Self::layered(Some(text), None, &[])
    }

    /// Settings from their sources, later ones over earlier ones: `preset`, else the preset that
    /// the text names, else the paper's; then the keys of `text`, settings or the record of a run;
    /// then `assignments`, each `key=value` (see [`ConfigBuilder::assign`]).
    ///
    /// # Errors
    ///
    /// As [`FinetuneConfig::from_toml`], and where a preset is asked for beside a record: that has
    /// all keys, so that nothing would be left of the preset.
    pub fn layered(
        text: Option<&str>,
        preset: Option<Preset>,
        assignments: &[String],
    ) -> Result<Self, ConfigError> {
        let text = text.unwrap_or_default();
        let mut table: toml::Table = toml::from_str(text)?;
        if table.contains_key("train") {
            return Err(ConfigError::OtherRun { command: "train" });
        }
        let is_record = table.contains_key("finetune") || table.contains_key("base");
        let mut builder = if is_record {
            if let Some(preset) = preset {
                return Err(ConfigError::PresetOfRecord { preset: preset.name() });
            }
            let mut builder = ConfigBuilder::new(Preset::Paper);
            builder.merge_within("finetune", text)?;
            builder
        } else {
            let named = ConfigBuilder::preset_of(text)?;
            let mut builder = ConfigBuilder::new(preset.or(named).unwrap_or_default());
            builder.merge(text)?;
            builder
        };
        for assignment in assignments {
            builder.assign(assignment)?;
        }
        let config = builder.finish()?;
        if !is_record {
            return Ok(Self::Plain(config));
        }
        // What is left is read as it stands; only the settings have been told apart by key.
        if let Some(settings) = table.get_mut("finetune") {
            *settings = toml::Value::try_from(&config).expect("strings and numbers are TOML");
        }
        Ok(Self::Record(RunConfig::deserialize(table)?))
    }
}
