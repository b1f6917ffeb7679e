use std::fs;

use chess::{Color, Ending, Game};
use proptest::prelude::*;

use super::*;
use crate::record::GameEnd;
use crate::schedule::Format;

const NAMES: [&str; 2] = ["one", "two"];

fn schedule() -> Schedule {
    Schedule::new(2, Format::RoundRobin, 4, vec![Game::new()]).expect("games")
}

/// Fool's mate.
fn played(number: u64) -> PlayedGame {
    let pairing = schedule().pairing(GameNumber(number));
    let mut game = Game::new();
    ["f2f3", "e7e5", "g2g4", "d8h4"].iter().for_each(|uci| game.play_uci(uci).expect("legal"));
    let end = GameEnd::Rule(Ending::Checkmate { winner: Color::Black });
    PlayedGame { pairing, game, end }
}

fn open(path: &Path) -> Result<GameFile, GameFileError> {
    GameFile::open(path, "Test", &NAMES, &schedule())
}

fn write(path: &Path, games: u64) {
    let mut file = open(path).expect("a file");
    (0..games).for_each(|number| file.add(&schedule(), &played(number)).expect("written"));
}

#[test]
fn games_are_there_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    write(&path, 2);
    let text = fs::read_to_string(&path).expect("games");
    let mut file = open(&path).expect("the same file");
    let results: Vec<&GameResult> = file.results().collect();
    assert_eq!(results, [&GameResult::from(&played(0)), &GameResult::from(&played(1))]);
    assert!(file.has(GameNumber(1)) && !file.has(GameNumber(2)));
    file.add(&schedule(), &played(2)).expect("written");
    assert!(fs::read_to_string(&path).expect("games").starts_with(&text));
}

#[test]
fn other_games_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    write(&path, 1);
    let whole = fs::read_to_string(&path).expect("games");
    let check = |text: &str, expected: &str| {
        fs::write(&path, text).expect("written");
        let error = open(&path).err().expect("refused").to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("games"), text, "it is left alone");
    };
    let changed = |from: &str, to: &str| whole.replace(from, to);
    check(&changed("\"two\"", "\"three\""), "line 1: \"three\" does not play in this tournament");
    check(&changed("\"1.1\"", "\"3.1\""), "line 1: this tournament has no round 3.1");
    check(&changed("\"1.1\"", "\"1.2\""), "line 1: this tournament has no round 1.2");
    check(&changed("\"normal\"", "\"x\""), "line 1: no game ends by \"x\"");
    check(&changed("[Round \"1.1\"]\n", ""), "the game has no tag Round");
    check(&format!("{whole}{whole}"), "the game stands there twice");
    // A game that cannot be read is only cut off where it is the last.
    check(&format!("{}{whole}", changed("Qh4#", "Qh9")), "line 13");
}

proptest! {
    #[test]
    fn a_file_that_is_cut_anywhere_keeps_its_whole_games(kept in 0.0..1.0f64) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        write(&path, 3);
        let whole = fs::read(&path).expect("games");
        let kept = (kept * whole.len() as f64) as usize;
        fs::write(&path, &whole[..kept]).expect("written");
        let mut file = open(&path).expect("a cut file");
        let games = file.results().len() as u64;
        // Each game is as long as the others.
        prop_assert!(games >= (kept / (whole.len() / 3)) as u64);
        for number in 0..3 {
            prop_assert_eq!(file.has(GameNumber(number)), number < games);
            if !file.has(GameNumber(number)) {
                file.add(&schedule(), &played(number)).expect("written");
            }
        }
        prop_assert_eq!(fs::read(&path).expect("games"), whole);
    }
}
