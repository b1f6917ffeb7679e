use super::*;

fn files() -> (tempfile::TempDir, StudyFiles) {
    let folder = tempfile::tempdir().expect("a folder");
    let files = StudyFiles::new(folder.path().join("study"));
    (folder, files)
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let (_folder, files) = files();
    files.write("a/b.txt", b"one").expect("written");
    files.writes_left.set(Some(0));
    assert!(files.write("a/b.txt", b"two").is_err());
    assert_eq!(files.read("a/b.txt").expect("read"), b"one");
    files.writes_left.set(None);
    let sum = files.copy(Path::new("a/b.txt"), "c.txt").expect("copied");
    assert_eq!(sum, sha256(b"one"));
    assert_eq!(files.read("c.txt").expect("read"), b"one");
}

#[test]
fn a_change_is_seen_and_a_known_file_is_not_read() {
    let (_folder, files) = files();
    assert_eq!(files.sum(Path::new("x"), None).expect("no file"), None);
    files.write("x", b"one").expect("written");
    let sum = files.sum(Path::new("x"), None).expect("read").expect("a file");
    assert_eq!((sum.sha256.as_str(), sum.size), (sha256(b"one").as_str(), 3));
    let known = FileSum { sha256: "known".to_owned(), ..sum.clone() };
    assert_eq!(files.sum(Path::new("x"), Some(&known)).expect("read"), Some(known.clone()));
    files.write("x", b"three").expect("written");
    let changed = files.sum(Path::new("x"), Some(&known)).expect("read").expect("a file");
    assert_eq!(changed.sha256, sha256(b"three"));
}

#[test]
fn what_is_outdated_is_put_aside_and_not_lost() {
    let (_folder, files) = files();
    assert_eq!(files.put_aside(Path::new("run")).expect("nothing"), None);
    for number in ["1", "2"] {
        files.write("run/log", number.as_bytes()).expect("written");
        let place = files.put_aside(Path::new("run")).expect("moved").expect("something");
        assert_eq!(place, Path::new("outdated").join(format!("run.{number}")));
        assert_eq!(files.read(place.join("log")).expect("read"), number.as_bytes());
        assert!(!files.path("run").exists());
    }
}

#[test]
fn one_process_works_on_a_study() {
    let (_folder, files) = files();
    assert!(files.is_new().expect("read"));
    let lock = files.lock(|| panic!("nobody is there")).expect("free");
    assert!(files.is_new().expect("read"));
    let error = files.lock(|| ()).expect_err("in use");
    assert!(error.to_string().ends_with("another process works on this study"), "{error}");
    files.write("steps/kept.json", b"").expect("written");
    fs::write(files.path("steps/.tmpstray"), "").expect("written");

    // A program that outlives the process that started it is waited for.
    let program = lock.for_program().expect("a handle");
    drop(lock);
    let mut waited = false;
    std::thread::scope(|scope| {
        let ending = scope.spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            drop(program);
        });
        files.lock(|| waited = true).expect("free after a while");
        ending.join().expect("no panic");
    });
    assert!(waited);
    assert!(files.path("steps/kept.json").exists() && !files.path("steps/.tmpstray").exists());
    files.write("other", b"").expect("written");
    assert!(!files.is_new().expect("read"));
}

/// As after a kill in the middle of starting a program.
#[test]
fn a_study_that_is_about_to_be_given_up_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = StudyFiles::new(folder.path());
    let held = files.lock(|| ()).expect("free");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            drop(held);
        });
        files.lock(|| ()).expect("free in a moment");
    });
}
