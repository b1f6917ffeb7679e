//! Writing a suite so that it appears whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use chess::puzzle::Puzzle;
use flate2::{Compression, write::GzEncoder};
use serde::Serialize;
use tempfile::NamedTempFile;

use super::build::SuiteBuildError;

/// Zstandard's level: the slowest that still keeps up with the reading of puzzles.
const ZSTANDARD_LEVEL: i32 = 9;

/// A suite that is being written beside where it will stand.
pub(super) struct Output {
    path: PathBuf,
    file: NamedTempFile,
    writer: Writer,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstandard(zstd::Encoder<'static, BufWriter<File>>),
}

impl Output {
    /// Begins the suite at `path`, compressed as its ending says (`.gz`, `.zst`).
    pub(super) fn create(path: &Path) -> Result<Output, SuiteBuildError> {
        let begin = || -> io::Result<Output> {
            let file = beside(folder_of(path))?;
            let plain = BufWriter::new(file.reopen()?);
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            let mut writer = match ending.as_deref() {
                Some("gz") => Writer::Gzip(GzEncoder::new(plain, Compression::best())),
                Some("zst") => {
                    let mut encoder = zstd::Encoder::new(plain, ZSTANDARD_LEVEL)?;
                    encoder.include_checksum(true)?;
                    Writer::Zstandard(encoder)
                }
                _ => Writer::Plain(plain),
            };
            writeln!(writer, "{}", Puzzle::HEADER)?;
            Ok(Output { path: path.to_owned(), file, writer })
        };
        begin().map_err(|source| failed(path, source))
    }

    /// Writes a puzzle.
    pub(super) fn write(&mut self, puzzle: &Puzzle) -> Result<(), SuiteBuildError> {
        writeln!(self.writer, "{}", puzzle.to_row()).map_err(|source| failed(&self.path, source))
    }

    /// Puts the suite where it belongs.
    pub(super) fn finish(self) -> Result<(), SuiteBuildError> {
        let Output { path, file, writer } = self;
        let finish = || -> io::Result<()> {
            let mut plain = match writer {
                Writer::Plain(plain) => plain,
                Writer::Gzip(encoder) => encoder.finish()?,
                Writer::Zstandard(encoder) => encoder.finish()?,
            };
            plain.flush()?;
            persist(file, &path)
        };
        finish().map_err(|source| failed(&path, source))
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Writer::Plain(writer) => writer.write(bytes),
            Writer::Gzip(writer) => writer.write(bytes),
            Writer::Zstandard(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Writer::Plain(writer) => writer.flush(),
            Writer::Gzip(writer) => writer.flush(),
            Writer::Zstandard(writer) => writer.flush(),
        }
    }
}

/// Where the manifest of the suite at `path` stands: `a.csv.zst` has `a.manifest.json`.
pub fn manifest_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name =
        [".gz", ".zst"].iter().fold(&*name, |name, end| name.strip_suffix(end).unwrap_or(name));
    let name = name.strip_suffix(".csv").unwrap_or(name);
    path.with_file_name(format!("{name}.manifest.json"))
}

/// Writes the manifest of the suite at `path`.
pub(super) fn write_manifest(
    path: &Path,
    manifest: &impl Serialize,
) -> Result<(), SuiteBuildError> {
    let path = manifest_path(path);
    let write = || -> io::Result<()> {
        let mut file = beside(folder_of(&path))?;
        let text = serde_json::to_string_pretty(manifest).map_err(io::Error::other)?;
        writeln!(file, "{text}")?;
        persist(file, &path)
    };
    write().map_err(|source| failed(&path, source))
}

fn failed(path: &Path, source: io::Error) -> SuiteBuildError {
    SuiteBuildError::Io { path: path.display().to_string(), source }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_folder(folder_of(path))
}

/// A temporary file with the permissions of an ordinary new file; temporary files are private.
#[cfg(unix)]
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(0o666);
    tempfile::Builder::new().permissions(permissions).tempfile_in(folder)
}

#[cfg(not(unix))]
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

/// Makes the new name last; only Unix can sync a folder.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
