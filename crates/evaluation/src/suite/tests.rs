use std::io::Write;

use tempfile::NamedTempFile;

use super::*;

const HEADER: &str = "PuzzleId,FEN,Moves\n";
const GOOD: &str = "good,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8 b7b8q\n";

fn suite(contents: &[u8]) -> (NamedTempFile, Suite) {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(contents).expect("space for a few bytes");
    let suite = Suite::open(file.path()).expect("a file");
    (file, suite)
}

/// All ids, read in blocks of `size`.
fn ids(puzzles: &mut SuitePuzzles, size: usize) -> Result<Vec<String>, SuiteError> {
    let mut ids = Vec::new();
    loop {
        let block = puzzles.next_block(size)?;
        if block.is_empty() {
            return Ok(ids);
        }
        assert!(block.len() <= size);
        ids.extend(block.into_iter().map(|puzzle| puzzle.id));
    }
}

#[test]
fn the_hash_is_that_of_the_file() {
    let (_file, suite) = suite(b"abc");
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(suite.sha256(), expected);
}

#[test]
fn a_missing_file_is_named() {
    let error = Suite::open("/nowhere/puzzles.csv").expect_err("no such file");
    assert!(error.to_string().starts_with("/nowhere/puzzles.csv: "), "{error}");
}

#[test]
fn a_check_finds_what_a_score_would_find() {
    let check = |contents: &str, limit, strict: Option<&str>, lenient: Option<&str>| {
        let (_file, suite) = suite(contents.as_bytes());
        for (reading, expected) in [(Reading::Strict, strict), (Reading::Lenient, lenient)] {
            let error = suite.check(reading, limit).err().map(|error| error.to_string());
            let found = error.as_deref().unwrap_or("fine");
            assert!(found.contains(expected.unwrap_or("fine")), "{contents}: {found}");
        }
    };
    check(&format!("{HEADER}{GOOD}"), None, None, None);
    let cut = format!("{HEADER}{GOOD}{}", &GOOD[..20]);
    check(&cut, None, Some("line 3: "), None);
    check(&cut, Some(1), None, None);
    check("Name,Value\n", None, Some("PuzzleId"), Some("PuzzleId"));
    let none = Some("holds no puzzle");
    check(HEADER, None, none, none);
    check(&format!("{HEADER}x\n"), None, none, none);
    check(HEADER, Some(0), None, None);
}

#[test]
fn limits_and_blocks() {
    let rows = ["a", "b", "c", "d", "e"].map(|id| GOOD.replace("good", id)).concat();
    let (_file, suite) = suite(format!("{HEADER}{rows}").as_bytes());
    for (limit, expected) in [(None, "abcde"), (Some(0), ""), (Some(3), "abc"), (Some(9), "abcde")]
    {
        for size in [1, 2, 5, 100] {
            let mut puzzles = suite.puzzles(Reading::Strict, limit).expect("a suite");
            assert_eq!(ids(&mut puzzles, size).expect("whole").concat(), expected);
        }
    }
}

#[test]
fn rows_that_are_no_puzzles_are_counted_by_reason() {
    let contents = format!(
        "{HEADER}{GOOD}\
         short,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8\n\
         odd,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1b1 g8f8\n\
         illegal,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8 b7b9q\n\
         illegal,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8g6 b7b8q\n\
         fen,nonsense,g8h8 b7b8q\n\
         fields,x\n\
         {GOOD}"
    );
    let (_file, suite) = suite(contents.as_bytes());
    let mut puzzles = suite.puzzles(Reading::Strict, None).expect("a suite");
    assert_eq!(ids(&mut puzzles, 10).expect("whole"), ["good", "good"]);
    let skipped = puzzles.skipped();
    assert_eq!(skipped.count(), 6);
    let reasons: Vec<_> = skipped
        .by_reason()
        .iter()
        .map(|(reason, rows)| (*reason, rows.count, rows.first_lines.as_slice()))
        .collect();
    let expected: [(&str, u64, &[u64]); 5] = [
        ("ends with the opponent's move", 1, &[4]),
        ("illegal move", 2, &[5, 6]),
        ("not a position", 1, &[7]),
        ("too few moves", 1, &[3]),
        ("wrong number of fields", 1, &[8]),
    ];
    assert_eq!(reasons, expected);
    let example = &skipped.by_reason()["too few moves"].example;
    assert_eq!(example, "expected at least two moves, found 1");
}

#[test]
fn only_the_first_lines_are_remembered() {
    let (_file, suite) = suite(format!("{HEADER}{}", "x\n".repeat(100)).as_bytes());
    let mut puzzles = suite.puzzles(Reading::Strict, None).expect("a suite");
    assert!(ids(&mut puzzles, 10).expect("whole").is_empty());
    let rows = &puzzles.skipped().by_reason()["wrong number of fields"];
    assert_eq!((rows.count, rows.first_lines.as_slice()), (100, [2, 3, 4, 5, 6].as_slice()));
}

#[test]
fn a_half_read_file_is_an_error_unless_asked_for() {
    const ROWS: usize = 6000;
    // Long enough that Zstandard, which compresses 128 KiB at a time, gives out some rows.
    let rows: Vec<String> = (0..ROWS).map(|row| GOOD.replace("good", &row.to_string())).collect();
    let whole = format!("{HEADER}{}", rows.concat());
    let zstandard = zstd::encode_all(whole.as_bytes(), 0).expect("compresses");
    let check = |contents: &[u8], reason: &str| {
        let (_file, suite) = suite(contents);
        let mut strict = suite.puzzles(Reading::Strict, None).expect("the header is there");
        let error = ids(&mut strict, 100).expect_err("damaged");
        assert!(matches!(error, SuiteError::Damaged(_)), "{error}");
        assert!(error.to_string().contains("the suite is not scored"), "{error}");
        let mut lenient = suite.puzzles(Reading::Lenient, None).expect("the header is there");
        let read = ids(&mut lenient, 100).expect("lenient").len();
        assert!(0 < read && read < ROWS, "{read}");
        assert_eq!(lenient.skipped().by_reason()[reason].count, 1);
    };
    check(&whole.as_bytes()[..whole.len() - 3], "cut-off file");
    check(&zstandard[..zstandard.len() - 5], "damaged file");
}
