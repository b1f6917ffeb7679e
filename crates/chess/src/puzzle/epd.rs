//! Suites of test positions in EPD: a position a line, with its best moves.

mod operations;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use shakmaty::san::{SanError, SanPlus};
use shakmaty::{Move, Position};

use super::error::{HeaderError, RowError, RowProblem};
use super::lines::Lines;
use super::{Acceptance, FirstMove, Puzzle};
use crate::compression::decompressed;
use crate::game::Game;
use crate::move_index::MoveIndex;
use crate::orientation::Orientation;
use operations::Operations;

/// The positions of a file of EPD as puzzles of one move, in its order.
///
/// Of the operations these are read, others are passed over:
///
/// * `bm`: the best moves, in SAN or UCI notation. All are acceptable; the first is the marked one.
/// * `am`: the moves to avoid. Where there is no `bm`, all other legal moves are acceptable and the
///   one of the lowest [`MoveIndex`] counts as marked.
/// * `id`: the puzzle's name, else the name of the file without its ending, a colon and the line.
/// * `hmvc` and `fmvn`: the clocks, where they do not stand in the position.
///
/// The solver moves first, and [`Puzzle::acceptance`] is [`Acceptance::Given`]. Blank lines and
/// lines that begin with `#` have no meaning. A line that is no puzzle is an error that names it;
/// the next call goes on behind it. Memory is bounded as it is for
/// [`PuzzleReader`](super::PuzzleReader).
pub struct EpdReader {
    file: Arc<str>,
    lines: Lines,
}

/// Why a line of EPD is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpdProblem {
    /// Neither best moves nor moves to avoid.
    #[error("neither the operation bm (best move) nor am (avoid move) is there")]
    NoMoves,
    /// An operation stands twice.
    #[error("the operation {operation} stands twice")]
    Twice {
        /// Its name.
        operation: &'static str,
    },
    /// An operation that sets a clock.
    #[error("expected a number after {operation}, found \"{found}\"")]
    Clock {
        /// `hmvc` or `fmvn`.
        operation: &'static str,
        /// What stands there.
        found: String,
    },
    /// A word that is no move, or not one in this position.
    #[error("{operation} {text}: {problem} in \"{fen}\"")]
    Move {
        /// `bm` or `am`.
        operation: &'static str,
        /// The move as it stands in the file.
        text: String,
        /// `not a move`, `not legal` or `ambiguous`.
        problem: &'static str,
        /// The position.
        fen: String,
    },
    /// A best move that is to be avoided.
    #[error("{uci} is both a best move and one to avoid")]
    Contradiction {
        /// The move.
        uci: String,
    },
    /// No legal move is left.
    #[error("every legal move is to be avoided")]
    NoneLeft,
}

impl EpdReader {
    /// Opens a file, plain or compressed (told by its first bytes, not its name).
    ///
    /// # Errors
    ///
    /// [`HeaderError`] if it cannot be opened.
    pub fn open(path: &Path) -> Result<EpdReader, HeaderError> {
        let file = path.display().to_string();
        match File::open(path) {
            Ok(source) => EpdReader::new(&file, source),
            Err(source) => Err(HeaderError::Open { file, source }),
        }
    }

    /// Reads from `source`, which errors call `file`.
    ///
    /// # Errors
    ///
    /// [`HeaderError`] if its first bytes cannot be read.
    pub fn new(file: &str, source: impl Read + Send + 'static) -> Result<EpdReader, HeaderError> {
        let source = decompressed(source).map_err(|error| HeaderError::Line {
            file: file.to_owned(),
            problem: RowProblem::Read(error),
        })?;
        Ok(EpdReader { file: file.into(), lines: Lines::new(source) })
    }

    /// The line of the row that came last, counted from 1.
    pub fn line(&self) -> u64 {
        self.lines.number()
    }
}

impl Iterator for EpdReader {
    type Item = Result<Puzzle, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let puzzle = loop {
            let number = self.lines.number() + 1;
            match self.lines.next()? {
                Ok(line) => {
                    let text = line.text.trim();
                    if text.is_empty() || text.starts_with('#') {
                        continue;
                    }
                    // What stands behind the last semicolon may be the half of an operation.
                    let whole = line.terminated || text.ends_with(';');
                    let name = || format!("{}:{number}", stem(&self.file));
                    break match puzzle(text, name) {
                        Ok(puzzle) if whole => Ok(puzzle),
                        Err(problem) if line.terminated => Err(problem),
                        _ => Err(RowProblem::Unterminated),
                    };
                }
                Err(problem) => break Err(problem),
            }
        };
        Some(puzzle.map_err(|problem| RowError {
            file: Arc::clone(&self.file),
            line: self.lines.number(),
            problem,
        }))
    }
}

