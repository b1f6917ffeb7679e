use super::{Ending, Outcome, Rules};
use crate::{Color, Game};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn check(fen: &str, moves: &str, ply_cap: Option<u32>, expected: Option<Ending>) {
    let mut game = Game::from_fen(fen).expect("a position");
    for uci in moves.split_whitespace() {
        assert_eq!(game.ending(&Rules { ply_cap }), None, "{fen} before {uci}");
        game.play_uci(uci).expect("a legal line");
    }
    assert_eq!(game.ending(&Rules { ply_cap }), expected, "{fen} {moves}");
}

const WHITE_MATES: Option<Ending> = Some(Ending::Checkmate { winner: Color::White });
const BLACK_MATES: Option<Ending> = Some(Ending::Checkmate { winner: Color::Black });

#[test]
fn games_end_by_mate_and_stalemate() {
    check(START, "", None, None);
    check(START, "f2f3 e7e5 g2g4 d8h4", None, BLACK_MATES);
    check("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", None, WHITE_MATES);
    check("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", None, Some(Ending::Stalemate));
}

#[test]
fn games_end_by_want_of_material() {
    let insufficient = Some(Ending::InsufficientMaterial);
    check("8/8/4k3/8/8/3rK3/8/8 w - - 0 1", "e3d3", None, insufficient);
    check("8/8/4k3/8/8/4K3/8/N7 w - - 0 1", "", None, insufficient);
    check("8/8/4k3/8/8/4K3/8/B7 w - - 0 1", "", None, insufficient);
    // Bishops on squares of one colour, then of two.
    check("8/8/4k3/8/8/4K3/8/B1b5 w - - 0 1", "", None, insufficient);
    check("8/8/4k3/8/8/4K3/8/Bb6 w - - 0 1", "", None, None);
    // A helpmate exists, if no forced one.
    check("8/8/4k3/8/8/4K3/8/NN6 w - - 0 1", "", None, None);
    check("8/8/4k3/8/8/4K3/8/Nn6 w - - 0 1", "", None, None);
    check("8/8/4k3/8/8/4K3/P7/8 w - - 0 1", "", None, None);
}

#[test]
fn games_end_at_the_third_occurrence_and_not_at_the_second() {
    let threefold = Some(Ending::ThreefoldRepetition);
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    check(START, shuffle, None, None);
    check(START, &shuffle.repeat(2), None, threefold);
    // By a pinned en-passant capture the positions do not differ, so this is the third.
    let pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
    check(pinned, "e2e4 a4a5 e1e2 a5a4 e2e1 a4a5 e1e2 a5a4 e2e1", None, threefold);
    // By a legal one they do.
    let free = "8/8/k7/8/3p3R/8/4P3/4K3 w - - 0 1";
    check(free, "e2e4 a6a5 e1e2 a5a6 e2e1 a6a5 e1e2 a5a6 e2e1", None, None);
}

#[test]
fn games_end_at_the_hundredth_quiet_ply() {
    let rook = "7k/8/6K1/8/8/8/8/R7 w - - 98 80";
    check(rook, "a1a2", None, None);
    check(rook, "a1a2 h8g8", None, Some(Ending::FiftyMoveRule));
    // A pawn move starts the count again.
    check("7k/8/6K1/8/8/8/P7/R7 w - - 99 80", "a2a3", None, None);
    // Mate on the hundredth ply is mate, stalemate is stalemate.
    check("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", None, WHITE_MATES);
    check("7k/8/6K1/8/8/8/8/5Q2 w - - 99 80", "f1f7", None, Some(Ending::Stalemate));
    // The count has passed 100 in the start already.
    check("7k/8/6K1/8/8/8/8/R7 w - - 130 80", "", None, Some(Ending::FiftyMoveRule));
}

#[test]
fn games_end_at_the_cap_on_their_own_plies() {
    let capped = Some(Ending::PlyCap);
    check(START, "e2e4 e7e5 g1f3", Some(3), capped);
    check(START, "e2e4 e7e5", Some(3), None);
    check(START, "", Some(0), capped);
    // The move number of a FEN is not counted.
    check("7k/8/6K1/8/8/8/8/R7 w - - 0 400", "a1a2", Some(2), None);
    // What happens on the last ply has its own reason.
    check(START, "f2f3 e7e5 g2g4 d8h4", Some(4), BLACK_MATES);
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    check(START, &shuffle.repeat(2), Some(8), Some(Ending::ThreefoldRepetition));
}

#[test]
fn every_ending_has_a_reason_and_a_result() {
    let check = |ending: Ending, reason: &str, outcome: Outcome, printed: &str, winner| {
        assert_eq!(ending.to_string(), reason);
        assert_eq!(ending.outcome(), outcome);
        assert_eq!(outcome.to_string(), printed);
        assert_eq!(outcome.winner(), winner);
    };
    let (white, black) = (Color::White, Color::Black);
    let mate = |winner| Ending::Checkmate { winner };
    check(mate(white), "White gives checkmate", Outcome::WhiteWins, "1-0", Some(white));
    check(mate(black), "Black gives checkmate", Outcome::BlackWins, "0-1", Some(black));
    for (ending, reason) in [
        (Ending::Stalemate, "draw by stalemate"),
        (Ending::InsufficientMaterial, "draw by insufficient material"),
        (Ending::ThreefoldRepetition, "draw by threefold repetition"),
        (Ending::FiftyMoveRule, "draw by the fifty-move rule"),
        (Ending::PlyCap, "draw by the cap on the game's length"),
    ] {
        check(ending, reason, Outcome::Draw, "1/2-1/2", None);
    }
}
