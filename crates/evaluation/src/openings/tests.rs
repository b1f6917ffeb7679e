use super::*;
use crate::varied;

fn settings(count: usize, plies: u32, balance: f64, most_games: u32) -> SampledOpenings {
    let plies = NonZeroU32::new(plies).expect("at least 1");
    SampledOpenings { count, plies, balance, most_games, seed: 3 }
}

fn made(settings: SampledOpenings) -> MadeOpenings {
    settings.make(&varied::evaluator(5, 2.0), |_| ()).expect("finite")
}

#[test]
fn openings_are_different_positions_with_either_side_to_move() {
    let made = made(settings(60, 4, 0.5, 1_000));
    assert_eq!(made.openings.len(), 60);
    let positions: HashSet<String> = made.openings.iter().map(position).collect();
    assert_eq!(positions.len(), 60);
    let longer = made.openings.iter().filter(|game| game.ply() == 5).count();
    assert!(made.openings.iter().all(|game| matches!(game.ply(), 4 | 5)));
    assert!((20..=40).contains(&longer), "{longer}");
}

#[test]
fn a_side_that_stands_better_is_passed_over() {
    let evaluator = varied::evaluator(5, 2.0);
    let made = made(settings(30, 6, 0.05, 5_000));
    assert_eq!(made.openings.len(), 30);
    assert!(made.unbalanced > 30, "{made:?}");
    for evaluation in evaluator.evaluate(&made.openings).expect("finite") {
        assert!((evaluation.wdl().expected_score() - 0.5).abs() <= 0.05);
    }
}

#[test]
fn repeated_positions_are_counted() {
    // There are 20 positions after a move and 400 after two.
    let made = made(settings(1_000, 1, 0.5, 3_000));
    assert!(made.openings.len() <= 420, "{}", made.openings.len());
    assert_eq!(made.games, 3_000);
    let counted = made.openings.len() as u32 + made.repeated + made.unbalanced + made.ended;
    assert_eq!(counted, 3_000);
}

#[test]
fn fewer_openings_are_the_first_of_more() {
    let few = made(settings(10, 4, 0.5, 1_000)).openings;
    let more = made(settings(600, 4, 0.5, 2_000)).openings;
    assert!(more.len() > 512, "of several rounds");
    let fens = |games: &[Game]| games.iter().map(Game::fen).collect::<Vec<_>>();
    assert_eq!(fens(&few), fens(&more[..10]));
}
