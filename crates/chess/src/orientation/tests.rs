use shakmaty::Bitboard;

use super::{MoverSquare, Orientation};
use crate::{Color, Game, InputFormat, Square};

fn every_orientation() -> impl Iterator<Item = Orientation> {
    Color::ALL.into_iter().flat_map(|mover| {
        (0..8).map(move |bits| Orientation {
            mover,
            flip: bits & 1 != 0,
            mirror: bits & 2 != 0,
            transpose: bits & 4 != 0,
        })
    })
}

#[test]
fn squares_and_masks_turn_alike_and_back() {
    for orientation in every_orientation() {
        for square in Square::ALL {
            let seen = orientation.mover_square(square);
            assert_eq!(orientation.square(seen), square, "{orientation:?}");
            assert_eq!(
                orientation.mask(Bitboard::from_square(square)),
                1 << seen.index(),
                "{orientation:?} {square}"
            );
        }
    }
}

#[test]
fn each_symmetry_does_what_its_definition_says() {
    // b3, file 1 and rank 2, and where each symmetry takes it.
    let check = |orientation: Orientation, (file, rank): (usize, usize)| {
        let seen = orientation.mover_square(Square::B3);
        assert_eq!((seen.file(), seen.rank()), (file, rank), "{orientation:?}");
    };
    let plain = Orientation::of_mover(Color::White);
    check(plain, (1, 2));
    check(Orientation::of_mover(Color::Black), (1, 5));
    check(Orientation { flip: true, ..plain }, (6, 2));
    check(Orientation { mirror: true, ..plain }, (1, 5));
    check(Orientation { transpose: true, ..plain }, (5, 6));
    check(Orientation { flip: true, transpose: true, ..plain }, (5, 1));
    check(Orientation { flip: true, mirror: true, transpose: true, ..plain }, (2, 1));
}

#[test]
fn mover_squares_are_sixty_four() {
    assert_eq!(MoverSquare::new(63).map(|square| square.to_string()).as_deref(), Some("h8"));
    assert_eq!(MoverSquare::new(64), None);
}

/// Position, then the symmetries: F for files, R for ranks, T for transposition.
#[test]
fn canonical_formats_bring_the_king_to_one_corner() {
    let check = |fen: &str, expected: &str| {
        let game = Game::from_fen(fen).expect("a position");
        for format in InputFormat::ALL {
            let orientation = Orientation::of(&game, format);
            let found: String =
                [(orientation.flip, 'F'), (orientation.mirror, 'R'), (orientation.transpose, 'T')]
                    .into_iter()
                    .filter_map(|(set, name)| set.then_some(name))
                    .collect();
            let expected = if format.is_canonical() { expected } else { "" };
            assert_eq!(found, expected, "{fen} in {format:?}");
            assert_eq!(orientation.mover(), game.turn());
        }
    };
    // A castling right forbids every turn.
    check("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "");
    check("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "");
    check("3k4/8/8/8/8/8/8/R3K3 b - - 0 1", "F");
    // With pawns only files are reversed.
    check("4k3/p7/8/8/8/8/8/K7 w - - 0 1", "F");
    check("4k3/p7/8/8/8/8/8/K7 b - - 0 1", "");
    check("8/p6K/8/8/8/8/8/k7 w - - 0 1", "");
    check("8/p6K/8/8/8/8/8/k7 b - - 0 1", "F");
    // Home is the triangle e1-e4-h1: kings above its long side are transposed into it.
    check("8/8/8/8/8/1r6/8/5K1k w - - 0 1", "");
    check("8/8/8/7K/8/8/1r6/k7 w - - 0 1", "RT");
    check("1K6/8/8/8/8/8/1r6/7k w - - 0 1", "FR");
    check("8/8/k7/8/8/8/1r6/7K b - - 0 1", "FT");
    // On the long side the pieces decide: all of them, and only where these are symmetric ours,
    // then one kind after the other.
    check("8/8/8/8/8/1k6/8/R6K w - - 0 1", "");
    check("R7/8/8/8/8/6k1/8/7K w - - 0 1", "T");
    check("6R1/8/8/8/8/8/8/k6K w - - 0 1", "");
    check("7R/8/8/8/8/8/8/k6K w - - 0 1", "T");
    check("k7/8/8/8/8/8/8/7K w - - 0 1", "");
}
