use std::convert::Infallible;

use chess::{Ending, Outcome};
use policy::Temperature;

use super::*;
use crate::player::MoveChoice;
use crate::record::Termination;
use crate::schedule::Format;
use crate::testing::{engine, network};

fn conditions(games: usize, processes: usize) -> Conditions {
    Conditions {
        rules: Rules { ply_cap: Some(60) },
        seed: 5,
        games: NonZeroUsize::new(games).expect("at least 1"),
        processes: NonZeroUsize::new(processes).expect("at least 1"),
        patience: Duration::from_secs(60),
    }
}

fn schedule(players: usize, games: u32) -> Schedule {
    let openings = ["e2e4", "d2d4", "c2c4"].map(|uci| {
        let mut game = Game::new();
        game.play_uci(uci).expect("legal");
        game
    });
    Schedule::new(players, Format::RoundRobin, games, openings.to_vec()).expect("games")
}

fn play_all(
    players: &[Player],
    schedule: &Schedule,
    conditions: &Conditions,
    is_done: impl Fn(GameNumber) -> bool,
) -> BTreeMap<GameNumber, PlayedGame> {
    let mut played = BTreeMap::new();
    let stop = AtomicBool::new(false);
    play::<Infallible>(players, schedule, conditions, is_done, &stop, |game| {
        assert!(played.insert(game.pairing.number, game).is_none(), "a game is played once");
        Ok(())
    })
    .expect("played");
    played
}

fn networks() -> Vec<Player> {
    vec![
        network("argmax", 1, MoveChoice::Argmax),
        network("sampled", 2, MoveChoice::Sampled(Temperature::ONE)),
        network("adaptive", 3, MoveChoice::Adaptive),
    ]
}

#[test]
fn games_of_networks_do_not_depend_on_what_is_played_beside_them() {
    let (players, schedule) = (networks(), schedule(3, 8));
    let all = play_all(&players, &schedule, &conditions(256, 1), |_| false);
    assert_eq!(all.len() as u64, schedule.games());
    let moves = |games: &BTreeMap<GameNumber, PlayedGame>| -> BTreeMap<GameNumber, Vec<String>> {
        let line = |played: &PlayedGame| {
            played
                .game
                .moves()
                .iter()
                .map(|mv| mv.to_uci(shakmaty::CastlingMode::Standard).to_string())
                .collect()
        };
        games.iter().map(|(number, played)| (*number, line(played))).collect()
    };
    let expected = moves(&all);
    for games in [1, 3] {
        assert_eq!(
            moves(&play_all(&players, &schedule, &conditions(games, 1), |_| false)),
            expected
        );
    }
    // What is done is not played again, and does not change the rest.
    let rest = play_all(&players, &schedule, &conditions(256, 1), |number| number.0 % 3 == 0);
    let missing: BTreeMap<_, _> =
        expected.into_iter().filter(|(number, _)| number.0 % 3 != 0).collect();
    assert_eq!(moves(&rest), missing);
}

#[test]
fn games_end_by_the_rules_and_begin_with_their_openings() {
    let (players, schedule) = (networks(), schedule(3, 6));
    for (number, played) in play_all(&players, &schedule, &conditions(4, 1), |_| false) {
        let GameEnd::Rule(ending) = &played.end else { panic!("networks do not forfeit") };
        assert_eq!(played.game.ending(&conditions(1, 1).rules).as_ref(), Some(ending));
        let pairing = schedule.pairing(number);
        assert_eq!(played.pairing, pairing);
        assert!(played.game.moves().starts_with(schedule.start(&pairing).moves()));
    }
}

#[test]
fn argmax_players_of_one_network_split_every_opening() {
    let players = [network("one", 1, MoveChoice::Argmax), network("other", 1, MoveChoice::Argmax)];
    let schedule = schedule(2, 6);
    let played = play_all(&players, &schedule, &conditions(256, 1), |_| false);
    for pair in 0..3 {
        let [first, second] =
            [0, 1].map(|turn| played[&GameNumber(2 * pair + turn)].game.moves().to_vec());
        assert_eq!(first, second);
    }
}

/// A line in which White shuffles its rook's pawn's knight, and Black mates nobody.
const SHUFFLE: &str = "case $((ply % 4)) in
        0) echo bestmove g1f3;; 1) echo bestmove g8f6;;
        2) echo bestmove f3g1;; 3) echo bestmove f6g8;;
    esac";

fn from_the_start(players: usize, games: u32) -> Schedule {
    Schedule::new(players, Format::RoundRobin, games, vec![Game::new()]).expect("games")
}

