//! The file of a tournament's games.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use chess::pgn::{PgnError, PgnGame, PgnReader};
use tempfile::NamedTempFile;

use crate::record::{PlayedGame, Termination};
use crate::result::GameResult;
use crate::schedule::{GameNumber, PlayerIndex, Schedule};

#[cfg(test)]
mod tests;

/// A PGN file to which games are appended, each whole and flushed as it ends.
pub struct GameFile {
    path: PathBuf,
    file: File,
    event: String,
    names: Vec<String>,
    results: BTreeMap<GameNumber, GameResult>,
}

/// Why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// It cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A game cannot be read, and it is not the last.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// A game that the tournament does not have.
    #[error("{path}, line {line}: {problem}")]
    Foreign {
        /// The file.
        path: String,
        /// Where the game begins.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
}

impl GameFile {
    /// Opens the file, or begins it. Games in it are those of `schedule`; a last game that was cut
    /// off is taken out, to be played again.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or written, or holds other games.
    pub fn open(
        path: &Path,
        event: &str,
        names: &[&str],
        schedule: &Schedule,
    ) -> Result<GameFile, GameFileError> {
        let mut results = BTreeMap::new();
        if path.try_exists().map_err(fault(path))? {
            let games = read(path)?;
            if games.cut_off {
                rewrite(path, &games.whole).map_err(fault(path))?;
            }
            for game in &games.whole {
                let result = result_of(game, names, schedule).map_err(|problem| {
                    let path = path.display().to_string();
                    GameFileError::Foreign { path, line: game.line, problem }
                })?;
                if results.insert(result.pairing.number, result).is_some() {
                    let (path, problem) =
                        (path.display().to_string(), "the game stands there twice".to_owned());
                    return Err(GameFileError::Foreign { path, line: game.line, problem });
                }
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(fault(path))?;
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Ok(GameFile { path: path.to_owned(), file, event: event.to_owned(), names, results })
    }

    /// The results of all games in the file.
    pub fn results(&self) -> impl ExactSizeIterator<Item = &GameResult> {
        self.results.values()
    }

    /// Whether a game is in the file.
    pub fn has(&self, number: GameNumber) -> bool {
        self.results.contains_key(&number)
    }

    /// Appends a game.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn add(&mut self, schedule: &Schedule, played: &PlayedGame) -> Result<(), GameFileError> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let mut text = Vec::new();
        played.write(&self.event, &names, schedule, &mut text).expect("memory can be written to");
        // In one piece, so that a kill leaves at most one game cut off.
        let written = self.file.write_all(&text).and_then(|()| self.file.flush());
        written.map_err(fault(&self.path))?;
        self.results.insert(played.pairing.number, played.into());
        Ok(())
    }

    /// Makes all that was written last through a loss of power.
    ///
    /// # Errors
    ///
    /// Where that fails.
    pub fn sync(&self) -> Result<(), GameFileError> {
        self.file.sync_all().map_err(fault(&self.path))
    }
}

struct Read {
    whole: Vec<PgnGame>,
    /// Whether something stands behind the whole games that is none.
    cut_off: bool,
}

fn read(path: &Path) -> Result<Read, GameFileError> {
    let mut whole: Vec<PgnGame> = Vec::new();
    let mut last: Option<Result<PgnGame, PgnError>> = None;
    for game in PgnReader::open(path)? {
        match last.replace(game) {
            None => {}
            Some(Ok(game)) => whole.push(game),
            Some(Err(error)) => return Err(error.into()),
        }
    }
    let cut_off = match last {
        None => false,
        Some(Ok(game)) if game.terminated && game.result.is_some() => {
            whole.push(game);
            false
        }
        Some(_) => true,
    };
    let cut_off = cut_off || !ends_with_a_blank_line(path).map_err(fault(path))?;
    Ok(Read { whole, cut_off })
}

/// Whether the next game would begin where a game should; so does an empty file.
fn ends_with_a_blank_line(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    if length < 2 {
        return Ok(length == 0);
    }
    file.seek(SeekFrom::End(-2))?;
    let mut end = [0; 2];
    file.read_exact(&mut end)?;
    Ok(end == *b"\n\n")
}

/// Writes the file anew with the games that are whole.
fn rewrite(path: &Path, games: &[PgnGame]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    for game in games {
        let tags: Vec<(&str, &str)> =
            game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let mut played = game.start.clone();
        game.moves.iter().for_each(|&mv| played.play(mv).expect("a game's moves are legal"));
        chess::pgn::write_game(&mut file, &tags, &played, game.result)?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Finds the game in the schedule.
fn result_of(game: &PgnGame, names: &[&str], schedule: &Schedule) -> Result<GameResult, String> {
    let tag = |name: &str| game.tag(name).ok_or(format!("the game has no tag {name}"));
    let player = |color: &str| -> Result<PlayerIndex, String> {
        let name = tag(color)?;
        let place = names.iter().position(|known| *known == name);
        place.map(PlayerIndex).ok_or(format!("\"{name}\" does not play in this tournament"))
    };
    let (white, black, round) = (player("White")?, player("Black")?, tag("Round")?);
    let pairing = schedule
        .find(white, black, round)
        .ok_or(format!("this tournament has no round {round} of these players"))?;
    let opening = schedule.start(&pairing);
    let begins =
        game.start.start_fen() == opening.start_fen() && game.moves.starts_with(opening.moves());
    if !begins {
        return Err(format!("round {round} begins with another opening"));
    }
    let termination = tag("Termination")?;
    let termination =
        Termination::by_name(termination).ok_or(format!("no game ends by \"{termination}\""))?;
    Ok(GameResult {
        pairing,
        outcome: game.result.ok_or("the game has no result")?,
        termination,
        reason: game.tag("EndedBy").unwrap_or_default().to_owned(),
        plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
    })
}

fn fault(path: &Path) -> impl FnOnce(io::Error) -> GameFileError {
    let path = path.display().to_string();
    move |source| GameFileError::Io { path, source }
}
