//! Mining suites: puzzles of one's own from games, with an engine's search as the judge.
//!
//! Every position of a game gets a first look with few nodes. A move is a candidate where the side
//! to move behind it looks much better than before and has, it seems, one move that keeps that; or
//! where it allows a forced mate. Candidates are then looked into, in an order that the seed
//! decides, until a game has given as many puzzles as asked for. As in Lichess's files, the first of
//! a puzzle's moves is the mistake, and the FEN is the position before it.
//!
//! * **Tactics.** With many nodes the solver's best move has to win, and the second best has to be
//!   far worse; so at each of the solver's moves, the opponent's replies being the engine's best.
//!   The line goes on as long as that holds, up to a limit, and ends with the last move that is not
//!   the only legal one. A reply, or a later position, in which the win is gone refutes the puzzle.
//!   One move that retakes what was just taken is no puzzle.
//! * **Mates.** A forced mate in up to five, proved by [`chess::mate`]. Every move of the solver
//!   keeps the shortest mate; of the replies that last longest the one is taken that leaves the
//!   solver fewest moves that keep it. Where several moves of the solver do, all are acceptable.
//!
//! Ratings are no ratings of people: see [`difficulty()`]. Themes are only those of [`themes()`].
//!
//! The same games, settings and seed give the same puzzles if the engine answers the same to the
//! same question, however many engines are at work and wherever the work was interrupted.

mod analyst;
mod assembly;
mod counts;
mod difficulty;
mod error;
mod games;
mod manifest;
mod mates;
mod miner;
mod run;
mod scan;
mod settings;
mod tactics;
#[cfg(test)]
mod tests;
mod themes;
mod work_file;

pub use analyst::{Analyst, AnalystError, Choice, Prospect, Verdict};
pub use counts::MineCounts;
pub use difficulty::difficulty;
pub use error::MineError;
pub use manifest::{EngineRecord, MineManifest};
pub use run::{MineOutcome, MineProgress, Mining};
pub use settings::{MineSettings, PuzzleKind};
pub use themes::themes;
pub use work_file::work_path;
