//! Histories from games in PGN.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use chess::Game;
use chess::pgn::{PgnError, PgnGame, PgnReader};

use super::{Fingerprint, Histories, HistoryFile};
use crate::suite::build::error::SuiteBuildError;
use crate::suite::build::source::Rows;

/// Characters of a game's id on Lichess. Links to a player's own view of it have four more.
const LICHESS_ID: usize = 8;
/// Tags that name a game, by its address or its id.
const NAMES: [&str; 3] = ["GameId", "Site", "Link"];

impl Histories {
    /// Keeps those games of a PGN file of which the id is `wanted`.
    pub(in crate::suite::build) fn read_games(
        &mut self,
        path: &Path,
        wanted: &HashSet<Fingerprint>,
        strict: bool,
        mut observe: impl FnMut(u64),
    ) -> Result<HistoryFile, SuiteBuildError> {
        let mut file = HistoryFile::new(path)?;
        for game in PgnReader::open(path).map_err(Box::new)? {
            file.read += 1;
            observe(file.read);
            let game = match game {
                Ok(game) => game,
                Err(error) if strict => return Err(Box::new(error).into()),
                Err(error) => {
                    file.skip(&error);
                    continue;
                }
            };
            let Some(id) = NAMES.into_iter().find_map(|name| game.tag(name).and_then(id)) else {
                let what = || format!("none of the tags {} names a game", NAMES.join(", "));
                file.skipped.add_row("game without an id", game.line, what);
                continue;
            };
            let key = Fingerprint::of(&[id.as_bytes()]);
            if !wanted.contains(&key) {
                continue;
            }
            if self.by_game.contains_key(&key) {
                file.skipped.add_row("second game of its id", game.line, || id.to_owned());
                continue;
            }
            if game.start.start_fen() != Game::new().start_fen() {
                let what = || game.start.start_fen();
                file.skipped.add_row("game from another position", game.line, what);
                continue;
            }
            let moves = ucis(&game);
            self.reserve(path, moves.len())?;
            self.by_game.insert(key, moves.into());
            file.kept += 1;
        }
        Ok(file)
    }
}

/// The moves from the game's start, in UCI notation.
fn ucis(game: &PgnGame) -> String {
    let moves: Vec<String> = game.moves.iter().map(|&mv| game.start.uci(mv)).collect();
    moves.join(" ")
}

/// The ids of the games that puzzles of `sources` are from.
pub(in crate::suite::build) fn wanted_games(
    sources: &[PathBuf],
) -> Result<HashSet<Fingerprint>, SuiteBuildError> {
    let mut wanted = HashSet::new();
    for path in sources {
        // Rows that are no puzzles are counted when the puzzles themselves are read.
        for puzzle in Rows::open(path)?.filter_map(Result::ok) {
            if let Some(id) = puzzle.game_url.as_deref().and_then(id) {
                wanted.insert(Fingerprint::of(&[id.as_bytes()]));
            }
        }
    }
    Ok(wanted)
}

/// The id in a game's address such as `https://lichess.org/2etVWOJw/black#52`, or the id itself.
pub(super) fn id(address: &str) -> Option<&str> {
    let path = match address.trim().split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        None => address.trim(),
    };
    let id = path.split(['/', '#', '?']).next()?;
    let is_id = id.len() >= LICHESS_ID && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_id.then(|| if id.len() == LICHESS_ID + 4 { &id[..LICHESS_ID] } else { id })
}

/// The game of the column `PGN`: moves, with or without tags before them.
pub(super) fn of_column(pgn: &str) -> Result<Game, String> {
    let text = std::io::Cursor::new(pgn.as_bytes().to_vec());
    let mut games = PgnReader::new("PGN", text).map_err(|error| error.to_string())?;
    match games.next() {
        None => Err("holds no game".to_owned()),
        Some(Ok(game)) => Ok(game.game()),
        Some(Err(PgnError::Game { problem, .. })) => Err(problem.to_string()),
        Some(Err(error)) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_games() {
        let check = |address: &str, expected| assert_eq!(id(address), expected, "{address}");
        check("https://lichess.org/2etVWOJw/black#52", Some("2etVWOJw"));
        check("https://lichess.org/0b2LVg6r#45", Some("0b2LVg6r"));
        check(" https://lichess.org/0b2LVg6r ", Some("0b2LVg6r"));
        check("https://lichess.org/0b2LVg6rAbCd", Some("0b2LVg6r"));
        check("0b2LVg6r", Some("0b2LVg6r"));
        check("https://lichess.org", None);
        check("https://lichess.org/", None);
        check("FICS freechess.org", None);
        check("?", None);
        check("", None);
    }

    #[test]
    fn games_of_the_column() {
        let fen = |pgn: &str| of_column(pgn).map(|game| game.fen());
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(fen("1. e4 e5"), Ok(after.to_owned()));
        assert_eq!(fen("[Event \"x\"] 1. e4 {good} e5 *"), Ok(after.to_owned()));
        assert!(fen("1. e4 e4").expect_err("illegal").contains("e4"));
        assert_eq!(fen(""), Err("holds no game".to_owned()));
    }
}
