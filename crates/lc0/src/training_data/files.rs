//! Where chunks are: files, folders of them, and tar archives.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::chunk::{ChunkError, ChunkProblem, ChunkReader};

#[cfg(test)]
mod tests;

/// A file that holds chunks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChunkSource {
    /// One chunk.
    Chunk(PathBuf),
    /// A tar archive of chunks.
    Archive(PathBuf),
}

/// Files of chunks in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct ChunkFiles {
    sources: Vec<ChunkSource>,
}

impl ChunkFiles {
    /// Collects the files at `paths`. Of a folder these are the `.gz` and `.tar` files in it and
    /// below, in the order of their names.
    ///
    /// # Errors
    ///
    /// Where a path cannot be read, or a folder has no such file.
    pub fn find(paths: &[PathBuf]) -> Result<Self, io::Error> {
        let mut sources = Vec::new();
        for path in paths {
            let before = sources.len();
            collect(path, true, &mut sources)?;
            if sources.len() == before {
                let message = format!("{}: no .gz or .tar file in it", path.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, message));
            }
        }
        Ok(Self { sources })
    }

    /// The files.
    pub fn sources(&self) -> &[ChunkSource] {
        &self.sources
    }
}

/// How deep folders may stand within each other, so that a loop of links ends.
const DEPTH: usize = 32;

fn collect(path: &Path, named: bool, sources: &mut Vec<ChunkSource>) -> io::Result<()> {
    collect_below(path, named, DEPTH, sources).map_err(|error| match error.get_ref() {
        Some(_) => error,
        None => io::Error::new(error.kind(), format!("{}: {error}", path.display())),
    })
}

fn collect_below(
    path: &Path,
    named: bool,
    depth: usize,
    sources: &mut Vec<ChunkSource>,
) -> io::Result<()> {
    if fs::metadata(path)?.is_dir() {
        let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
        let mut entries =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        return entries.iter().try_for_each(|path| collect_below(path, false, depth, sources));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("tar") => sources.push(ChunkSource::Archive(path.to_owned())),
        Some("gz") => sources.push(ChunkSource::Chunk(path.to_owned())),
        // A file that was named is a chunk whatever it is called.
        _ if named => sources.push(ChunkSource::Chunk(path.to_owned())),
        _ => {}
    }
    Ok(())
}

impl ChunkSource {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Chunk(path) | Self::Archive(path) => path,
        }
    }

    /// Gives each chunk of the file in turn to `read`, until it answers false.
    ///
    /// # Errors
    ///
    /// Where the file cannot be opened, or an archive cannot be read on. What is wrong with a chunk
    /// its reader says.
    pub fn for_each_chunk(
        &self,
        mut read: impl FnMut(ChunkReader<'_>) -> bool,
    ) -> Result<(), ChunkError> {
        let path = self.path();
        let fault = |source| ChunkError {
            name: path.display().to_string(),
            record: 0,
            problem: ChunkProblem::Io(source),
        };
        let file = File::open(path).map_err(fault)?;
        match self {
            Self::Chunk(_) => {
                read(ChunkReader::new(path.display().to_string(), file));
            }
            Self::Archive(_) => {
                let mut archive = tar::Archive::new(BufReader::new(file));
                for entry in archive.entries().map_err(fault)? {
                    let entry = entry.map_err(fault)?;
                    if !entry.header().entry_type().is_file() {
                        continue;
                    }
                    let name = entry.path_bytes();
                    let name = format!("{}: {}", path.display(), String::from_utf8_lossy(&name));
                    if !read(ChunkReader::new(name, entry.take(MAXIMUM_ENTRY))) {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Bytes of an archive's entry that are read, at the most: as many as the longest chunk has before
/// it is compressed.
const MAXIMUM_ENTRY: u64 = 1 << 30;
