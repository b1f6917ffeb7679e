use super::*;

fn words(positions: &[&[&str]]) -> Vec<Vec<String>> {
    positions.iter().map(|moves| moves.iter().map(|&uci| uci.to_owned()).collect()).collect()
}

#[test]
fn what_was_found_is_recalled() {
    // Queen and rook climb in either order.
    let fen = "4k3/8/8/8/8/5R2/8/K5Q1 b - - 0 1";
    let puzzle = Puzzle::new("ladder", fen, "e8d8 g1g7 d8e8 f3f8").expect("a puzzle");
    let mut solver = MateSolver::new(Rule::NODE_BUDGET);
    let found = Solutions::find(&puzzle, &mut solver);
    assert_eq!(found.acceptance, Acceptance::Proved);
    let games = puzzle.solver_positions();
    let ucis: Vec<Vec<String>> = games
        .iter()
        .zip(&found.positions.multi_solution)
        .map(|((game, _), moves)| moves.iter().map(|&mv| game.uci(mv)).collect())
        .collect();
    assert_eq!(ucis, words(&[&["g1g7", "f3f7"], &["f3f8"]]));
    assert_eq!(Solutions::recall(&puzzle, Acceptance::Proved, &ucis, &mut solver), Some(found));

    for other in [
        words(&[&["g1g7", "f3f7"]]),
        words(&[&["f3f7", "g1g7"], &["f3f8"]]),
        words(&[&["g1g7", "f3f9"], &["f3f8"]]),
        words(&[&[], &["f3f8"]]),
        words(&[&["g1g7"], &["f3f8"], &["f3f8"]]),
    ] {
        assert_eq!(
            Solutions::recall(&puzzle, Acceptance::Proved, &other, &mut solver),
            None,
            "{other:?}"
        );
    }
}
