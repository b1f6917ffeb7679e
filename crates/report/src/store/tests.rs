use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use evaluation::{Answer, ByRule, PuzzleFacts};
use tempfile::TempDir;

use super::*;

/// A folder and the path of a file of results in it.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results.sqlite");
    (folder, path)
}

fn key(network: &str) -> MeasurementKey {
    MeasurementKey {
        network_sha256: network.repeat(64),
        network_name: format!("{network}.pb.gz"),
        suite_sha256: "5".repeat(64),
        suite_name: "suite.csv".to_owned(),
        solver: "solver".to_owned(),
        policy_head: "vanilla".to_owned(),
        value_head: "winner".to_owned(),
        history_fill: "fen_only".to_owned(),
        device: "cpu".to_owned(),
        program: "searchless".to_owned(),
    }
}

/// A puzzle of one or two positions, with numbers that tell it from others.
fn record(number: u32) -> PuzzleRecord {
    let two = number % 2 == 1;
    let answer = |ply: u32| Answer {
        ply,
        marked: "a7a8q".to_owned(),
        acceptable: ["a7a8q", "a7a8r"][..1 + ply as usize / 2]
            .iter()
            .map(|&uci| uci.into())
            .collect(),
        played: "a7a8r".to_owned(),
        accepted: ByRule { strict: false, immediate_mate: ply == 0, multi_solution: ply == 2 },
        log_mass: ByRule {
            strict: -f64::from(number) - 0.1,
            immediate_mate: -1e-300,
            multi_solution: -745.5 - f64::from(ply),
        },
        marked_log_probability: -f64::from(number) - 0.2,
        marked_rank: number,
        accepted_rank: number,
        played_probability: 1.0 / 3.0,
        runner_up_probability: 0.25,
        wdl: [0.1, 0.2, 0.7],
    };
    PuzzleRecord {
        facts: PuzzleFacts {
            id: format!("id{number}"),
            fen: "8/P6k/8/8/8/8/8/K7 w - - 0 1".to_owned(),
            line: ["a7a8q", "h7g7", "a8b8"][..if two { 3 } else { 1 }]
                .iter()
                .map(|&uci| uci.to_owned())
                .collect(),
            rating: (number != 0).then_some(1000 + number),
            themes: if two { vec!["mate".to_owned(), "short".to_owned()] } else { Vec::new() },
            mate_depth: two.then_some(2),
        },
        acceptance: if two { Acceptance::Proved } else { Acceptance::Marked },
        answers: if two { vec![answer(0), answer(2)] } else { vec![answer(0)] },
    }
}

fn records(numbers: std::ops::Range<u32>) -> Vec<PuzzleRecord> {
    numbers.map(record).collect()
}

fn all(store: &ResultsStore, measurement: &Measurement) -> Vec<PuzzleRecord> {
    let mut found = Vec::new();
    store.for_each(measurement, None, |record| found.push(record)).expect("whole");
    found
}

#[test]
fn answers_are_read_back_and_a_measurement_goes_on() {
    let (_folder, path) = folder();
    let mut store = ResultsStore::open(&path).expect("a new file");
    let mut measurement = store.measurement(&key("a")).expect("begun");
    assert_eq!((measurement.puzzles(), measurement.finished()), (0, false));
    assert!(all(&store, &measurement).is_empty());
    store.append(&mut measurement, &records(0..3)).expect("written");
    drop(store);

    let mut store = ResultsStore::open(&path).expect("the file");
    let mut measurement = store.measurement(&key("a")).expect("known");
    assert_eq!((measurement.puzzles(), measurement.finished()), (3, false));
    store.append(&mut measurement, &records(3..5)).expect("written");
    store.append(&mut measurement, &[]).expect("nothing to do");
    store.finish(&mut measurement).expect("written");
    assert_eq!(store.measurement(&key("a")).expect("known"), measurement);
    assert_eq!((measurement.puzzles(), measurement.finished()), (5, true));
    assert_eq!(all(&store, &measurement), records(0..5));
    for limit in 0..7 {
        let mut found = Vec::new();
        store
            .for_each(&measurement, Some(limit.into()), |record| found.push(record))
            .expect("whole");
        assert_eq!(found, records(0..limit.min(5)));
    }
}

