//! What is wrong with a configuration.

use super::preset::UnknownPreset;

/// A configuration that cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// A value outside its range, or of a type that the key does not have.
    #[error("{key} = {value}, expected {expected}")]
    OutOfRange {
        /// Name of the key, with its table: `optimiser.beta1`.
        key: &'static str,
        /// What was given.
        value: String,
        /// What may be given.
        expected: &'static str,
    },
    /// A key that there is not.
    #[error("unknown key `{key}`{}", suggestion(*.nearest))]
    UnknownKey {
        /// As it was given, with its table.
        key: String,
        /// The known key that is most like it, if one is.
        nearest: Option<&'static str>,
    },
    /// One value where there should be a table of keys.
    #[error("{key} = {value}, expected a table of keys")]
    NotATable {
        /// Name of the table.
        key: String,
        /// What was given.
        value: String,
    },
    /// A key of a list, which has no value of its own.
    #[error(
        "{key} is a key of a list, which is set as a whole: {list}=[{{file=\"a.pb.gz\", weight=1}}]"
    )]
    PartOfList {
        /// Name of the key.
        key: String,
        /// Name of the list.
        list: &'static str,
    },
    /// The key `preset` has a value that names none.
    #[error(transparent)]
    Preset(#[from] UnknownPreset),
    /// A preset beside a record, whose keys are complete.
    #[error("the record of a run has all keys, so that the preset {preset} would change nothing")]
    PresetOfRecord {
        /// The preset asked for.
        preset: &'static str,
    },
    /// The record of a run of another kind.
    #[error("the record of another kind of run: that of searchless {command}")]
    OtherRun {
        /// The command of such runs.
        command: &'static str,
    },
    /// An argument that sets no key.
    #[error("\"{argument}\", expected KEY=VALUE")]
    NoAssignment {
        /// The argument.
        argument: String,
    },
    /// The line of a file on which something is wrong.
    #[error("line {line}: {source}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        source: Box<ConfigError>,
    },
    /// Text that is no configuration; the message names line and column.
    #[error(transparent)]
    Syntax(#[from] toml::de::Error),
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |nearest| format!("; did you mean `{nearest}`?"))
}
