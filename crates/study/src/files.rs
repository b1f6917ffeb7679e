//! Reading, summing and writing of a study's files, and who may do so.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::{Builder, NamedTempFile};

#[cfg(test)]
mod tests;

/// Folder of stamps, logs, and files that are being written.
const STEPS: &str = "steps";
/// Folder of what is no longer valid.
const OUTDATED: &str = "outdated";
/// Start of the names of files that are being written.
const TEMPORARY: &str = ".tmp";

/// How long another process may keep a study that it is about to give up. One that was killed while
/// it started a program leaves its open files to that program for a moment.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries.
const POLL: Duration = Duration::from_millis(20);

/// A file as it was when it was summed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSum {
    /// Of its contents, in lower-case hexadecimal.
    pub sha256: String,
    /// Bytes.
    pub size: u64,
    /// Nanoseconds from 1970 to its last change; one that has the same, and the same size, is not
    /// read again.
    pub modified: u64,
}

/// A file of a study, or its folder, could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: io::Error,
}

/// The right to work on a study, until it is dropped or the process ends.
#[derive(Debug)]
pub struct StudyLock {
    _own: File,
    steps: File,
}

/// A study's folder, to work in. Paths are relative to it.
#[derive(Debug)]
pub struct StudyFiles {
    root: PathBuf,
    /// Sums of files by path, for as long as they do not change.
    sums: RefCell<BTreeMap<PathBuf, FileSum>>,
    /// Writes after which the next one fails, as if the process were killed before it.
    #[cfg(test)]
    pub(crate) writes_left: std::cell::Cell<Option<usize>>,
}

impl StudyLock {
    /// A handle for a step's program to hold, as its standard input: as long as it lives, even
    /// without us, no later start works on the study.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn for_program(&self) -> io::Result<File> {
        self.steps.try_clone()
    }
}

impl StudyFiles {
    /// The folder `root`, which need not be there yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            sums: RefCell::default(),
            #[cfg(test)]
            writes_left: std::cell::Cell::new(None),
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a file lies.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Whether the folder holds nothing, or nothing but what a start leaves that was killed before
    /// it wrote its plan.
    ///
    /// # Errors
    ///
    /// Where it cannot be read.
    pub fn is_new(&self) -> Result<bool, FileError> {
        if !self.root.exists() {
            return Ok(true);
        }
        for entry in fs::read_dir(&self.root).map_err(at(&self.root))? {
            let name = entry.map_err(at(&self.root))?.file_name();
            if name != "lock" && name != STEPS {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes the study for this process. Where a program that a killed start left behind still
    /// runs, `waiting` is called and its end awaited.
    ///
    /// # Errors
    ///
    /// Where another process has it ([`io::ErrorKind::WouldBlock`]), or the system refuses.
    pub fn lock(&self, waiting: impl FnOnce()) -> Result<StudyLock, FileError> {
        let steps = self.path(STEPS);
        fs::create_dir_all(&steps).map_err(at(&steps))?;
        let open = |path: &Path| {
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
            file.map_err(at(path))
        };
        let path = self.path("lock");
        let own = open(&path)?;
        match try_for(PATIENCE, || own.try_lock()) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let in_use = "another process works on this study";
                let source = io::Error::new(io::ErrorKind::WouldBlock, in_use);
                return Err(FileError { path: self.root.clone(), source });
            }
            Err(TryLockError::Error(source)) => return Err(FileError { path, source }),
        }
        let path = steps.join("lock");
        let lock = open(&path)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                waiting();
                lock.lock().map_err(at(&path))?;
            }
            Err(TryLockError::Error(source)) => return Err(FileError { path, source }),
        }
        self.remove_strays(&steps)?;
        Ok(StudyLock { _own: own, steps: lock })
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// With its name.
    pub fn read(&self, relative: impl AsRef<Path>) -> Result<Vec<u8>, FileError> {
        let path = self.path(relative);
        fs::read(&path).map_err(at(&path))
    }

    /// Writes a file that appears whole or not at all, and takes the place of one that is there.
    ///
    /// # Errors
    ///
    /// With its name; what was there is still there.
    pub fn write(&self, relative: impl AsRef<Path>, contents: &[u8]) -> Result<(), FileError> {
        let path = self.path(relative);
        self.write_through(&path, |file| file.write_all(contents)).map_err(at(&path))
    }

    /// Copies a file, which appears whole or not at all; returns the SHA-256 of what was read.
    ///
    /// # Errors
    ///
    /// With the name of the file that cannot be read or written.
    pub fn copy(&self, from: &Path, to: impl AsRef<Path>) -> Result<String, FileError> {
        let from = self.path(from);
        let to = self.path(to);
        let mut source = File::open(&from).map_err(at(&from))?;
        let mut hasher = Sha256::new();
        let fill = |file: &mut File| copy_bytes(&mut source, file, &mut hasher);
        self.write_through(&to, fill).map_err(at(&to))?;
        Ok(hexadecimal(&hasher.finalize()))
    }

