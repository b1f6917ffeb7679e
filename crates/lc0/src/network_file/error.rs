//! What can be wrong with a network file.

use crate::LayerError;
use std::io;

/// Why a network file cannot be read, changed or written. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// The file cannot be opened, read or written.
    #[error("{name}: {source}")]
    Io {
        /// The file.
        name: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file starts as gzip does, but does not decompress.
    #[error("{name}: broken gzip after {decompressed} decompressed bytes: {source}")]
    Gzip {
        /// The file.
        name: String,
        /// Bytes that came out before the fault.
        decompressed: u64,
        /// What the decompressor said.
        source: io::Error,
    },
    /// The file does not start as a network does.
    #[error(
        "{name}: not an Lc0 network: byte 0 starts {found}, expected 0d c0 01 00 00 \
         (after gzip, if any)"
    )]
    NotANetwork {
        /// The file.
        name: String,
        /// The first bytes in hexadecimal.
        found: String,
    },
    /// The file, or what it decompresses to, is larger than any network.
    #[error("{name}: more than {limit} bytes when decompressed, larger than any network")]
    TooLarge {
        /// The file.
        name: String,
        /// The limit in bytes, [`crate::MAXIMUM_SIZE`].
        limit: u64,
    },
    /// The file is far smaller than what it decompresses to, as no network is.
    #[error(
        "{name}: more than {limit} bytes from the first {compressed} bytes of gzip, while a network \
         has at most {ratio} times as many and {allowance} more"
    )]
    Expansion {
        /// The file.
        name: String,
        /// Bytes of the file that were read.
        compressed: u64,
        /// Bytes that these may decompress to.
        limit: u64,
        /// Bytes allowed for each compressed byte.
        ratio: u64,
        /// Bytes allowed beyond these.
        allowance: u64,
    },
    /// The message is broken.
    #[error("{name}: byte {offset}{}: {problem}", within(.path))]
    Malformed {
        /// The file.
        name: String,
        /// Offset in the decompressed message.
        offset: u64,
        /// The innermost field around the fault; empty at the top.
        path: String,
        /// What is wrong there and what was expected.
        problem: String,
    },
    /// A path names nothing in this network.
    #[error("{name}: {path:?}: {problem}")]
    Path {
        /// The file.
        name: String,
        /// The path asked for.
        path: String,
        /// Which part of it fails, and what is there instead.
        problem: String,
    },
    /// The numbers of a layer cannot be read or stored.
    #[error("{name}: layer {path}: {source}")]
    Layer {
        /// The file.
        name: String,
        /// The layer.
        path: String,
        /// What is wrong with it.
        source: LayerError,
    },
}

fn within(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(", in {path}") }
}