/// The puzzle of a line; `name` is its id where it has none.
fn puzzle(line: &str, name: impl FnOnce() -> String) -> Result<Puzzle, RowProblem> {
    let (position, operations) = split_position(line);
    let operations = Operations::parse(operations)?;
    let fen = match position.split_ascii_whitespace().count() {
        4 => {
            format!("{position} {} {}", operations.clock("hmvc", 0)?, operations.clock("fmvn", 1)?)
        }
        _ => position.to_owned(),
    };
    let game = Game::from_fen(&fen)?;
    let best = moves(&game, &operations, "bm")?;
    let avoided = moves(&game, &operations, "am")?;
    let acceptable = acceptable(&game, best, avoided)?;
    let id = match operations.value("id")? {
        Some(id) if !id.trim().is_empty() => id.trim().to_owned(),
        _ => name(),
    };
    let marked = game.uci(acceptable[0]);
    Ok(Puzzle {
        acceptable: Some(vec![acceptable]),
        acceptance: Some(Acceptance::Given),
        ..Puzzle::of_game(&id, game, FirstMove::Solver, &marked)?
    })
}

/// The position of a line, four fields or with the clocks six, and what stands behind it.
fn split_position(line: &str) -> (&str, &str) {
    let mut ends = line.split_ascii_whitespace().map(|word| {
        let end = word.as_ptr() as usize - line.as_ptr() as usize + word.len();
        (word, end)
    });
    let mut end = 0;
    for _ in 0..4 {
        end = ends.next().map_or(line.len(), |(_, end)| end);
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if let (Some((half, _)), Some((full, clocks_end))) = (ends.next(), ends.next())
        && is_number(half)
        && is_number(full)
    {
        end = clocks_end;
    }
    line.split_at(end)
}

/// The moves of an operation, `None` where it is not there.
fn moves(
    game: &Game,
    operations: &Operations<'_>,
    operation: &'static str,
) -> Result<Option<Vec<Move>>, EpdProblem> {
    let Some(text) = operations.value(operation)? else { return Ok(None) };
    let mut moves = Vec::new();
    for word in text.split_ascii_whitespace() {
        let refused = |problem| EpdProblem::Move {
            operation,
            text: word.to_owned(),
            problem,
            fen: game.fen(),
        };
        let mv = parse_move(game, word).map_err(refused)?;
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    Ok((!moves.is_empty()).then_some(moves))
}

/// A move in SAN, with or without marks of its quality, or in UCI notation.
fn parse_move(game: &Game, word: &str) -> Result<Move, &'static str> {
    let plain = word.trim_end_matches(['!', '?']);
    let letters = plain.replace("0-0", "O-O").replace("O-0", "O-O");
    match SanPlus::from_ascii(letters.as_bytes()).map(|san| san.san.to_move(game.position())) {
        Ok(Ok(mv)) => Ok(mv),
        Ok(Err(SanError::AmbiguousSan)) => Err("ambiguous"),
        // A move such as e2e4 is SAN in form, too.
        Ok(Err(SanError::IllegalSan)) => game.parse_uci(plain).map_err(|_| "not legal"),
        Err(_) => game.parse_uci(plain).map_err(|_| "not a move"),
    }
}

fn acceptable(
    game: &Game,
    best: Option<Vec<Move>>,
    avoided: Option<Vec<Move>>,
) -> Result<Vec<Move>, EpdProblem> {
    match (best, avoided) {
        (None, None) => Err(EpdProblem::NoMoves),
        (Some(best), avoided) => {
            let both = best.iter().find(|mv| avoided.as_ref().is_some_and(|all| all.contains(mv)));
            match both {
                Some(&mv) => Err(EpdProblem::Contradiction { uci: game.uci(mv) }),
                None => Ok(best),
            }
        }
        (None, Some(avoided)) => {
            let mut moves: Vec<Move> = game.position().legal_moves().into_iter().collect();
            moves.retain(|mv| !avoided.contains(mv));
            let orientation = Orientation::of_mover(game.turn());
            moves.sort_by_key(|&mv| MoveIndex::of(mv, orientation));
            if moves.is_empty() { Err(EpdProblem::NoneLeft) } else { Ok(moves) }
        }
    }
}

/// The name of a file without its folder and what follows its first point.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(name)
}