    /// Gives a file that lies in the folder another name there, in place of one that has it.
    ///
    /// # Errors
    ///
    /// With the new name.
    pub fn rename(&self, from: &Path, to: &Path) -> Result<(), FileError> {
        let (from, to) = (self.path(from), self.path(to));
        let renamed = || -> io::Result<()> {
            make_folder_of(&to)?;
            File::open(&from)?.sync_all()?;
            self.before_a_write()?;
            fs::rename(&from, &to)?;
            sync_folder_of(&to)
        };
        renamed().map_err(at(&to))
    }

    /// Puts what is no longer valid out of the way: into `outdated/`, which nothing reads.
    /// Returns where it now lies; `None` where there was nothing.
    ///
    /// # Errors
    ///
    /// With the name of what cannot be moved.
    pub fn put_aside(&self, relative: &Path) -> Result<Option<PathBuf>, FileError> {
        let path = self.path(relative);
        if path.symlink_metadata().is_err() {
            return Ok(None);
        }
        let name = relative.to_string_lossy().replace(['/', '\\'], "-");
        let free = (1..)
            .map(|number: u32| Path::new(OUTDATED).join(format!("{name}.{number}")))
            .find(|place| self.path(place).symlink_metadata().is_err())
            .expect("there are more numbers than files");
        let moved = || -> io::Result<()> {
            make_folder_of(&self.path(&free))?;
            self.before_a_write()?;
            fs::rename(&path, self.path(&free))?;
            sync_folder_of(&path)
        };
        moved().map_err(at(&path))?;
        Ok(Some(free))
    }

    /// The sum of a file; `None` where there is none. One whose size and time of change are those of
    /// `known` is taken to be that.
    ///
    /// # Errors
    ///
    /// With its name.
    pub fn sum(
        &self,
        relative: &Path,
        known: Option<&FileSum>,
    ) -> Result<Option<FileSum>, FileError> {
        let path = self.path(relative);
        let data = match fs::metadata(&path) {
            Ok(data) if data.is_file() => data,
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(FileError { path, source }),
        };
        let size = data.len();
        let modified = modified(&data).map_err(at(&path))?;
        let is_it = |sum: &&FileSum| sum.size == size && sum.modified == modified;
        if let Some(sum) = known.filter(is_it) {
            return Ok(Some(sum.clone()));
        }
        if let Some(sum) = self.sums.borrow().get(relative).filter(is_it) {
            return Ok(Some(sum.clone()));
        }
        let mut file = File::open(&path).map_err(at(&path))?;
        let mut hasher = Sha256::new();
        copy_bytes(&mut file, &mut io::sink(), &mut hasher).map_err(at(&path))?;
        let sum = FileSum { sha256: hexadecimal(&hasher.finalize()), size, modified };
        self.sums.borrow_mut().insert(relative.to_owned(), sum.clone());
        Ok(Some(sum))
    }

    fn write_through(
        &self,
        path: &Path,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        make_folder_of(path)?;
        // All in one folder, where those of killed processes are found again.
        let steps = self.path(STEPS);
        fs::create_dir_all(&steps)?;
        let mut file = temporary(&steps)?;
        fill(file.as_file_mut())?;
        file.as_file().sync_all()?;
        self.before_a_write()?;
        file.persist(path)?;
        sync_folder_of(path)
    }

    fn remove_strays(&self, folder: &Path) -> Result<(), FileError> {
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let entry = entry.map_err(at(folder))?;
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                fs::remove_file(entry.path()).map_err(at(&entry.path()))?;
            }
        }
        Ok(())
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests count and stop writes here")]
    #[expect(clippy::unnecessary_wraps, reason = "tests count and stop writes here")]
    fn before_a_write(&self) -> io::Result<()> {
        Ok(())
    }

    #[cfg(test)]
    fn before_a_write(&self) -> io::Result<()> {
        match self.writes_left.get() {
            Some(0) => return Err(io::Error::other("killed")),
            Some(left) => self.writes_left.set(Some(left - 1)),
            None => {}
        }
        Ok(())
    }
}

/// Nanoseconds since 1970; 0 for files from before.
fn modified(data: &fs::Metadata) -> io::Result<u64> {
    let since = data.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
}

fn copy_bytes(from: &mut impl Read, to: &mut impl Write, hasher: &mut Sha256) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            length => {
                hasher.update(&buffer[..length]);
                to.write_all(&buffer[..length])?;
            }
        }
    }
}

/// SHA-256 of bytes, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A temporary file, as private or public as any new file.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn make_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Makes a new name last through a loss of power.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Takes a lock as soon as it is free, or says after `patience` that it is not.
fn try_for(
    patience: Duration,
    try_lock: impl Fn() -> Result<(), TryLockError>,
) -> Result<(), TryLockError> {
    let started = Instant::now();
    loop {
        match try_lock() {
            Err(TryLockError::WouldBlock) if started.elapsed() < patience => {
                thread::sleep(POLL);
            }
            ended => return ended,
        }
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> FileError {
    let path = path.to_owned();
    move |source| FileError { path: path.clone(), source }
}
