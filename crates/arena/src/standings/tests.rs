use super::*;
use crate::schedule::{GameNumber, Pairing};

#[test]
fn results_add_up_from_both_sides() {
    let game = |white: usize, black: usize, outcome, termination, reason: &str| GameResult {
        pairing: Pairing {
            number: GameNumber(0),
            white: PlayerIndex(white),
            black: PlayerIndex(black),
            opening: 0,
            turn: 0,
        },
        outcome,
        termination,
        reason: reason.to_owned(),
        plies: 10,
    };
    use Termination::{Abandoned, Adjudication, Normal};
    let games = [
        game(0, 1, Outcome::WhiteWins, Normal, "White gives checkmate"),
        game(1, 0, Outcome::WhiteWins, Normal, "White gives checkmate"),
        game(1, 0, Outcome::BlackWins, Abandoned, "White forfeits: x"),
        game(0, 2, Outcome::Draw, Adjudication, "draw by the cap on the game's length"),
        game(2, 1, Outcome::BlackWins, Abandoned, "White forfeits: y"),
    ];
    let standings: Standings = games.iter().collect();
    let score = |wins, draws, losses| Score { wins, draws, losses };
    let of = |player| standings.player(PlayerIndex(player));
    assert_eq!([of(0), of(1), of(2)], [score(2, 1, 1), score(2, 0, 2), score(0, 1, 1)]);
    assert_eq!(standings.pairs[&[PlayerIndex(1), PlayerIndex(2)]], score(1, 0, 0));
    let forfeits: Vec<_> = standings.forfeits.iter().map(|(who, count)| (who.0, *count)).collect();
    assert_eq!(forfeits, [(1, 1), (2, 1)]);
    assert_eq!(standings.reasons["White gives checkmate"], 2);
    assert_eq!(standings.reasons["abandoned"], 2);
    assert_eq!((standings.games, standings.plies), (5, 50));
}
