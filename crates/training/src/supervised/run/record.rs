//! What a supervised run was, written so that it can be repeated.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::config::{ConfigError, SavingConfig};
use crate::run::{BaseRecord, Resumption, RunRecord};
use crate::supervised::{SupervisedConfig, TrainingData};

#[cfg(test)]
mod tests;

/// What a supervised run was: with the base's file and the samples' files, enough to repeat it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupervisedRecord {
    /// Name and version of the program.
    pub program: String,
    /// The base network.
    pub base: BaseRecord,
    /// The settings, complete.
    pub train: SupervisedConfig,
    /// Where another program, or one on another device, went on with the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumption>,
}

/// A file of settings: these alone, or the record of a run that had them.
#[derive(Clone, Debug, PartialEq)]
pub enum SupervisedSettings {
    /// Settings for any network.
    Plain(SupervisedConfig),
    /// A run to repeat.
    Record(SupervisedRecord),
}

impl SupervisedRecord {
    /// Notes which program goes on after `step`, where it is not the one that came before.
    pub(super) fn note_program(&mut self, step: u64, program: String) {
        Resumption::note(&mut self.resumed, &self.program, step, program);
    }
}

impl RunRecord for SupervisedRecord {
    fn read(text: &str) -> Result<Option<Self>, ConfigError> {
        match SupervisedSettings::from_toml(text, None)? {
            SupervisedSettings::Record(record) => Ok(Some(record)),
            SupervisedSettings::Plain(_) => Ok(None),
        }
    }

    fn steps(&self) -> u64 {
        self.train.steps
    }

    fn saving(&self) -> SavingConfig {
        self.train.saving
    }
}

impl SupervisedSettings {
    /// Reads and validates settings or a record, told apart by the record's tables. `data` takes
    /// the place of the files that the text names, which need not name any then.
    ///
    /// # Errors
    ///
    /// Where the text is not TOML, a key is unknown, a value is of a wrong type or out of range,
    /// no files are named, or it is the record of a run of another kind.
    pub fn from_toml(text: &str, data: Option<&TrainingData>) -> Result<Self, ConfigError> {
        let mut table: Table = toml::from_str(text)?;
        if table.contains_key("finetune") {
            return Err(ConfigError::OtherRun { command: "finetune" });
        }
        let is_record = table.contains_key("train") || table.contains_key("base");
        let settings = if is_record {
            Self::Record(match data {
                None => toml::from_str(text)?,
                Some(data) => {
                    replace_data(table.get_mut("train").and_then(Value::as_table_mut), data);
                    SupervisedRecord::deserialize(table)?
                }
            })
        } else {
            Self::Plain(match data {
                // From the text itself, so that an error names the line.
                None => toml::from_str(text)?,
                Some(data) => {
                    replace_data(Some(&mut table), data);
                    SupervisedConfig::deserialize(table)?
                }
            })
        };
        settings.config().validate()?;
        Ok(settings)
    }

    /// The settings.
    pub fn config(&self) -> &SupervisedConfig {
        match self {
            Self::Plain(config) => config,
            Self::Record(record) => &record.train,
        }
    }
}

fn replace_data(settings: Option<&mut Table>, data: &TrainingData) {
    if let Some(settings) = settings {
        let data = Value::try_from(data).expect("strings and numbers are TOML");
        settings.insert("data".to_owned(), data);
    }
}
