//! What tells puzzles apart.

use std::collections::HashSet;

use chess::puzzle::Puzzle;
use sha2::{Digest, Sha256};

/// The first 128 bits of SHA-256: among five million texts two have the same with a probability
/// under 10^-25.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fingerprint(u128);

impl Fingerprint {
    pub(super) fn of(parts: &[&[u8]]) -> Fingerprint {
        let mut hasher = Sha256::new();
        for part in parts {
            // With its length before it, so that no two lists of parts are the same bytes.
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let digest = hasher.finalize();
        Fingerprint(u128::from_be_bytes(std::array::from_fn(|place| digest[place])))
    }

    /// The number of this thing in a draw for the purpose `what`: its own, and another for each
    /// seed.
    pub(super) fn drawn(self, what: &[u8], seed: &[u8]) -> Fingerprint {
        Fingerprint::of(&[what, seed, &self.0.to_le_bytes()])
    }

    /// `count` letters and digits that begin it, at most 24.
    pub(super) fn letters(self, count: usize) -> String {
        const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
        let mut rest = self.0;
        let mut letter = || {
            let digit = DIGITS[(rest % 36) as usize];
            rest /= 36;
            char::from(digit)
        };
        (0..count).map(|_| letter()).collect()
    }
}

/// Ids and positions of puzzles, in some 70 bytes a puzzle.
#[derive(Debug, Default)]
pub(super) struct Identities {
    ids: HashSet<Fingerprint>,
    positions: HashSet<Fingerprint>,
}

/// What a puzzle has in common with an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    Id,
    Position,
}

/// A puzzle's id and the position to solve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    id: Fingerprint,
    position: Fingerprint,
}

impl Identity {
    pub(super) fn of(puzzle: &Puzzle) -> Identity {
        Identity {
            id: Fingerprint::of(&[puzzle.id.as_bytes()]),
            position: Fingerprint::of(&[puzzle.position_key().as_bytes()]),
        }
    }
}

impl Identities {
    /// What `identity` shares with those added, if anything; the id is looked at first.
    pub(super) fn shared(&self, identity: Identity) -> Option<Shared> {
        if self.ids.contains(&identity.id) {
            Some(Shared::Id)
        } else if self.positions.contains(&identity.position) {
            Some(Shared::Position)
        } else {
            None
        }
    }

    pub(super) fn add(&mut self, identity: Identity) {
        self.ids.insert(identity.id);
        self.positions.insert(identity.position);
    }
}
