use std::collections::BTreeSet;

use proptest::prelude::*;
use shakmaty::{Setup, fen::Fen};

use super::MoveIndex;
use crate::{Game, InputFormat, Move, MoverMove, Orientation, Role};

#[test]
fn entries_and_moves_belong_to_one_another() {
    assert_eq!(MoveIndex::COUNT, 1858);
    assert_eq!(MoveIndex::all().len(), 1858);
    for index in MoveIndex::all() {
        assert_eq!(index.mover_move().index(), Some(index), "{}", index.mover_move());
    }
    assert_eq!(MoveIndex::new(1857).map(MoveIndex::get), Some(1857));
    assert_eq!(MoveIndex::new(1858), None);
    let promotions = MoveIndex::all().filter(|index| index.mover_move().promotion.is_some());
    assert_eq!(promotions.count(), 66);
}

#[test]
fn entries_stand_where_lc0_has_them() {
    // From lc0's own lists.
    for (index, expected) in [
        (0, "a1b1"),
        (1, "a1c1"),
        (7, "a1a2"),
        (103, "e1h1"),
        (97, "e1a1"),
        (204, "a2a3"),
        (322, "e2e4"),
        (1792, "a7a8q"),
        (1793, "a7a8r"),
        (1794, "a7a8b"),
        (1795, "a7b8q"),
        (1857, "h7h8b"),
    ] {
        let index = MoveIndex::new(index).expect("an entry");
        assert_eq!(index.mover_move().to_string(), expected, "{index:?}");
    }
}