#[test]
fn engines_play() {
    let players = [engine("one", SHUFFLE), engine("two", SHUFFLE), engine("three", SHUFFLE)];
    for processes in [1, 2] {
        let schedule = from_the_start(3, 4);
        let played = play_all(&players, &schedule, &conditions(1, processes), |_| false);
        assert_eq!(played.len(), 12);
        for game in played.values() {
            assert_eq!(game.end, GameEnd::Rule(Ending::ThreefoldRepetition));
            assert_eq!(game.game.ply(), 8);
        }
    }
}

#[test]
fn an_engine_that_fails_forfeits_and_the_match_goes_on() {
    let check = |answer: &str, patience: Duration, termination: Termination, words: &str| {
        // It fails at its fourth half-move and later, so that every game begins well.
        let failing = format!("if [ $ply -ge 3 ]; then {answer}; else {SHUFFLE}; fi");
        let players = [engine("good", SHUFFLE), engine("bad", &failing)];
        let schedule = from_the_start(2, 4);
        let conditions = Conditions { patience, ..conditions(1, 1) };
        let played = play_all(&players, &schedule, &conditions, |_| false);
        assert_eq!(played.len(), 4, "the match goes on");
        for game in played.values() {
            assert_eq!(game.end.termination(), termination);
            let bad_is_white = game.pairing.white == PlayerIndex(1);
            let expected = if bad_is_white { Outcome::BlackWins } else { Outcome::WhiteWins };
            assert_eq!(game.end.outcome(), expected);
            assert!(game.end.to_string().contains(words), "{}", game.end);
            // As White it fails one half-move later.
            assert_eq!(game.game.ply(), if bad_is_white { 4 } else { 3 });
        }
    };
    let long = Duration::from_secs(60);
    check("exit 3", long, Termination::Abandoned, "ended (exit status: 3)");
    let illegal = "echo bestmove a1a8";
    check(illegal, long, Termination::RulesInfraction, "played \"a1a8\", which is no legal move");
    let short = Duration::from_millis(400);
    check("exec sleep 100", short, Termination::Abandoned, "no bestmove within 0.4 s");
}

#[test]
fn a_clock_that_runs_out_forfeits() {
    let slow = format!("[ $ply -ge 2 ] && sleep 2; {SHUFFLE}");
    let mut bad = engine("slow", &slow);
    let PlayerKind::Engine(player) = &mut bad.kind else { unreachable!("it is an engine") };
    let second = Duration::from_secs(1);
    player.limit = EngineLimit::Clock { base: second, increment: Duration::ZERO };
    let players = [bad, engine("good", SHUFFLE)];
    let schedule = from_the_start(2, 2);
    let played = play_all(&players, &schedule, &conditions(1, 1), |_| false);
    let game = &played[&GameNumber(0)];
    assert_eq!(game.end.termination(), Termination::TimeForfeit, "{}", game.end);
    assert_eq!(game.end.outcome(), Outcome::BlackWins);
    assert!(game.end.to_string().starts_with("White forfeits: took 2"), "{}", game.end);
}

#[test]
fn networks_meet_engines() {
    // The engine knows one opening only and forfeits where the network does not follow it.
    let players = [network("network", 1, MoveChoice::Argmax), engine("engine", SHUFFLE)];
    let schedule = from_the_start(2, 2);
    let played = play_all(&players, &schedule, &conditions(1, 2), |_| false);
    assert_eq!(played.len(), 2);
    for game in played.values() {
        assert!(game.game.ply() >= 2, "both have moved");
    }
}

#[test]
fn an_engine_that_cannot_be_started_ends_it() {
    let mut broken = engine("broken", "");
    let PlayerKind::Engine(player) = &mut broken.kind else { unreachable!("it is an engine") };
    player.command.program = "/nowhere/engine".into();
    let players = [network("network", 1, MoveChoice::Argmax), broken];
    let stop = AtomicBool::new(false);
    let schedule = from_the_start(2, 2);
    let conditions = conditions(1, 1);
    let error = play::<Infallible>(&players, &schedule, &conditions, |_| false, &stop, |_| Ok(()))
        .expect_err("no engine");
    assert!(error.to_string().starts_with("engine engine: cannot be started"), "{error}");
}

#[test]
fn a_stop_ends_it_with_the_games_that_ended() {
    let (players, schedule) = (networks(), schedule(3, 8));
    let stop = AtomicBool::new(false);
    let mut played = 0;
    let conditions = conditions(2, 1);
    play::<Infallible>(
        &players,
        &schedule,
        &conditions,
        |_| false,
        &stop,
        |_| {
            played += 1;
            stop.store(true, Ordering::Relaxed);
            Ok(())
        },
    )
    .expect("stopped");
    assert!((1..=2).contains(&played));
}
