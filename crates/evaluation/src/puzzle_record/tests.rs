use super::*;

fn answer(accepted: [bool; 3], log_mass: [f64; 3]) -> Answer {
    let by_rule = |[strict, immediate_mate, multi_solution]: [bool; 3]| ByRule {
        strict,
        immediate_mate,
        multi_solution,
    };
    let [strict, immediate_mate, multi_solution] = log_mass;
    Answer {
        ply: 0,
        marked: String::new(),
        acceptable: Vec::new(),
        played: String::new(),
        accepted: by_rule(accepted),
        log_mass: ByRule { strict, immediate_mate, multi_solution },
        marked_log_probability: strict,
        marked_rank: 0,
        accepted_rank: 0,
        played_probability: 1.0,
        runner_up_probability: 0.0,
        wdl: [0.0, 1.0, 0.0],
    }
}

#[test]
fn a_puzzle_is_solved_where_all_is_accepted_and_probabilities_multiply() {
    let outcome = PuzzleOutcome::of(&[
        answer([true, true, true], [-1.0, -0.5, -0.25]),
        answer([false, true, true], [-2.0, -0.5, -0.25]),
        answer([true, false, true], [-4.0, -0.5, 0.0]),
    ]);
    let expected = ByRule { strict: false, immediate_mate: false, multi_solution: true };
    assert_eq!(outcome.solved, expected);
    let expected = ByRule { strict: -7.0, immediate_mate: -1.5, multi_solution: -0.5 };
    assert_eq!(outcome.log_probability, expected);
    let trial = outcome.trial(Rule::MultiSolution);
    assert_eq!(trial, Trial { solved: true, log_probability: -0.5 });
}

#[test]
fn mate_depths() {
    let check = |moves: &str, themes: &[&str], expected: Option<u32>| {
        let fen = "6k1/5ppp/8/2p5/8/8/8/RR4K1 b - - 0 1";
        let mut puzzle = Puzzle::new("test", fen, moves).expect("a puzzle");
        puzzle.themes = themes.iter().map(|&theme| theme.to_owned()).collect();
        let facts = PuzzleFacts::of(&puzzle);
        assert_eq!(facts.mate_depth, expected, "{moves} {themes:?}");
        assert_eq!(facts.line.join(" "), moves[5..], "{moves}");
    };
    check("c5c4 a1a8", &[], Some(1));
    check("c5c4 b1b7 c4c3 a1a8", &["mate", "mateIn2"], Some(2));
    // The line knows better: Lichess has no theme beyond mateIn5.
    check("c5c4 b1b7 c4c3 a1a8", &["mateIn5"], Some(2));
    check("c5c4 b1b7", &["mate", "mateIn3"], Some(3));
    check("c5c4 b1b7", &["mateInX", "short"], None);
}
