use super::*;

#[test]
fn themes_are_told_from_the_board() {
    let check = |fen: &str, moves: &str, score: f64, expected: &str| {
        let puzzle = Puzzle::new("p", fen, moves).expect("a puzzle");
        assert_eq!(themes(&puzzle, Prospect::Score(score)).join(" "), expected, "{fen}");
    };
    check(
        "7k/8/8/8/8/8/P7/K7 b - - 0 1",
        "h8g8 a2a3",
        0.95,
        "crushing endgame oneMove pawnEndgame",
    );
    check(
        "7k/8/8/8/8/8/P7/KR6 b - - 0 1",
        "h8g8 a2a3",
        0.9,
        "advantage endgame oneMove rookEndgame",
    );
    check(
        "7k/8/8/8/8/8/P7/KQ6 b - - 0 1",
        "h8g8 a2a3",
        0.6,
        "endgame equality oneMove queenEndgame",
    );
    check(
        "7k/8/8/8/8/8/P7/KN6 b - - 0 1",
        "h8g8 a2a3",
        1.0,
        "crushing endgame knightEndgame oneMove",
    );
    check(
        "7k/8/8/8/8/8/P7/KB6 b - - 0 1",
        "h8g8 a2a3",
        1.0,
        "bishopEndgame crushing endgame oneMove",
    );
    check("7k/8/8/8/8/8/P7/KBN5 b - - 0 1", "h8g8 a2a3", 1.0, "crushing endgame oneMove");
    check(
        "6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1",
        "g8h8 b7b8q",
        1.0,
        "endgame mate mateIn1 oneMove pawnEndgame promotion",
    );
    check(
        "8/8/8/8/8/k7/4p3/6K1 w - - 0 1",
        "g1g2 e2e1n g2f1 e1c2",
        0.9,
        "advantage endgame pawnEndgame promotion short underPromotion",
    );
    check(
        "4k3/7p/8/8/8/8/7P/4K2R b K - 0 1",
        "h7h6 e1g1",
        0.9,
        "advantage castling endgame oneMove rookEndgame",
    );
    check(
        "7k/3p4/8/4P3/8/8/8/K7 b - - 0 1",
        "d7d5 e5d6",
        0.9,
        "advantage enPassant endgame oneMove pawnEndgame",
    );
    // The knight moves off the line of the rook and gives check itself.
    check("k7/8/8/N7/8/8/8/R6K b - - 0 1", "a8b8 a5c6", 0.9, "advantage endgame oneMove");
    check(
        "1k6/8/8/8/N7/8/8/R6K b - - 0 1",
        "b8a8 a4b6",
        0.9,
        "advantage doubleCheck endgame oneMove",
    );
    check(
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "g1f3 b8c6 a2a3 a7a6 h2h3 h7h6 b2b3 b7b6",
        0.9,
        "advantage opening veryLong",
    );
    let long = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 \
                g1f3 g8f6 f3g1 f6g8";
    let mut game = chess::Game::new();
    long.split(' ').for_each(|uci| game.play_uci(uci).expect("legal"));
    let first = chess::puzzle::FirstMove::Opponent;
    let puzzle = Puzzle::of_game("p", game, first, "e2e4 e7e5 d2d4 e5d4 d1d4 b8c6").expect("one");
    assert_eq!(themes(&puzzle, Prospect::Score(0.7)).join(" "), "advantage long middlegame");
}
