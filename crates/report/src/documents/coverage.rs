//! Lines of `searchless coverage --json`, and its curves.

use serde::Deserialize;

/// A network's coverage at one position by one distribution.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CoverageLine {
    /// The network, relative to the study.
    pub network: String,
    /// Name of the position.
    pub position: String,
    /// Plies of a sequence.
    pub depth: u32,
    /// [`super::RAW`] or [`super::TEMPERED`].
    pub sampling: String,
    /// Sequences that are possible.
    pub sequences: u64,
    /// Draws after which 95% of the mass is expected to have been seen; none above 10^15.
    pub draws_95: Option<u64>,
    /// The most probable sequence.
    pub likeliest: Likeliest,
}

/// A most probable sequence.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Likeliest {
    /// Its moves, in UCI notation.
    pub moves: Vec<String>,
    /// Its probability.
    pub probability: f64,
}

/// A point of a curve.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct CoverageSample {
    /// The network, relative to the study.
    pub network: String,
    /// Name of the position.
    pub position: String,
    /// [`super::RAW`] or [`super::TEMPERED`].
    pub sampling: String,
    /// Draws, at least 1.
    pub draws: u64,
    /// Expected mass of the distinct sequences among them.
    pub coverage: f64,
}
