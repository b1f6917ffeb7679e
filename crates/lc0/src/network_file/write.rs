//! Writing a file.

use super::{NetworkFile, NetworkFileError};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

impl NetworkFile {
    /// Writes the network to `path`, compressed with gzip where the name ends in `.gz`.
    ///
    /// Whatever was not changed is kept byte for byte, and an unchanged network is written as the
    /// message it was. The file appears under its name complete or not at all: it is written
    /// beside it, synced and renamed. The same network gives the same bytes.
    ///
    /// # Errors
    /// Where the operating system refuses. What was at `path` is then still there.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), NetworkFileError> {
        let path = path.as_ref();
        self.write_atomically(path)
            .map_err(|source| NetworkFileError::Io { name: path.display().to_string(), source })
    }

    /// The bytes of the message, uncompressed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.message.length());
        self.message.rope().write_to(&mut bytes).expect("memory takes any bytes");
        bytes
    }

    fn write_atomically(&self, path: &Path) -> io::Result<()> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut temporary = beside(folder)?;
        let rope = self.message.rope();
        let buffered = BufWriter::new(temporary.as_file_mut());
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut encoder = GzEncoder::new(buffered, Compression::default());
            rope.write_to(&mut encoder)?;
            encoder.finish()?.flush()?;
        } else {
            let mut buffered = buffered;
            rope.write_to(&mut buffered)?;
            buffered.flush()?;
        }
        temporary.as_file().sync_all()?;
        temporary.persist(path)?;
        sync_folder(folder)
    }
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

/// Makes the new name last through a loss of power.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
