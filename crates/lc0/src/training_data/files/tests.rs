use super::*;

/// An archive of the entries.
fn archive(path: &Path, entries: &[(&str, &[u8])]) {
    let mut builder = tar::Builder::new(File::create(path).expect("a file"));
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append_data(&mut header, name, *bytes).expect("an entry");
    }
    builder.finish().expect("an archive");
}

/// What the chunks of a source say when read, by their first fault.
fn faults(source: &ChunkSource) -> Vec<String> {
    let mut faults = Vec::new();
    let read = source.for_each_chunk(|mut chunk| {
        faults.push(chunk.find_map(Result::err).map_or("whole".into(), |error| error.to_string()));
        true
    });
    faults.extend(read.err().map(|error| error.to_string()));
    faults
}

#[test]
fn folders_are_walked_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("later")).expect("a folder");
    for name in ["b.gz", "a.tar", "later/c.gz", "notes.txt"] {
        fs::write(path(name), []).expect("a file");
    }
    let files = ChunkFiles::find(&[folder.path().to_owned()]).expect("a folder of chunks");
    let expected = [
        ChunkSource::Archive(path("a.tar")),
        ChunkSource::Chunk(path("b.gz")),
        ChunkSource::Chunk(path("later/c.gz")),
    ];
    assert_eq!(files.sources(), expected);
    let named = ChunkFiles::find(&[path("notes.txt")]).expect("a file");
    assert_eq!(named.sources(), [ChunkSource::Chunk(path("notes.txt"))]);

    let check = |name: &str, expected: &str| {
        let error = ChunkFiles::find(&[path(name)]).expect_err(expected).to_string();
        assert!(error.contains(name) && error.contains(expected), "{error}");
    };
    check("nowhere", "No such file");
    fs::remove_file(path("later/c.gz")).expect("a file");
    check("later", "no .gz or .tar file in it");
}

#[test]
fn each_entry_of_an_archive_is_a_chunk() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.tar");
    archive(&path, &[("one.gz", b"too short"), ("two.gz", b"")]);
    let source = ChunkSource::Archive(path.clone());
    let name = path.display();
    let expected = [
        format!("{name}: one.gz: record 0: ends after 9 of 8356 bytes"),
        format!("{name}: two.gz: record 0: the chunk is empty"),
    ];
    assert_eq!(faults(&source), expected);

    let whole = fs::read(&path).expect("an archive");
    fs::write(&path, &whole[..700]).expect("a file");
    let cut = faults(&source);
    assert_eq!(cut.len(), 2, "the first chunk and the end of the archive: {cut:?}");
    fs::write(&path, [b'x'; 1024]).expect("a file");
    assert_eq!(faults(&source).len(), 1);
}
