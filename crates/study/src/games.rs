//! Files of games, as `searchless arena` writes them.

use std::collections::HashSet;
use std::io::Cursor;

use chess::pgn::{PgnError, PgnReader};
use chess::{Color, Outcome};

#[cfg(test)]
mod tests;

/// How each game begins.
const FIRST_TAG: &str = "[Event ";

/// A file of games was not as expected.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// A game has no number.
    #[error("game {number} has no tag \"{tag}\" as an arena writes it")]
    Tag {
        /// The game's place in the file, from 1.
        number: usize,
        /// The tag.
        tag: &'static str,
    },
    /// A game cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// There is no game that was cut off before its end.
    #[error("there is no game that could be an opening")]
    NoOpening,
    /// The player has no game.
    #[error("{player} has no game")]
    NoGame {
        /// The player.
        player: String,
    },
}

/// The number of games.
pub(crate) fn count(text: &str) -> u64 {
    text.lines().filter(|line| line.starts_with(FIRST_TAG)).count() as u64
}

/// The games in the order of their pairs of players and their numbers in it, whatever the order in
/// which they ended.
pub(crate) fn sorted(text: &str) -> Result<String, GamesError> {
    let games = split(text);
    let mut keyed = Vec::with_capacity(games.len());
    for (place, game) in games.iter().enumerate() {
        let tag = |tag: &'static str| {
            self::tag(game, tag).ok_or(GamesError::Tag { number: place + 1, tag })
        };
        let round = tag("Round")?;
        let numbers = round.split_once('.').and_then(|(opening, turn)| {
            Some((opening.parse::<u64>().ok()?, turn.parse::<u64>().ok()?))
        });
        let numbers = numbers.ok_or(GamesError::Tag { number: place + 1, tag: "Round" })?;
        let mut players = [tag("White")?, tag("Black")?];
        players.sort_unstable();
        keyed.push((players, numbers, *game));
    }
    keyed.sort_by_key(|(players, numbers, _)| (*players, *numbers));
    Ok(keyed.into_iter().map(|(_, _, game)| game).collect())
}

/// The games that were cut off at a number of plies, each sequence of moves once: openings that are
/// not over.
pub(crate) fn openings(text: &str) -> Result<String, GamesError> {
    let mut seen = HashSet::new();
    let is_opening = |game: &&str| {
        tag(game, "Termination") == Some("adjudication")
            && seen.insert(game.split_once("\n\n").map(|(_, moves)| moves.to_owned()))
    };
    let book: String = split(text).into_iter().filter(is_opening).collect();
    if book.is_empty() { Err(GamesError::NoOpening) } else { Ok(book) }
}

/// The moves, in UCI notation, of the first game that `player` wins, else that it loses, else the
/// first that it plays.
pub(crate) fn decisive_game(pgn: &[u8], player: &str) -> Result<String, GamesError> {
    let mut best: Option<(u8, String)> = None;
    for game in PgnReader::new("games", Cursor::new(pgn.to_vec()))? {
        let game = game?;
        let tag = |name: &str| {
            game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
        };
        let color = match (tag("White"), tag("Black")) {
            (Some(white), _) if white == player => Color::White,
            (_, Some(black)) if black == player => Color::Black,
            _ => continue,
        };
        let rank = match (game.result, color) {
            (Some(Outcome::WhiteWins), Color::White) | (Some(Outcome::BlackWins), Color::Black) => {
                0
            }
            (Some(Outcome::Draw) | None, _) => 2,
            _ => 1,
        };
        if best.as_ref().is_some_and(|(known, _)| *known <= rank) {
            continue;
        }
        let mut position = game.start.clone();
        let mut moves = Vec::with_capacity(game.moves.len());
        for &mv in &game.moves {
            moves.push(position.uci(mv));
            position.play(mv).expect("the moves of a game are legal");
        }
        best = Some((rank, moves.join(" ")));
        if rank == 0 {
            break;
        }
    }
    best.map(|(_, moves)| moves).ok_or_else(|| GamesError::NoGame { player: player.to_owned() })
}

/// The games as they stand in the file.
fn split(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text.match_indices(FIRST_TAG).map(|(start, _)| start).collect();
    starts.retain(|&start| start == 0 || text.as_bytes()[start - 1] == b'\n');
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
}

fn tag<'a>(game: &'a str, name: &str) -> Option<&'a str> {
    game.lines().take_while(|line| !line.is_empty()).find_map(|line| {
        let value = line.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \"")?;
        value.strip_suffix("\"]")
    })
}
