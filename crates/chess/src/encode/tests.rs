use super::{EncodingError, HISTORY, PLANES_PER_POSITION, encode};
use crate::{Game, HistoryFill, InputFormat, Planes};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn played(fen: &str, moves: &str) -> Game {
    let mut game = Game::from_fen(fen).expect("a position");
    for uci in moves.split_whitespace() {
        game.play_uci(uci).expect("a legal line");
    }
    game
}

fn planes(game: &Game, format: InputFormat, fill: HistoryFill) -> Planes {
    encode(game, format, fill).expect("a position that the format holds").planes
}

fn slot(planes: &Planes, slot: usize) -> &[u64] {
    &planes.masks[PLANES_PER_POSITION * slot..][..PLANES_PER_POSITION]
}

/// How many positions of history the planes show.
fn shown(planes: &Planes) -> usize {
    let filled = |place: &usize| slot(planes, *place).iter().any(|&mask| mask != 0);
    let count = (0..HISTORY).filter(filled).count();
    assert_eq!(count, (0..HISTORY).take_while(filled).count(), "a gap in the history");
    count
}

#[test]
fn history_before_the_first_position_is_filled_as_asked() {
    use HistoryFill::{Always, FenOnly, No};
    let check = |fen: &str, moves: &str, expected: [(HistoryFill, usize); 3]| {
        let game = played(fen, moves);
        for (fill, count) in expected {
            for format in [InputFormat::Classical112, InputFormat::CastlingPlane] {
                let found = shown(&planes(&game, format, fill));
                assert_eq!(found, count, "{fen} {moves}, {fill:?}, {format:?}");
            }
        }
    };
    check(START, "", [(FenOnly, 1), (No, 1), (Always, 8)]);
    check(START, "e2e4", [(FenOnly, 2), (No, 2), (Always, 8)]);
    // A clock is no part of the start position; the side to move is, and so are the rights.
    check(&START.replace("0 1", "8 5"), "", [(FenOnly, 1), (No, 1), (Always, 8)]);
    check(&START.replace(" w ", " b "), "", [(FenOnly, 8), (No, 1), (Always, 8)]);
    check(&START.replace("KQkq", "KQk"), "", [(FenOnly, 8), (No, 1), (Always, 8)]);
    // An en-passant square proves one position more.
    let flagged = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    check(flagged, "", [(FenOnly, 8), (No, 2), (Always, 8)]);
    check(flagged, "g1f3 b8c6", [(FenOnly, 8), (No, 4), (Always, 8)]);
    // Nothing is filled where eight positions are known.
    check(flagged, "g1f3 b8c6 f1c4 f8c5 d2d3 d7d6 b1c3", [(FenOnly, 8), (No, 8), (Always, 8)]);
}

#[test]
fn a_double_pushed_pawn_stands_on_its_origin_before_the_fen() {
    let flagged = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    for fill in [HistoryFill::No, HistoryFill::FenOnly, HistoryFill::Always] {
        let planes = planes(&played(flagged, ""), InputFormat::Classical112, fill);
        // Their pawns: on e5 now, on e7 before.
        assert_eq!(slot(&planes, 0)[6], 0x00ef_0010_0000_0000, "{fill:?}");
        assert_eq!(slot(&planes, 1)[6], 0x00ff_0000_0000_0000, "{fill:?}");
        assert_eq!(slot(&planes, 1)[0], 0x0000_0000_1000_ef00, "{fill:?}");
    }
    // Black's view of White's pawn, which went from d2 to d4.
    let flagged = "rnbqkbnr/ppp1pppp/8/8/2pP4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3";
    let planes = planes(&played(flagged, ""), InputFormat::Classical112, HistoryFill::No);
    assert_eq!(slot(&planes, 1)[6], 0x00ff_0000_0000_0000);
    assert_eq!(shown(&planes), 2);
}

