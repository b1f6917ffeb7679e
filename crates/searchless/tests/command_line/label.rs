//! `searchless label`: from an engine's search to a network that learns from it.
#![cfg(unix)]

use std::fs;

use crate::support::{ATTENTION, SUITE, Workspace};

/// An engine that finds the first solutions of the folder's puzzles, and fails elsewhere.
const ENGINE: &str = r#"while read word rest; do case "$word" in
    uci) echo "id name Oracle"; echo "option name MultiPV type spin default 1"; echo uciok;;
    isready) echo readyok;;
    position) case "$rest" in
        *g8h8*) best=b7b8q;; *h7h6*) best=e1g1;; *g2f1*) best=e1c2;; *) best=e2e1n;;
        esac;;
    go) echo "info depth 1 multipv 1 score mate 1 nodes 100 pv $best"; echo "bestmove $best";;
    quit) exit;;
esac; done"#;

fn label<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let teacher = ["label", "--out", out, "--teacher", "sh", "--teacher-argument", "-c"];
    [&teacher[..], &["--teacher-argument", ENGINE, "--puzzles", SUITE, "--variations", "2"], more]
        .concat()
}

#[test]
fn puzzles_are_labelled_and_learnt() {
    let workspace = Workspace::new();
    let printed = workspace.print(&label("labels", &[]), "");
    insta::assert_snapshot!("label", printed);
    assert_eq!(workspace.print(&label("labels", &["--engines", "1"]), ""), printed);

    let trained = workspace.print(
        &[
            "train",
            "--network",
            ATTENTION,
            "--chunks",
            "labels/chunks",
            "--out",
            "run",
            "--steps",
            "2",
            "--batch",
            "4",
        ],
        "",
    );
    assert!(trained.contains("finished 2 steps"), "{trained}");
    assert!(trained.contains("4 samples"), "{trained}");
}

/// Only in the initial position does the engine know a move.
#[test]
fn positions_of_own_play_are_labelled() {
    let workspace = Workspace::new();
    let label = |out: &str, more: &[&str]| {
        let teacher = ["label", "--out", out, "--teacher", "sh", "--teacher-argument", "-c"];
        let engine = ENGINE.replace("e2e1n", "e2e4");
        let play = ["--teacher-argument", &engine, "--play", ATTENTION, "--play-seed", "3"];
        let few = ["--play-games", "2", "--limit", "3", "--variations", "1"];
        let arguments = [&teacher[..], &play, &few, more].concat();
        workspace.print(&arguments, "")
    };
    let printed = label("labels", &[]);
    insta::assert_snapshot!("label_own_play", printed);
    let games = |out: &str| {
        fs::read_to_string(workspace.path().join(out).join("play/games.pgn")).expect("games")
    };
    assert_eq!(games("labels").matches("[White ").count(), 2);
    // Done before, and the same games anywhere.
    assert_eq!(label("labels", &[]), printed);
    label("again", &["--engines", "1"]);
    assert_eq!(games("again"), games("labels"));
    // A game that a kill took is played again.
    let path = workspace.path().join("again/play/games.pgn");
    let cut = games("again");
    let second = cut.rfind("[Event ").expect("the second game");
    fs::write(&path, &cut[..second]).expect("written");
    label("again", &[]);
    assert_eq!(games("again"), games("labels"));
}

#[test]
fn what_cannot_be_labelled_is_refused() {
    let workspace = Workspace::new();
    let check = |arguments: &[&str], expected: &str| {
        let error = workspace.refuse(arguments);
        assert!(error.contains(expected), "{arguments:?}: {error}");
    };
    let nobody = ["label", "--out", "out", "--puzzles", SUITE, "--teacher"];
    check(&[&nobody[..], &["/nowhere/engine"]].concat(), "cannot be started");
    check(&label("out", &["--option", "Hash"]), "expected NAME=VALUE");
    check(&label("out", &["--option", "Hash=1"]), "has no option \"Hash\"");
    check(&label("out", &["--temperature", "0"]), "teacher.temperature");
    check(&label("out", &["--input-format", "9"]), "input_format");
    check(&label("out", &["--exclude", "nowhere.csv"]), "nowhere.csv");
    let play = ["--play", ATTENTION, "--play-games"];
    check(&label("out", &[&play[..], &["3"]].concat()), "an even number");
    check(
        &label("out", &[&play[..], &["2", "--temperature", "0"]].concat()),
        "teacher.temperature",
    );
    check(&label("out", &["--play-games", "2"]), "--play");
    assert!(!workspace.path().join("out").exists());

    fs::create_dir(workspace.path().join("other")).expect("a folder");
    fs::write(workspace.path().join("other/notes.txt"), "mine").expect("written");
    check(&label("other", &[]), "is not empty and holds no labels");
    check(&label("other", &[&play[..], &["2"]].concat()), "is not empty and holds no labels");
    workspace.print(&label("labels", &[]), "");
    check(&label("labels", &["--nodes", "7"]), "has labels of other settings");
    let own = [&play[..], &["2", "--limit", "4"]].concat();
    workspace.print(&label("own", &own), "");
    let other = [&own[..], &["--play-seed", "1"]].concat();
    check(&label("own", &other), "has games of other settings");
}
