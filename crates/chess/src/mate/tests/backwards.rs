//! All mates of king and rook, and king and queen, against king, by working backwards.

use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Board, CastlingMode, Chess, Color, FromSetup as _, Move, Position as _, Role, Setup, Square,
};

use super::BUDGET;
use crate::mate::{MateSearch, MateSolver};

/// Distances of an endgame in which White has a king and one piece, Black a king.
struct Endgame {
    role: Role,
    /// White moves and mates in this many moves; 0 where it does not in as many as were computed.
    attack: Vec<u8>,
}

const PLACES: usize = 64 * 64 * 64;

fn position(role: Role, place: usize, turn: Color) -> Option<Chess> {
    let [king, piece, defender] =
        [place >> 12, place >> 6 & 63, place & 63].map(|square| Square::new(square as u32));
    if king == piece || king == defender || piece == defender {
        return None;
    }
    let mut board = Board::empty();
    board.set_piece_at(king, Role::King.of(Color::White));
    board.set_piece_at(piece, role.of(Color::White));
    board.set_piece_at(defender, Role::King.of(Color::Black));
    let setup = Setup { board, turn, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// The place of a position, or `None` where the piece has been taken.
fn place(role: Role, position: &Chess) -> Option<usize> {
    let board = position.board();
    let piece = (board.by_role(role) & board.white()).single_square()?;
    let king = |color| board.king_of(color).expect("a king");
    Some(king(Color::White) as usize * 4096 + piece as usize * 64 + king(Color::Black) as usize)
}

fn after(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

impl Endgame {
    fn new(role: Role, most_moves: u8) -> Endgame {
        // The places that each move leads to; one without a piece leads nowhere good for White.
        let successors = |turn| -> Vec<Option<(bool, Vec<Option<usize>>)>> {
            (0..PLACES)
                .map(|at| {
                    let position = position(role, at, turn)?;
                    let moves = position.legal_moves();
                    let places = moves.iter().map(|&mv| place(role, &after(&position, mv)));
                    Some((position.is_check(), places.collect()))
                })
                .collect()
        };
        let (white, black) = (successors(Color::White), successors(Color::Black));
        let mut attack = vec![0; PLACES];
        // Black to move is mated, or will be whatever it does.
        let mut lost = vec![false; PLACES];
        for moves in 1..=most_moves {
            for (lost, node) in lost.iter_mut().zip(&black) {
                let Some((check, replies)) = node else { continue };
                *lost = match replies.is_empty() {
                    true => *check,
                    false => replies.iter().all(|reply| reply.is_some_and(|at| attack[at] > 0)),
                };
            }
            for (attack, node) in attack.iter_mut().zip(&white) {
                let Some((_, moves_to)) = node else { continue };
                if *attack == 0 && moves_to.iter().flatten().any(|&at| lost[at]) {
                    *attack = moves;
                }
            }
        }
        Endgame { role, attack }
    }

    /// The distance, and the moves after which Black cannot last longer.
    fn solve(&self, at: usize) -> Option<(u8, Vec<Move>)> {
        let moves = self.attack[at];
        let position = position(self.role, at, Color::White)?;
        let keeps = |&mv: &Move| {
            let after = after(&position, mv);
            let replies = after.legal_moves();
            if replies.is_empty() {
                return after.is_check();
            }
            replies.iter().all(|&reply| {
                let next = place(self.role, &self::after(&after, reply));
                next.is_some_and(|at| (1..moves).contains(&self.attack[at]))
            })
        };
        (moves > 0).then(|| (moves, position.legal_moves().into_iter().filter(keeps).collect()))
    }
}

fn compare(role: Role, most_moves: u8, each: usize) {
    let endgame = Endgame::new(role, most_moves);
    let mut generator = ChaCha8Rng::seed_from_u64(2);
    let mut solver = MateSolver::new(BUDGET);
    let mut left = vec![each; usize::from(most_moves) + 1];
    while left.iter().any(|&left| left > 0) {
        let at = generator.random_range(0..PLACES);
        let Some(position) = position(role, at, Color::White) else { continue };
        let left = &mut left[usize::from(endgame.attack[at])];
        if *left == 0 {
            continue;
        }
        *left -= 1;
        let answer = match solver.solve(&position, most_moves) {
            MateSearch::Mate(mate) => Some((mate.moves, mate.keeping)),
            MateSearch::NoMate { .. } => None,
            MateSearch::Unproved { nodes } => panic!("{nodes} nodes do not do"),
        };
        assert_eq!(answer, endgame.solve(at), "{position:?}");
    }
}

#[test]
fn every_distance_of_king_and_rook() {
    compare(Role::Rook, 6, 5);
}

#[test]
fn every_distance_of_king_and_queen() {
    compare(Role::Queen, 6, 5);
}
