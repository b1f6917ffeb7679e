use proptest::prelude::*;

use crate::puzzle::{Acceptance, FirstMove, Puzzle};
use crate::{Game, Move};

/// The same puzzle, by everything that a row has.
fn assert_same(read: &Puzzle, written: &Puzzle) {
    assert_eq!(read.start.start_fen(), written.start.start_fen());
    assert_eq!(read.start.fen(), written.start.fen());
    assert_eq!(read.start.moves(), written.start.moves());
    assert_eq!((&read.line, read.first_move), (&written.line, written.first_move));
    assert_eq!((&read.id, &read.themes), (&written.id, &written.themes));
    assert_eq!((read.rating, read.rating_deviation), (written.rating, written.rating_deviation));
    assert_eq!((read.popularity, read.plays), (written.popularity, written.plays));
    assert_eq!((&read.game_url, &read.opening_tags), (&written.game_url, &written.opening_tags));
    assert_eq!((&read.acceptable, read.acceptance), (&written.acceptable, written.acceptance));
}

#[test]
fn a_row_of_lichess_comes_out_as_it_went_in() {
    let row = "J4KYb,1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - - 0 23,h1h2 h6f4,674,99,-90,\
               388,mate mateIn1,https://lichess.org/0b2LVg6r#45,,,,,";
    assert_eq!(Puzzle::from_row(row).expect("a puzzle").to_row(), row);
    let solver =
        "\"a, \"\"b\"\"\",4k3/8/8/8/8/8/8/4K2R w K - 3 9,e1g1,,,,,,,,solver,,e1g1|h1h8,given";
    assert_eq!(Puzzle::from_row(solver).expect("a puzzle").to_row(), solver);
}

/// A game of moves chosen by `choices`, as far as there are legal ones.
fn play(mut game: Game, choices: &[u16]) -> Game {
    for &choice in choices {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()]).expect("legal");
    }
    game
}

proptest! {
    #[test]
    fn puzzles_are_read_back(
        before in prop::collection::vec(any::<u16>(), 0..80),
        line in prop::collection::vec(any::<u16>(), 1..8),
        (known, solver_first, id) in (any::<bool>(), any::<bool>(), "[ -~]{0,8}x[é\"',]{0,3}"),
        numbers in any::<(Option<u32>, Option<u32>, Option<i32>, Option<u64>)>(),
        themes in prop::collection::vec("[a-zA-Z0-9,\"|]{1,9}", 0..3),
        acceptance in prop::sample::select(
            [None].into_iter().chain(Acceptance::ALL.map(Some)).collect::<Vec<_>>()
        ),
        extra in any::<u16>(),
    ) {
        let mut game = play(Game::new(), &before);
        if !known {
            game = Game::from_fen(&game.fen()).expect("its own FEN");
        }
        let end = play(game.clone(), &line);
        let first_move = if solver_first { FirstMove::Solver } else { FirstMove::Opponent };
        let setting = usize::from(!solver_first);
        let mut moves: Vec<String> = Vec::new();
        let mut at = game.clone();
        for &mv in &end.moves()[game.moves().len()..] {
            moves.push(at.uci(mv));
            at.play(mv).expect("legal");
        }
        if (moves.len() + setting).is_multiple_of(2) {
            moves.pop();
        }
        prop_assume!(moves.len() > setting);
        let mut puzzle =
            Puzzle::of_game(id.trim(), game, first_move, &moves.join(" ")).expect("a puzzle");
        (puzzle.rating, puzzle.rating_deviation, puzzle.popularity, puzzle.plays) = numbers;
        puzzle.themes = themes;
        puzzle.game_url = known.then(|| "https://lichess.org/0b2LVg6r#45".to_owned());
        if acceptance.is_some() {
            let group = |(game, marked): (Game, Move)| {
                let legal = game.legal_moves();
                let other = legal[usize::from(extra) % legal.len()];
                if other == marked { vec![marked] } else { vec![marked, other] }
            };
            puzzle.acceptable = Some(puzzle.solver_positions().into_iter().map(group).collect());
            puzzle.acceptance = acceptance;
        }
        let row = puzzle.to_row();
        let read = Puzzle::from_row(&row).expect("a puzzle");
        assert_same(&read, &puzzle);
        prop_assert_eq!(read.to_row(), row);
    }
}
