//! What can go wrong with an engine.

use std::io;
use std::time::Duration;

/// Why an engine gave no answer.
#[derive(Debug, thiserror::Error)]
#[error("engine {engine}: {problem}")]
pub struct EngineError {
    /// The name of its program.
    pub engine: String,
    /// What happened.
    #[source]
    pub problem: EngineProblem,
}

/// What happened to an engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineProblem {
    /// It cannot be started.
    #[error("cannot be started: {0}")]
    Start(#[source] io::Error),
    /// Its process ended, or closed its output.
    #[error("ended{}{}", .status.as_ref().map(|status| format!(" ({status})")).unwrap_or_default(), last(.last_line))]
    Ended {
        /// How the process ended, where that is known.
        status: Option<String>,
        /// The last line that it wrote.
        last_line: Option<String>,
    },
    /// It did not answer in time.
    #[error("no {awaited} within {:.1} s", .patience.as_secs_f64())]
    Silent {
        /// What it owed.
        awaited: &'static str,
        /// How long it had.
        patience: Duration,
    },
    /// It wrote on and on without answering.
    #[error("wrote more than {limit} lines without {awaited}")]
    Flood {
        /// What it owed.
        awaited: &'static str,
        /// Lines that it may write.
        limit: usize,
    },
    /// It does not know an option.
    #[error("has no option \"{option}\"; it offers {}", .offered.join(", "))]
    UnknownOption {
        /// What was to be set.
        option: String,
        /// What it offers.
        offered: Vec<String>,
    },
    /// An option's name or value would end its line.
    #[error("option \"{option}\" has a line break in its name or value")]
    OptionText {
        /// What was to be set.
        option: String,
    },
    /// It answered with what is no legal move.
    #[error("played \"{answer}\", which is no legal move in \"{fen}\"")]
    IllegalMove {
        /// What it said.
        answer: String,
        /// The position.
        fen: String,
    },
}

impl EngineProblem {
    /// Its kind in words, the same for every position that meets it.
    pub fn kind(&self) -> &'static str {
        match self {
            EngineProblem::Ended { .. } => "the engine ended",
            EngineProblem::Silent { .. } => "the engine did not answer",
            EngineProblem::Flood { .. } => "the engine did not come to an end",
            EngineProblem::IllegalMove { .. } => "the engine played an illegal move",
            EngineProblem::Start(_)
            | EngineProblem::UnknownOption { .. }
            | EngineProblem::OptionText { .. } => "the engine could not be started",
        }
    }

    pub(crate) fn of(self, engine: &str) -> EngineError {
        EngineError { engine: engine.to_owned(), problem: self }
    }
}

fn last(line: &Option<String>) -> String {
    line.as_ref().map(|line| format!("; its last line was \"{line}\"")).unwrap_or_default()
}
