//! The numbering of moves, built at compile time from its rule (LC0_FORMAT section 3).

use super::{MoveIndex, MoverMove, MoverPromotion};
use crate::orientation::MoverSquare;

/// Stands where the policy has no entry.
pub(super) const NONE: u16 = u16::MAX;

/// The move of each entry.
pub(super) static MOVES: [MoverMove; MoveIndex::COUNT] = TABLES.moves;
/// The entry of a move from square to square; [`NONE`] if there is none.
pub(super) static INDEX_OF_PLAIN: [[u16; 64]; 64] = TABLES.plain;
/// The entry of a promotion by its files and piece; [`NONE`] if there is none.
pub(super) static INDEX_OF_PROMOTION: [[[u16; 3]; 8]; 8] = TABLES.promotion;

struct Tables {
    moves: [MoverMove; MoveIndex::COUNT],
    plain: [[u16; 64]; 64],
    promotion: [[[u16; 3]; 8]; 8],
}

const TABLES: Tables = build();

const fn build() -> Tables {
    let a1 = MoverSquare::from_index(0);
    let unset = MoverMove { from: a1, to: a1, promotion: None };
    let mut tables = Tables {
        moves: [unset; MoveIndex::COUNT],
        plain: [[NONE; 64]; 64],
        promotion: [[[NONE; 3]; 8]; 8],
    };
    let mut next = 0;

    // By from-square, then to-square, every move of a queen or knight on an empty board.
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if is_queen_or_knight_move(from, to) {
                tables.moves[next] = MoverMove {
                    from: MoverSquare::from_index(from),
                    to: MoverSquare::from_index(to),
                    promotion: None,
                };
                tables.plain[from][to] = next as u16;
                next += 1;
            }
            to += 1;
        }
        from += 1;
    }

    // Then by from-file and to-file the promotions to queen, rook and bishop.
    let mut from_file: usize = 0;
    while from_file < 8 {
        let mut to_file = from_file.saturating_sub(1);
        while to_file < 8 && to_file <= from_file + 1 {
            let mut piece = 0;
            while piece < 3 {
                tables.moves[next] = MoverMove {
                    from: MoverSquare::from_index(48 + from_file),
                    to: MoverSquare::from_index(56 + to_file),
                    promotion: Some(MoverPromotion::ALL[piece]),
                };
                tables.promotion[from_file][to_file][piece] = next as u16;
                next += 1;
                piece += 1;
            }
            to_file += 1;
        }
        from_file += 1;
    }
    assert!(next == MoveIndex::COUNT);
    tables
}

const fn is_queen_or_knight_move(from: usize, to: usize) -> bool {
    let files = (from % 8).abs_diff(to % 8);
    let ranks = (from / 8).abs_diff(to / 8);
    let queen = files == 0 || ranks == 0 || files == ranks;
    from != to && (queen || files + ranks == 3)
}

/// The plane of a convolution policy that holds moves by so many files and ranks.
///
/// Queen moves come first: seven distances in each of the directions north, north-east, and so
/// on clockwise. Then the eight knight moves, clockwise too.
pub(super) fn movement_plane(files: i8, ranks: i8) -> usize {
    const KNIGHT: [(i8, i8); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    const QUEEN: [(i8, i8); 8] =
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    let place = |steps: &[(i8, i8); 8], step| steps.iter().position(|&known| known == step);
    if let Some(knight) = place(&KNIGHT, (files, ranks)) {
        return 56 + knight;
    }
    let direction = place(&QUEEN, (files.signum(), ranks.signum()))
        .expect("every entry is the move of a queen or a knight");
    let distance = usize::from(files.unsigned_abs().max(ranks.unsigned_abs()));
    7 * direction + distance - 1
}
