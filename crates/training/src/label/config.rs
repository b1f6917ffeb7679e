//! What labelling is told.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use uci_engine::EngineCommand;

use crate::config::ConfigError;

/// Everything that determines labels, given the files and the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelConfig {
    /// Lc0's number of the input format in which positions are recorded.
    pub input_format: u32,
    /// Positions that make one chunk, in 1..=65,536.
    pub chunk: usize,
    /// Positions that are labelled at the most; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Who labels.
    pub teacher: TeacherConfig,
    /// Where positions come from, in this order.
    pub sources: Vec<PositionSource>,
    /// Puzzle files whose positions are kept out: the suites that a network will be measured with.
    #[serde(default)]
    pub exclude: Vec<PathBuf>,
}

/// An engine and how its search becomes a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeacherConfig {
    /// The engine: a path, or a name on the search path.
    pub program: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// UCI options by name.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// Nodes of a search, at least 1.
    pub nodes: u64,
    /// The best moves that it shows (`MultiPV`), at least 1.
    pub variations: u32,
    /// Temperature of the target over moves, in units of expected score, above 0; see
    /// [`SearchTarget`](super::SearchTarget).
    pub temperature: f64,
    /// Seconds that a search may take before the engine counts as hung; its start may take at least
    /// half a minute.
    pub patience_seconds: f64,
}

/// A file of positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PositionSource {
    /// Puzzles: the positions in which the solver is to move.
    Puzzles(PathBuf),
    /// Puzzles: every position of the marked line before its last move, that before the
    /// opponent's first move too.
    PuzzleLines(PathBuf),
    /// Games in PGN: every position in which a move was played.
    Games(PathBuf),
}

impl PositionSource {
    /// The file.
    pub fn path(&self) -> &std::path::Path {
        match self {
            PositionSource::Puzzles(path)
            | PositionSource::PuzzleLines(path)
            | PositionSource::Games(path) => path,
        }
    }
}

impl LabelConfig {
    /// Checks every value's range.
    ///
    /// # Errors
    ///
    /// [`ConfigError::OutOfRange`] for the first value outside its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let within = |key, value: String, valid, expected| match valid {
            true => Ok(()),
            false => Err(ConfigError::OutOfRange { key, value, expected }),
        };
        let format = self.input_format;
        let known = chess::InputFormat::from_id(format).is_some();
        within("input_format", format.to_string(), known, "1 to 5, 132 or 133")?;
        let chunk = self.chunk;
        within("chunk", chunk.to_string(), (1..=65_536).contains(&chunk), "1 to 65536")?;
        within("sources", "[]".to_owned(), !self.sources.is_empty(), "at least one file")?;
        let teacher = &self.teacher;
        within("teacher.nodes", teacher.nodes.to_string(), teacher.nodes >= 1, "at least 1")?;
        let variations = teacher.variations;
        let valid = (1..=256).contains(&variations);
        within("teacher.variations", variations.to_string(), valid, "1 to 256")?;
        let temperature = teacher.temperature;
        let valid = temperature.is_finite() && temperature > 0.0;
        within("teacher.temperature", temperature.to_string(), valid, "a number above 0")?;
        let patience = teacher.patience_seconds;
        let valid = patience > 0.0 && Duration::try_from_secs_f64(patience).is_ok();
        within("teacher.patience_seconds", patience.to_string(), valid, "a number above 0")
    }
}

impl TeacherConfig {
    /// How the engine is started: one thread and a small hash table, which `options` may change.
    /// Each position is searched with nothing remembered, so that a label depends on nothing but
    /// its position.
    pub fn command(&self) -> EngineCommand {
        let mut command = EngineCommand::new(&self.program)
            .with_preference("Threads", 1)
            .with_preference("Hash", 4)
            .with_preference("UCI_ShowWDL", true);
        // On a busy machine starting takes as long as a search.
        command.patience = command.patience.max(self.patience());
        command.arguments.clone_from(&self.arguments);
        command.options.clone_from(&self.options);
        if self.variations > 1 {
            command = command.with_option("MultiPV", self.variations);
        }
        command
    }

    /// How long a search may take.
    pub fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.patience_seconds)
    }
}
