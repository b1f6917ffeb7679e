use chess::puzzle::FirstMove;

use super::*;

/// A puzzle that begins with the solver's move.
fn puzzle(fen: &str, line: &str) -> Puzzle {
    let game = Game::from_fen(fen).expect("a position");
    Puzzle::of_game("test", game, FirstMove::Solver, line).expect("a puzzle")
}

/// For each position the accepted moves: the marked one, then the others.
fn ucis(puzzle: &Puzzle, moves: &AcceptableMoves) -> Vec<String> {
    let positions = puzzle.solver_positions();
    assert_eq!(positions.len(), moves.positions.len());
    let positions = positions.iter().zip(&moves.positions);
    positions
        .map(|((game, marked), accepted)| {
            assert_eq!(accepted.first(), Some(marked));
            accepted.iter().map(|&mv| game.uci(mv)).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

const LADDER: &str = "7k/8/8/8/8/8/1R6/R5K1 w - - 0 1";

#[test]
fn moves_that_keep_the_mate() {
    let check = |fen: &str, line: &str, expected: &[&str], acceptance: Acceptance| {
        let puzzle = puzzle(fen, line);
        let moves = prove(&puzzle, &mut MateSolver::new(Rule::NODE_BUDGET));
        assert_eq!(ucis(&puzzle, &moves), expected, "{line}");
        assert_eq!(moves.acceptance, acceptance, "{line}");
        assert_eq!(moves.nodes > 0, acceptance != Acceptance::Marked, "{line}");
        assert_eq!(Rule::MultiSolution.acceptable(&puzzle, &mut MateSolver::new(1_000_000)), moves);
    };
    let proved = Acceptance::Proved;
    // Either rook may take the seventh rank and the other the eighth.
    check(LADDER, "b2b7 h8g8 a1a8", &["b2b7 a1a7", "a1a8"], proved);
    check(LADDER, "a1a7 h8g8 b2b8", &["a1a7 b2b7", "b2b8"], proved);
    // The marked line is slower than it could be: the faster moves and the marked one.
    check(LADDER, "g1f1 h8g8 a1a7 g8h8 b2b8", &["g1f1 a1a7 b2b7", "a1a7 b2b7", "b2b8"], proved);
    // Both rooks mate at once; marked is a mate in two.
    let two_mates = "6k1/p4ppp/8/8/8/8/8/RR4K1 w - - 0 1";
    check(two_mates, "b1b8", &["b1b8"], proved);
    // The opponent helps, so that mate is not forced before the last move.
    let helped = "rnbqkbnr/ppppp1pp/5p2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    check(helped, "d2d4 g7g5 d1h5", &["d2d4", "d1h5"], proved);
    // A line without mate, even where there is one.
    check(LADDER, "b2b7", &["b2b7"], Acceptance::Marked);
    check(LADDER, "b2b7 h8g8 b7b8", &["b2b7", "b7b8"], Acceptance::Marked);
}

#[test]
fn what_cannot_be_proved_is_the_marked_move() {
    let line = "b2b7 h8g8 a1a8";
    let puzzle_in_two = puzzle(LADDER, line);
    let moves = prove(&puzzle_in_two, &mut MateSolver::new(1));
    assert_eq!(
        (ucis(&puzzle_in_two, &moves), moves.acceptance),
        (vec!["b2b7".to_owned(), "a1a8".to_owned()], Acceptance::Unproved)
    );
    // Mate in seven is longer than the solver goes; what follows is proved again.
    let waiting = "g1f1 h8g8 f1g1 g8h8 g1f1 h8g8 f1g1 g8h8 g1f1 h8g8 a1a7 g8h8 b2b8";
    let long = puzzle(LADDER, waiting);
    let moves = prove(&long, &mut MateSolver::new(Rule::NODE_BUDGET));
    let found = ucis(&long, &moves);
    assert_eq!(moves.acceptance, Acceptance::Unproved);
    assert_eq!((found.len(), found[0].as_str()), (7, "g1f1"));
    assert_eq!(found[5..], ["a1a7 b2b7", "b2b8"]);
}

#[test]
fn rules_without_proof() {
    let check = |fen: &str, line: &str, rule: Rule, expected: &[&str]| {
        let puzzle = puzzle(fen, line);
        let moves = rule.acceptable(&puzzle, &mut MateSolver::new(1));
        assert_eq!(ucis(&puzzle, &moves), expected, "{fen} {rule}");
        assert_eq!((moves.acceptance, moves.nodes), (Acceptance::Marked, 0));
    };
    // Either rook mates on the eighth rank, though the a-file rook is blocked by its pawn.
    let two_mates = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1";
    check(two_mates, "b1b8", Rule::Strict, &["b1b8"]);
    check(two_mates, "b1b8", Rule::ImmediateMate, &["b1b8 a1a8"]);
    // Queen or rook promotion mates, by either capture or advance; a knight does not.
    let promotion = "6k1/1P3ppp/8/8/8/8/8/6K1 w - - 0 1";
    check(promotion, "b7b8q", Rule::Strict, &["b7b8q"]);
    check(promotion, "b7b8q", Rule::ImmediateMate, &["b7b8q b7b8r"]);
    // Castling, as the king's move, is a move like others.
    let castling = "5k2/4ppp1/8/8/8/8/4P1PP/4K2R w K - 0 1";
    check(castling, "e1g1", Rule::ImmediateMate, &["e1g1"]);
    check(LADDER, "b2b7 h8g8 a1a8", Rule::ImmediateMate, &["b2b7", "a1a8"]);
}

#[test]
fn lists_of_the_file_are_taken() {
    let mut solver = MateSolver::new(1);
    let mut puzzle = puzzle(LADDER, "b2b7 h8g8 a1a8");
    let (marked, other) = (puzzle.line[0], puzzle.start.parse_uci("b2b3").expect("legal"));
    puzzle.acceptable = Some(vec![vec![marked, other], vec![puzzle.line[2]]]);
    for (acceptance, strict) in [
        (Some(Acceptance::Proved), "b2b7"),
        (Some(Acceptance::Unproved), "b2b7"),
        (Some(Acceptance::Given), "b2b7 b2b3"),
        (None, "b2b7"),
    ] {
        puzzle.acceptance = acceptance;
        let moves = Rule::MultiSolution.acceptable(&puzzle, &mut solver);
        assert_eq!(ucis(&puzzle, &moves), ["b2b7 b2b3", "a1a8"]);
        assert_eq!(moves.acceptance, acceptance.unwrap_or(Acceptance::Given));
        for rule in [Rule::Strict, Rule::ImmediateMate] {
            let moves = rule.acceptable(&puzzle, &mut solver);
            assert_eq!(ucis(&puzzle, &moves), [strict, "a1a8"], "{rule} {acceptance:?}");
        }
    }
}