#[test]
fn a_measurement_is_found_by_all_that_it_depends_on() {
    let (_folder, path) = folder();
    let mut store = ResultsStore::open(&path).expect("a new file");
    let mut first = store.measurement(&key("a")).expect("begun");
    store.append(&mut first, &records(0..1)).expect("written");
    for change in [
        (|key| key.network_sha256 = "b".repeat(64)) as fn(&mut MeasurementKey),
        |key| key.suite_sha256 = "6".repeat(64),
        |key| key.solver = "another".to_owned(),
        |key| key.policy_head = "soft".to_owned(),
        |key| key.value_head = "q".to_owned(),
        |key| key.history_fill = "no".to_owned(),
        |key| key.device = "cpu, bf16".to_owned(),
    ] {
        let mut other = key("a");
        change(&mut other);
        let other = store.measurement(&other).expect("begun");
        assert!(other.id != first.id && other.puzzles() == 0, "{other:?}");
    }
    for change in [
        (|key| key.network_name = "moved".to_owned()) as fn(&mut MeasurementKey),
        |key| key.suite_name = "moved".to_owned(),
        |key| key.program = "later".to_owned(),
    ] {
        let mut same = key("a");
        change(&mut same);
        assert_eq!(store.measurement(&same).expect("known"), first);
    }
}

#[test]
fn networks_share_what_is_known_of_a_suite() {
    let (_folder, path) = folder();
    let mut store = ResultsStore::open(&path).expect("a new file");
    let mut first = store.measurement(&key("a")).expect("begun");
    store.append(&mut first, &records(0..4)).expect("written");
    let mut second = store.measurement(&key("b")).expect("begun");
    let known = store.solutions(&second, 1, 2).expect("known");
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let both = [words(&["a7a8q"]), words(&["a7a8q", "a7a8r"])];
    let odd = StoredSolutions { acceptance: Acceptance::Proved, positions: both.to_vec() };
    let even =
        StoredSolutions { acceptance: Acceptance::Marked, positions: vec![words(&["a7a8q"])] };
    assert_eq!(known, [odd.clone(), even]);
    assert_eq!(store.solutions(&second, 3, u64::MAX).expect("known"), [odd]);
    assert!(store.solutions(&second, 4, 9).expect("nothing").is_empty());

    store.append(&mut second, &records(0..4)).expect("the same puzzles");
    let puzzles: u64 = store
        .connection
        .query_row("SELECT count(*) FROM puzzle", [], |row| row.get(0))
        .expect("a number");
    assert_eq!(puzzles, 4);

    // A suite that is read differently: nothing of the block is kept.
    let mut third = store.measurement(&key("c")).expect("begun");
    let error = store.append(&mut third, &[record(0), record(2)]).expect_err("another puzzle");
    let text = error.to_string();
    assert!(
        text.contains("results.sqlite: puzzle 1 of the suite") && text.contains("id2"),
        "{text}"
    );
    assert_eq!(store.measurement(&key("c")).expect("begun").puzzles(), 0);
    assert!(all(&store, &third).is_empty());
}

#[test]
fn people_can_query_it() {
    let (_folder, path) = folder();
    let mut store = ResultsStore::open(&path).expect("a new file");
    let mut measurement = store.measurement(&key("a")).expect("begun");
    store.append(&mut measurement, &records(0..2)).expect("written");
    let line = |sql: &str| -> String {
        store.connection.query_row(sql, [], |row| row.get(0)).expect("a row")
    };
    let columns = "network || '|' || suite || '|' || id || '|' || ply || '|' || marked || '|' || \
                   acceptable || '|' || played || '|' || strict || '|' || marked_rank";
    let last = line(&format!("SELECT {columns} FROM answers ORDER BY puzzle DESC, ply DESC"));
    assert_eq!(last, "a.pb.gz|suite.csv|id1|2|a7a8q|a7a8q a7a8r|a7a8r|0|1");
    let first = line(&format!("SELECT {columns} FROM answers ORDER BY puzzle, ply"));
    assert_eq!(first, "a.pb.gz|suite.csv|id0|0|a7a8q|a7a8q|a7a8r|0|0");
    let columns = "id || '|' || rating || '|' || mate_depth || '|' || positions || '|' || \
                   multi_solution || '|' || log_p_multi_solution";
    let puzzle = line(&format!("SELECT {columns} FROM puzzles WHERE puzzle = 1"));
    assert_eq!(puzzle, "id1|1001|2|2|0|-1493.0");
}

