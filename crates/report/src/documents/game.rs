//! Lines of `searchless inspect --each-ply --json`.

use serde::Deserialize;

/// A position of a game and what the network says of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GameLine {
    /// Plies played before it.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// The move that led to it, in SAN; none at the start.
    pub played: Option<String>,
    /// Win, draw and loss from the mover's view.
    pub wdl: [f64; 3],
    /// `white` or `black`.
    pub side_to_move: String,
    /// The adaptive temperature, the entropy of `wdl` in nats.
    pub tau: f64,
    /// Entropy of pi in nats; none where the game is over, as that of mu.
    pub entropy_raw: Option<f64>,
    /// Entropy of mu in nats.
    pub entropy_tempered: Option<f64>,
    /// The legal moves, the most probable first.
    pub moves: Vec<GameMove>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GameMove {
    /// In SAN.
    pub san: String,
    /// Its probability by pi.
    pub raw: f64,
    /// Its probability by mu.
    pub tempered: f64,
}
