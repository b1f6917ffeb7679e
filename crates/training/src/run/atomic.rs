//! Files that appear under their name whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// What a new file does to one that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Takes its place.
    Replace,
    /// Leaves it: [`io::ErrorKind::AlreadyExists`].
    Keep,
}

/// Start of the names of files that are being written, and how many letters follow.
const TEMPORARY: (&str, usize) = (".tmp", 6);

/// Writes a file through `fill`: beside its place, synced, renamed, and the folder synced. Where
/// that fails, what was there is still there and nothing else; where the process is killed, a
/// temporary file may be left for [`remove_strays`].
pub(crate) fn write(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = beside(folder)?;
    fill(file.as_file_mut())?;
    file.as_file().sync_all()?;
    match existing {
        Existing::Replace => file.persist(path),
        Existing::Keep => file.persist_noclobber(path),
    }?;
    sync_folder(folder)
}

/// Removes the temporary files of processes that were killed while they wrote in `folder`. Only
/// for a folder in which nobody writes.
pub(crate) fn remove_strays(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let rest = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY.0));
        let is_ours = |rest: &str| {
            rest.len() == TEMPORARY.1 && rest.chars().all(|letter| letter.is_ascii_alphanumeric())
        };
        if rest.is_some_and(is_ours) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A temporary file, as private or public as any new file.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY.0).rand_bytes(TEMPORARY.1);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Makes the new name last through a loss of power.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).into_string().expect("text")).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let text = |text: &'static str| move |file: &mut File| file.write_all(text.as_bytes());
        write(&path, Existing::Keep, text("first")).expect("a new file");
        let error = write(&path, Existing::Keep, text("second")).expect_err("it is there");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        write(&path, Existing::Replace, text("third")).expect("a new file");
        let full = |file: &mut File| {
            file.write_all(b"four")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let error = write(&path, Existing::Replace, full).expect_err("a full disk");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&path).expect("the file"), "third");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn strays_are_known_by_their_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let stray = beside(folder.path()).expect("a file").into_temp_path().keep().expect("kept");
        for name in [".tmp", ".tmpfiles1", ".tmp-12345", "x.tmpabcdef", ".tmpabcdefg"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        fs::create_dir(folder.path().join(".tmpfolder")).expect("a folder");
        fs::create_dir(folder.path().join(".tmpfolde")).expect("a folder");
        remove_strays(folder.path()).expect("removed");
        assert!(!stray.exists());
        let kept = [".tmp", ".tmp-12345", ".tmpabcdefg", ".tmpfolde", ".tmpfolder", "x.tmpabcdef"];
        // ".tmpfiles1" has the form of a temporary file's name.
        assert_eq!(names(folder.path()), kept);
    }
}
