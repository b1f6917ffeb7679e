//! The text of a book that may be compressed.

use std::io::{self, Cursor, Read};

use zip::ZipArchive;

use super::{LARGEST_BOOK, OpeningBookError};
use crate::compression::decompressed;

const ZIP: [u8; 4] = [b'P', b'K', 3, 4];

/// All of `source`, or `None` where it has more than `limit` bytes.
pub(super) fn at_most(source: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// `bytes` without their compression, which their first bytes tell.
pub(super) fn unpack(bytes: Vec<u8>, name: &str) -> Result<Vec<u8>, OpeningBookError> {
    let file = || name.to_owned();
    let damaged = |problem: &dyn ToString| OpeningBookError::Damaged {
        file: file(),
        problem: problem.to_string(),
    };
    let text = if bytes.starts_with(&ZIP) {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        let is_file = |index: &usize| {
            let name = archive.name_for_index(*index);
            name.is_some_and(|name| !name.is_ok_and(|name| name.ends_with('/')))
        };
        let files: Vec<usize> = (0..archive.len()).filter(is_file).collect();
        let &[only] = files.as_slice() else {
            return Err(OpeningBookError::Archive { file: file(), found: files.len() });
        };
        let entry = archive.by_index(only).map_err(|error| damaged(&error))?;
        at_most(entry, LARGEST_BOOK)
    } else {
        decompressed(Cursor::new(bytes)).and_then(|source| at_most(source, LARGEST_BOOK))
    };
    text.map_err(|error| damaged(&error))?
        .ok_or_else(|| OpeningBookError::TooLarge { file: file(), limit: LARGEST_BOOK })
}
