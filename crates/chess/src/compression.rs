//! Compressed files, told by their first bytes.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The largest window that a file may ask for, 128 MiB: what the format's own tools allow.
const LARGEST_WINDOW_LOG: u32 = 27;

/// `source` without its compression, if it has one: gzip or Zstandard, told by its first bytes.
/// A Zstandard window is 128 MiB at most.
///
/// # Errors
///
/// Where the first bytes cannot be read.
pub fn decompressed(mut source: impl Read + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    let mut start = Vec::with_capacity(ZSTANDARD.len());
    source.by_ref().take(ZSTANDARD.len() as u64).read_to_end(&mut start)?;
    let (gzip, zstandard) = (start.starts_with(&GZIP), start.starts_with(&ZSTANDARD));
    let whole = BufReader::new(Cursor::new(start).chain(source));
    Ok(if gzip {
        Box::new(BufReader::new(MultiGzDecoder::new(whole)))
    } else if zstandard {
        let mut decoder = zstd::Decoder::with_buffer(whole)?;
        decoder.window_log_max(LARGEST_WINDOW_LOG)?;
        Box::new(BufReader::new(decoder))
    } else {
        Box::new(whole)
    })
}
