//! What is proved of the positions met in one search.

use std::fmt;

/// Moves to mate that no search asks for: nothing is proved.
const NEVER: u8 = u8::MAX;
/// No move is known to be good.
const NO_MOVE: u16 = u16::MAX;

/// What is known of mate in a position: which side is to move belongs to the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// Mate is forced within this many moves of the mating side, or [`NEVER`].
    proved: u8,
    /// Mate is not forced within this many moves. 0 says nothing of a position in which there are
    /// legal moves.
    refuted: u8,
    /// Place of the move that decided last among the legal moves, or [`NO_MOVE`].
    best: u16,
}

impl Bounds {
    const NOTHING: Bounds = Bounds { proved: NEVER, refuted: 0, best: NO_MOVE };

    /// Whether mate is forced within `moves`, where that is known.
    pub(super) fn decided(self, moves: u8) -> Option<bool> {
        if moves >= self.proved {
            Some(true)
        } else if moves <= self.refuted {
            Some(false)
        } else {
            None
        }
    }

    /// Mate is known not to be forced within this many moves.
    pub(super) fn refuted(self) -> u8 {
        self.refuted
    }

    /// Place among the legal moves of the move to try first.
    pub(super) fn best(self) -> Option<usize> {
        (self.best != NO_MOVE).then_some(usize::from(self.best))
    }

    fn add(&mut self, moves: u8, mate: bool, best: Option<usize>) {
        if mate {
            self.proved = self.proved.min(moves);
        } else {
            self.refuted = self.refuted.max(moves);
        }
        debug_assert!(self.refuted < self.proved, "mate within {moves} both proved and refuted");
        if let Some(best) = best {
            self.best = u16::try_from(best).expect("at most 256 legal moves");
        }
    }

    /// How many moves deep the work was that stands here.
    fn depth(self) -> u8 {
        if self.proved == NEVER { self.refuted } else { self.proved }
    }
}

/// A position's key and what is known of it, as three words: all zero where nothing was written,
/// so that a new table costs no memory before it is used.
#[derive(Clone, Copy, Debug)]
struct Entry([u64; 3]);

impl Entry {
    /// `search` from 1.
    fn new(key: u128, search: u32, bounds: Bounds) -> Entry {
        let Bounds { proved, refuted, best } = bounds;
        let known = u64::from(search) << 32
            | u64::from(best) << 16
            | u64::from(proved) << 8
            | u64::from(refuted);
        Entry([key as u64, (key >> 64) as u64, known])
    }

    fn is_of(self, search: u32) -> bool {
        self.0[2] >> 32 == u64::from(search)
    }

    fn has_key(self, key: u128) -> bool {
        self.0[..2] == [key as u64, (key >> 64) as u64]
    }

    fn bounds(self) -> Bounds {
        let [.., best_high, best_low, proved, refuted] = self.0[2].to_be_bytes();
        Bounds { proved, refuted, best: u16::from_be_bytes([best_high, best_low]) }
    }
}

/// A transposition table of fixed size. A full bucket gives up what is in its second place, and
/// what is in its first for work as deep or deeper.
pub(super) struct Table {
    /// Buckets of two entries of three words.
    words: Vec<[[u64; 3]; 2]>,
    /// The search under way, from 1. Entries of others count as empty.
    search: u32,
}

impl Table {
    /// 48 MiB of entries.
    pub(super) const DEFAULT_BUCKETS: usize = 1 << 20;

    /// An empty table. The number of buckets is a power of two, at most 2^32.
    pub(super) fn new(buckets: usize) -> Table {
        assert!(buckets.is_power_of_two());
        Table { words: vec![[[0; 3]; 2]; buckets], search: 1 }
    }

    /// Empties the table.
    pub(super) fn forget(&mut self) {
        self.search = self.search.checked_add(1).unwrap_or_else(|| {
            self.words.fill([[0; 3]; 2]);
            1
        });
    }

    /// What is known of the position with this key.
    pub(super) fn get(&self, key: u128) -> Bounds {
        self.words[self.bucket(key)]
            .into_iter()
            .map(Entry)
            .find(|entry| entry.is_of(self.search) && entry.has_key(key))
            .map_or(Bounds::NOTHING, Entry::bounds)
    }

    /// Adds that mate is or is not forced within `moves`, and the place of the move that decided.
    pub(super) fn add(&mut self, key: u128, moves: u8, mate: bool, best: Option<usize>) {
        let (search, bucket) = (self.search, self.bucket(key));
        let entries = self.words[bucket].map(Entry);
        let present = entries.iter().position(|entry| entry.is_of(search) && entry.has_key(key));
        let (place, mut bounds) = match present {
            Some(place) => (place, entries[place].bounds()),
            None => {
                let kept = entries[0].is_of(search) && entries[0].bounds().depth() > moves;
                (usize::from(kept), Bounds::NOTHING)
            }
        };
        bounds.add(moves, mate, best);
        self.words[bucket][place] = Entry::new(key, search, bounds).0;
    }

    /// As after 2^32 - 2 searches.
    #[cfg(test)]
    pub(super) fn exhaust_numbers(&mut self) {
        self.search = u32::MAX;
    }

    fn bucket(&self, key: u128) -> usize {
        key as usize & (self.words.len() - 1)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Table").field("buckets", &self.words.len()).finish_non_exhaustive()
    }
}
