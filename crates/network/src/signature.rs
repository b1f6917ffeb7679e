//! A name for what a network computes, down to the last bit.

use std::fmt;

use chess::{EncodingError, Game, HistoryFill, MoveIndex, Planes};
use sha2::{Digest, Sha256};

use crate::engine::{Engine, Outputs};
use crate::evaluator::EncodedPosition;

/// Plies between two positions taken from a game.
const INTERVAL: u32 = 3;

/// Plies of a game at the most, enough for bare positions and long histories.
const PLIES: u32 = 120;

/// Why there is no signature.
#[derive(Debug, thiserror::Error)]
pub enum SignatureError {
    /// The network's input format cannot express a position.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// An output is not a number, and a signature of it would mean nothing.
    #[error("{output} of position {position} is {value}")]
    NonFinite {
        /// Which output.
        output: &'static str,
        /// Index of the position among the [`sample_games`].
        position: usize,
        /// What it is.
        value: f32,
    },
}

/// SHA-256 over the bits of a network's outputs on a fixed set of positions.
///
/// Two builds that print the same signature of a network compute the same, whatever the batch,
/// the threads and the processor. A change of the numbers, wanted or not, changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature([u8; 32]);

impl Signature {
    /// Positions that the signature covers.
    pub const POSITIONS: usize = 64;

    /// The signature of `engine`'s network: over all policy logits, then the value logits, then
    /// the plies left, each as little-endian bits.
    ///
    /// # Errors
    ///
    /// Where an output is not finite.
    pub fn of(engine: &dyn Engine) -> Result<Self, SignatureError> {
        let format = engine.architecture().input_format;
        let games = sample_games(Self::POSITIONS);
        let planes = games.iter().map(|game| {
            let position = EncodedPosition::new(game, format, HistoryFill::default())?;
            Ok(position.planes)
        });
        let planes: Vec<Planes> = planes.collect::<Result<_, EncodingError>>()?;
        let Outputs { policy, value, moves_left, value_kind } = engine.evaluate(&planes);
        let mut hash = Sha256::new();
        add(&mut hash, "a policy logit", &policy, MoveIndex::COUNT)?;
        add(&mut hash, "a value logit", &value, value_kind.width())?;
        add(&mut hash, "the number of plies left", &moves_left, 1)?;
        Ok(Self(hash.finalize().into()))
    }
}

fn add(
    hash: &mut Sha256,
    output: &'static str,
    values: &[f32],
    width: usize,
) -> Result<(), SignatureError> {
    for (index, &value) in values.iter().enumerate() {
        if !value.is_finite() {
            return Err(SignatureError::NonFinite { output, position: index / width, value });
        }
        hash.update(value.to_le_bytes());
    }
    Ok(())
}

/// In hexadecimal.
impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// `count` positions with their histories, from games of random moves: the same ones for ever.
///
/// None is the start position, and none ends its game.
pub fn sample_games(count: usize) -> Vec<Game> {
    let (mut game, mut games) = (Game::new(), Vec::with_capacity(count));
    let mut state = 0;
    while games.len() < count {
        let mut moves: Vec<_> =
            game.legal_moves().into_iter().map(|legal| (game.uci(legal), legal)).collect();
        if moves.is_empty() || game.ply() == PLIES {
            game = Game::new();
            continue;
        }
        if game.ply() > 0 && game.ply().is_multiple_of(INTERVAL) {
            games.push(game.clone());
        }
        moves.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let (_, chosen) = moves[(split_mix(&mut state) % moves.len() as u64) as usize];
        game.play(chosen).expect("a legal move");
    }
    games
}

/// The next number of the SplitMix64 generator (Steele, Lea and Flood, 2014). It is written out
/// here because the positions must never change, and the numbers of a library may.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests;
