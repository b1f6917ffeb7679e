use chess::pgn::PgnReader;

use super::*;
use crate::schedule::{Format, GameNumber};

fn forfeit(kind: FaultKind) -> GameEnd {
    GameEnd::Forfeit {
        loser: Color::White,
        fault: Fault { kind, words: "it \"broke\"".to_owned() },
    }
}

#[test]
fn ends_have_results_and_terminations() {
    let check = |end: GameEnd, outcome: Outcome, termination: &str, words: &str| {
        assert_eq!((end.outcome(), end.termination().name()), (outcome, termination));
        assert_eq!(end.to_string(), words);
        assert_eq!(Termination::by_name(termination), Some(end.termination()));
    };
    let mate = GameEnd::Rule(Ending::Checkmate { winner: Color::Black });
    check(mate, Outcome::BlackWins, "normal", "Black gives checkmate");
    let cap = GameEnd::Rule(Ending::PlyCap);
    check(cap, Outcome::Draw, "adjudication", "draw by the cap on the game's length");
    let words = "White forfeits: it \"broke\"";
    check(forfeit(FaultKind::Crash), Outcome::BlackWins, "abandoned", words);
    check(forfeit(FaultKind::Hang), Outcome::BlackWins, "abandoned", words);
    check(forfeit(FaultKind::IllegalMove), Outcome::BlackWins, "rules infraction", words);
    check(forfeit(FaultKind::Time), Outcome::BlackWins, "time forfeit", words);
    assert_eq!(Termination::by_name("Time Forfeit"), Some(Termination::TimeForfeit));
    assert_eq!(Termination::by_name("unterminated"), None);
}

#[test]
fn a_game_is_written_with_all_that_is_known() {
    let mut opening = Game::new();
    opening.play_uci("e2e4").expect("legal");
    let schedule = Schedule::new(2, Format::RoundRobin, 2, vec![opening]).expect("games");
    let pairing = schedule.pairing(GameNumber(1));
    let mut game = schedule.start(&pairing).clone();
    game.play_uci("e7e5").expect("legal");
    let played = PlayedGame { pairing, game, end: forfeit(FaultKind::Hang) };
    let mut text = Vec::new();
    played.write("Test", &["one", "two"], &schedule, &mut text).expect("memory");
    let expected = "[Event \"Test\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1.2\"]\n\
        [White \"two\"]\n[Black \"one\"]\n[Result \"0-1\"]\n[Termination \"abandoned\"]\n\
        [EndedBy \"White forfeits: it \\\"broke\\\"\"]\n[PlyCount \"2\"]\n[OpeningPlies \"1\"]\n\
        \n1. e4 e5 0-1\n\n";
    assert_eq!(String::from_utf8(text.clone()).expect("text"), expected);
    let mut games = PgnReader::new("games", std::io::Cursor::new(text)).expect("games");
    let read = games.next().expect("a game").expect("a good game");
    assert_eq!(read.moves, played.game.moves());
    assert_eq!(read.tag("EndedBy"), Some("White forfeits: it \"broke\""));
}
