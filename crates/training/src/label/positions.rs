//! The positions of files, each once.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use chess::pgn::{PgnError, PgnGame, PgnReader};
use chess::puzzle::{HeaderError, Puzzle, PuzzleReader};
use chess::{Color, Game, Move, Outcome, Position};
use policy::Wdl;
use shakmaty::EnPassantMode;
use shakmaty::zobrist::Zobrist128;

use super::config::PositionSource;

#[cfg(test)]
mod tests;

/// A position to be labelled, and what is known of the game that it is from.
#[derive(Clone, Debug)]
pub struct LabelPosition {
    /// The position with its history; it has a legal move.
    pub game: Game,
    /// How the game ended, from the mover's view.
    pub result: Option<Wdl>,
    /// Plies that the game went on for.
    pub plies_left: Option<u32>,
    /// The move played in the game, or the puzzle's solution.
    pub played: Option<Move>,
}

/// The position as one that nothing more is known of.
impl From<Game> for LabelPosition {
    fn from(game: Game) -> LabelPosition {
        LabelPosition { game, result: None, plies_left: None, played: None }
    }
}

/// Why there are no positions.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    /// A puzzle file cannot be used.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A file of games cannot be used.
    #[error(transparent)]
    Games(#[from] PgnError),
    /// What is to be kept out cannot be read in whole.
    #[error("the positions to exclude: {0}")]
    Exclude(String),
}

/// What was found in the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCounts {
    /// Positions to be labelled.
    pub positions: u64,
    /// Positions that stood in the files before.
    pub duplicates: u64,
    /// Positions that are to be kept out.
    pub excluded: u64,
    /// What could not be used, by reason: how often, and the first in full.
    pub skipped: BTreeMap<&'static str, (u64, String)>,
}

/// The positions of files in their order. A position whose board, side, castling rights and legal
/// en-passant capture are those of an earlier one, or of one to be kept out, is passed over.
///
/// Remembers 16 bytes of every position.
pub struct Positions {
    files: VecDeque<PositionSource>,
    open: Option<Opened>,
    waiting: VecDeque<LabelPosition>,
    excluded: HashSet<u128>,
    seen: HashSet<u128>,
    counts: PositionCounts,
}

/// A file that is being read.
enum Opened {
    Puzzles { reader: Box<PuzzleReader>, lines: bool },
    Games(Box<PgnReader>),
}

impl Opened {
    fn open(source: &PositionSource) -> Result<Opened, PositionsError> {
        Ok(match source {
            PositionSource::Puzzles(path) => {
                Opened::Puzzles { reader: Box::new(PuzzleReader::open(path)?), lines: false }
            }
            PositionSource::PuzzleLines(path) => {
                Opened::Puzzles { reader: Box::new(PuzzleReader::open(path)?), lines: true }
            }
            PositionSource::Games(path) => Opened::Games(Box::new(PgnReader::open(path)?)),
        })
    }

    /// The positions of the next puzzle or game, or the kind and the words of what is wrong with it.
    fn read(&mut self) -> Option<Result<Vec<LabelPosition>, (&'static str, String)>> {
        match self {
            Opened::Puzzles { reader, lines } => Some(match reader.next()? {
                Ok(puzzle) => Ok(positions_of(&puzzle, *lines)),
                Err(error) => Err(("rows are no puzzles", error.to_string())),
            }),
            Opened::Games(reader) => Some(match reader.next()? {
                Ok(game) => Ok(positions_of_game(&game)),
                Err(error) => Err(("games cannot be read", error.to_string())),
            }),
        }
    }
}

impl Positions {
    /// Opens the files.
    ///
    /// # Errors
    ///
    /// Where one cannot be read, or one of those to be excluded has a row that is no puzzle.
    pub fn open(
        sources: &[PositionSource],
        exclude: &[PathBuf],
    ) -> Result<Positions, PositionsError> {
        // So that a missing file is an error now.
        sources.iter().try_for_each(|source| Opened::open(source).map(drop))?;
        let mut excluded = HashSet::new();
        exclude.iter().try_for_each(|file| solver_positions(file, &mut excluded))?;
        Ok(Positions {
            files: sources.iter().cloned().collect(),
            open: None,
            waiting: VecDeque::new(),
            excluded,
            seen: HashSet::new(),
            counts: PositionCounts::default(),
        })
    }

