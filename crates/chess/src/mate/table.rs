//! What is proved of the positions met in one search.

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

/// A position's key and bounds. Sixteen bytes of key in halves, so that an entry takes 24 bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: [u64; 2],
    /// The search that wrote it, from 1. Another's entries count as empty.
    search: u32,
    bounds: Bounds,
}

/// A transposition table of fixed size. A full bucket gives up the entry with the least work in
/// its first place, any in its second.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Entry; 2]>,
    search: u32,
}

impl Table {
    /// 48 MiB of entries.
    pub(super) const DEFAULT_BUCKETS: usize = 1 << 20;

    /// An empty table. The number of buckets is a power of two, at most 2^32.
    pub(super) fn new(buckets: usize) -> Table {
        assert!(buckets.is_power_of_two());
        let empty = Entry { key: [0; 2], search: 0, bounds: Bounds::NOTHING };
        Table { buckets: vec![[empty; 2]; buckets], search: 1 }
    }

    /// Empties the table.
    pub(super) fn forget(&mut self) {
        self.search = self.search.checked_add(1).unwrap_or_else(|| {
            self.buckets.iter_mut().flatten().for_each(|entry| entry.search = 0);
            1
        });
    }

    /// What is known of the position with this key.
    pub(super) fn get(&self, key: u128) -> Bounds {
        let (key, bucket) = self.place(key);
        self.buckets[bucket]
            .iter()
            .find(|entry| entry.search == self.search && entry.key == key)
            .map_or(Bounds::NOTHING, |entry| entry.bounds)
    }

    /// Adds that mate is or is not forced within `moves`.
    pub(super) fn add(&mut self, key: u128, moves: u8, mate: bool, best: Option<usize>) {
        let search = self.search;
        let (key, bucket) = self.place(key);
        let bucket = &mut self.buckets[bucket];
        let present = bucket.iter_mut().find(|entry| entry.search == search && entry.key == key);
        if let Some(entry) = present {
            entry.bounds.add(moves, mate, best);
            return;
        }
        let replaceable = bucket[0].search != search || bucket[0].bounds.depth() <= moves;
        let mut bounds = Bounds::NOTHING;
        bounds.add(moves, mate, best);
        bucket[usize::from(!replaceable)] = Entry { key, search, bounds };
    }

    fn place(&self, key: u128) -> ([u64; 2], usize) {
        let halves = [key as u64, (key >> 64) as u64];
        (halves, halves[0] as usize & (self.buckets.len() - 1))
    }
}