#[test]
fn two_processes_at_one_measurement_are_told_apart() {
    let (_folder, path) = folder();
    let mut one = ResultsStore::open(&path).expect("a new file");
    let mut other = ResultsStore::open(&path).expect("the file");
    let mut of_one = one.measurement(&key("a")).expect("begun");
    let mut of_other = other.measurement(&key("a")).expect("begun");
    one.append(&mut of_one, &records(0..2)).expect("written");
    for error in [
        other.append(&mut of_other, &records(0..1)).expect_err("taken over"),
        other.finish(&mut of_other).expect_err("taken over"),
    ] {
        assert!(matches!(error.problem, StoreProblem::TakenOver { puzzles: 2 }), "{error}");
    }
    // Different measurements do not get in each other's way.
    let mut second = other.measurement(&key("b")).expect("begun");
    other.append(&mut second, &records(0..3)).expect("written");
    one.append(&mut of_one, &records(2..3)).expect("written");
    assert_eq!(all(&one, &of_one), all(&other, &second));
}

#[test]
fn a_locked_file_is_waited_for() {
    let (_folder, path) = folder();
    let mut store = ResultsStore::open(&path).expect("a new file");
    let mut measurement = store.measurement(&key("a")).expect("begun");
    let holder = ResultsStore::open(&path).expect("the file");
    holder.connection.execute_batch("BEGIN EXCLUSIVE").expect("locked");
    store.connection.busy_timeout(Duration::from_millis(50)).expect("set");
    let error = store.append(&mut measurement, &records(0..1)).expect_err("locked");
    assert!(matches!(error.problem, StoreProblem::Busy), "{error}");
    assert!(open::connect(&path, Duration::from_millis(50)).is_err());

    store.connection.busy_timeout(open::PATIENCE).expect("set");
    let unlock = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        holder.connection.execute_batch("COMMIT").expect("unlocked");
    });
    store.append(&mut measurement, &records(0..1)).expect("written after a while");
    unlock.join().expect("unlocked");
    assert_eq!(all(&store, &measurement), records(0..1));
}

#[test]
fn files_that_are_not_ours_are_left_alone() {
    let (_folder, path) = folder();
    let check = |make: &dyn Fn(), expected: &str| {
        let _ = fs::remove_file(&path);
        make();
        let before = fs::read(&path).expect("a file");
        let error = ResultsStore::open(&path).expect_err(expected).to_string();
        assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
        assert!(error.contains(expected), "{error}");
        assert!(fs::read(&path).expect("a file") == before, "{expected}");
    };
    let ours = || drop(ResultsStore::open(&path).expect("a new file"));
    let sql = |sql: &str| {
        Connection::open(&path).expect("a file").execute_batch(sql).expect(sql);
    };
    let text = "no database, but long enough to have what a header of SQLite takes. ".repeat(9);
    check(&|| fs::write(&path, &text).expect("written"), "is not an SQLite file");
    check(&|| sql("CREATE TABLE other (x)"), "of another program");
    check(&|| sql("CREATE TABLE x (x); PRAGMA application_id = 7"), "of another program");
    check(&|| sql("CREATE TABLE x (x); PRAGMA user_version = 1"), "of another program");
    let later = || {
        ours();
        sql("PRAGMA user_version = 2");
    };
    check(&later, "a later version of searchless (schema 2; this one knows 1)");
    let never = || {
        ours();
        sql("PRAGMA user_version = -1");
    };
    check(&never, "is damaged (there is no schema -1)");
    let missing = ResultsStore::open(path.join("no/folder.sqlite")).expect_err("no folder");
    assert!(missing.to_string().contains("no/folder.sqlite"), "{missing}");
    // What an interrupted copy leaves is nobody's.
    fs::write(&path, "").expect("written");
    ResultsStore::open(&path).expect("a new file");
}

