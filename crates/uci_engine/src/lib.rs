//! A UCI engine in another process: started, asked, and never trusted.
//!
//! An [`EngineCommand`] says how an engine is started and set up; [`UciEngine`] is one that runs.
//! It searches the current position of a [`Game`](chess::Game) within a [`SearchLimit`] and
//! answers with a [`Search`]. A [`PersistentEngine`] starts it again when it fails. Whatever the other side does, an answer or an [`EngineError`] comes
//! within the time that was allowed: engines crash, hang, and say what is no move.

mod command;
mod engine;
mod error;
mod information;
mod persistent;
mod process;
mod score;
mod search;
#[cfg(all(test, unix))]
mod tests;

pub use command::EngineCommand;
pub use engine::UciEngine;
pub use error::{EngineError, EngineProblem};
pub use persistent::PersistentEngine;
pub use score::{Bound, Score};
pub use search::{Search, SearchLimit, Variation};
