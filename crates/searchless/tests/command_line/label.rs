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
    assert!(!workspace.path().join("out").exists());

    fs::create_dir(workspace.path().join("other")).expect("a folder");
    fs::write(workspace.path().join("other/notes.txt"), "mine").expect("written");
    check(&label("other", &[]), "is not empty and holds no labels");
    workspace.print(&label("labels", &[]), "");
    check(&label("labels", &["--nodes", "7"]), "has labels of other settings");
}
