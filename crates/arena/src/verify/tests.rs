use std::io::Cursor;

use super::*;

fn checked(pgn: &str, ply_cap: Option<u32>) -> Verification {
    let games = PgnReader::new("games", Cursor::new(pgn.as_bytes().to_vec())).expect("games");
    verify(games, &Rules { ply_cap }).expect("readable")
}

#[test]
fn games_are_judged_by_the_rules() {
    let check = |tags: &str, moves: &str, expected: Result<bool, &str>| {
        let verification = checked(&format!("{tags}\n\n{moves}\n"), Some(8));
        let found = match &verification {
            Verification { confirmed: 1, claimed: 0, wrong } if wrong.is_empty() => Ok(true),
            Verification { confirmed: 0, claimed: 1, wrong } if wrong.is_empty() => Ok(false),
            Verification { confirmed: 0, claimed: 0, wrong } => Err(wrong[0].problem.as_str()),
            other => panic!("{other:?}"),
        };
        assert_eq!(found, expected, "{moves}");
    };
    let mate = "1. f3 e5 2. g4 Qh4#";
    check("[Round \"1\"]", &format!("{mate} 0-1"), Ok(true));
    check("[Round \"1\"]", &format!("{mate} 1-0"), Err("says 1-0, but Black gives checkmate"));
    check("[Round \"1\"]", &format!("{mate} *"), Err("has no result"));
    check("[Round \"1\"]", mate, Err("has no result"));
    check("[Result \"0-1\"]", mate, Err("was cut off"));
    check("[Round \"1\"]", "1. e4 e5 1-0", Err("says 1-0, but no rule has ended it"));
    check("[Termination \"abandoned\"]", "1. e4 e5 0-1", Ok(false));
    check("[Termination \"time forfeit\"]", "1. e4 1-0", Ok(false));
    check(
        "[Termination \"rules infraction\"]",
        "1. e4 e5 1-0",
        Err("says 1-0 by rules infraction, though white is to move"),
    );
    let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
    check("[Round \"1\"]", &format!("{shuffle} 1/2-1/2"), Ok(true));
    check(
        "[Round \"1\"]",
        &format!("{shuffle} 5. e4 1/2-1/2"),
        Err("goes on at ply 9, after draw by threefold repetition"),
    );
    // What happened in the opening does not count, what it led to does.
    check("[OpeningPlies \"9\"]", &format!("{shuffle} 5. e4 1/2-1/2"), Ok(true));
    let long = "1. e4 e5 2. d4 d5 3. c4 c5 4. f4 f5 1/2-1/2";
    check("[Termination \"adjudication\"]", long, Ok(true));
}

#[test]
fn what_cannot_be_read_is_wrong() {
    let verification = checked("1. e4 e5 2. Ke3 1-0\n\n1. f3 e5 2. g4 Qh4# 0-1\n", None);
    assert_eq!((verification.confirmed, verification.games()), (1, 2));
    assert_eq!(verification.wrong[0].line, 1);
}
