//! What the commands print.

use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, SUITE, Workspace, without_sums};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn help() {
    let workspace = Workspace::new();
    for command in [
        "",
        "inspect",
        "puzzles",
        "suite",
        "suite build",
        "suite mine",
        "evaluate",
        "coverage",
        "shape",
        "recovery",
        "report",
        "calibration",
        "arena",
        "rate",
        "uci",
        "reproduce",
        "finetune",
        "sweep",
        "train",
        "label",
        "new-network",
        "openings",
        "embedded",
        "bench",
    ] {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let name = [&["help"], &arguments[..arguments.len() - 1]].concat().join("_");
        insta::assert_snapshot!(name, workspace.print(&arguments, ""));
    }
}

#[test]
fn inspect_describes_a_network() {
    let workspace = Workspace::new();
    insta::assert_snapshot!(without_sums(&workspace.print(&["inspect", ATTENTION], "")));
    let description = json(&workspace.print(&["inspect", ATTENTION, "--json"], ""));
    assert_eq!(description["name"], ATTENTION);
    assert!(description["parameters"].as_u64().expect("a number") > 1000);
}

#[test]
fn inspect_shows_a_position() {
    let workspace = Workspace::new();
    let fen = "4k3/8/8/8/8/8/P6P/4K2R w K - 0 1";
    insta::assert_snapshot!(workspace.print(&["inspect", ATTENTION, "--fen", fen], ""));
    let moves = ["inspect", ATTENTION, "--moves", "g1f3", "g8f6", "f3g1", "f6g8"];
    let full = workspace.print(&moves, "");
    assert!(full.contains("history: 4 moves before it"), "{full}");
    assert!(!full.contains("without history"), "{full}");
    for (moves, expected) in [("", "0 moves"), ("e2e4", "1 move"), ("e2e4  e7e5", "2 moves")] {
        let printed = workspace.print(&["inspect", ATTENTION, "--moves", moves], "");
        assert!(printed.contains(&format!("history: {expected} before it\n")), "{printed}");
    }
    let both = workspace.print(&[&moves[..], &["--without-history"]].concat(), "");
    assert!(both.contains("outcome without history: "), "{both}");
    let tempered = workspace.print(&["inspect", ATTENTION, "--fen", fen, "--temperature", "2"], "");
    assert!(tempered.contains("policy: head vanilla, temperature 2\n"), "{tempered}");
}

#[test]
fn inspect_answers_every_line_of_positions() {
    let workspace = Workspace::new();
    let lines = [
        r#"{"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}"#,
        r#"{"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["e1h1"]}"#,
        r#"{"fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "moves": ["e1c1"]}"#,
        "not JSON",
        r#"{"fen": "nonsense"}"#,
        r#"{"fen": "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1"}"#,
        r#"{"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}"#,
    ]
    .join("\n");
    let arguments = ["inspect", CLASSICAL, "--positions", "-", "--json"];
    let printed = workspace.print(&arguments, &lines);
    let answers: Vec<Value> = printed.lines().map(json).collect();
    assert_eq!(answers.len(), 7);

    let castling = &answers[0];
    let (index, probability) = (&castling["policy"]["e1g1"][0], &castling["policy"]["e1g1"][2]);
    // e1h1 in the table of moves.
    assert_eq!(*index, 103);
    assert!(probability.as_f64().expect("a number") > 0.0);
    let policy = castling["policy"].as_object().expect("an object");
    let total: f64 = policy.values().map(|entry| entry[2].as_f64().expect("a number")).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    let (wdl, q) = (&castling["wdl"], castling["q"].as_f64().expect("a number"));
    assert_eq!(wdl[1], 0.0);
    assert!((wdl[0].as_f64().expect("a number") - (1.0 + q) / 2.0).abs() < 1e-12);
    assert_eq!(castling["moves_left"], Value::Null);

    // After castling it is Black's move, whose only piece is the king.
    assert_eq!(answers[1]["policy"].as_object().expect("an object").len(), 3);
    for (answer, start, rest) in [
        (2, "line 3: move \"e1c1\" at ply 1: not legal", ""),
        (3, "line 4: expected {\"fen\": FEN", ""),
        (4, "line 5: FEN \"nonsense\": ", ""),
        (5, "line 6: input format 1 cannot express", "Chess960"),
    ] {
        let error = answers[answer]["error"].as_str().expect("an error");
        assert!(error.starts_with(start) && error.contains(rest), "{error}");
    }
    // Stalemate: no moves, but the network still states an outcome.
    assert_eq!(answers[6]["policy"], json("{}"));
    assert_eq!(answers[6]["wdl"][1], 0.0);
}

#[test]
fn puzzles_as_json() {
    let workspace = Workspace::new();
    let arguments = ["puzzles", ATTENTION, CLASSICAL, "--suite", SUITE, "--json"];
    let printed = workspace.print(&arguments, "");
    insta::assert_snapshot!(without_sums(&printed));
    let strict =
        workspace.print(&[&arguments[..], &["--rule", "strict", "--limit", "1"]].concat(), "");
    for line in strict.lines().map(json) {
        assert_eq!((&line["rule"], &line["total"]), (&json("\"strict\""), &json("1")));
        assert_eq!(line["skipped"], json("{}"));
    }
    let threads = workspace.print(&[&arguments[..], &["--threads", "3"]].concat(), "");
    assert_eq!(printed, threads);
}

#[test]
fn puzzles_as_a_table() {
    let workspace = Workspace::new();
    let table = workspace.print(&["puzzles", ATTENTION, "--suite", SUITE], "");
    // The last column is a speed.
    let lines: Vec<&str> = table
        .lines()
        .map(|line| if line.starts_with(ATTENTION) { &line[..line.len() - 9] } else { line })
        .collect();
    insta::assert_snapshot!(without_sums(&lines.join("\n")));
}
