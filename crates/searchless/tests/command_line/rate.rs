//! `rate`: from PGN files to ratings.

use std::fs;

use serde_json::Value;

use crate::support::Workspace;

/// Games of three players, a line "white black result round" each.
fn pgn(games: &[&str]) -> String {
    let game = |game: &&str| {
        let [white, black, result, round] = game.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{game}");
        };
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\n\
             1. e4 e5 {result}\n\n"
        )
    };
    games.iter().map(game).collect()
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let write = |name: &str, text: &str| {
        fs::write(workspace.path().join(name), text).expect("written");
    };
    let match_of_two = [
        "new base 1-0 1.1",
        "base new 1/2-1/2 1.2",
        "new base 1/2-1/2 2.1",
        "base new 1/2-1/2 2.2",
        "new base 1-0 3.1",
        "base new 0-1 3.2",
        "new base 0-1 4.1",
        "base new 1/2-1/2 4.2",
        "new base 1-0 5.1",
    ];
    write("match.pgn", &pgn(&match_of_two));
    write(
        "pool.pgn",
        &pgn(&["old base 0-1 1.1", "base old 1-0 1.2", "old new 0-1 1.1", "new old 1/2-1/2 1.2"]),
    );
    let damaged = [
        &pgn(&["new base 1-0 9.1", "base new * 9.2", "new new 1-0 9.3"]),
        "[White \"new\"]\n\n1-0\n\n[White \"new\"]\n[Black base]\n\n1-0\n\n",
        "[Variant \"Atomic\"]\n[White \"new\"]\n[Black \"base\"]\n\n1. e4 1-0\n",
    ]
    .concat();
    write("damaged.pgn", &damaged);
    write("apart.pgn", &pgn(&["new base 1-0 -", "x y 1-0 -"]));
    workspace
}

#[test]
fn a_pool_is_rated() {
    let workspace = workspace();
    let files = ["rate", "match.pgn", "pool.pgn", "damaged.pgn"];
    let all = ["--anchor", "base=2374", "--los", "--differences", "--versus", "base"];
    insta::assert_snapshot!(workspace.print(&[&files[..], &all].concat(), ""));
    let fitted = ["--fit", "--intervals", "covariance", "--confidence", "0.9"];
    insta::assert_snapshot!(
        "a_pool_is_rated_fitted",
        workspace.print(&[&files[..], &fitted].concat(), "")
    );
}

#[test]
fn two_players_are_compared_by_pairs() {
    let workspace = workspace();
    let test = ["rate", "match.pgn", "--sprt", "-5,20,0.05,0.05"];
    insta::assert_snapshot!(workspace.print(&test, ""));
    // The order of the games does not matter, that of the files neither.
    let there = workspace.print(&["rate", "match.pgn", "pool.pgn", "--json"], "");
    let back = workspace.print(&["rate", "pool.pgn", "match.pgn", "--json"], "");
    let [there, back]: [Value; 2] =
        [there, back].map(|text| serde_json::from_str(&text).expect("JSON"));
    assert_eq!((&there["players"], &there["los"]), (&back["players"], &back["los"]));
}

#[test]
fn ratings_as_json() {
    let workspace = workspace();
    let print = |arguments: &[&str]| -> Value {
        let arguments = [&["rate", "match.pgn", "--json"], arguments].concat();
        serde_json::from_str(&workspace.print(&arguments, "")).expect("JSON")
    };
    let report = print(&["--sprt", "0,5,0.05,0.05"]);
    let number = |value: &Value| value.as_f64().expect("a number");
    assert_eq!(report["players"][0]["name"], "new");
    assert_eq!(report["players"][0]["games"], 9);
    assert_eq!((&report["advantage"], &report["drawelo"]), (&32.8.into(), &97.3.into()));
    assert_eq!(report["los"][0][0], Value::Null);
    assert!((number(&report["los"][0][1]) + number(&report["los"][1][0]) - 1.0).abs() < 1e-12);
    let direct = &report["direct"][0];
    assert_eq!(
        (&direct["wins"], &direct["draws"], &direct["losses"]),
        (&4.into(), &4.into(), &1.into())
    );
    assert_eq!(direct["pairs"]["pentanomial"], serde_json::json!([0, 1, 1, 1, 1]));
    assert_eq!(direct["pairs"]["unpaired_games"], 1);
    assert_eq!(report["sprt"]["verdict"], "more games are needed");

    let anchored = print(&["--anchor", "base=2374"]);
    assert_eq!(anchored["players"][1]["elo"], 2374.0);
    let difference = |report: &Value| {
        number(&report["players"][0]["elo"]) - number(&report["players"][1]["elo"])
    };
    assert!((difference(&report) - difference(&anchored)).abs() < 1e-9);
    assert!((difference(&report) - number(&report["differences"][0]["elo"])).abs() < 1e-9);
}

#[test]
fn what_cannot_be_rated_is_refused() {
    let workspace = workspace();
    let check = |arguments: &[&str], expected: &str| {
        let error = workspace.refuse(&[&["rate"], arguments].concat());
        assert!(error.contains(expected), "{error}");
    };
    check(&["nowhere.pgn"], "nowhere.pgn: cannot be opened: No such file");
    check(
        &["apart.pgn"],
        "2 groups that never met, and ratings compare only within a group: \"base\"",
    );
    check(&["match.pgn", "--anchor", "nobody=1"], "cannot be anchored to \"nobody\"");
    check(&["match.pgn", "--anchor", "new=much"], "'much' is not a number");
    check(&["match.pgn", "--versus", "nobody"], "--versus: \"nobody\" plays no game");
    check(
        &["match.pgn", "pool.pgn", "--sprt", "0,5,0.05,0.05"],
        "--sprt tests two players, the games have 3",
    );
    check(&["match.pgn", "--sprt", "5,0,0.05,0.05"], "elo0 < elo1");
    check(&["match.pgn", "--sprt", "0,5"], "expected four numbers");
    check(&["match.pgn", "--fit", "--draw-elo", "90"], "cannot be used with");
    check(&["match.pgn", "--prior", "nan"], "the prior cannot be NaN");
    fs::write(workspace.path().join("none.pgn"), pgn(&["a b * 1"])).expect("written");
    check(
        &["none.pgn"],
        "there are no games to rate (games skipped: 1 without a result, first at none.pgn:1)",
    );
}
