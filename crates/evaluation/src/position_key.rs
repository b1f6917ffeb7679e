//! What tells positions apart for a network.

use network::EncodedPosition;
use sha2::{Digest, Sha256};

/// A position as a network sees it, input planes and legal moves, in 128 bits of SHA-256.
///
/// Two positions of one key have the same outputs. White's position and its mirror image for Black
/// can be one position to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PositionKey([u8; 16]);

impl PositionKey {
    /// The key of an encoded position.
    pub(crate) fn of(position: &EncodedPosition) -> PositionKey {
        let mut hasher = Sha256::new();
        for mask in position.planes.masks {
            hasher.update(mask.to_le_bytes());
        }
        for value in position.planes.values {
            hasher.update(value.to_bits().to_le_bytes());
        }
        for (index, _) in &position.moves {
            hasher.update((index.get() as u64).to_le_bytes());
        }
        let digest = hasher.finalize();
        PositionKey(std::array::from_fn(|place| digest[place]))
    }
}