    /// What was found so far.
    pub fn counts(&self) -> &PositionCounts {
        &self.counts
    }

    /// Reads on until positions wait or the files end.
    fn read(&mut self) {
        while self.waiting.is_empty() {
            let Some(open) = &mut self.open else {
                let Some(source) = self.files.pop_front() else { return };
                match Opened::open(&source) {
                    Ok(open) => self.open = Some(open),
                    Err(error) => self.skip("files cannot be opened again", error.to_string()),
                }
                continue;
            };
            match open.read() {
                None => self.open = None,
                Some(Err((reason, example))) => self.skip(reason, example),
                Some(Ok(positions)) => self.waiting.extend(positions),
            }
        }
    }

    fn skip(&mut self, reason: &'static str, example: String) {
        self.counts.skipped.entry(reason).or_insert((0, example)).0 += 1;
    }
}

impl Iterator for Positions {
    type Item = LabelPosition;

    fn next(&mut self) -> Option<LabelPosition> {
        loop {
            self.read();
            let position = self.waiting.pop_front()?;
            let key = key(&position.game);
            if self.excluded.contains(&key) {
                self.counts.excluded += 1;
            } else if self.seen.insert(key) {
                self.counts.positions += 1;
                return Some(position);
            } else {
                self.counts.duplicates += 1;
            }
        }
    }
}

/// The positions of a puzzle in which the solver is to move; with `all` also those of the opponent.
fn positions_of(puzzle: &Puzzle, all: bool) -> Vec<LabelPosition> {
    let known = |game: &Game, played| LabelPosition {
        game: game.clone(),
        result: None,
        plies_left: None,
        played: Some(played),
    };
    let mut positions = Vec::new();
    if let Some(&setup) = puzzle.start.moves().last().filter(|_| all) {
        positions.push(known(&puzzle.start.up_to(puzzle.start.ply() - 1), setup));
    }
    let mut game = puzzle.start.clone();
    for (ply, &played) in puzzle.line.iter().enumerate() {
        if all || ply.is_multiple_of(2) {
            positions.push(known(&game, played));
        }
        game.play(played).expect("a puzzle's line is legal");
    }
    positions
}

/// The positions of a game in which a move was played.
fn positions_of_game(played: &PgnGame) -> Vec<LabelPosition> {
    let mut game = played.start.clone();
    let mut positions = Vec::with_capacity(played.moves.len());
    for (left, &mv) in (1..=played.moves.len()).rev().zip(&played.moves) {
        positions.push(LabelPosition {
            result: played.result.map(|outcome| result_for(game.turn(), outcome)),
            plies_left: u32::try_from(left).ok(),
            played: Some(mv),
            game: game.clone(),
        });
        game.play(mv).expect("the moves of a game are legal");
    }
    positions
}

fn result_for(mover: Color, outcome: Outcome) -> Wdl {
    let [win, draw, loss] = match outcome.winner() {
        None => [0.0, 1.0, 0.0],
        Some(winner) if winner == mover => [1.0, 0.0, 0.0],
        Some(_) => [0.0, 0.0, 1.0],
    };
    Wdl::new(win, draw, loss).expect("one of three")
}

fn solver_positions(file: &Path, keys: &mut HashSet<u128>) -> Result<(), PositionsError> {
    for puzzle in PuzzleReader::open(file)? {
        let puzzle = puzzle.map_err(|error| PositionsError::Exclude(error.to_string()))?;
        keys.extend(positions_of(&puzzle, false).iter().map(|position| key(&position.game)));
    }
    Ok(())
}

/// Two positions of one key are taken for one: among `n` positions any two share one by chance with
/// a probability of about `n^2 / 2^129`, for a billion 10^-21.
fn key(game: &Game) -> u128 {
    game.position().zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0
}
