use super::*;
use crate::scripted::evaluator;

/// The positions of `puzzle` in which the solver is to move.
fn games(puzzle: &Puzzle) -> Vec<Game> {
    puzzle.solver_positions().into_iter().map(|(game, _)| game).collect()
}

#[test]
fn what_is_played_and_whether_it_is_accepted() {
    let check = |fen: &str, moves: &str, played: &[&str], strict: &[bool], mates: &[bool]| {
        let puzzle = Puzzle::new("test", fen, moves).expect("a puzzle");
        let games = games(&puzzle);
        assert_eq!(games.len(), played.len(), "{fen}");
        let choices: Vec<_> = games.iter().cloned().zip(played.iter().copied()).collect();
        let evaluator = evaluator(&choices);
        for (rule, accepted) in [(Rule::Strict, strict), (Rule::ImmediateMate, mates)] {
            let attempts =
                attempt(&evaluator, rule, std::slice::from_ref(&puzzle)).expect("finite");
            let [attempt] = attempts.as_slice() else { panic!("{attempts:?}") };
            let positions = &attempt.positions;
            let ucis: Vec<String> =
                games.iter().zip(positions).map(|(game, tried)| game.uci(tried.played)).collect();
            assert_eq!(ucis, played, "{fen}");
            let verdicts: Vec<bool> = positions.iter().map(|tried| tried.accepted).collect();
            assert_eq!(verdicts, accepted, "{fen} {rule}");
            assert_eq!(attempt.solved(), accepted.iter().all(|&accepted| accepted));
        }
    };
    // A promotion, and the other promotion that mates as well.
    let promotion = "6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1";
    check(promotion, "g8h8 b7b8q", &["b7b8q"], &[true], &[true]);
    check(promotion, "g8h8 b7b8q", &["b7b8r"], &[false], &[true]);
    check(promotion, "g8h8 b7b8q", &["b7b8n"], &[false], &[false]);
    check(promotion, "g8h8 b7b8q", &["g1g2"], &[false], &[false]);
    // Castling, which the file writes as the king's move.
    let castling = "4k3/7p/8/8/8/8/7P/4K2R b K - 0 1";
    check(castling, "h7h6 e1g1", &["e1g1"], &[true], &[true]);
    check(castling, "h7h6 e1g1", &["e1f1"], &[false], &[false]);
    check("r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "e1d1 e8c8", &["e8c8"], &[true], &[true]);
    // Black to move, two positions, the first a promotion to a knight.
    let black = "8/8/8/8/8/k7/4p3/6K1 w - - 0 1";
    let line = "g1g2 e2e1n g2f1 e1c2";
    check(black, line, &["e2e1n", "e1c2"], &[true, true], &[true, true]);
    check(black, line, &["e2e1q", "e1c2"], &[false, true], &[false, true]);
    check(black, line, &["e2e1n", "e1f3"], &[true, false], &[true, false]);
}

#[test]
fn positions_are_those_of_the_marked_line_with_its_history() {
    let fen = "8/8/8/8/8/k7/4p3/6K1 w - - 0 1";
    let puzzle = Puzzle::new("test", fen, "g1g2 e2e1n g2f1 e1c2").expect("a puzzle");
    let games = games(&puzzle);
    let moves: Vec<usize> = games.iter().map(|game| game.moves().len()).collect();
    assert_eq!(moves, [1, 3]);
    assert_eq!(games[0].fen(), "8/8/8/8/8/k7/4p1K1/8 b - - 1 1");
    assert_eq!(games[1].fen(), "8/8/8/8/8/k7/8/4nK2 b - - 1 2");
}

#[test]
fn equal_logits_play_the_lowest_index() {
    let puzzle = Puzzle::new("test", "7k/8/8/8/8/8/8/K7 b - - 0 1", "h8g8 a1b1").expect("a puzzle");
    let attempts = attempt(&evaluator(&[]), Rule::Strict, &[puzzle]).expect("finite");
    // From a1 the entries are ordered by target square: b1 (1) before a2 (8) and b2 (9).
    assert!(attempts[0].solved());
}

#[test]
fn puzzles_together_are_tried_as_each_alone() {
    let puzzle = |fen, moves| Puzzle::new("test", fen, moves).expect("a puzzle");
    let puzzles = [
        puzzle("8/8/8/8/8/k7/4p3/6K1 w - - 0 1", "g1g2 e2e1n g2f1 e1c2"),
        puzzle("4k3/7p/8/8/8/8/7P/4K2R b K - 0 1", "h7h6 e1g1"),
        puzzle("6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1", "g8h8 b7b8q"),
    ];
    let choices: Vec<(Game, &str)> = [("e2e1n", 0, 0), ("e1f3", 0, 1), ("e1g1", 1, 0)]
        .map(|(uci, index, place)| (games(&puzzles[index])[place].clone(), uci))
        .into();
    let evaluator = evaluator(&choices);
    let together = attempt(&evaluator, Rule::Strict, &puzzles).expect("finite");
    assert_eq!(together.iter().map(Attempt::solved).collect::<Vec<_>>(), [false, true, false]);
    for (puzzle, tried) in puzzles.iter().zip(&together) {
        let alone = attempt(&evaluator, Rule::Strict, std::slice::from_ref(puzzle));
        assert_eq!(alone.expect("finite").as_slice(), std::slice::from_ref(tried));
    }
    assert!(attempt(&evaluator, Rule::Strict, &[]).expect("nothing to do").is_empty());
}
