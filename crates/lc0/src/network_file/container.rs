//! From the bytes of a file to the bytes of the message: gzip, the size limit, the digest.

use super::NetworkFileError;
use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, Read};

/// The largest message that is read, 1 GiB: more than twice the largest published network, whose
/// 191 million weights have two bytes each.
///
/// Memory grows with what is really there, never with what a file declares. A compressed file is
/// bounded further, by 64 times its own size and 16 MiB: trained weights hardly compress, while
/// gzip can make a thousand bytes of one.
pub const MAXIMUM_SIZE: u64 = 1 << 30;

/// Bytes of message that each compressed byte may become.
const LARGEST_RATIO: u64 = 64;

/// Bytes of message beyond this ratio, for small networks of few different numbers.
const ALLOWANCE: u64 = 16 << 20;

/// Bytes of message between two looks at the limits.
const CHUNK: u64 = 1 << 20;

/// How every network starts: field 1, a fixed 32-bit 0x1c0.
const START: [u8; 5] = [0x0d, 0xc0, 0x01, 0x00, 0x00];

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The message of a file, and what the file itself was.
pub(super) struct Contents {
    pub(super) message: Vec<u8>,
    /// SHA-256 of the file's bytes, in hexadecimal.
    pub(super) sha256: String,
    /// Bytes of the file.
    pub(super) size: u64,
}

/// Reads and decompresses the file `name` from `source`, up to `limit` bytes of message.
pub(super) fn unpack(
    name: &str,
    source: impl BufRead,
    limit: u64,
) -> Result<Contents, NetworkFileError> {
    let mut source = Hashing { source, digest: Sha256::new(), size: 0 };
    let io = |source| NetworkFileError::Io { name: name.to_owned(), source };
    let compressed = source.fill_buf().map_err(io)?.starts_with(&GZIP);
    let mut message = Vec::new();
    if compressed {
        let mut decoder = MultiGzDecoder::new(&mut source);
        let compressed = |decoder: &MultiGzDecoder<&mut Hashing<_>>| Some(decoder.get_ref().size);
        read(name, &mut decoder, compressed, limit, &mut message, |decompressed, source| {
            NetworkFileError::Gzip { name: name.to_owned(), decompressed, source }
        })?;
    } else {
        read(name, &mut source, |_| None, limit, &mut message, |_, source| io(source))?;
    }
    let sha256 = source.digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Contents { message, sha256, size: source.size })
}

/// Reads all of `source` into `message`, checking the start before the rest is read. `compressed`
/// says how much of the file was read so far, where that bounds the message.
fn read<R: Read>(
    name: &str,
    source: &mut R,
    compressed: impl Fn(&R) -> Option<u64>,
    limit: u64,
    message: &mut Vec<u8>,
    failure: impl Fn(u64, io::Error) -> NetworkFileError,
) -> Result<(), NetworkFileError> {
    let take = |source: &mut R, count: u64, message: &mut Vec<u8>| {
        source
            .by_ref()
            .take(count)
            .read_to_end(message)
            .map_err(|error| failure(message.len() as u64, error))
    };
    take(source, START.len() as u64, message)?;
    if *message != START {
        let found: Vec<String> = message.iter().map(|byte| format!("{byte:02x}")).collect();
        let found = if found.is_empty() { "with nothing".to_owned() } else { found.join(" ") };
        return Err(NetworkFileError::NotANetwork { name: name.to_owned(), found });
    }
    loop {
        let length = message.len() as u64;
        let read = take(source, CHUNK.min((limit + 1).saturating_sub(length)), message)?;
        if message.len() as u64 > limit {
            return Err(NetworkFileError::TooLarge { name: name.to_owned(), limit });
        }
        if let Some(compressed) = compressed(source) {
            let (ratio, allowance) = (LARGEST_RATIO, ALLOWANCE);
            let limit = compressed.saturating_mul(ratio).saturating_add(allowance);
            if message.len() as u64 > limit {
                let name = name.to_owned();
                return Err(NetworkFileError::Expansion {
                    name,
                    compressed,
                    limit,
                    ratio,
                    allowance,
                });
            }
        }
        if read == 0 {
            return Ok(());
        }
    }
}

/// Digests what is read through it.
struct Hashing<R> {
    source: R,
    digest: Sha256,
    size: u64,
}

impl<R: BufRead> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.digest.update(&buffer[..count]);
        self.size += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Hashing<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        // `fill_buf` without a read returns the same buffer again, whose first `count` bytes go.
        if let Ok(buffer) = self.source.fill_buf() {
            self.digest.update(&buffer[..count]);
        }
        self.size += count as u64;
        self.source.consume(count);
    }
}

#[cfg(test)]
mod tests;
