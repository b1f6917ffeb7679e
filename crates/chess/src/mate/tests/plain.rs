//! The definition of a forced mate, word for word, on random positions with few pieces.

use std::collections::BTreeMap;

use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Board, CastlingMode, Chess, Color, FromSetup as _, Move, Piece, Position as _, Role, Setup,
    Square,
};

use super::BUDGET;
use crate::mate::{MateSearch, MateSolver};

/// Whether the side to move has `mv`, after which it mates within `moves`, `mv` included.
fn keeps(position: &Chess, mv: Move, moves: u8) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let replies = after.legal_moves();
    if replies.is_empty() {
        return after.is_check();
    }
    moves > 1
        && replies.iter().all(|&reply| {
            let mut next = after.clone();
            next.play_unchecked(reply);
            next.legal_moves().iter().any(|&mv| keeps(&next, mv, moves - 1))
        })
}

fn plain(position: &Chess, most_moves: u8) -> Option<(u8, Vec<Move>)> {
    (1..=most_moves).find_map(|moves| {
        let legal = position.legal_moves().into_iter();
        let keeping: Vec<Move> = legal.filter(|&mv| keeps(position, mv, moves)).collect();
        (!keeping.is_empty()).then_some((moves, keeping))
    })
}

fn solved(solver: &mut MateSolver, position: &Chess, most_moves: u8) -> Option<(u8, Vec<Move>)> {
    match solver.solve(position, most_moves) {
        MateSearch::Mate(mate) => Some((mate.moves, mate.keeping)),
        MateSearch::NoMate { .. } => None,
        MateSearch::Unproved { nodes } => panic!("{nodes} nodes do not do"),
    }
}

/// A position of both kings and `others` more pieces, most of them the mover's.
fn random_position(generator: &mut ChaCha8Rng, others: usize) -> Chess {
    loop {
        let turn = if generator.random() { Color::White } else { Color::Black };
        let mut board = Board::empty();
        let place = |board: &mut Board, generator: &mut ChaCha8Rng, piece: Piece| {
            let square = Square::new(generator.random_range(0..64));
            if board.piece_at(square).is_none() {
                board.set_piece_at(square, piece);
            }
        };
        place(&mut board, generator, Role::King.of(turn));
        // Mates are found at the edge.
        let edge = [0, 1, 2, 7, 8, 15, 16, 23, 31, 55, 56, 57, 60, 62, 63];
        let square = Square::new(edge[generator.random_range(0..edge.len())]);
        board.set_piece_at(square, Role::King.of(!turn));
        for _ in 0..others {
            let roles =
                [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
            let role = roles[generator.random_range(0..roles.len())];
            let color = if generator.random_bool(0.7) { turn } else { !turn };
            place(&mut board, generator, role.of(color));
        }
        let mut setup = Setup::empty();
        setup.board = board;
        setup.turn = turn;
        if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) {
            return position;
        }
    }
}

#[test]
fn the_same_as_by_definition() {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let mut solver = MateSolver::new(BUDGET);
    let mut distances = BTreeMap::new();
    let mut several = 0;
    for (positions, others, most_moves) in [(1000, 1..4, 3), (1000, 2..9, 2), (1000, 1..12, 1)] {
        for _ in 0..positions {
            let others = generator.random_range(others.clone());
            let position = random_position(&mut generator, others);
            let expected = plain(&position, most_moves);
            let answer = solved(&mut solver, &position, most_moves);
            assert_eq!(answer, expected, "{position:?}");
            *distances.entry(expected.as_ref().map_or(0, |mate| mate.0)).or_insert(0) += 1;
            several += usize::from(expected.is_some_and(|mate| mate.1.len() > 1));
        }
    }
    // The test is worth something only if every distance is there often.
    assert!((0..=3).all(|moves| distances[&moves] >= 40), "{distances:?}");
    assert!(several >= 100, "{several}");
}
