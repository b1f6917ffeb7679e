//! A grid of runs from one file of settings (paper, Appendix G: "Self-play, data, and sweep").
//!
//! - [`Sweep`]: the grid and its cells, from a file.
//! - [`SweepDirectory`]: where the cells' runs are, and how each stands.
//! - [`run_jobs`]: works on several cells at once.

mod cell;
mod directory;
mod error;
mod files;
mod grid;
mod jobs;
mod recent;
mod record;

pub use cell::Cell;
pub use directory::{CellStatus, SweepDirectory};
pub use error::SweepError;
pub use files::write_whole;
pub use grid::{Axis, MAXIMUM_CELLS, Sweep};
pub use jobs::run_jobs;
pub use recent::{RECENT_STEPS, RecentMetrics};
pub use record::{ScoringRecord, SweepRecord};
