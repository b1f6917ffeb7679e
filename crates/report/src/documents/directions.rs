//! The document of `searchless inspect --successors --json`.

use serde::Deserialize;

/// A position, the network's policy there, and its verdict on what each move leads to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct DirectionsDocument {
    /// The position.
    pub fen: String,
    /// The network's expected score of the mover, `v(s)` in [0, 1].
    pub value: f64,
    /// The legal moves, the most probable first.
    pub moves: Vec<SuccessorMove>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SuccessorMove {
    /// In SAN.
    pub san: String,
    /// Its probability by pi.
    pub probability: f64,
    /// The mover's expected score after it, `1 - v(s')`, or the outcome where the game is over.
    pub value: f64,
}
