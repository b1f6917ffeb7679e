//! Files that a person names: those on disk, and those that the binary carries.

use std::fs;
use std::io;
use std::path::Path;

use chess::{OpeningBook, OpeningBookError};
use embedded::EmbeddedFile;
use lc0::{NetworkFile, NetworkFileError};
use training::sweep::write_whole;

/// What stands for a file that the binary carries, where a file is asked for.
pub(crate) const EMBEDDED: &str = "embedded";

/// Whether `path` stands for a file that the binary carries. `./embedded` is a file on disk.
pub(crate) fn is_embedded(path: &Path) -> bool {
    path == Path::new(EMBEDDED)
}

/// Reads the network at `path`.
///
/// # Errors
///
/// As [`NetworkFile::read`].
pub(crate) fn read_network(path: impl AsRef<Path>) -> Result<NetworkFile, NetworkFileError> {
    match path.as_ref() {
        path if is_embedded(path) => {
            NetworkFile::from_bytes(EMBEDDED, embedded::BASE_NETWORK.bytes.to_vec())
        }
        path => NetworkFile::read(path),
    }
}

/// Reads the book at `path`.
///
/// # Errors
///
/// As [`OpeningBook::read`].
pub(crate) fn read_book(path: impl AsRef<Path>) -> Result<OpeningBook, OpeningBookError> {
    match path.as_ref() {
        path if is_embedded(path) => OpeningBook::from_reader(EMBEDDED, embedded::OPENINGS.bytes),
        path => OpeningBook::read(path),
    }
}

/// Writes the files that the binary carries into a directory, which is made where there is none.
///
/// # Errors
///
/// Where the system says so.
pub(crate) fn write_embedded(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    for EmbeddedFile { name, bytes, .. } in embedded::ALL {
        write_whole(&directory.join(name), bytes)?;
    }
    Ok(())
}
