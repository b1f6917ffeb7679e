use chess::{Game, HistoryFill};

use super::*;

const FORMAT: InputFormat = InputFormat::Classical112;

fn sample(fen: &str, moves: &[&str], solution: &str) -> Sample {
    let mut game = Game::from_fen(fen).expect("a position");
    for uci in moves {
        game.play_uci(uci).expect("a legal move");
    }
    let solution = game.parse_uci(solution).expect("a legal move");
    Sample::with_solution(&game, solution, FORMAT, HistoryFill::No).expect("expressible")
}

#[test]
fn every_move_has_a_mirror_image() {
    for index in MoveIndex::all() {
        assert_eq!(mirrored_move(mirrored_move(index)), index);
    }
    let check = |uci: &str, expected: &str| {
        let all: Vec<MoveIndex> = MoveIndex::all().collect();
        let named =
            |name: &str| all.iter().find(|index| index.mover_move().to_string() == name).copied();
        assert_eq!(mirrored_move(named(uci).expect("an entry")).mover_move().to_string(), expected);
    };
    check("e2e4", "d2d4");
    check("a7b8q", "h7g8q");
    check("g1f3", "b1c3");
}

#[test]
fn the_mirror_image_is_the_sample_of_the_mirrored_position() {
    let check = |[fen, mirrored_fen]: [&str; 2], moves: &[[&str; 2]], solution: [&str; 2]| {
        let side = |side: usize| moves.iter().map(|pair| pair[side]).collect::<Vec<_>>();
        let one = sample(fen, &side(0), solution[0]);
        let other = sample(mirrored_fen, &side(1), solution[1]);
        let mirrored = one.mirrored(FORMAT).expect("nobody may castle");
        assert_eq!(mirrored.planes, other.planes, "{fen}");
        assert_eq!(mirrored.moves, other.moves, "{fen}");
        assert_eq!(mirrored.policy.argmax(), other.policy.argmax(), "{fen}");
        let back = mirrored.mirrored(FORMAT).expect("nor here");
        assert_eq!((&back.planes, &back.moves), (&one.planes, &one.moves));
    };
    check(
        ["6k1/1P3ppp/8/8/8/8/8/6K1 w - - 3 9", "1k6/ppp3P1/8/8/8/8/8/1K6 w - - 3 9"],
        &[],
        ["b7b8q", "g7g8q"],
    );
    check(
        ["7k/7p/8/8/8/8/8/R6K w - - 0 1", "k7/p7/8/8/8/8/8/K6R w - - 0 1"],
        &[["a1a8", "h1h8"], ["h8g7", "a8b7"]],
        ["a8h8", "h8a8"],
    );
}

#[test]
fn castling_has_no_mirror_image() {
    let fen = "4k3/7p/8/8/8/8/7P/4K2R w K - 0 1";
    assert!(sample(fen, &[], "e1g1").mirrored(FORMAT).is_none());
}
