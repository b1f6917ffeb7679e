//! The file of a checkpoint: all that a run needs to go on bit for bit.
//!
//! A safetensors file. Its tensors are the four vectors of [`network::TrainingState`], flat and in
//! 32-bit floats, and behind them `sha256`, the sum of all bytes before it. The metadata's one
//! entry, `checkpoint`, is JSON: the format's version, the places of the network's tensors in the
//! vectors, and everything else of the trainer. The same state gives the same bytes.
//!
//! ```python
//! file = safetensors.safe_open("step-000050.safetensors", "numpy")
//! checkpoint = json.loads(file.metadata()["checkpoint"])
//! average = file.get_tensor("average")
//! weights = {t["name"]: average[t["start"]:][:math.prod(t["shape"])].reshape(t["shape"])
//!            for t in checkpoint["layout"]}
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use network::{Layout, StateVector, TrainingState};
use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensorError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

mod read;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

/// What a change of the format raises.
const VERSION: u32 = 1;

/// The metadata's entry.
const ENTRY: &str = "checkpoint";

/// Name of the sum's tensor.
const SUM: &str = "sha256";

/// Bytes of the sum.
const SUM_BYTES: usize = 32;

/// Bytes that are summed and written or read at once: they are in the cache then.
const PIECE: usize = 1 << 20;

/// Bytes of the header, at the most: what other readers of the format accept.
const MAXIMUM_HEADER: u64 = 100_000_000;

/// What a kind of trainer keeps beside the network's vectors.
///
/// A field that a later version adds needs a default, which keeps earlier checkpoints readable. A
/// field that is not known must be an error: going on without it would not be the same run.
pub(crate) trait Snapshot: Serialize + DeserializeOwned {
    /// Steps made so far.
    fn steps(&self) -> u64;
}

/// A state that no trainer of these settings has made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InvalidSnapshot(pub(crate) String);

/// A checkpoint in memory.
#[derive(Debug)]
pub(crate) struct Checkpoint<S> {
    /// What there is beside the vectors: of self-play games, generators and what has been counted.
    pub(crate) trainer: S,
    /// The network's vectors.
    pub(crate) state: TrainingState,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The operating system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not as it was written.
    #[error("{}: damaged or cut off: its SHA-256 is not the one at its end", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a later version of the program.
    #[error("{}: a checkpoint of format {found}, this program reads format {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The file is whole, but no checkpoint of the run.
    #[error("{}: no checkpoint of this run: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

/// The metadata's entry.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<S> {
    version: u32,
    layout: Vec<Place>,
    updates: u64,
    trainer: S,
}

/// Where one of the network's tensors is in the vectors.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    name: String,
    shape: Vec<usize>,
    start: usize,
}

fn places(layout: &Layout) -> Vec<Place> {
    let place = |tensor: &network::TensorInfo| Place {
        name: tensor.name.clone(),
        shape: tensor.shape.clone(),
        start: tensor.range().start,
    };
    layout.tensors().iter().map(place).collect()
}

/// The header of a file with vectors of `elements` elements.
fn header(entry: String, elements: usize) -> Result<Metadata, SafeTensorError> {
    let bytes = elements * size_of::<f32>();
    let vectors = StateVector::ALL.iter().enumerate().map(|(number, vector)| {
        let data_offsets = (number * bytes, (number + 1) * bytes);
        let info = TensorInfo { dtype: Dtype::F32, shape: vec![elements], data_offsets };
        (vector.name().to_owned(), info)
    });
    let end = StateVector::ALL.len() * bytes;
    let data_offsets = (end, end + SUM_BYTES);
    let sum = TensorInfo { dtype: Dtype::U8, shape: vec![SUM_BYTES], data_offsets };
    let tensors = vectors.chain([(SUM.to_owned(), sum)]).collect();
    // One entry: the order of several would be another one each time.
    Metadata::new(Some(HashMap::from([(ENTRY.to_owned(), entry)])), tensors)
}

/// Bytes of a vector as they are in the file, in most processors those in memory.
fn little_endian(values: &[f32]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        Cow::Borrowed(bytemuck::cast_slice(values))
    } else {
        Cow::Owned(values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }
}
