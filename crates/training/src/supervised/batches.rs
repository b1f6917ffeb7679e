//! What the steps learn from, one batch after another.

use chess::InputFormat;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

use super::config::SupervisedConfig;
use super::sample::Sample;
use super::shuffle::Shuffle;
use super::stream::{DataCounts, DataError, SampleStream};

#[cfg(test)]
mod tests;

/// Batches out of a shuffled stream of samples, without end.
///
/// They depend on the files and on the configuration's `seed`, `batch`, `shuffle_buffer` and `mirror`
/// alone.
/// Files with fewer samples than the buffer holds are in it once, so that each sample comes about
/// equally often.
pub struct Batches {
    stream: SampleStream,
    shuffle: Shuffle<Sample>,
    batch: usize,
    /// Whether the buffer has been filled for the first time.
    is_full: bool,
    /// The network's.
    format: InputFormat,
    /// Says which samples are mirrored; none where none are.
    mirror: Option<ChaCha8Rng>,
    /// Of all samples drawn, in their order.
    sum: Sha256,
}

/// The stream of the seed's generator that says which samples are mirrored.
const MIRROR: u64 = 2;

impl Batches {
    /// Opens the files of a configuration for a network of this format, up to the first sample.
    ///
    /// # Errors
    ///
    /// Where files cannot be opened, or none of them has a sample.
    pub fn open(config: &SupervisedConfig, format: InputFormat) -> Result<Self, DataError> {
        let mut stream =
            SampleStream::open(&config.data, format, config.history_fill, config.seed)?;
        let mut shuffle = Shuffle::new(config.shuffle_buffer, config.seed);
        let (first, _) = stream.next_sample()?;
        shuffle.push(first);
        let mirror = config.mirror.then(|| {
            let mut generator = ChaCha8Rng::seed_from_u64(config.seed);
            generator.set_stream(MIRROR);
            generator
        });
        Ok(Self {
            stream,
            shuffle,
            batch: config.batch,
            is_full: false,
            format,
            mirror,
            sum: Sha256::new(),
        })
    }

    /// The samples of the next step.
    ///
    /// # Errors
    ///
    /// Where the files can no longer be opened.
    pub fn next_batch(&mut self) -> Result<Vec<Sample>, DataError> {
        (0..self.batch).map(|_| self.draw()).collect()
    }

    /// What was read so far, including what waits in the buffer.
    pub fn counts(&self) -> &DataCounts {
        self.stream.counts()
    }

    /// SHA-256 of all samples drawn so far, in their order, in lower-case hexadecimal.
    pub(crate) fn sha256(&self) -> String {
        self.sum.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn draw(&mut self) -> Result<Sample, DataError> {
        while self.shuffle.wants_more() {
            let (sample, again) = self.stream.next_sample()?;
            // Later rounds replace what was drawn: the buffer keeps its size then.
            if again && !self.is_full {
                self.shuffle.close();
            }
            self.shuffle.push(sample);
        }
        self.is_full = true;
        let mut sample = self.shuffle.draw().expect("a full buffer is not empty");
        if let Some(generator) = &mut self.mirror
            && generator.random()
            && let Some(mirrored) = sample.mirrored(self.format)
        {
            sample = mirrored;
        }
        add(&mut self.sum, &sample);
        Ok(sample)
    }
}

/// Adds all of a sample to a sum.
fn add(sum: &mut Sha256, sample: &Sample) {
    let Sample { planes, moves, policy, value } = sample;
    planes.masks.iter().for_each(|mask| sum.update(mask.to_le_bytes()));
    planes.values.iter().for_each(|value| sum.update(value.to_le_bytes()));
    sum.update((moves.len() as u64).to_le_bytes());
    for (index, probability) in moves.iter().zip(policy.log_probabilities()) {
        sum.update((index.get() as u64).to_le_bytes());
        sum.update(probability.to_le_bytes());
    }
    sum.update([u8::from(value.is_some())]);
    if let Some(value) = value {
        let parts = [value.win(), value.draw(), value.loss()];
        parts.iter().for_each(|part| sum.update(part.to_le_bytes()));
    }
}
