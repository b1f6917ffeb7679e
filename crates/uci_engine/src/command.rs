//! How an engine is started.

use std::path::PathBuf;
use std::time::Duration;

/// A program that speaks UCI, and how it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program: a path, or a name that is looked for on the search path.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// UCI options by name, set once before the first search. A name that the engine does not
    /// offer is an error.
    pub options: Vec<(String, String)>,
    /// Options that are set, before those, where the engine offers them.
    pub preferences: Vec<(String, String)>,
    /// How long it may take to start, and to answer `isready`.
    pub patience: Duration,
}

impl EngineCommand {
    /// The program `program` without arguments and with its own settings.
    pub fn new(program: impl Into<PathBuf>) -> EngineCommand {
        EngineCommand {
            program: program.into(),
            arguments: Vec::new(),
            options: Vec::new(),
            preferences: Vec::new(),
            patience: Duration::from_secs(30),
        }
    }

    /// Sets the option `name`; a value given before is replaced.
    #[must_use]
    pub fn with_option(mut self, name: &str, value: impl ToString) -> EngineCommand {
        self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.options.push((name.to_owned(), value.to_string()));
        self
    }

    /// Sets the option `name` where the engine offers it; [`EngineCommand::options`] win over it.
    #[must_use]
    pub fn with_preference(mut self, name: &str, value: impl ToString) -> EngineCommand {
        self.preferences.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.preferences.push((name.to_owned(), value.to_string()));
        self
    }

    /// What messages call it: the program's file name.
    pub fn name(&self) -> String {
        let name = self.program.file_name().unwrap_or(self.program.as_os_str());
        name.to_string_lossy().into_owned()
    }
}
