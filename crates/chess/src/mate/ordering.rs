//! Which moves are tried first. No answer depends on it, only the time to find it.

use shakmaty::{Color, Move, MoveList, Role};

/// Plies of the deepest search.
const PLIES: usize = 2 * super::MateSolver::MOST_MOVES as usize;

/// What decided so far in a search.
#[derive(Debug)]
pub(super) struct Ordering {
    /// The last two moves that decided at each ply.
    deciders: [[Option<Move>; 2]; PLIES],
    /// How often a move decided, by colour, origin and destination.
    history: Vec<[[u32; 64]; 64]>,
}

impl Ordering {
    pub(super) fn new() -> Ordering {
        Ordering { deciders: [[None; 2]; PLIES], history: vec![[[0; 64]; 64]; 2] }
    }

    /// As it was when new.
    pub(super) fn forget(&mut self) {
        self.deciders.fill([None; 2]);
        self.history.iter_mut().for_each(|side| *side = [[0; 64]; 64]);
    }

    /// A move decided the position in which it was played.
    pub(super) fn decided(&mut self, ply: usize, side: Color, mv: Move, moves: u8) {
        let deciders = &mut self.deciders[ply];
        if deciders[0] != Some(mv) {
            deciders[1] = deciders[0];
            deciders[0] = Some(mv);
        }
        if let Some(from) = mv.from() {
            let count = &mut self.history[side as usize][from as usize][mv.to() as usize];
            *count = count.saturating_add(u32::from(moves)).min(HISTORY_CAP);
        }
    }

    fn history(&self, side: Color, mv: Move) -> u32 {
        mv.from().map_or(0, |from| self.history[side as usize][from as usize][mv.to() as usize])
    }

    /// How early a move of the mating side is tried.
    pub(super) fn attack(&self, ply: usize, side: Color, mv: Move, check: bool) -> u32 {
        let mut score = self.history(side, mv);
        if check {
            score += CHECK;
        }
        if self.deciders[ply].contains(&Some(mv)) {
            score += DECIDER;
        }
        score + gain(mv)
    }

    /// How early a reply is tried.
    pub(super) fn reply(&self, ply: usize, side: Color, mv: Move) -> u32 {
        let mut score = self.history(side, mv);
        if self.deciders[ply][0] == Some(mv) {
            score += 2 * DECIDER;
        } else if self.deciders[ply][1] == Some(mv) {
            score += DECIDER;
        }
        score + gain(mv)
    }
}

const HISTORY_CAP: u32 = 1 << 20;
const DECIDER: u32 = 1 << 24;
const CHECK: u32 = 1 << 26;
/// Above all other scores together.
const FIRST: u32 = 1 << 30;

/// What a capture or a promotion is worth against [`HISTORY_CAP`].
fn gain(mv: Move) -> u32 {
    let captured = mv.capture().map_or(0, |role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen | Role::King => 9,
    });
    (captured + 8 * u32::from(mv.promotion() == Some(Role::Queen))) << 17
}

/// Moves, best first, sorted as far as they are asked for.
pub(super) struct Sorted {
    moves: MoveList,
    /// Score and place among the legal moves of each move not yet given.
    left: [(u32, u16); 256],
    given: usize,
}

impl Sorted {
    /// `moves` by falling `score`, but the one at `first` before all. Equal ones keep the legal
    /// moves' order.
    pub(super) fn new(
        moves: MoveList,
        first: Option<usize>,
        mut score: impl FnMut(Move) -> u32,
    ) -> Sorted {
        let mut left = [(0, 0); 256];
        for (place, &mv) in moves.iter().enumerate() {
            let score = if first == Some(place) { FIRST } else { score(mv) };
            left[place] = (score, place as u16);
        }
        Sorted { moves, left, given: 0 }
    }
}

impl Iterator for Sorted {
    /// A move and its place among the legal moves.
    type Item = (usize, Move);

    fn next(&mut self) -> Option<(usize, Move)> {
        let left = &mut self.left[self.given..self.moves.len()];
        let best = (0..left.len()).max_by_key(|&at| (left[at].0, u16::MAX - left[at].1))?;
        left.swap(0, best);
        self.given += 1;
        let place = usize::from(left[0].1);
        Some((place, self.moves[place]))
    }
}
