//! Thirty puzzles with scripted moves, scored by hand under every rule.

use std::sync::Arc;

use chess::mate::MateSolver;
use chess::puzzle::{FirstMove, Puzzle};
use chess::{Game, HistoryFill};

use crate::scripted::evaluator;
use crate::{ByRule, Census, Examiner, PosedPuzzle, PuzzleOutcome, Rule, Solutions};

/// Columns: see the first line. `moves` begins with the opponent's; `played` are the network's in the
/// solver's positions; the verdicts are by rule; the last column says why.
const TABLE: &str = include_str!("../tests/data/hand_scored.csv");

struct HandScored {
    puzzle: Puzzle,
    played: Vec<&'static str>,
    verdict: ByRule<bool>,
}

fn hand_scored() -> Vec<HandScored> {
    let row = |line: &'static str| {
        let fields: Vec<&str> = line.splitn(9, ',').collect();
        let [id, history, fen, moves, played, strict, immediate_mate, multi_solution, _] =
            fields[..]
        else {
            panic!("{line}")
        };
        let mut game = Game::from_fen(fen).expect(fen);
        if !history.is_empty() {
            game = Game::new();
            history.split(' ').for_each(|uci| game.play_uci(uci).expect(id));
            assert_eq!(game.fen(), fen, "{id}");
        }
        let yes = |word: &str| match word {
            "yes" => true,
            "no" => false,
            _ => panic!("{line}"),
        };
        HandScored {
            puzzle: Puzzle::of_game(id, game, FirstMove::Opponent, moves).expect(id),
            played: played.split(' ').collect(),
            verdict: ByRule {
                strict: yes(strict),
                immediate_mate: yes(immediate_mate),
                multi_solution: yes(multi_solution),
            },
        }
    };
    TABLE.lines().skip(1).map(row).collect()
}

#[test]
fn every_rule_agrees_with_the_hand() {
    let puzzles = hand_scored();
    assert_eq!(puzzles.len(), 30);
    let mut solver = MateSolver::new(Rule::NODE_BUDGET);
    for HandScored { puzzle, played, verdict } in puzzles {
        let games = puzzle.solver_positions().into_iter().map(|(game, _)| game);
        let choices: Vec<(Game, &str)> = games.zip(played.iter().copied()).collect();
        assert_eq!(choices.len(), puzzle.line.len().div_ceil(2), "{}", puzzle.id);
        let evaluator = evaluator(&choices);

        let posed = PosedPuzzle::new(&puzzle, &Solutions::find(&puzzle, &mut solver));
        let engine = Arc::clone(evaluator.engine());
        let census = Census::new(engine.architecture().input_format, HistoryFill::FenOnly);
        let mut examiner = Examiner::new(engine, HistoryFill::FenOnly, census);
        let records = examiner.examine(vec![posed]).expect("finite");
        let [record] = records.as_slice() else { panic!("{records:?}") };
        let said: Vec<&str> = record.answers.iter().map(|answer| answer.played.as_str()).collect();
        assert_eq!(said, played, "{}", puzzle.id);
        assert_eq!(PuzzleOutcome::of(&record.answers).solved, verdict, "{}", puzzle.id);
    }
}
