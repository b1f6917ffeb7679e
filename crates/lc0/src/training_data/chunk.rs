//! The records of one game.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::record::{RecordProblem, TrainingRecord};

#[cfg(test)]
mod tests;

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Records in a chunk, at the most: more than four times the longest game that the rules allow
/// to be played for.
const MAXIMUM_RECORDS: u64 = 1 << 16;

/// Reads the records of a chunk, plain or compressed with gzip, one at a time. Ends at the first
/// fault.
pub struct ChunkReader<'a> {
    name: String,
    source: Option<Box<dyn Read + 'a>>,
    records: u64,
}

/// A fault of a chunk.
#[derive(Debug, thiserror::Error)]
#[error("{name}: record {record}: {problem}")]
pub struct ChunkError {
    /// The file, and the entry of an archive.
    pub name: String,
    /// The record, counted from 0.
    pub record: u64,
    /// What is wrong.
    #[source]
    pub problem: ChunkProblem,
}

/// What is wrong with a chunk.
#[derive(Debug)]
pub enum ChunkProblem {
    /// It cannot be read.
    Io(io::Error),
    /// It ends within a record.
    Incomplete {
        /// Bytes of the record that are there.
        found: usize,
    },
    /// It has no records.
    Empty,
    /// It has more records than any game has positions.
    TooLong,
    /// A record is wrong.
    Record(RecordProblem),
}

impl fmt::Display for ChunkProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(formatter, "{error}"),
            Self::Incomplete { found } => {
                write!(formatter, "ends after {found} of {} bytes", TrainingRecord::BYTES)
            }
            Self::Empty => write!(formatter, "the chunk is empty"),
            Self::TooLong => {
                write!(formatter, "more than {MAXIMUM_RECORDS} records, which no game has")
            }
            Self::Record(problem) => write!(formatter, "{problem}"),
        }
    }
}

impl std::error::Error for ChunkProblem {}

/// Writes `records` as a chunk, compressed with gzip. The same records give the same bytes.
///
/// # Errors
///
/// Where `target` cannot be written to.
pub fn write_chunk(records: &[TrainingRecord], target: impl Write) -> io::Result<()> {
    let mut encoder = GzEncoder::new(target, Compression::default());
    records.iter().try_for_each(|record| encoder.write_all(&record.to_bytes()[..]))?;
    encoder.finish().map(drop)
}

impl<'a> ChunkReader<'a> {
    /// The chunk that `source` holds, called `name` in errors.
    pub fn new(name: impl Into<String>, source: impl Read + 'a) -> Self {
        let name = name.into();
        let mut source = BufReader::new(source);
        // A source that cannot be read here cannot be read by the first record either.
        let compressed = source.fill_buf().is_ok_and(|start| start.starts_with(&GZIP));
        let source: Box<dyn Read + 'a> = match compressed {
            true => Box::new(BufReader::new(MultiGzDecoder::new(source))),
            false => Box::new(source),
        };
        Self { name, source: Some(source), records: 0 }
    }

    /// The file, and the entry of an archive.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self) -> Result<Option<TrainingRecord>, ChunkProblem> {
        let Some(source) = &mut self.source else { return Ok(None) };
        let mut bytes = [0; TrainingRecord::BYTES];
        let mut found = 0;
        while found < bytes.len() {
            match source.read(&mut bytes[found..]) {
                Ok(0) if found == 0 && self.records > 0 => return Ok(None),
                Ok(0) if found == 0 => return Err(ChunkProblem::Empty),
                Ok(0) => return Err(ChunkProblem::Incomplete { found }),
                Ok(count) => found += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ChunkProblem::Io(error)),
            }
        }
        if self.records >= MAXIMUM_RECORDS {
            return Err(ChunkProblem::TooLong);
        }
        TrainingRecord::from_bytes(&bytes).map(Some).map_err(ChunkProblem::Record)
    }
}

impl Iterator for ChunkReader<'_> {
    type Item = Result<TrainingRecord, ChunkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        if !matches!(read, Ok(Some(_))) {
            self.source = None;
        }
        let record = self.records;
        self.records += 1;
        let error = |problem| ChunkError { name: self.name.clone(), record, problem };
        read.map_err(error).transpose()
    }
}
