//! Writing games.

use std::io::{self, Write};

use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};

use crate::ending::Outcome;
use crate::game::Game;

/// Characters that a line of moves may have, as PGN's export format demands.
const WIDTH: usize = 80;
/// The tags that every game has, in this order, with their values where nothing is known.
/// `Result` follows them.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];
/// Tags that the game itself tells.
const OF_THE_GAME: [&str; 3] = ["Result", "SetUp", "FEN"];

/// Writes a game in PGN's export format, with a blank line behind it.
///
/// `tags` are names and values: those of the seven-tag roster go to their places, `?` standing
/// where one is missing, all others follow in their order (`Termination` is one that programs
/// look for). `Result`, and `SetUp` and `FEN` where `game` does not begin at the initial position,
/// are written from `game` and `result` whatever `tags` has; so is `Variant` where castling rights
/// make it a Chess960 game and `tags` has none. Control characters in values become
/// spaces, since no tag can hold a line end.
///
/// What is written is read back by [`PgnReader`](super::PgnReader) with the same moves, result
/// and tags.
///
/// # Errors
///
/// The errors of `out`, and [`io::ErrorKind::InvalidInput`] for a tag without a name, or with one
/// that is not of letters, digits and underscores.
pub fn write_game(
    out: &mut impl Write,
    tags: &[(&str, &str)],
    game: &Game,
    result: Option<Outcome>,
) -> io::Result<()> {
    let result = result.map_or("*".to_owned(), |result| result.to_string());
    let given = |name: &str| tags.iter().rev().find(|(known, _)| *known == name);
    for (name, unknown) in ROSTER {
        write_tag(out, name, given(name).map_or(unknown, |(_, value)| value))?;
    }
    write_tag(out, "Result", &result)?;
    let start = game.start_fen();
    if start != Game::new().start_fen() {
        write_tag(out, "SetUp", "1")?;
        write_tag(out, "FEN", &start)?;
    }
    if game.is_chess960() && given("Variant").is_none() {
        write_tag(out, "Variant", "Chess960")?;
    }
    let in_roster = |name: &str| ROSTER.iter().any(|(known, _)| *known == name);
    for (name, value) in tags {
        if !in_roster(name) && !OF_THE_GAME.contains(name) {
            write_tag(out, name, value)?;
        }
    }
    writeln!(out)?;
    let mut words = words(game);
    words.push(result);
    write_wrapped(out, &words)?;
    writeln!(out)
}

fn write_tag(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if name.is_empty() || !name.bytes().all(is_name) {
        let problem = format!("{name:?} cannot be the name of a PGN tag");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        if matches!(character, '"' | '\\') {
            escaped.push('\\');
        }
        escaped.push(if character.is_control() { ' ' } else { character });
    }
    writeln!(out, "[{name} \"{escaped}\"]")
}

/// Move numbers and moves.
fn words(game: &Game) -> Vec<String> {
    let mut position = game.up_to(0).position().clone();
    let mut words = Vec::new();
    for (ply, &played) in game.moves().iter().enumerate() {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if ply == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, played).to_string());
    }
    words
}

fn write_wrapped(out: &mut impl Write, words: &[String]) -> io::Result<()> {
    let mut column = 0;
    for word in words {
        if column == 0 {
            column = word.len();
        } else if column + 1 + word.len() < WIDTH {
            write!(out, " ")?;
            column += 1 + word.len();
        } else {
            writeln!(out)?;
            column = word.len();
        }
        write!(out, "{word}")?;
    }
    writeln!(out)
}
