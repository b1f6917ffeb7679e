//! Labelling with several engines at once.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};

use chess::InputFormat;
use lc0::training_data::TrainingRecord;
use uci_engine::EngineError;

use super::config::LabelConfig;
use super::counts::LabelCounts;
use super::directory::{LabelDirectory, LabelDirectoryError, LabelRecord, SourceRecord};
use super::positions::{LabelPosition, PositionCounts, Positions, PositionsError};
use super::teacher::Teacher;
use crate::config::ConfigError;

#[cfg(test)]
mod tests;

/// Why labelling ended before its end. What was labelled stays.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A setting is out of its range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// There are no positions.
    #[error(transparent)]
    Positions(#[from] PositionsError),
    /// The engine cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The directory cannot be used.
    #[error(transparent)]
    Directory(#[from] LabelDirectoryError),
}

/// How far labelling is.
#[derive(Clone, Copy, Debug)]
pub enum LabelProgress<'a> {
    /// The files were read to their end: so many positions there are in all, of which so many were
    /// labelled before.
    Counted {
        /// What is in the files.
        counts: &'a PositionCounts,
        /// Positions to be labelled, in all.
        total: u64,
        /// Positions of chunks that are there.
        done: u64,
    },
    /// A chunk was written; so many positions are done in all.
    Chunk {
        /// Positions of chunks that are there.
        done: u64,
        /// Sums over all of them.
        total: &'a LabelCounts,
    },
}

/// How labelling ended.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelSummary {
    /// Sums over all that is in the directory.
    pub total: LabelCounts,
    /// Whether it was stopped.
    pub stopped: bool,
}

/// Positions of one chunk.
struct Block {
    chunk: u64,
    positions: Vec<LabelPosition>,
}

/// A labelled block.
struct Labelled {
    chunk: u64,
    positions: u64,
    records: Vec<TrainingRecord>,
    counts: LabelCounts,
}

/// Labels the positions of files into `directory` with `engines` processes. Where labels of the
/// same settings are in it, the missing ones are made. Once `stop` is true, the chunks under way
/// are given up.
///
/// Labels do not depend on `engines`, nor on where the work was interrupted, if the engine answers
/// the same to the same question.
///
/// # Errors
///
/// [`LabelError`]; a single position at which the engine fails is none.
pub fn label(
    directory: &Path,
    config: &LabelConfig,
    engines: NonZeroUsize,
    program: &str,
    stop: &AtomicBool,
    mut observe: impl FnMut(LabelProgress<'_>),
) -> Result<LabelSummary, LabelError> {
    config.validate()?;
    let teachers = (0..engines.get())
        .map(|_| Teacher::start(&config.teacher))
        .collect::<Result<Vec<Teacher>, EngineError>>()?;
    let files = config.sources.iter().map(|source| source.path());
    let files = files
        .chain(config.exclude.iter().map(AsRef::as_ref))
        .map(SourceRecord::of)
        .collect::<Result<_, _>>()?;
    let record = LabelRecord {
        program: program.to_owned(),
        engine: teachers[0].name().to_owned(),
        label: config.clone(),
        files,
    };
    let mut directory = LabelDirectory::open(directory, record)?;

    let limit = config.limit.unwrap_or(u64::MAX);
    let mut positions = Positions::open(&config.sources, &config.exclude)?;
    let total =
        positions.by_ref().take(usize::try_from(limit).unwrap_or(usize::MAX)).count() as u64;
    let size = config.chunk as u64;
    let positions_of = |chunk: u64| size.min(total - chunk * size);
    let chunks = 0..total.div_ceil(size);
    let missing: Vec<bool> =
        chunks.clone().map(|chunk| !directory.is_done(chunk, positions_of(chunk))).collect();
    let mut done = chunks
        .zip(&missing)
        .filter(|(_, is_missing)| !**is_missing)
        .map(|(chunk, _)| positions_of(chunk))
        .sum();
    observe(LabelProgress::Counted { counts: positions.counts(), total, done });

    let positions = Positions::open(&config.sources, &config.exclude)?;
    let format = InputFormat::from_id(config.input_format).expect("validated");
    let (block_sender, blocks) = sync_channel(1);
    // Only workers hold it: when all have ended, nobody waits to hand out more.
    let blocks = Arc::new(Mutex::new(blocks));
    let (sender, labelled) = channel();
    // Set when any part has failed, so that the others end too.
    let ended = AtomicBool::new(false);
    let must_end = || stop.load(Ordering::Relaxed) || ended.load(Ordering::Relaxed);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| cut(positions, config.chunk, &missing, total, block_sender, must_end));
        for teacher in teachers {
            let (blocks, sender) = (Arc::clone(&blocks), sender.clone());
            scope.spawn(move || work(teacher, format, &blocks, &sender, must_end));
        }
        drop((blocks, sender));
        let mut result = Ok(());
        for labelled in labelled {
            let written = labelled.map_err(LabelError::from).and_then(|labelled: Labelled| {
                directory.add(labelled.chunk, &labelled.records, labelled.counts)?;
                done += labelled.positions;
                observe(LabelProgress::Chunk { done, total: &directory.total() });
                Ok(())
            });
            if written.is_err() && result.is_ok() {
                ended.store(true, Ordering::Relaxed);
                result = written;
            }
        }
        result
    });
    result?;
    Ok(LabelSummary { total: directory.total(), stopped: done < total })
}

/// Cuts the first `total` positions into blocks and hands out the missing ones.
fn cut(
    positions: Positions,
    size: usize,
    missing: &[bool],
    total: u64,
    blocks: SyncSender<Block>,
    must_end: impl Fn() -> bool,
) {
    let mut positions = positions.take(usize::try_from(total).unwrap_or(usize::MAX));
    for (chunk, &is_missing) in (0..).zip(missing) {
        let block: Vec<LabelPosition> = positions.by_ref().take(size).collect();
        if must_end() || is_missing && blocks.send(Block { chunk, positions: block }).is_err() {
            return;
        }
    }
}

/// Labels block after block.
fn work(
    mut teacher: Teacher,
    format: InputFormat,
    blocks: &Mutex<Receiver<Block>>,
    labelled: &Sender<Result<Labelled, EngineError>>,
    must_end: impl Fn() -> bool,
) {
    loop {
        let block = blocks.lock().expect("no worker panics while it waits").recv();
        let Ok(Block { chunk, positions }) = block else { return };
        let (mut records, mut counts) =
            (Vec::with_capacity(positions.len()), LabelCounts::default());
        for position in &positions {
            if must_end() {
                break;
            }
            match teacher.label(position, format, &mut counts) {
                Ok(record) => records.extend(record),
                Err(error) => {
                    // Whether anybody hears it or not, this is the end.
                    let _ = labelled.send(Err(error));
                    return;
                }
            }
        }
        if must_end() {
            // Takes what is handed out, so that nobody waits for ever.
            continue;
        }
        let positions = positions.len() as u64;
        if labelled.send(Ok(Labelled { chunk, positions, records, counts })).is_err() {
            return;
        }
    }
}
