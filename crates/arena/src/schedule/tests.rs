use std::collections::HashSet;

use super::*;

fn openings(count: usize) -> Vec<Game> {
    let first = ["e2e4", "d2d4", "c2c4", "g1f3"];
    first[..count]
        .iter()
        .map(|uci| {
            let mut game = Game::new();
            game.play_uci(uci).expect("legal");
            game
        })
        .collect()
}

#[test]
fn every_pair_plays_the_same_openings_with_both_colours() {
    let check = |players: usize, format: Format, games: u32, expected_pairs: usize| {
        let schedule = Schedule::new(players, format, games, openings(4)).expect("games");
        assert_eq!(schedule.pairs().len(), expected_pairs);
        assert_eq!(schedule.games(), expected_pairs as u64 * u64::from(games));
        let pairings: Vec<Pairing> = schedule.pairings().collect();
        assert_eq!(pairings.len() as u64, schedule.games());
        let numbers: HashSet<_> = pairings.iter().map(|pairing| pairing.number).collect();
        assert_eq!(numbers.len(), pairings.len(), "every number once");
        for pair in schedule.pairs() {
            let of_pair: Vec<_> = pairings
                .iter()
                .filter(|pairing| pair.contains(&pairing.white) && pair.contains(&pairing.black))
                .map(|pairing| (pairing.opening, pairing.white == pair[0]))
                .collect();
            let expected: Vec<_> =
                (0..games as usize).map(|game| (game / 2 % 4, game % 2 == 0)).collect();
            assert_eq!(of_pair, expected);
        }
        for pairing in &pairings {
            let round = schedule.round(pairing);
            let found = schedule.find(pairing.white, pairing.black, &round);
            assert_eq!(found.as_ref(), Some(pairing), "{round}");
            assert_eq!(schedule.find(pairing.black, pairing.white, &round), None, "{round}");
        }
    };
    check(2, Format::RoundRobin, 2, 1);
    check(2, Format::Gauntlet, 12, 1);
    check(5, Format::RoundRobin, 6, 10);
    check(5, Format::Gauntlet, 6, 4);
}

#[test]
fn pairs_advance_alike() {
    let schedule = Schedule::new(3, Format::RoundRobin, 4, openings(2)).expect("games");
    let first: Vec<_> =
        schedule.pairings().take(3).map(|pairing| (pairing.white.0, pairing.black.0)).collect();
    assert_eq!(first, [(0, 1), (0, 2), (1, 2)]);
}

#[test]
fn other_rounds_are_none() {
    let schedule = Schedule::new(3, Format::Gauntlet, 4, openings(2)).expect("games");
    let [one, two, three] = [0, 1, 2].map(PlayerIndex);
    for round in
        ["", "1", "0.1", "1.0", "1.3", "3.1", "99999999999.1", "4294967295.2", "a.b", "-1.1"]
    {
        assert_eq!(schedule.find(one, two, round), None, "{round}");
    }
    assert_eq!(schedule.find(two, three, "1.1"), None, "they do not meet");
    assert!(schedule.find(one, two, "2.1").is_some());
}

#[test]
fn what_has_no_games_is_refused() {
    let check = |players, games, openings, expected| {
        let error = Schedule::new(players, Format::RoundRobin, games, openings).expect_err("none");
        assert_eq!(error, expected);
    };
    check(1, 2, openings(1), ScheduleError::Players(1));
    check(2, 3, openings(1), ScheduleError::Games(3));
    check(2, 0, openings(1), ScheduleError::Games(0));
    check(2, 2, Vec::new(), ScheduleError::Openings);
}
