//! Writing a checkpoint.

use std::io::{self, Write};

use network::{StateVector, TrainableEngine};
use sha2::{Digest, Sha256};

use super::{Entry, MAXIMUM_HEADER, PIECE, Snapshot, VERSION, header, little_endian, places};

/// Writes a checkpoint, straight from the engine's vectors where they are in memory.
pub(crate) fn write(
    output: &mut impl Write,
    engine: &dyn TrainableEngine,
    trainer: impl Snapshot,
) -> io::Result<()> {
    let layout = &engine.architecture().layout;
    let (layout, elements) = (places(layout), layout.len());
    let entry = Entry { version: VERSION, layout, updates: engine.updates(), trainer };
    let entry = serde_json::to_string(&entry)?;
    let header = header(entry, elements).map_err(io::Error::other)?;
    let mut header = serde_json::to_vec(&header)?;
    // Tensors begin at a multiple of eight bytes.
    header.resize(header.len().next_multiple_of(8), b' ');
    let length = header.len() as u64;
    if length > MAXIMUM_HEADER {
        let problem = format!("the state takes {length} bytes, at most {MAXIMUM_HEADER} fit");
        return Err(io::Error::other(problem));
    }

    let mut output = Summing { output, sum: Sha256::new() };
    output.write_all(&length.to_le_bytes())?;
    output.write_all(&header)?;
    for vector in StateVector::ALL {
        let values = engine.state_vector(vector);
        assert_eq!(values.len(), elements, "{} of an engine", vector.name());
        little_endian(&values).chunks(PIECE).try_for_each(|piece| output.write_all(piece))?;
    }
    let Summing { output, sum } = output;
    output.write_all(&sum.finalize())
}

/// Sums what goes through it.
struct Summing<W> {
    output: W,
    sum: Sha256,
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
