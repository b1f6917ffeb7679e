//! The document of `searchless recovery --json`.

use chess::Game;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// What tuned networks recover of their base's failures, and give back.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RecoveryDocument {
    /// The base, relative to the study.
    pub base: String,
    /// Puzzles measured.
    pub puzzles: u64,
    /// One or two networks.
    pub tuned: Vec<TunedRecovery>,
    /// What each of two recovers alone; none for one.
    pub exclusive: Option<ExclusiveDocument>,
    /// Recovered positions.
    pub boards: Vec<RecoveredBoard>,
}

/// What one network does otherwise than its base.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct TunedRecovery {
    /// The network, relative to the study.
    pub network: String,
    /// Positions of the suite.
    pub positions: u64,
    /// Of these, those where the base is wrong.
    pub base_wrong: u64,
    /// Puzzles by what became of them.
    pub puzzles: PuzzleChanges,
    /// Recovered, by the base's probability of the solution.
    pub by_probability: Vec<RateBin>,
    /// Recovered, by the base's rank of the solution; `from` is the rank.
    pub by_rank: Vec<RateBin>,
    /// Given back, by the base's lead of its best move.
    pub by_lead: Vec<RateBin>,
    /// Positions recovered.
    pub recovered: PositionGroup,
    /// Positions where both are wrong.
    pub unrecovered: PositionGroup,
    /// Positions given back.
    pub given_back: PositionGroup,
}

/// Puzzles by what became of them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct PuzzleChanges {
    /// Only the tuned network solves them.
    pub gained: PuzzleGroup,
    /// Only the base solves them.
    pub given_back: PuzzleGroup,
}

/// Puzzles of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct PuzzleGroup {
    /// How many.
    pub count: u64,
    /// Mean of the known ratings.
    pub mean_rating: Option<f64>,
}

/// How often something happened within a range.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct RateBin {
    /// Beginning of the range.
    pub from: f64,
    /// Its end; none where it has none.
    pub to: Option<f64>,
    /// Positions.
    pub total: u64,
    /// Those in which it happened.
    pub happened: u64,
    /// Beginning of the Wilson 95% interval of the rate.
    pub low: f64,
    /// Its end.
    pub high: f64,
}

/// Positions of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct PositionGroup {
    /// How many.
    pub count: u64,
    /// Geometric mean of the base's probability of the solution.
    pub retention: Option<f64>,
    /// Median lead of the base's move over the solution.
    pub median_gap: Option<f64>,
    /// Median of the probability moved to the solution.
    pub median_mass_moved: Option<f64>,
}

/// What each of two networks recovers alone.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ExclusiveDocument {
    /// Puzzles that both gain.
    pub shared: PuzzleGroup,
    /// Of each network.
    pub alone: Vec<ExclusivePuzzles>,
}

/// Puzzles that one network alone gains.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ExclusivePuzzles {
    /// The network.
    pub network: String,
    /// How many.
    pub count: u64,
    /// Mean of the known ratings.
    pub mean_rating: Option<f64>,
    /// Median of the base's probability of the solution.
    pub median_base_probability: Option<f64>,
}

/// A recovered position.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct RecoveredBoard {
    /// Id of the puzzle.
    pub puzzle: String,
    /// Its rating.
    pub rating: Option<u32>,
    /// The network that recovers it.
    pub network: String,
    /// The position, from which a game can go on.
    #[serde(deserialize_with = "fen")]
    pub fen: String,
    /// The move before it, in UCI notation.
    pub last_move: Option<String>,
    /// The solutions and the networks' most probable moves.
    pub candidates: Vec<BoardCandidate>,
}

/// A move in a recovered position.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BoardCandidate {
    /// In UCI notation.
    pub uci: String,
    /// In SAN.
    pub san: String,
    /// Whether it solves the position.
    pub solves: bool,
    /// What each network says of it: the base, then the tuned ones.
    pub networks: Vec<BoardOpinion>,
    /// What an engine says; none without an engine, or where the game is over.
    pub engine: Option<EngineVerdict>,
    /// Why the game is over after the move.
    pub ending: Option<String>,
}

/// What a network says of a move.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct BoardOpinion {
    /// Its probability.
    pub probability: f64,
    /// The mover's expected score after it, `1 - v(s')`.
    pub value: f64,
}

/// What an engine says of a move, in the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineVerdict {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; below 0 where the mover is mated.
    Mate(i32),
}

fn fen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let fen = String::deserialize(deserializer)?;
    match Game::from_fen(&fen) {
        Ok(_) => Ok(fen),
        Err(error) => Err(D::Error::custom(error)),
    }
}