#[test]
fn damage_is_an_error() {
    let (_folder, path) = folder();
    let check = |damage: &str, expected: &str| {
        let _ = fs::remove_file(&path);
        let mut store = ResultsStore::open(&path).expect("a new file");
        let mut measurement = store.measurement(&key("a")).expect("begun");
        store.append(&mut measurement, &records(0..4)).expect("written");
        let damage =
            format!("PRAGMA foreign_keys = 0; PRAGMA ignore_check_constraints = 1; {damage}");
        store.connection.execute_batch(&damage).expect("done");
        let measurement = store.measurement(&key("a")).expect("known");
        let error = store.for_each(&measurement, None, |_| {}).expect_err(&damage).to_string();
        assert!(error.contains("is damaged (") && error.contains(expected), "{error}");
    };
    check("DELETE FROM answer WHERE puzzle = 3", "answers to puzzle 3 are missing");
    check("DELETE FROM answer WHERE puzzle = 1 AND ply = 2", "answers to puzzle 1 are missing");
    check("DELETE FROM answer WHERE puzzle = 1 AND ply = 0", "answers to puzzle 1 are missing");
    check("DELETE FROM position WHERE puzzle = 2", "answers to puzzle 2 are missing");
    check("DELETE FROM puzzle WHERE puzzle = 0", "answers to puzzle 0 are missing");
    check("UPDATE puzzle SET line = '' WHERE puzzle = 1", "answers to puzzle 1 are missing");
    check("UPDATE puzzle SET line = 'a a a' WHERE puzzle = 2", "answers to puzzle 2 are missing");
    check("UPDATE puzzle SET rating = -1 WHERE puzzle = 2", "out of range");
    check("UPDATE answer SET ply = -2 WHERE puzzle = 2", "answers to puzzle 2 are missing");
    check("UPDATE puzzle SET acceptance = 'guessed'", "there is no acceptance \"guessed\"");
    check("UPDATE answer SET strict = 2 WHERE puzzle = 2", "strict = 2 at puzzle 2, ply 0");
    check("UPDATE answer SET log_p_strict = 0.5", "log_p_strict = 0.5 at puzzle 0, ply 0");
    check("UPDATE answer SET log_p_multi_solution = -9e999", "log_p_multi_solution = -inf");
    check("UPDATE answer SET win = 1.5 WHERE puzzle = 2", "win = 1.5 at puzzle 2, ply 0");
    check(
        "DROP VIEW puzzles; DROP VIEW answers; UPDATE measurement SET puzzles = 9",
        "puzzle 4 are missing",
    );
}

#[test]
fn damaged_pages_are_an_error() {
    let (_folder, path) = folder();
    let mut store = ResultsStore::open(&path).expect("a new file");
    let mut measurement = store.measurement(&key("a")).expect("begun");
    store.append(&mut measurement, &records(0..2000)).expect("written");
    drop(store);
    let whole = fs::read(&path).expect("a file");
    let page = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    let mut noticed = 0;
    for start in (page..whole.len()).step_by(page) {
        let mut damaged = whole.clone();
        damaged[start..start + page].fill(0xA5);
        fs::write(&path, &damaged).expect("written");
        let read = ResultsStore::open(&path).and_then(|mut store| {
            let measurement = store.measurement(&key("a"))?;
            let mut puzzles = 0;
            store.for_each(&measurement, None, |_| puzzles += 1)?;
            Ok((measurement.puzzles(), puzzles))
        });
        match read {
            Err(error) => {
                assert!(error.to_string().contains("results.sqlite: "), "{error}");
                noticed += 1;
            }
            // Pages that this reading does not need.
            Ok((known, found)) => assert_eq!((known, found), (2000, 2000)),
        }
    }
    let pages = whole.len() / page - 1;
    assert!(noticed * 10 >= pages * 8, "{noticed} of {pages} pages");
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    let cut = ResultsStore::open(&path).and_then(|mut store| {
        let measurement = store.measurement(&key("a"))?;
        store.for_each(&measurement, None, |_| {})
    });
    let error = cut.expect_err("cut off").to_string();
    assert!(error.contains("is damaged ("), "{error}");
}
