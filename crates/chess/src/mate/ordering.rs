//! Which moves are tried first. No answer depends on it, only the time to find it.

use shakmaty::{Color, Move, MoveList, Role};

/// Plies of the deepest search.
const PLIES: usize = 2 * super::MateSolver::MOST_MOVES as usize;

/// What decided so far in a search.
#[derive(Debug)]
pub(super) struct Ordering {
    /// The last two moves that decided at each ply.
    deciders: [[Option<Move>; 2]; PLIES],
    /// How often a move decided, by colour, origin and destination: below [`HISTORY_CAP`].
    history: Vec<[[u16; 64]; 64]>,
}

// A score has 24 bits; the summands of each place leave the place above it free.
const HISTORY_CAP: u16 = 1 << 15;
/// Of a pawn's worth in a capture or promotion, of which one move has less than 32.
const GAIN: u32 = 1 << 12;
const DECIDER: u32 = 1 << 18;
const CHECK: u32 = 1 << 21;

impl Ordering {
    pub(super) fn new() -> Ordering {
        Ordering { deciders: [[None; 2]; PLIES], history: vec![[[0; 64]; 64]; 2] }
    }

    /// As it was when new.
    pub(super) fn forget(&mut self) {
        self.deciders.fill([None; 2]);
        self.history.fill([[0; 64]; 64]);
    }

    /// A move decided the position in which it was played: it mates within `moves`, or averts that.
    pub(super) fn decided(&mut self, ply: usize, side: Color, mv: Move, moves: u8) {
        let deciders = &mut self.deciders[ply];
        if deciders[0] != Some(mv) {
            *deciders = [Some(mv), deciders[0]];
        }
        let Some(from) = mv.from() else { return };
        let count = &mut self.history[side as usize][from as usize][mv.to() as usize];
        *count += u16::from(moves);
        if *count >= HISTORY_CAP {
            self.history
                .as_flattened_mut()
                .as_flattened_mut()
                .iter_mut()
                .for_each(|count| *count /= 2);
        }
    }

    /// The last moves that decided at this ply, the last one first.
    pub(super) fn deciders(&self, ply: usize) -> [Option<Move>; 2] {
        self.deciders[ply]
    }

    /// How early a move of the mating side is tried.
    pub(super) fn attack(&self, ply: usize, side: Color, mv: Move, check: bool) -> u32 {
        let decided = self.deciders[ply].contains(&Some(mv));
        self.reply(side, mv) + u32::from(decided) * DECIDER + u32::from(check) * CHECK
    }

    /// How early a reply is tried that did not decide lately.
    pub(super) fn reply(&self, side: Color, mv: Move) -> u32 {
        let from = mv.from().expect("standard chess has no drops");
        let history = self.history[side as usize][from as usize][mv.to() as usize];
        let worth = |role| match role {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 5,
            Role::Queen | Role::King => 9,
        };
        let gain = mv.capture().map_or(0, worth) + mv.promotion().map_or(0, worth);
        u32::from(history) + gain * GAIN
    }
}

/// The moves of a position, best first. They are scored only when those that are tried unseen are
/// spent, since one of these decides more often than not.
pub(super) struct Sorted<'a> {
    moves: &'a MoveList,
    /// Places of the moves that come first, whatever their scores.
    early: [Option<usize>; 3],
    /// How many of `early` are through.
    given: usize,
    /// A score in 24 bits above 255 less the place, for each move; 0 for those given.
    left: Option<[u32; 256]>,
}

impl<'a> Sorted<'a> {
    /// `moves` with the one at `first` before all, then `deciders`.
    pub(super) fn new(
        moves: &'a MoveList,
        first: Option<usize>,
        deciders: [Option<Move>; 2],
    ) -> Sorted<'a> {
        let [second, third] = deciders.map(|decider| {
            let place = moves.iter().position(|&mv| Some(mv) == decider);
            place.filter(|_| place != first)
        });
        Sorted { moves, early: [first, second, third], given: 0, left: None }
    }

    /// The next move and its place among the legal moves; of equal scores the first place.
    pub(super) fn next_by(&mut self, score: impl Fn(Move) -> u32) -> Option<(usize, Move)> {
        while self.given < self.early.len() {
            self.given += 1;
            if let Some(place) = self.early[self.given - 1] {
                return Some((place, self.moves[place]));
            }
        }
        let (early, moves) = (self.early, self.moves);
        let left = self.left.get_or_insert_with(|| {
            let mut left = [0; 256];
            for (place, &mv) in moves.iter().enumerate() {
                if !early.contains(&Some(place)) {
                    left[place] = (score(mv) + 1) << 8 | (255 - place as u32);
                }
            }
            left
        });
        let best = *left[..moves.len()].iter().max()?;
        if best == 0 {
            return None;
        }
        let place = 255 - (best & 255) as usize;
        left[place] = 0;
        Some((place, moves[place]))
    }
}
