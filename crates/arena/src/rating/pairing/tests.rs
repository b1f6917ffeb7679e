use super::*;

/// Games as "white black result round fen", "-" for a tag that is not there.
fn pairs_of(games: &[&str], pairs: [u64; 5], unpaired: u64) {
    let read: Vec<PairedGame<'_>> = games
        .iter()
        .map(|game| {
            let words: Vec<&str> = game.split(' ').collect();
            let tag = |index: usize| (words[index] != "-").then_some(words[index]);
            PairedGame {
                white: words[0],
                black: words[1],
                outcome: match words[2] {
                    "1-0" => Outcome::WhiteWins,
                    "0-1" => Outcome::BlackWins,
                    _ => Outcome::Draw,
                },
                round: tag(3),
                fen: tag(4),
            }
        })
        .collect();
    let expected = Pentanomial { pairs };
    assert_eq!(pair_up(read.clone(), "a", "b"), (expected, unpaired), "{games:?}");
    assert_eq!(pair_up(read, "b", "a"), (expected.reversed(), unpaired), "{games:?}");
}

#[test]
fn points_are_those_of_both_games() {
    let check = |first: &str, second: &str, class: usize| {
        let mut pairs = [0; 5];
        pairs[class] = 1;
        let games = [format!("a b {first} 1.1 -"), format!("b a {second} 1.2 -")];
        pairs_of(&[games[0].as_str(), games[1].as_str()], pairs, 0);
        // The second game may come first.
        pairs_of(&[games[1].as_str(), games[0].as_str()], pairs, 0);
    };
    check("0-1", "1-0", 0);
    check("0-1", "1/2", 1);
    check("1/2", "1-0", 1);
    check("1/2", "1/2", 2);
    check("1-0", "1-0", 2);
    check("0-1", "0-1", 2);
    check("1-0", "1/2", 3);
    check("1-0", "0-1", 4);
}

#[test]
fn partners_have_an_opening_in_common() {
    // By round, whatever stands between them.
    pairs_of(
        &["a b 1-0 7.1 x", "c b 0-1 8.1 x", "a b 1-0 8.1 x", "b a 0-1 8.2 x", "b a 0-1 7.2 x"],
        [0, 0, 0, 0, 2],
        0,
    );
    // By position where rounds are plain.
    pairs_of(
        &["a b 1-0 1 x", "a b 0-1 2 y", "b a 1-0 3 y", "b a 0-1 4 x", "a b 1-0 5 x"],
        [1, 0, 0, 0, 1],
        1,
    );
    // The earliest of several.
    pairs_of(&["a b 1-0 - x", "a b 0-1 - x", "b a 0-1 - x", "b a 1-0 - x"], [1, 0, 0, 0, 1], 0);
    // One after the other where nothing tells an opening.
    pairs_of(&["a b 1-0 1 -", "b a 0-1 2 -", "a b 0-1 3 -", "b a 1-0 4 -"], [1, 0, 0, 0, 1], 0);
    pairs_of(&["a b 1-0 - -", "a b 1-0 - -", "b a 0-1 - -", "a b 1/2 - -"], [0, 0, 0, 0, 1], 2);
    // The same colours twice are no pair, and other players' games none of theirs.
    pairs_of(&["a b 1-0 1.1 -", "a b 1-0 1.2 -", "a c 1-0 1.3 -", "c b 1-0 1.4 -"], [0; 5], 2);
    pairs_of(&[], [0; 5], 0);
}
