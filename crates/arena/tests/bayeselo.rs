//! Ratings, intervals, parameters and likelihoods of superiority as the program prints them.

use std::fs;

use arena::rating::{IntervalMethod, Parameter, PlayerRating, Ratings, Results, Settings, rate};
use chess::pgn::PgnHeaderReader;
use serde_json::Value;

const PROMPT: &str = "ResultSet-EloRating>";

/// A line of the program's table.
#[derive(Debug)]
struct Line {
    name: String,
    /// Elo, +, -, games, score in percent, opponents' Elo, draws in percent.
    numbers: [f64; 7],
}

#[test]
fn every_printed_digit_is_the_programs() {
    let Some(folder) = fixtures::reference("ratings") else { return };
    let mut scripts = 0;
    for pool in ["engines_17", "one_sided_3", "pool_9x60"] {
        let mut results = Results::new();
        for game in PgnHeaderReader::open(&folder.join(format!("{pool}.pgn"))).expect(pool) {
            let game = game.expect(pool);
            let (white, black) = (game.tag("White").expect(pool), game.tag("Black").expect(pool));
            results.add(white, black, game.result.expect("a result")).expect("two players");
        }
        let text = fs::read_to_string(folder.join(format!("{pool}.bayeselo.json"))).expect(pool);
        let recorded: Value = serde_json::from_str(&text).expect("JSON");
        for (script, recorded) in recorded.as_object().expect("scripts") {
            let commands: Vec<&str> = recorded["commands"]
                .as_array()
                .expect("commands")
                .iter()
                .map(|command| command.as_str().expect("a command"))
                .collect();
            let outputs = recorded["stdout"].as_str().expect("text").split(PROMPT).skip(1);
            let printed: Vec<(&str, &str)> = commands.iter().copied().zip(outputs).collect();
            check(&format!("{pool}, {script}"), &results, &printed);
            scripts += 1;
        }
    }
    assert_eq!(scripts, 9);
}

fn check(name: &str, results: &Results, printed: &[(&str, &str)]) {
    let has = |command: &str| printed.iter().any(|(found, _)| *found == command);
    let parameter = |elo| if has("mm 1 1") { Parameter::Fitted } else { Parameter::Fixed(elo) };
    assert!(has("mm") != has("mm 1 1") && has("exactdist") != has("covariance"), "{name}");
    let converged = Settings {
        advantage: parameter(32.8),
        draw: parameter(97.3),
        intervals: if has("covariance") {
            IntervalMethod::Covariance
        } else {
            IntervalMethod::Exact
        },
        ..Settings::default()
    };
    let stopped = Settings { tolerance: Settings::BAYESELO_TOLERANCE, ..converged.clone() };
    // The program stops short of the most probable ratings and parameters by so much.
    for (settings, slack) in [(stopped, 0.0), (converged, 0.1)] {
        let ratings = rate(results, &settings).expect(name);
        for (command, output) in printed {
            match *command {
                "ratings" => check_table(name, &table(&ratings), &read_table(output), slack),
                "advantage" => near(name, ratings.model().advantage, output, slack),
                "drawelo" => near(name, ratings.model().draw, output, slack),
                "los 0 99 2" => {
                    assert_eq!(superiorities(&ratings), read_superiorities(&ratings, output));
                }
                "mm" | "mm 1 1" | "exactdist" | "covariance" => {}
                other => panic!("{name}: {other} is not checked"),
            }
        }
    }
}

/// Whole numbers are printed, rounded.
fn check_table(name: &str, found: &[Line], printed: &[Line], slack: f64) {
    assert_eq!(found.len(), printed.len(), "{name}");
    for (found, printed) in found.iter().zip(printed) {
        assert_eq!(found.name, printed.name, "{name}");
        for (number, whole) in found.numbers.iter().zip(printed.numbers) {
            assert!((number - whole).abs() <= 0.5 + slack, "{name}: {found:?}, not {printed:?}");
        }
    }
}

fn table(ratings: &Ratings) -> Vec<Line> {
    let line = |player: &PlayerRating| {
        let games = player.score.games() as f64;
        let numbers = [
            player.elo,
            player.plus,
            player.minus,
            games,
            100.0 * player.score.mean().expect("games"),
            player.opponents_elo,
            100.0 * player.score.draws as f64 / games,
        ];
        Line { name: player.name.clone(), numbers }
    };
    ratings.players().iter().map(line).collect()
}

fn read_table(output: &str) -> Vec<Line> {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (names, numbers) = words.split_at(words.len() - 7);
        let number = |index: usize| numbers[index].trim_end_matches('%').parse().expect(line);
        Line { name: names[1..].join(" "), numbers: std::array::from_fn(number) }
    };
    output.lines().skip(1).filter(|line| !line.trim().is_empty()).map(line).collect()
}

/// Six digits are printed.
fn near(name: &str, found: f64, output: &str, slack: f64) {
    let printed: f64 = output.trim().parse().expect(output);
    let half_a_digit = 10f64.powf(printed.abs().log10().floor() - 5.0) / 2.0;
    assert!((found - printed).abs() <= half_a_digit + slack, "{name}: {found}, printed {printed}");
}

/// Tenths, as the program cuts them off.
fn superiorities(ratings: &Ratings) -> Vec<Vec<Option<u64>>> {
    let all = ratings.comparisons().expect("few players").superiorities();
    let tenths = |(row, values): (usize, &Vec<f64>)| {
        let of = |(column, value): (usize, &f64)| (row != column).then_some((value * 10.0) as u64);
        values.iter().enumerate().map(of).collect()
    };
    all.iter().enumerate().map(tenths).collect()
}

fn read_superiorities(ratings: &Ratings, output: &str) -> Vec<Vec<Option<u64>>> {
    let width = ratings.players().iter().map(|player| player.name.len()).max().expect("players");
    let row = |line: &str| {
        let cell = |column: usize| {
            let start = width + 1 + 2 * column;
            line.get(start..start + 2).unwrap_or("").trim().parse().ok()
        };
        (0..ratings.players().len()).map(cell).collect()
    };
    output.lines().skip(1).take(ratings.players().len()).map(row).collect()
}
