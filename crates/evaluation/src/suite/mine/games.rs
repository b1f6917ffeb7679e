//! The games of which puzzles are made.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use chess::pgn::{PgnError, PgnGame, PgnReader};
use chess::{Game, Move};

use super::super::build::HistoryFile;
use super::super::identity::Fingerprint;
use super::error::MineError;

/// Half-moves of a game beyond which nothing is mined: the histories of puzzles stay short enough
/// for a row of a suite.
const MOST_PLIES: usize = 1_000;

/// Tags that may hold a game's address.
const ADDRESSES: [&str; 2] = ["Site", "Link"];

/// A game to mine.
pub(super) struct SourceGame {
    /// The moves from the standard start.
    pub(super) moves: Vec<Move>,
    /// Its address where it has one, else its file and its number there, from 1.
    pub(super) address: String,
    /// What tells it from games of other moves.
    pub(super) key: Fingerprint,
}

impl SourceGame {
    /// The game at its end.
    pub(super) fn game(&self) -> Game {
        let mut game = Game::new();
        for &played in &self.moves {
            game.play(played).expect("the moves of a game are legal");
        }
        game
    }
}

/// Reads the games of `paths`, each once, in an order that their moves and `seed` decide. `observe`
/// is told the games read so far.
pub(super) fn read(
    paths: &[PathBuf],
    seed: u64,
    strict: bool,
    mut observe: impl FnMut(u64),
) -> Result<(Vec<SourceGame>, Vec<HistoryFile>), MineError> {
    let (mut games, mut files) = (Vec::new(), Vec::new());
    let mut known = HashSet::new();
    let mut read = 0;
    for path in paths {
        let mut file = HistoryFile::new(path)?;
        for (number, game) in (1_u64..).zip(PgnReader::open(path).map_err(Box::new)?) {
            read += 1;
            observe(read);
            file.read += 1;
            let game = match game {
                Ok(game) => game,
                Err(error) if strict || matches!(error, PgnError::Read { .. }) => {
                    return Err(Box::new(error).into());
                }
                Err(error) => {
                    file.skip(&error);
                    continue;
                }
            };
            let mut skip = |reason, example: String| {
                file.skipped.add_row(reason, game.line, || example);
            };
            if game.start.start_fen() != Game::new().start_fen() {
                skip("game from another position", game.start.start_fen());
                continue;
            }
            if game.moves.is_empty() {
                skip("game without moves", String::new());
                continue;
            }
            let key = key(&game);
            if !known.insert(key) {
                skip("the moves of an earlier game", format!("game {number}"));
                continue;
            }
            let address = address(&game, path, number);
            let mut moves = game.moves;
            moves.truncate(MOST_PLIES);
            moves.shrink_to_fit();
            games.push(SourceGame { moves, address, key });
            file.kept += 1;
        }
        files.push(file);
    }
    let seed = seed.to_le_bytes();
    games.sort_by_cached_key(|game| game.key.drawn(b"game", &seed));
    Ok((games, files))
}

fn key(game: &PgnGame) -> Fingerprint {
    let moves: Vec<String> = game.moves.iter().map(|&mv| game.start.uci(mv)).collect();
    Fingerprint::of(&[moves.join(" ").as_bytes()])
}

/// A file is written by anybody, and an address stands in a row of words.
fn address(game: &PgnGame, path: &Path, number: u64) -> String {
    let tag = ADDRESSES.iter().find_map(|name| {
        game.tag(name).filter(|address| {
            address.starts_with("https://")
                && address.chars().all(|letter| letter.is_ascii_graphic())
        })
    });
    if let Some(address) = tag {
        return address.to_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| if letter.is_ascii_graphic() { letter } else { '_' };
    format!("{}/{number}", name.chars().map(plain).collect::<String>())
}
