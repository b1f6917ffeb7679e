use super::*;

fn game(white: &str, black: &str, round: &str, moves: &str, result: &str, end: &str) -> String {
    format!(
        "[Event \"Searchless arena\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{round}\"]\n\
         [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[Termination \"{end}\"]\n\
         \n{moves} {result}\n\n"
    )
}

#[test]
fn games_are_put_in_the_order_of_their_numbers() {
    let games = [
        game("a", "b", "1.1", "1. e4", "1/2-1/2", "normal"),
        game("b", "a", "1.2", "1. d4", "1/2-1/2", "normal"),
        game("a", "b", "2.1", "1. c4", "1/2-1/2", "normal"),
        game("a", "b", "10.1", "1. b4", "1/2-1/2", "normal"),
        game("c", "a", "1.1", "1. a4", "1/2-1/2", "normal"),
    ];
    let order = |order: [usize; 5]| order.map(|number| games[number].as_str()).concat();
    let whole = order([0, 1, 2, 3, 4]);
    assert_eq!(count(&whole), 5);
    for permutation in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]] {
        assert_eq!(sorted(&order(permutation)).expect("games"), whole);
    }
    assert_eq!(sorted("").expect("no games"), "");
    let error = sorted(&game("a", "b", "?", "1. e4", "*", "normal")).expect_err("no number");
    assert_eq!(error.to_string(), "game 1 has no tag \"Round\" as an arena writes it");
}

#[test]
fn openings_are_games_that_are_not_over_each_once() {
    let one = game("a", "b", "1.1", "1. e4 e5", "1/2-1/2", "adjudication");
    let again = game("b", "a", "1.2", "1. e4 e5", "1/2-1/2", "adjudication");
    let mate = game("a", "b", "2.1", "1. f3 e5 2. g4 Qh4#", "0-1", "normal");
    let other = game("b", "a", "2.2", "1. e4 c5", "1/2-1/2", "adjudication");
    let book = openings(&[&*one, &again, &mate, &other].concat()).expect("openings");
    assert_eq!(book, one + &other);
    assert!(matches!(openings(&mate), Err(GamesError::NoOpening)));
}

#[test]
fn a_won_game_is_looked_at_before_a_lost_one() {
    let draw = game("base", "b", "1.1", "1. e4 e5", "1/2-1/2", "normal");
    let lost = game("base", "b", "1.1", "1. f3 e5 2. g4 Qh4#", "0-1", "normal");
    let won = game("b", "base", "1.2", "1. g4 e5 2. f3 Qh4#", "0-1", "normal");
    let others = game("a", "b", "1.1", "1. d4 d5", "1-0", "normal");
    let check = |games: &[&String], expected: &str| {
        let text: String = games.iter().map(|game| game.as_str()).collect();
        assert_eq!(decisive_game(text.as_bytes(), "base").expect("a game"), expected);
    };
    check(&[&others, &draw, &lost, &won], "g2g4 e7e5 f2f3 d8h4");
    check(&[&draw, &lost], "f2f3 e7e5 g2g4 d8h4");
    check(&[&others, &draw], "e2e4 e7e5");
    let error = decisive_game(others.as_bytes(), "base").expect_err("no game");
    assert_eq!(error.to_string(), "base has no game");
}
