use chess::mate::MateSolver;
use chess::puzzle::Puzzle;
use chess::{Game, MoveIndex};
use network::EncodedPosition;
use policy::ValueLogits;

use super::*;
use crate::{Rule, Solutions};

/// The first solver's position of a puzzle, and an evaluation with the logits that `logit` gives.
fn position(fen: &str, moves: &str, logit: impl Fn(&str) -> f32) -> (SolverPosition, Evaluation) {
    let puzzle = Puzzle::new("test", fen, moves).expect("a puzzle");
    let solutions = Solutions::find(&puzzle, &mut MateSolver::new(Rule::NODE_BUDGET));
    let position = SolverPosition::all(&puzzle, &solutions).remove(0);
    let format = chess::InputFormat::Classical112;
    let encoded = EncodedPosition::new(&position.game, format, chess::HistoryFill::FenOnly);
    let moves: Vec<(MoveIndex, Move)> = encoded.expect("standard chess").moves;
    let game: &Game = &position.game;
    let logits = moves.iter().map(|(_, mv)| logit(&game.uci(*mv))).collect();
    let value = ValueLogits::wdl([0.0, 0.0, 0.0]).expect("finite");
    (position, Evaluation { moves, logits, value, moves_left: None })
}

const TWO_MATES: &str = "rr4k1/8/8/8/2P5/8/5PPP/6K1 w - - 0 1";

#[test]
fn probabilities_of_accepted_moves_add_up() {
    // Weights 1, 2 and 4 of the marked mate, the other mate and a king's move; no others.
    let logit = |uci: &str| match uci {
        "a8a1" => 0.0,
        "b8b1" => std::f32::consts::LN_2,
        "g8g7" => 2.0 * std::f32::consts::LN_2,
        _ => -200.0,
    };
    let (position, evaluation) = position(TWO_MATES, "c4c5 a8a1", logit);
    let answer = Answer::new(&position, &evaluation).expect("finite");
    assert_eq!((answer.ply, answer.marked.as_str(), answer.played.as_str()), (0, "a8a1", "g8g7"));
    assert_eq!(answer.acceptable, ["a8a1", "b8b1"]);
    assert_eq!(answer.accepted, ByRule::default());
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-7, "{found}");
    close(answer.log_mass.strict.exp(), 1.0 / 7.0);
    close(answer.marked_log_probability.exp(), 1.0 / 7.0);
    close(answer.log_mass.immediate_mate.exp(), 3.0 / 7.0);
    close(answer.log_mass.multi_solution.exp(), 3.0 / 7.0);
    close(answer.played_probability, 4.0 / 7.0);
    close(answer.runner_up_probability, 2.0 / 7.0);
    assert_eq!((answer.marked_rank, answer.accepted_rank), (2, 1));
    answer.wdl.iter().for_each(|&probability| close(probability, 1.0 / 3.0));
}

#[test]
fn masses_below_the_smallest_number_stay_finite() {
    let logit = |uci: &str| if uci == "g8g7" { 3e38 } else { -3e38 };
    let (position, evaluation) = position(TWO_MATES, "c4c5 a8a1", logit);
    let answer = Answer::new(&position, &evaluation).expect("finite");
    assert!(answer.log_mass.strict.is_finite() && answer.log_mass.strict < -5e38);
    assert!(answer.log_mass.multi_solution >= answer.log_mass.strict);
}

#[test]
fn what_is_not_a_number_is_refused() {
    let (position, evaluation) =
        position(TWO_MATES, "c4c5 a8a1", |uci| if uci == "g8g7" { f32::NAN } else { 0.0 });
    let error = Answer::new(&position, &evaluation).expect_err("not a number");
    assert!(matches!(error, PolicyError::NonFiniteLogit { .. }), "{error}");
}
