//! Samples from files, over and over.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use chess::puzzle::{HeaderError, Puzzle, PuzzleReader};
use chess::{HistoryFill, InputFormat};
use lc0::training_data::{ChunkFiles, ChunkReader, ChunkSource};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::data::TrainingData;
use super::record::sample_of;
use super::sample::Sample;

#[cfg(test)]
mod tests;

/// The stream of the seed's generator that orders files; the samples' is another.
const FILE_ORDER: u64 = 1;

/// Samples that wait to be taken, at the most.
const WAITING: usize = 1024;

/// The samples of files, over and over, without end: puzzle files in their order, files of chunks in
/// another order in each round, which the seed decides. (Labels of one source stand beside each
/// other, and a buffer of samples reaches only so far.)
///
/// A thread of its own reads and encodes ahead; what comes out does not depend on it.
pub struct SampleStream {
    messages: Receiver<Message>,
    counts: DataCounts,
}

/// What was read and what was passed over in the first round through the files; and the rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataCounts {
    /// Rounds that are complete.
    pub epochs: u64,
    /// Samples of the first round.
    pub samples: u64,
    /// Puzzles that are in the excluded suites.
    pub excluded: u64,
    /// What could not be used, by reason: how often, and the first in full.
    pub skipped: BTreeMap<&'static str, (u64, String)>,
}

/// Why there are no samples.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A puzzle file cannot be used.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// Files of chunks cannot be found.
    #[error(transparent)]
    Files(#[from] io::Error),
    /// The excluded suites cannot be read in whole.
    #[error("the puzzles to exclude: {0}")]
    Exclude(String),
    /// The files have none.
    #[error("no sample in {files}{}", first_skipped(.counts))]
    NoSamples {
        /// The files, by name.
        files: String,
        /// What was passed over.
        counts: Box<DataCounts>,
    },
}

fn first_skipped(counts: &DataCounts) -> String {
    let mut why = String::new();
    if counts.excluded > 0 {
        why.push_str(&format!("; {} puzzles are excluded", counts.excluded));
    }
    if let Some((reason, (count, example))) = counts.skipped.iter().next() {
        why.push_str(&format!("; {count} {reason}, the first: {example}"));
    }
    why
}

/// What the reading thread says.
enum Message {
    Sample(Box<Sample>),
    Excluded,
    Skipped(&'static str, String),
    EndOfRound,
    Failed(DataError),
}

/// Why reading ends.
enum Stop {
    /// Nobody listens.
    Gone,
    /// It cannot go on.
    Failed(DataError),
}

impl SampleStream {
    /// Starts reading for a network of this format; `seed` decides the order of files of chunks.
    ///
    /// # Errors
    ///
    /// Where files cannot be opened, or the excluded suites cannot be read in whole.
    pub fn open(
        data: &TrainingData,
        format: InputFormat,
        fill: HistoryFill,
        seed: u64,
    ) -> Result<Self, DataError> {
        let (sender, messages) = sync_channel(WAITING);
        let sink = Sink { sender, samples: 0 };
        match data.clone() {
            TrainingData::Puzzles { files, exclude } => {
                // So that a missing file is an error now.
                files.iter().try_for_each(|file| PuzzleReader::open(file).map(drop))?;
                let excluded = ids(&exclude)?;
                std::thread::spawn(move || {
                    sink.rounds(&files, |sink| {
                        let mut files = files.iter();
                        files.try_for_each(|file| sink.puzzles(file, &excluded, format, fill))
                    });
                });
            }
            TrainingData::Chunks { files, result_ratio } => {
                let chunks = ChunkFiles::find(&files)?;
                std::thread::spawn(move || {
                    let mut generator = ChaCha8Rng::seed_from_u64(seed);
                    generator.set_stream(FILE_ORDER);
                    let mut sources: Vec<_> = chunks.sources().iter().collect();
                    sink.rounds(&files, |sink| {
                        sources.shuffle(&mut generator);
                        let mut sources = sources.iter();
                        sources.try_for_each(|source| sink.chunks(source, format, result_ratio))
                    });
                });
            }
        }
        Ok(Self { messages, counts: DataCounts::default() })
    }

    /// The next sample, and whether the files were read from their beginning again for it.
    ///
    /// # Errors
    ///
    /// Where the files have no sample, or can no longer be opened.
    pub fn next_sample(&mut self) -> Result<(Sample, bool), DataError> {
        let mut again = false;
        loop {
            let first_round = self.counts.epochs == 0;
            match self.messages.recv().expect("the thread reads without end, or says why not") {
                Message::Sample(sample) => {
                    self.counts.samples += u64::from(first_round);
                    return Ok((*sample, again));
                }
                Message::Excluded => self.counts.excluded += u64::from(first_round),
                Message::Skipped(reason, example) if first_round => {
                    self.counts.skipped.entry(reason).or_insert((0, example)).0 += 1;
                }
                Message::Skipped(..) => {}
                Message::EndOfRound => {
                    self.counts.epochs += 1;
                    again = true;
                }
                Message::Failed(DataError::NoSamples { files, .. }) => {
                    let counts = Box::new(self.counts.clone());
                    return Err(DataError::NoSamples { files, counts });
                }
                Message::Failed(error) => return Err(error),
            }
        }
    }

