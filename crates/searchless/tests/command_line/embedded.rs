//! What the binary carries: it does its main job where there is no file at all.

use std::fs;

use crate::support::{ATTENTION, Workspace};

#[test]
fn the_files_can_be_listed_and_written_out() {
    let workspace = Workspace::new();
    let listed = workspace.print(&["embedded"], "");
    assert_eq!(workspace.print(&["embedded", "--out", "new/folder"], ""), listed);
    for line in listed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let bytes = fs::read(workspace.path().join("new/folder").join(words[0])).expect("written");
        assert_eq!(words[1], bytes.len().to_string(), "{line}");
    }
    let network = "new/folder/base.pb.gz";
    let written = workspace.print(&["inspect", network, "--moves", "e2e4"], "");
    assert_eq!(workspace.print(&["inspect", "embedded", "--moves", "e2e4"], ""), written);
}

#[test]
fn it_plays_and_learns_without_a_file() {
    let workspace = Workspace::new();
    let played = workspace.print(&["uci"], "position startpos moves e2e4\ngo nodes 1\nquit\n");
    let played = played.lines().find(|line| line.starts_with("bestmove")).expect("a move");
    assert_ne!(played, "bestmove (none)");

    let settings = ["--steps", "2", "--games", "2", "--set", "warm_start_moves=0"];
    let tuned = workspace.print(&[&["finetune", "--out", "run"], &settings[..]].concat(), "");
    assert!(tuned.contains("finished 2 steps"), "{tuned}");
    let resumed = workspace.print(&["finetune", "--resume", "run", "--steps", "3"], "");
    assert!(resumed.contains("finished 3 steps"), "{resumed}");
}

#[test]
fn matches_begin_from_embedded_openings() {
    let workspace = Workspace::new();
    let players = ["--player", ATTENTION, "--player", "embedded,name=base"];
    let settings =
        ["--games", "4", "--openings", "embedded", "--max-plies", "20", "--out", "match"];
    workspace.print(&[&["arena"], &players[..], &settings].concat(), "");
    let games = fs::read_to_string(workspace.path().join("match/games.pgn")).expect("games");
    assert_eq!(games.matches("[Event ").count(), 4);
    assert!(!games.contains("FEN"), "openings keep their moves");
}

#[test]
fn openings_are_made_and_used() {
    let workspace = Workspace::new();
    let make = |more: &[&str]| {
        let usual = ["openings", "--network", ATTENTION, "--out", "openings.pgn", "--plies", "4"];
        workspace.print(&[&usual, more].concat(), "")
    };
    let printed = make(&["--count", "6", "--balance", "0.5"]);
    assert!(printed.starts_with("openings.pgn: 6 openings out of 512 games; "), "{printed}");
    let first = fs::read(workspace.path().join("openings.pgn")).expect("written");
    make(&["--count", "6", "--balance", "0.5"]);
    assert_eq!(fs::read(workspace.path().join("openings.pgn")).expect("written"), first);
    make(&["--count", "6", "--balance", "0.5", "--seed", "1"]);
    assert_ne!(fs::read(workspace.path().join("openings.pgn")).expect("written"), first);

    let settings = ["--games", "4", "--openings", "openings.pgn", "--max-plies", "12"];
    let players = ["--player", ATTENTION, "--player", "attention.pb.gz,name=other"];
    workspace.print(&[&["arena", "--out", "match"], &players[..], &settings].concat(), "");

    let error = workspace.refuse(&["openings", "--out", "o.pgn", "--balance", "0.6"]);
    assert!(error.contains("expected a number from 0 to 0.5"), "{error}");
}

#[test]
fn the_demonstration_compares_three_networks_and_is_not_done_again() {
    let workspace = Workspace::new();
    let smaller = ["--steps", "1", "--games", "2", "--match-games", "2", "--out", "shown"];
    let printed = workspace.print(&[&["demo"], &smaller[..]].concat(), "");
    for row in ["base ", "forward_kl ", "none "] {
        assert_eq!(printed.lines().filter(|line| line.starts_with(row)).count(), 1, "{printed}");
    }
    let games = fs::read_to_string(workspace.path().join("shown/match/games.pgn")).expect("games");
    assert_eq!(games.matches("[Event ").count(), 6);
    let again = workspace.run(&[&["demo"], &smaller[..]].concat(), "");
    assert_eq!(String::from_utf8_lossy(&again.stdout), printed);
    assert_eq!(String::from_utf8_lossy(&again.stderr), "", "nothing is done");

    let error = workspace.refuse(&["demo", "--out", "."]);
    assert_eq!(error, "error: . is not empty and holds no demonstration\n");
}
