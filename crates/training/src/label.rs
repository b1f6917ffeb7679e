//! Search-derived targets: positions that a UCI engine labels, written as Lc0's training data.
//!
//! - [`LabelConfig`]: the teacher and the positions.
//! - [`SearchTarget`]: what a search says of a position, as a distribution over moves and outcomes.
//! - [`record_of`]: a position and its target as a record of Lc0's training data.
//! - [`Positions`]: the positions of files, each once, without those to be kept out.
//! - [`LabelDirectory`]: what has been labelled; survives any end of the process.
//! - [`label`]: the whole work.
//!
//! A search that shows its best `k` moves with scores is a teacher that keeps several moves alive,
//! where the move alone would be a teacher of one.

mod config;
mod counts;
mod directory;
mod positions;
mod record;
mod run;
mod target;
mod teacher;

pub use config::{LabelConfig, PositionSource, TeacherConfig};
pub use counts::LabelCounts;
pub use directory::{LabelDirectory, LabelDirectoryError, LabelRecord, SourceRecord};
pub use positions::{LabelPosition, PositionCounts, Positions, PositionsError};
pub use record::record_of;
pub use run::{LabelError, LabelProgress, LabelSummary, label};
pub use target::SearchTarget;
pub use teacher::Teacher;