#[test]
fn a_position_reached_and_a_position_set_up_differ_in_their_history_only() {
    let moves = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6";
    let reached = played(START, moves);
    let set_up = played(&reached.fen(), "");
    for format in InputFormat::ALL {
        let reached = planes(&reached, format, HistoryFill::FenOnly);
        let set_up = planes(&set_up, format, HistoryFill::FenOnly);
        assert_eq!(slot(&reached, 0), slot(&set_up, 0), "{format:?}");
        let rest = HISTORY * PLANES_PER_POSITION..;
        assert_eq!(reached.masks[rest.clone()], set_up.masks[rest.clone()], "{format:?}");
        assert_eq!(reached.values[rest.clone()], set_up.values[rest], "{format:?}");
        if !format.is_canonical() {
            for place in 1..HISTORY {
                assert_eq!(slot(&set_up, place), slot(&set_up, 0), "{format:?}");
                assert_ne!(slot(&reached, place), slot(&set_up, place), "{format:?}");
            }
        }
    }
}

/// After each ply of a shuffle, which of the eight positions show as repeated.
#[test]
fn repetition_planes_show_the_second_and_the_third_occurrence() {
    let mut game = Game::new();
    let mut shown = Vec::new();
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(9) {
        game.play_uci(uci).expect("a legal move");
        let planes = planes(&game, InputFormat::Classical112, HistoryFill::FenOnly);
        let repeated: String = (0..HISTORY)
            .map(|place| match slot(&planes, place)[12] {
                0 => '0',
                u64::MAX => '1',
                mask => panic!("half a plane: {mask:x}"),
            })
            .collect();
        shown.push(repeated);
    }
    let expected = [
        "00000000", "00000000", "00000000", "10000000", "11000000", "11100000", "11110000",
        "11111000", "11111100",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn canonical_history_ends_where_the_position_began() {
    use InputFormat::{Canonicalization as V1, CanonicalizationV2 as V2, Classical112};
    let check = |fen: &str, moves: &str, expected: [(InputFormat, usize); 3]| {
        for (format, count) in expected {
            let found = shown(&planes(&played(fen, moves), format, HistoryFill::FenOnly));
            assert_eq!(found, count, "{fen} {moves}, {format:?}");
        }
    };
    let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 9 30";
    check(rooks, "", [(V1, 8), (V2, 1), (Classical112, 8)]);
    // A capture is the oldest position that still shows.
    check(rooks, "a1a8 e8e7 a8a7", [(V1, 2), (V2, 1), (Classical112, 8)]);
    let capture = "r3k3/8/8/8/8/8/8/R3K3 w - - 9 30";
    check(capture, "a1a8 e8e7 a8a7", [(V1, 3), (V2, 1), (Classical112, 8)]);
    // A lost castling right hides what was before.
    check(rooks, "e1e2 h8g8 a1b1", [(V1, 2), (V2, 1), (Classical112, 8)]);
    // So does an en-passant square, unless it is there now.
    let flagged = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 9 30";
    check(flagged, "e2e4", [(V1, 1), (V2, 1), (Classical112, 8)]);
    check(flagged, "e2e4 e8e7", [(V1, 1), (V2, 1), (Classical112, 8)]);
    // Of a shuffle the second format shows the positions that occurred before, moved together.
    let shuffle = "e1e2 e8e7 e2e1 e7e8 e1e2 e8d8";
    check("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", shuffle, [(V1, 7), (V2, 3), (Classical112, 8)]);
    // With nothing repeated and a clock that never was zero the game's first position ends it.
    check("4k3/p7/8/8/8/8/P7/4K3 w - - 40 80", "", [(V1, 8), (V2, 1), (Classical112, 8)]);
    check("4k3/p7/8/8/8/8/P7/4K3 w - - 40 80", "e1e2", [(V1, 8), (V2, 1), (Classical112, 8)]);
}

/// The last eight planes, as squares and value where they are not zero.
#[test]
fn rights_clock_and_colour_stand_where_the_format_has_them() {
    use InputFormat::{
        Canonicalization, CanonicalizationHectoplies, CanonicalizationHectopliesArmageddon,
        CanonicalizationV2, CanonicalizationV2Armageddon, CastlingPlane, Classical112,
    };
    const ALL: u64 = u64::MAX;
    type Rest = [(u64, f32); 8];
    let check = |fen: &str, format: InputFormat, expected: Rest| {
        let planes = planes(&played(fen, ""), format, HistoryFill::FenOnly);
        let found: Vec<(u64, f32)> = (104..112)
            .map(|plane| match (planes.masks[plane], planes.values[plane]) {
                (0, _) => (0, 0.0),
                listed => listed,
            })
            .collect();
        assert_eq!(found, expected, "{fen}, {format:?}");
    };
    let (no, one, clock) = ((0, 0.0), (ALL, 1.0), |clock| (ALL, clock));
    let squares = |mask| (mask, 1.0);

    // White may castle queenside, Black kingside; Black's planes come first for Black.
    let white = "r3k2r/8/3b4/8/8/3B4/8/R3K2R w Qk - 5 20";
    let black = "r3k2r/8/3b4/8/8/3B4/8/R3K2R b Qk - 5 20";
    check(white, Classical112, [one, no, no, one, no, clock(5.0), no, one]);
    check(black, Classical112, [no, one, one, no, one, clock(5.0), no, one]);
    let (a1, h8, a8, h1) = (squares(1), squares(1 << 63), squares(1 << 56), squares(1 << 7));
    check(white, CastlingPlane, [a1, h8, no, no, no, clock(5.0), no, one]);
    check(black, CastlingPlane, [a8, h1, no, no, one, clock(5.0), no, one]);
    for format in [CanonicalizationHectoplies, CanonicalizationV2] {
        check(black, format, [a8, h1, no, no, no, clock(0.05), no, one]);
    }
    for format in [CanonicalizationHectopliesArmageddon, CanonicalizationV2Armageddon] {
        check(white, format, [a1, h8, no, no, no, clock(0.05), no, one]);
        check(black, format, [a8, h1, no, no, no, clock(0.05), one, one]);
    }
    // The clock has no upper bound.
    let late = "r3k2r/8/3b4/8/8/3B4/8/R3K2R w - - 250 200";
    check(late, Classical112, [no, no, no, no, no, clock(250.0), no, one]);

    // The en-passant pawn's file, on the eighth rank; the king on a1 reverses the files.
    let passed = "7k/8/8/3pP3/8/8/8/6K1 w - d6 0 3";
    let turned = "7k/8/8/3pP3/8/8/8/K7 w - d6 0 3";
    let for_black = "7k/8/8/8/3pP3/8/8/K7 b - e3 0 3";
    check(passed, Classical112, [no, no, no, no, no, clock(0.0), no, one]);
    check(passed, Canonicalization, [no, no, no, no, squares(1 << 59), clock(0.0), no, one]);
    check(turned, Canonicalization, [no, no, no, no, squares(1 << 60), clock(0.0), no, one]);
    check(for_black, Canonicalization, [no, no, no, no, squares(1 << 60), clock(0.0), no, one]);
}

#[test]
fn chess960_rights_are_refused_where_they_cannot_be_said() {
    let check = |fen: &str, moves: &str, refused: bool| {
        let game = played(fen, moves);
        for format in InputFormat::ALL {
            let found = encode(&game, format, HistoryFill::FenOnly);
            if refused && format == InputFormat::Classical112 {
                let error = found.unwrap_err();
                assert_eq!(error, EncodingError::Chess960 { fen: game.fen() });
                assert!(error.to_string().contains("Chess960 castling rights"), "{error}");
            } else {
                assert!(found.is_ok(), "{fen} {moves}, {format:?}");
            }
        }
    };
    let inner = "1r2k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w KQkq - 0 1";
    check(inner, "", true);
    // With the inner rooks' rights gone the others are those of standard chess.
    check(inner, "b1a1 b8a8", false);
    check(inner, "b1a1", true);
    check("nrbqkrnb/pppppppp/8/8/8/8/PPPPPPPP/NRBQKRNB w KQkq - 0 1", "", true);
    check("r2k3r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w KQkq - 0 1", "", true);
    check("r2k3r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w - - 0 1", "", false);
    check(START, "", false);

    let game = played(inner, "");
    let planes = planes(&game, InputFormat::CastlingPlane, HistoryFill::FenOnly);
    assert_eq!(planes.masks[104], 1 << 1 | 1 << 57);
    assert_eq!(planes.masks[105], 1 << 7 | 1 << 63);
}

#[test]
fn formats_have_lc0s_numbers() {
    let ids = InputFormat::ALL.map(InputFormat::id);
    assert_eq!(ids, [1, 2, 3, 4, 132, 5, 133]);
    for format in InputFormat::ALL {
        assert_eq!(InputFormat::from_id(format.id()), Some(format));
    }
    for id in [0, 6, 131, 134, u32::MAX] {
        assert_eq!(InputFormat::from_id(id), None);
    }
}
