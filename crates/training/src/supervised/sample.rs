//! A position with what a network should say of it.

use chess::{Game, HistoryFill, InputFormat, Move, MoveIndex, Planes};
use network::EncodedPosition;
use policy::{MovePolicy, Wdl};

/// A position with the targets of policy and value.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What the network sees.
    pub planes: Planes,
    /// The legal moves, at least one.
    pub moves: Vec<MoveIndex>,
    /// What its policy should be, over `moves`.
    pub policy: MovePolicy,
    /// What its value should be, in the mover's view; `None` where that is not known.
    pub value: Option<Wdl>,
}

impl Sample {
    /// The position of `game` in which `solution` is to be played, all probability on it. `None`
    /// where the format cannot express the position.
    ///
    /// # Panics
    ///
    /// If the move is not legal.
    pub fn with_solution(
        game: &Game,
        solution: Move,
        format: InputFormat,
        fill: HistoryFill,
    ) -> Option<Self> {
        let EncodedPosition { planes, moves, .. } =
            EncodedPosition::new(game, format, fill).ok()?;
        let weights: Vec<f64> =
            moves.iter().map(|&(_, legal)| f64::from(u8::from(legal == solution))).collect();
        let policy = MovePolicy::from_weights(&weights).expect("the solution is a legal move");
        let moves = moves.into_iter().map(|(index, _)| index).collect();
        Some(Self { planes, moves, policy, value: None })
    }
}
