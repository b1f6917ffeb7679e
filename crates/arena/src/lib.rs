//! Who is stronger: games between networks and engines, and ratings from their results.
//!
//! - [`Player`]: a network in this process, or an engine in one of its own.
//! - [`Schedule`]: who meets whom, from which openings.
//! - [`play`]: all games, side by side.
//! - [`GameFile`]: games as they end, in PGN; what is in it is not played again.
//! - [`verify`]: games played again to see whether they ended as they say.
//! - [`Standings`]: results added up.
//! - [`rating`]: ratings of players from the games that they played against each other.
//!
//! Games between networks depend on their number and the seed alone: not on what is played beside
//! them, on threads, or on where a tournament was interrupted.

mod engine_pool;
mod game_file;
mod player;
pub mod rating;
mod record;
mod result;
mod schedule;
mod standings;
#[cfg(test)]
mod testing;
mod tournament;
mod verify;

pub use game_file::{GameFile, GameFileError};
pub use player::{
    ChoiceError, EngineLimit, EnginePlayer, LC0_TEMPERATURE, MoveChoice, NetworkPlayer, Player,
    PlayerKind, UnknownMoveChoice,
};
pub use record::{Fault, FaultKind, GameEnd, PlayedGame, Termination};
pub use result::GameResult;
pub use schedule::{Format, GameNumber, Pairing, PlayerIndex, Schedule, ScheduleError};
pub use standings::Standings;
pub use tournament::{Conditions, TournamentError, play};
pub use verify::{Discrepancy, Verification, verify};