/// Position, move, and the entry in the mover's view.
#[test]
fn moves_have_the_entry_of_the_movers_view() {
    let check = |fen: &str, uci: &str, expected: &str| {
        let game = Game::from_fen(fen).expect("a position");
        let mv = game.parse_uci(uci).expect("a legal move");
        let orientation = Orientation::of_mover(game.turn());
        let index = MoveIndex::of(mv, orientation);
        assert_eq!(index.mover_move().to_string(), expected, "{fen} {uci}");
        assert_eq!(index.to_move(&game, orientation), Some(mv), "{fen} {uci}");
    };
    // Castling is the king taking its rook, however it is written.
    for (colour, rank) in [("w", '1'), ("b", '8')] {
        let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R {colour} KQkq - 0 1");
        for (to, entry) in [('g', "e1h1"), ('h', "e1h1"), ('c', "e1a1"), ('a', "e1a1")] {
            check(&fen, &format!("e{rank}{to}{rank}"), entry);
        }
    }
    check("8/8/8/8/8/k7/8/1R1K1R2 w FB - 0 1", "d1b1", "d1b1");
    // Black's ranks are turned, its files are not.
    check("4k3/8/8/8/8/8/8/4K2R b - - 0 1", "e8d7", "e1d2");
    check("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "e7e5", "e2e4");
    // Queen, rook and bishop have entries of their own, the knight has the plain one.
    for (piece, suffix) in [("q", "q"), ("r", "r"), ("b", "b"), ("n", "")] {
        check(
            "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            &format!("a7a8{piece}"),
            &format!("a7a8{suffix}"),
        );
        check(
            "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            &format!("a7b8{piece}"),
            &format!("a7b8{suffix}"),
        );
        check(
            "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1",
            &format!("a2b1{piece}"),
            &format!("a7b8{suffix}"),
        );
    }
    // A piece other than a pawn may make the same move.
    check("4k3/R7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "a7a8");
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5d6");
    check("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "d5e6");
}

#[test]
fn entries_without_a_legal_move_resolve_to_none() {
    let game = Game::new();
    let orientation = Orientation::of_mover(game.turn());
    let legal = MoveIndex::all().filter_map(|index| index.to_move(&game, orientation));
    assert_eq!(legal.count(), 20);
}

#[test]
#[should_panic(expected = "is no move of a position")]
fn a_move_of_no_game_has_no_entry() {
    let mv = Move::Normal {
        role: Role::Queen,
        from: crate::Square::A1,
        capture: None,
        to: crate::Square::B4,
        promotion: None,
    };
    MoveIndex::of(mv, Orientation::of_mover(crate::Color::White));
}

#[test]
fn moves_that_no_piece_makes_have_no_entry() {
    let check = |from, to, promotion, expected: Option<u16>| {
        let square = |index| crate::MoverSquare::new(index).expect("a square");
        let mv = MoverMove { from: square(from), to: square(to), promotion };
        assert_eq!(mv.index(), expected.and_then(MoveIndex::new), "{mv}");
    };
    let queen = Some(crate::MoverPromotion::Queen);
    check(0, 0, None, None);
    check(0, 11, None, None);
    check(0, 25, None, None);
    check(48, 56, queen, Some(1792));
    check(48, 58, queen, None);
    check(40, 48, queen, None);
    check(55, 56, queen, None);
}

/// Entry, place in an attention policy, place in a convolution policy.
#[test]
fn slots_follow_their_rule() {
    for (entry, attention, convolution) in [
        ("a1b1", 1, 64 * 14),
        ("e2e4", 64 * 12 + 28, 64 + 12),
        ("a1h8", 63, 64 * (7 + 6)),
        ("h8a1", 64 * 63, 64 * (7 * 5 + 6) + 63),
        ("e4d5", 64 * 28 + 35, 64 * (7 * 7) + 28),
        ("e5d4", 64 * 36 + 27, 64 * (7 * 5) + 36),
        ("a8a1", 64 * 56, 64 * (7 * 4 + 6) + 56),
        ("d4e3", 64 * 27 + 20, 64 * (7 * 3) + 27),
        ("h1g1", 64 * 7 + 6, 64 * (7 * 6) + 7),
        ("g1h3", 64 * 6 + 23, 64 * 56 + 6),
        ("g1f3", 64 * 6 + 21, 64 * 63 + 6),
        ("b8d7", 64 * 57 + 51, 64 * 58 + 57),
        ("e5c4", 64 * 36 + 26, 64 * 61 + 36),
        ("a7a8", 64 * 48 + 56, 48),
        ("a7a8q", 4096, 64 * (64 + 3 + 2) + 48),
        ("a7b8r", 4096 + 3 + 1, 64 * (64 + 6) + 48),
        ("h7g8b", 4096 + 24 * 7 + 3 * 6 + 2, 64 * (64 + 1) + 55),
    ] {
        let index = MoveIndex::all()
            .find(|index| index.mover_move().to_string() == entry)
            .expect("an entry");
        assert_eq!(index.attention_slot(), attention, "{entry}");
        assert_eq!(index.convolution_slot(), convolution, "{entry}");
    }
    let attention: BTreeSet<usize> = MoveIndex::all().map(MoveIndex::attention_slot).collect();
    let convolution: BTreeSet<usize> = MoveIndex::all().map(MoveIndex::convolution_slot).collect();
    assert_eq!((attention.len(), convolution.len()), (1858, 1858));
    assert!(attention.last() < Some(&MoveIndex::ATTENTION_SLOTS));
    assert!(convolution.last() < Some(&MoveIndex::CONVOLUTION_SLOTS));
}

const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/3k4/2q5/4R3/1N6/5K2/8 w - - 0 1",
    "k7/1q6/8/8/8/8/6Q1/7K b - - 0 1",
    "nrbqkrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBQKRNB w KQkq - 0 1",
];

/// A game of random moves, as long as it goes.
fn random_game() -> impl Strategy<Value = Game> {
    let choices = prop::collection::vec(any::<u16>(), 0..160);
    (prop::sample::select(&STARTS), choices).prop_map(|(fen, choices)| {
        let mut game = Game::from_fen(fen).expect("a position");
        for choice in choices {
            let moves = game.legal_moves();
            let Some(place) = usize::from(choice).checked_rem(moves.len()) else { break };
            game.play(moves[place]).expect("a legal move");
        }
        game
    })
}

/// The position with colours exchanged and ranks turned.
fn mirrored(game: &Game) -> Game {
    let fen: Fen = game.fen().parse().expect("a FEN");
    let setup: Setup = fen.into_setup().into_mirrored();
    let fen = Fen::try_from_setup(setup).expect("a FEN").to_string();
    Game::from_fen(&fen).expect("a position")
}

proptest! {
    #[test]
    fn legal_moves_and_entries_are_one_to_one(game in random_game()) {
        for format in InputFormat::ALL {
            let orientation = Orientation::of(&game, format);
            let mut seen = BTreeSet::new();
            for mv in game.legal_moves() {
                let index = MoveIndex::of(mv, orientation);
                prop_assert!(seen.insert(index), "{} twice in {}", index.mover_move(), game.fen());
                prop_assert_eq!(index.to_move(&game, orientation), Some(mv));
                if mv.promotion() == Some(Role::Knight) {
                    prop_assert_eq!(index.mover_move().promotion, None);
                }
            }
        }
    }

    #[test]
    fn the_mirrored_position_has_the_mirrored_moves_under_the_same_entries(game in random_game()) {
        let mirror = mirrored(&game);
        for format in InputFormat::ALL {
            let here = Orientation::of(&game, format);
            let there = Orientation::of(&mirror, format);
            for mv in game.legal_moves() {
                prop_assert_eq!(MoveIndex::of(mv, here), MoveIndex::of(mv.to_mirrored(), there));
            }
        }
    }
}
