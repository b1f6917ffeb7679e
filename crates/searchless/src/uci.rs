//! The UCI engine: a network that answers `go` with one forward pass.
//!
//! The protocol is apart from the engine: [`command`] reads what a GUI says, [`options`] holds
//! what it can set, [`score`] turns probabilities into its scores, and [`engine`] plays.

mod command;
mod engine;
mod options;
mod score;

pub(crate) use engine::Engine;
pub(crate) use options::Options;