    /// What was read so far.
    pub fn counts(&self) -> &DataCounts {
        &self.counts
    }
}

/// The reading thread's end of the stream.
struct Sink {
    sender: SyncSender<Message>,
    /// In this round.
    samples: u64,
}

impl Sink {
    /// Reads round after round, until nobody listens or a round has no sample.
    fn rounds(mut self, files: &[PathBuf], mut round: impl FnMut(&mut Self) -> Result<(), Stop>) {
        loop {
            self.samples = 0;
            let read = match round(&mut self) {
                Ok(()) if self.samples == 0 => {
                    let names: Vec<_> =
                        files.iter().map(|file| file.display().to_string()).collect();
                    let counts = Box::default();
                    Err(Stop::Failed(DataError::NoSamples { files: names.join(", "), counts }))
                }
                Ok(()) => self.send(Message::EndOfRound),
                Err(stop) => Err(stop),
            };
            match read {
                Ok(()) => {}
                Err(Stop::Gone) => return,
                Err(Stop::Failed(error)) => {
                    // Whether anybody hears it or not, this is the end.
                    let _ = self.send(Message::Failed(error));
                    return;
                }
            }
        }
    }

    fn send(&self, message: Message) -> Result<(), Stop> {
        self.sender.send(message).map_err(|_| Stop::Gone)
    }

    fn sample(&mut self, sample: Sample) -> Result<(), Stop> {
        self.samples += 1;
        self.send(Message::Sample(Box::new(sample)))
    }

    /// Every position of the puzzles of a file in which the solver is to move.
    fn puzzles(
        &mut self,
        file: &Path,
        excluded: &HashSet<String>,
        format: InputFormat,
        fill: HistoryFill,
    ) -> Result<(), Stop> {
        let reader = PuzzleReader::open(file).map_err(|error| Stop::Failed(error.into()))?;
        for puzzle in reader {
            match puzzle {
                Ok(puzzle) if excluded.contains(&puzzle.id) => self.send(Message::Excluded)?,
                Ok(puzzle) => self.solution(&puzzle, format, fill)?,
                Err(error) => {
                    self.send(Message::Skipped("rows are no puzzles", error.to_string()))?;
                }
            }
        }
        Ok(())
    }

    fn solution(
        &mut self,
        puzzle: &Puzzle,
        format: InputFormat,
        fill: HistoryFill,
    ) -> Result<(), Stop> {
        let mut game = puzzle.start.clone();
        for (ply, &played) in puzzle.line.iter().enumerate() {
            if ply.is_multiple_of(2) {
                match Sample::with_solution(&game, played, format, fill) {
                    Some(sample) => self.sample(sample)?,
                    None => {
                        let example = format!("puzzle {}: {}", puzzle.id, game.fen());
                        let reason = "positions the network's input cannot express";
                        self.send(Message::Skipped(reason, example))?;
                    }
                }
            }
            game.play(played).expect("a puzzle's line is legal");
        }
        Ok(())
    }

    /// Every position of the chunks of a file, of a damaged one those before the fault.
    fn chunks(
        &mut self,
        source: &ChunkSource,
        format: InputFormat,
        result_ratio: f64,
    ) -> Result<(), Stop> {
        let mut sent = Ok(());
        let read = source.for_each_chunk(|chunk| {
            sent = self.chunk(chunk, format, result_ratio);
            sent.is_ok()
        });
        sent?;
        match read {
            Ok(()) => Ok(()),
            Err(error) => self.send(Message::Skipped("files cannot be read on", error.to_string())),
        }
    }

    fn chunk(
        &mut self,
        mut chunk: ChunkReader<'_>,
        format: InputFormat,
        result_ratio: f64,
    ) -> Result<(), Stop> {
        let fault = loop {
            match chunk.next() {
                None => return Ok(()),
                Some(Err(error)) => break ("chunks are damaged", error.to_string()),
                Some(Ok(record)) => match sample_of(&record, format, result_ratio) {
                    Ok(sample) => self.sample(sample)?,
                    Err(mismatch) => {
                        let example = format!("{}: {mismatch}", chunk.name());
                        break ("chunks are of another input format", example);
                    }
                },
            }
        };
        self.send(Message::Skipped(fault.0, fault.1))
    }
}

/// The ids of all puzzles of some files. One that is missed would be trained on.
fn ids(files: &[PathBuf]) -> Result<HashSet<String>, DataError> {
    let mut ids = HashSet::new();
    for file in files {
        for puzzle in PuzzleReader::open(file)? {
            ids.insert(puzzle.map_err(|error| DataError::Exclude(error.to_string()))?.id);
        }
    }
    Ok(ids)
}
