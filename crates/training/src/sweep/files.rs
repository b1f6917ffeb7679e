//! Small files beside the runs.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::run::atomic::{self, Existing};

/// Writes a file that appears whole or not at all, and takes the place of one that is there.
///
/// # Errors
///
/// Where the system says so; what was there is still there.
pub fn write_whole(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let contents = contents.as_ref();
    atomic::write(path, Existing::Replace, |file: &mut File| file.write_all(contents))
}
