//! Why training stops.

use chess::EncodingError;
use network::EngineError;
use policy::PolicyError;

use crate::config::ConfigError;

/// Why a step could not be made. The weights are those of the last good step.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// Settings out of range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The trained network and the base read positions differently.
    #[error("the trained network has input format {theta}, its base {base}; expected the same")]
    InputFormats {
        /// Lc0's number of the trained network's format.
        theta: u32,
        /// Lc0's number of the base's format.
        base: u32,
    },
    /// A reference network and the base read positions differently.
    #[error("{file} has input format {reference}, the base {base}; expected the same")]
    ReferenceFormat {
        /// File of the reference network.
        file: String,
        /// Lc0's number of its format.
        reference: u32,
        /// Lc0's number of the base's format.
        base: u32,
    },
    /// Other reference networks were given than the settings name.
    #[error("{given} reference networks are given, the settings name {expected}")]
    References {
        /// Networks given.
        given: usize,
        /// Networks of the settings.
        expected: usize,
    },
    /// A book was given that the settings do not name, or the other way around.
    #[error("an opening book needs both to be given and to be named in the settings")]
    OpeningBook,
    /// An opening from which no game can go on under the settings.
    #[error("{book}, line {line}: no game can begin here: {problem}")]
    Opening {
        /// Name of the book.
        book: String,
        /// Where the opening begins, from 1.
        line: u64,
        /// Why not.
        problem: String,
    },
    /// The network's input format cannot express a position.
    #[error("{}: {source}", name(*.step))]
    Encoding {
        /// Step, counted from 1; 0 is the warm start.
        step: u64,
        /// What cannot be expressed.
        source: EncodingError,
    },
    /// A network's output that is not a finite number.
    #[error("{}: the {term} of \"{fen}\": {source}", name(*.step))]
    NonFiniteOutput {
        /// Step, counted from 1; 0 is the warm start.
        step: u64,
        /// Which network's which output.
        term: &'static str,
        /// The position.
        fen: String,
        /// Which number it is.
        source: PolicyError,
    },
    /// A part of the loss, or its gradient, that is not a finite number.
    #[error("{}: the {term} of \"{fen}\" is {value}", name(*.step))]
    NonFiniteLoss {
        /// Step, counted from 1.
        step: u64,
        /// Which part.
        term: &'static str,
        /// The position.
        fen: String,
        /// Its value.
        value: f64,
    },
    /// The engine refuses the step: a gradient of the parameters is not finite.
    #[error("{}: {source}", name(*.step))]
    Engine {
        /// Step, counted from 1.
        step: u64,
        /// Which tensor, which value.
        source: EngineError,
    },
}

fn name(step: u64) -> String {
    if step == 0 { "warm start".to_owned() } else { format!("step {step}") }
}
