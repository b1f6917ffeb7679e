use chess::Game;

use super::*;

fn board(fen: &str, moves: &[(&str, &str)]) -> String {
    let game = Game::from_fen(fen).expect("a position");
    let mut board = Board::new(game.position().clone(), "A <title> & more");
    for (uci, label) in moves {
        let played = game.parse_uci(uci).expect("legal");
        board = board.with_arrow(Arrow { played, colour: "#15781b", label: (*label).to_owned() });
    }
    board.with_line("move  p\u{7}").svg()
}

#[test]
fn a_board_has_all_its_squares_and_pieces() {
    let svg = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[("e2e4", "42%")]);
    assert_eq!(svg.matches("#f0d9b5").count(), 32);
    assert_eq!(svg.matches("#b58863").count(), 32);
    for (role, count) in [
        (Role::Pawn, 16),
        (Role::Knight, 4),
        (Role::Bishop, 4),
        (Role::Rook, 4),
        (Role::Queen, 2),
        (Role::King, 2),
    ] {
        assert_eq!(svg.matches(character(role)).count(), count, "{role:?}");
    }
    assert_eq!(svg.matches("<polygon").count(), 1);
    assert!(svg.contains(">42%</text>"));
    assert!(svg.contains("<title>A &lt;title&gt; &amp; more</title>"));
    assert!(svg.contains(">move  p </text>"), "control characters are no XML");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
}

#[test]
fn the_mover_sits_below() {
    // A single king on e1 is drawn in the lowest row for White, in the highest for Black.
    let check = |turn: &str, x: f64, y: f64| {
        let game = Game::from_fen(&format!("7k/8/8/8/8/8/8/4K3 {turn} - - 0 1")).expect("legal");
        let board = Board::new(game.position().clone(), "");
        assert_eq!(board.corner(Square::E1), (x, y), "{turn}");
    };
    check("w", MARGIN + 4.0 * SQUARE, LINE + MARGIN + 7.0 * SQUARE);
    check("b", MARGIN + 3.0 * SQUARE, LINE + MARGIN);
}

#[test]
fn castling_points_to_the_kings_square() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (uci, file) in [("e1g1", 6.0), ("e1c1", 2.0)] {
        let svg = board(fen, &[(uci, "")]);
        let tip = format!("points=\"{:.1},", MARGIN + SQUARE * (file + 0.5));
        assert!(svg.contains(&tip), "{uci}");
    }
}
