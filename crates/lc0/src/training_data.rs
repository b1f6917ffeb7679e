//! Lc0's training data: what its self-play says of each position, to train a network on.
//!
//! A chunk is the records of one game, one after another, usually compressed with gzip; a tar
//! archive holds thousands of chunks. [`TrainingRecord`] is one position, [`ChunkFiles`] walks
//! through files, folders and archives.

mod chunk;
mod files;
mod record;

pub use chunk::{ChunkError, ChunkProblem, ChunkReader, write_chunk};
pub use files::{ChunkFiles, ChunkSource};
pub use record::{MOVES, RecordProblem, SearchValue, TrainingRecord};
