//! Reading a checkpoint. The file may hold anything.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use network::{Layout, StateVector, TrainingState};
use safetensors::tensor::{Metadata, TensorInfo};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{
    Checkpoint, CheckpointError, ENTRY, Entry, MAXIMUM_HEADER, PIECE, SUM, SUM_BYTES, Snapshot,
    VERSION, header, places,
};

/// Reads the checkpoint of a network of `layout`. Needs memory for the network's vectors and for
/// what there is beside them.
pub(crate) fn read<S: Snapshot>(
    path: &Path,
    layout: &Layout,
) -> Result<Checkpoint<S>, CheckpointError> {
    let mut file = File::open(path).map_err(at(path))?;
    if !has_its_sum(&mut file).map_err(at(path))? {
        return Err(CheckpointError::Damaged { path: path.to_owned() });
    }
    let invalid = |problem| CheckpointError::Invalid { path: path.to_owned(), problem };

    let found = read_header(&mut file).map_err(at(path))?;
    let found: Metadata = found
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .ok_or_else(|| invalid("it is no safetensors file".to_owned()))?;
    let entry = found.metadata().as_ref().and_then(|entries| entries.get(ENTRY));
    let entry = entry.ok_or_else(|| invalid(format!("its metadata has no \"{ENTRY}\"")))?;
    let malformed = |error: serde_json::Error| invalid(format!("\"{ENTRY}\": {error}"));
    let Version { version } = serde_json::from_str(entry).map_err(malformed)?;
    if version != VERSION {
        return Err(CheckpointError::Version { path: path.to_owned(), found: version });
    }
    let entry: Entry<S> = serde_json::from_str(entry).map_err(malformed)?;
    if entry.layout != places(layout) {
        return Err(invalid("its network has other tensors".to_owned()));
    }
    let expected = header(String::new(), layout.len()).expect("tensors side by side");
    for name in StateVector::ALL.map(StateVector::name).into_iter().chain([SUM]) {
        if found.info(name).map(fields) != expected.info(name).map(fields) {
            return Err(invalid(format!("the tensor \"{name}\" is not of the network's size")));
        }
    }
    if found.tensors().len() != expected.tensors().len() {
        return Err(invalid("it has more tensors than a checkpoint".to_owned()));
    }

    let mut vector = || -> Result<Vec<f32>, CheckpointError> {
        let mut values = vec![0.0_f32; layout.len()];
        file.read_exact(bytemuck::cast_slice_mut(&mut values)).map_err(at(path))?;
        if cfg!(target_endian = "big") {
            let swapped = |value: &mut f32| *value = f32::from_bits(value.to_bits().swap_bytes());
            values.iter_mut().for_each(swapped);
        }
        Ok(values)
    };
    // In their order in the file.
    let state = TrainingState {
        parameters: vector()?,
        average: vector()?,
        first_moment: vector()?,
        second_moment: vector()?,
        updates: entry.updates,
    };
    Ok(Checkpoint { trainer: entry.trainer, state })
}

/// Tells a later format from a malformed one.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

fn fields(info: &TensorInfo) -> (safetensors::Dtype, &[usize], (usize, usize)) {
    (info.dtype, &info.shape, info.data_offsets)
}

/// Whether the file ends in the sum of all before; then it is as it was written.
fn has_its_sum(file: &mut File) -> io::Result<bool> {
    let Some(summed) = file.metadata()?.len().checked_sub(SUM_BYTES as u64) else {
        return Ok(false);
    };
    let (mut sum, mut piece, mut left) = (Sha256::new(), vec![0; PIECE], summed);
    while left > 0 {
        let bytes = left.min(PIECE as u64);
        let piece = &mut piece[..bytes as usize];
        file.read_exact(piece)?;
        sum.update(piece);
        left -= bytes;
    }
    let mut written = [0; SUM_BYTES];
    file.read_exact(&mut written)?;
    Ok(sum.finalize()[..] == written)
}

/// The header, after which the file stands at the first tensor; `None` where there is none.
fn read_header(file: &mut File) -> io::Result<Option<Vec<u8>>> {
    let available = file.metadata()?.len();
    file.seek(SeekFrom::Start(0))?;
    let mut length = [0; 8];
    file.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MAXIMUM_HEADER.min(available) {
        return Ok(None);
    }
    let mut header = Vec::new();
    let read = file.take(length).read_to_end(&mut header)?;
    Ok((read as u64 == length).then_some(header))
}

fn at(path: &Path) -> impl Fn(io::Error) -> CheckpointError {
    let path = path.to_owned();
    move |source| CheckpointError::Io { path: path.clone(), source }
}
