use std::fs;

use chess::puzzle::{Acceptance, Puzzle, PuzzleReader};
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::suite::SkippedRows;

const HEADER: &str = "PuzzleId,FEN,Moves,Rating,Themes,GameUrl\n";
/// After 1. e4 e5 2. Bc4 Nc6 3. Qh5.
const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
const SCHOLAR_MOVES: &str = "e2e4 e7e5 f1c4 b8c6 d1h5";

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).expect("written");
        path
    }

    fn build(&self, build: &SuiteBuild) -> Result<(Manifest, Vec<Puzzle>), SuiteBuildError> {
        let path = self.path("out.csv");
        let manifest = build.write(&path, |_, _, _| {})?;
        let puzzles = PuzzleReader::open(&path).expect("a suite").collect::<Result<Vec<_>, _>>();
        let puzzles = puzzles.expect("every row is a puzzle");
        assert_eq!(manifest.puzzles, puzzles.len() as u64);
        for source in &manifest.sources {
            let out = source.malformed.count() + source.dropped.count();
            assert_eq!(source.rows, source.kept + out, "every row is counted once");
        }
        Ok((manifest, puzzles))
    }
}

fn of(sources: &[&PathBuf]) -> SuiteBuild {
    SuiteBuild {
        sources: sources.iter().map(|&path| path.clone()).collect(),
        filter: Filter::default(),
        sample: None,
        exclude: Vec::new(),
        games: Vec::new(),
        histories: Vec::new(),
        require_history: false,
        node_budget: None,
        strict: false,
    }
}

fn ids(puzzles: &[Puzzle]) -> Vec<&str> {
    puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect()
}

/// `count` puzzles of different positions: kings walk, and a rook mates or not.
fn rows(count: usize) -> String {
    let mut text = HEADER.to_owned();
    for number in 0..count {
        // White's pawns tell the positions apart, as bits of the number.
        let pawn = |bit: usize| if number >> bit & 1 == 1 { 'P' } else { '1' };
        let pawns: String = (0..8).map(pawn).collect();
        let more: String = (8..16).map(pawn).collect();
        let fen = format!("7k/8/8/8/8/{more}/{pawns}/K7 b - - 0 1");
        let rating = 600 + 10 * (number % 200);
        let theme = if number.is_multiple_of(3) { "endgame" } else { "quiet endgame" };
        text += &format!("p{number},{fen},h8g8 a1b1,{rating},{theme},\n");
    }
    text
}

fn reasons(skipped: &SkippedRows) -> Vec<(&str, u64, Vec<u64>)> {
    let reasons = skipped.by_reason().iter();
    reasons.map(|(reason, rows)| (*reason, rows.count, rows.first_lines.clone())).collect()
}

#[test]
fn all_puzzles_in_the_order_of_the_sources() {
    let folder = Folder::new();
    let (first, second) = (folder.file("a.csv", rows(5)), folder.file("b.csv", rows(8)));
    let (manifest, puzzles) = folder.build(&of(&[&first, &second])).expect("built");
    assert_eq!(ids(&puzzles), ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"]);
    assert_eq!(reasons(&manifest.sources[1].dropped), [("duplicate id", 5, vec![2, 3, 4, 5, 6])]);
    assert_eq!(manifest.sources[0].kept, 5);
    assert!(puzzles.iter().all(|puzzle| puzzle.acceptable.is_none()));
    // A suite of a suite is the suite.
    let suite = folder.file("suite.csv", fs::read(folder.path("out.csv")).expect("written"));
    folder.build(&of(&[&suite])).expect("built");
    assert_eq!(fs::read(&suite).expect("read"), fs::read(folder.path("out.csv")).expect("read"));
}

#[test]
fn duplicates_and_exclusions() {
    let folder = Folder::new();
    let source = folder.file("a.csv", rows(6));
    let twin = folder.file("b.csv", rows(4).replace('p', "q"));
    let (manifest, puzzles) = folder.build(&of(&[&source, &twin])).expect("built");
    assert_eq!(ids(&puzzles).len(), 6);
    assert_eq!(
        reasons(&manifest.sources[1].dropped),
        [("duplicate position", 4, vec![2, 3, 4, 5])]
    );
    // Excluded by id where the positions differ, and by position where the ids do.
    let build = SuiteBuild { exclude: vec![twin.clone()], ..of(&[&source]) };
    let (manifest, puzzles) = folder.build(&build).expect("built");
    assert_eq!(ids(&puzzles), ["p4", "p5"]);
    assert_eq!(reasons(&manifest.sources[0].dropped), [("excluded position", 4, vec![2, 3, 4, 5])]);
    assert_eq!(manifest.excluded[0].puzzles, 4);
    let same_ids = rows(3).replace("K7 b", "1K6 b").replace("a1b1", "b1a1");
    let same_ids = folder.file("c.csv", same_ids);
    let build = SuiteBuild { exclude: vec![same_ids], ..of(&[&source]) };
    let (manifest, puzzles) = folder.build(&build).expect("built");
    assert_eq!(ids(&puzzles), ["p3", "p4", "p5"]);
    assert_eq!(reasons(&manifest.sources[0].dropped), [("excluded id", 3, vec![2, 3, 4])]);
    let everything = SuiteBuild { exclude: vec![source.clone()], ..of(&[&source]) };
    let error = folder.build(&everything).expect_err("nothing is left").to_string();
    assert_eq!(error, "no puzzle is left of 6 rows: 6 excluded id");
}

#[test]
fn a_damaged_exclusion_is_never_passed_over() {
    let folder = Folder::new();
    let source = folder.file("a.csv", rows(6));
    let whole = zstd::encode_all(rows(3000).as_bytes(), 1).expect("compressed");
    let cut = folder.file("cut.csv.zst", &whole[..whole.len() - 9]);
    let error = folder.build(&SuiteBuild { exclude: vec![cut], ..of(&[&source]) });
    let error = error.expect_err("damaged").to_string();
    assert!(error.contains("cut.csv.zst, line ") && error.contains("not be excluded"), "{error}");
}

#[test]
fn filters() {
    let folder = Folder::new();
    let mates = "m1,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8 b7b8q,800,mate mateIn1,\n\
                 m2,8/7k/8/8/8/8/1R6/R5K1 b - - 0 1,h7h8 b2b7 h8g8 a1a8,1200,mate,\n\
                 no,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1b1,,mateIn4 quiet,\n";
    let source = folder.file("a.csv", format!("{HEADER}{mates}"));
    let check = |filter: Filter, expected: &[&str], dropped: &[(&str, u64)]| {
        let build = SuiteBuild { filter, ..of(&[&source]) };
        let (manifest, puzzles) = folder.build(&build).expect("built");
        assert_eq!(ids(&puzzles), expected);
        let found = reasons(&manifest.sources[0].dropped);
        let found: Vec<_> = found.iter().map(|(reason, count, _)| (*reason, *count)).collect();
        assert_eq!(found, dropped);
    };
    let filter = Filter::default;
    let rating = |text: &str| Filter { rating: Some(text.parse().expect("a range")), ..filter() };
    check(rating("1000.."), &["m2"], &[("no rating", 1), ("other rating", 1)]);
    check(rating("..1200"), &["m1", "m2"], &[("no rating", 1)]);
    check(rating("800..800"), &["m1"], &[("no rating", 1), ("other rating", 1)]);
    let themes = |names: &[&str]| Filter {
        themes: names.iter().map(|&name| name.to_owned()).collect(),
        ..filter()
    };
    check(themes(&["mate"]), &["m1", "m2"], &[("other themes", 1)]);
    check(themes(&["quiet", "mateIn1"]), &["m1", "no"], &[("other themes", 1)]);
    let depths = |depths: &[usize]| Filter { mate_depths: depths.to_vec(), ..filter() };
    check(depths(&[1, 4]), &["m1", "no"], &[("other mate depth", 1)]);
    check(depths(&[2]), &["m2"], &[("other mate depth", 2)]);
}

#[test]
fn ranges_of_ratings() {
    for text in ["1200..1599", "2400..", "..999", "0..0"] {
        assert_eq!(text.parse::<RatingRange>().expect("a range").to_string(), text);
    }
    for text in ["", "..", "1200", "1500..1200", "a..b", "1..2..3", "-1..3"] {
        let error = text.parse::<RatingRange>().expect_err("no range").to_string();
        assert!(error.starts_with(&format!("'{text}' is no range of ratings")), "{error}");
    }
}

fn sample(count: u64, seed: u64, strata: Strata) -> Option<Sample> {
    Some(Sample { count, seed, strata })
}

#[test]
fn draws_are_decided_by_the_seed_alone() {
    let folder = Folder::new();
    let text = rows(500);
    let forward = folder.file("a.csv", &text);
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.reverse();
    let backward = folder.file("b.csv", format!("{HEADER}{}\n", lines.join("\n")));
    let draw = |source: &PathBuf, count, seed| {
        let build = SuiteBuild { sample: sample(count, seed, Strata::None), ..of(&[source]) };
        let (manifest, puzzles) = folder.build(&build).expect("built");
        assert_eq!(manifest.sources[0].dropped.by_reason()["not drawn"].count, 500 - count);
        ids(&puzzles).iter().map(|&id| id.to_owned()).collect::<Vec<_>>()
    };
    let drawn = draw(&forward, 100, 7);
    assert_eq!(drawn.len(), 100);
    assert_eq!(draw(&backward, 100, 7), drawn);
    // A smaller draw is the beginning of a larger one.
    assert_eq!(draw(&forward, 30, 7), drawn[..30]);
    assert_ne!(draw(&forward, 100, 8), drawn);
    let all = SuiteBuild { sample: sample(900, 7, Strata::None), ..of(&[&forward]) };
    assert_eq!(folder.build(&all).expect("built").1.len(), 500);
}

#[test]
fn draws_are_uniform() {
    let text = rows(20).into_bytes();
    let reader = PuzzleReader::new("a.csv", std::io::Cursor::new(text)).expect("a header");
    let puzzles: Vec<Puzzle> = reader.collect::<Result<_, _>>().expect("puzzles");
    let filter = Filter::default();
    let mut counts = vec![0_u32; puzzles.len()];
    for seed in 0..400 {
        let sample = Sample { count: 5, seed, strata: Strata::None };
        let mut draw = sample::Draw::new(sample, &filter);
        for (place, puzzle) in puzzles.iter().enumerate() {
            draw.offer(puzzle, || sample::Candidate {
                place: (place, 0),
                row: "".into(),
                history: Origin::None,
            });
        }
        draw.finish().0.iter().for_each(|candidate| counts[candidate.place.0] += 1);
    }
    // Each of 20 puzzles comes 100 times; the sum of squares over the variance of one, 75, has 19
    // degrees of freedom, scaled by 20/19 as the counts add up. 43.8 is passed once in a thousand.
    let squares: f64 = counts.iter().map(|&count| (f64::from(count) - 100.0).powi(2)).sum();
    assert!(squares / 75.0 * 19.0 / 20.0 < 43.8, "{counts:?}");
}

#[test]
fn strata_give_the_same_number_each() {
    let folder = Folder::new();
    let source = folder.file("a.csv", rows(300));
    let draw = |strata, filter| {
        let build = SuiteBuild { sample: sample(4, 1, strata), filter, ..of(&[&source]) };
        folder.build(&build).expect("built")
    };
    let report = |manifest: &Manifest| -> Vec<(String, u64, u64)> {
        let strata = manifest.strata.iter();
        strata.map(|stratum| (stratum.name.clone(), stratum.eligible, stratum.drawn)).collect()
    };
    let of_rating = Strata::Rating { width: 500.try_into().expect("not zero") };
    let (manifest, puzzles) = draw(of_rating, Filter::default());
    let row = |name: &str, eligible, drawn| (name.to_owned(), eligible, drawn);
    // Ratings go from 600 to 2590 in tens, the first hundred of them twice.
    assert_eq!(
        report(&manifest),
        [
            row("500-999", 80, 4),
            row("1000-1499", 100, 4),
            row("1500-1999", 60, 4),
            row("2000-2499", 50, 4),
            row("2500-2999", 10, 4)
        ]
    );
    assert_eq!(puzzles.len(), 20);
    // Puzzles with both themes may be drawn for both, and stand once.
    let (manifest, puzzles) = draw(Strata::Theme, Filter::default());
    assert_eq!(report(&manifest), [row("endgame", 300, 4), row("quiet", 200, 4)]);
    assert!((4..=8).contains(&puzzles.len()));
    let quiet = Filter { themes: vec!["quiet".to_owned()], ..Filter::default() };
    let (manifest, puzzles) = draw(Strata::Theme, quiet);
    assert_eq!((report(&manifest), puzzles.len()), (vec![row("quiet", 200, 4)], 4));
    let build = SuiteBuild { sample: sample(4, 1, Strata::MateDepth), ..of(&[&source]) };
    let error = folder.build(&build).expect_err("no mates").to_string();
    assert_eq!(error, "no puzzle is left of 300 rows: 300 no mate");
}

#[test]
fn histories_come_from_everywhere() {
    let folder = Folder::new();
    let row = |id: &str, url: &str| format!("{id},{SCHOLAR},g8f6 h5f7,,,{url}\n");
    let games = "[Site \"https://lichess.org/AAAAAAAA\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
                 [Site \"https://lichess.org/BBBBBBBB\"]\n\n1. d4 d5 *\n\n\
                 [Site \"https://lichess.org/CCCCCCCC\"]\n\n1. e4 e5 *\n\n\
                 [Site \"?\"]\n\n1. e4 *\n\n\
                 [Site \"https://lichess.org/DDDDDDDD\"]\n\n1. e4 e4 *\n";
    let games = folder.file("g.pgn", games);
    let lines = format!(
        "{{\"id\": \"side\", \"moves\": \"{SCHOLAR_MOVES}\"}}\n\nnonsense\n\
         {{\"id\": \"side\", \"moves\": \"\"}}\n{{\"id\": \"bad\", \"moves\": \"e2e5\"}}\n"
    );
    let side = folder.file("h.jsonl", lines);
    let variants = [
        ("game", "https://lichess.org/AAAAAAAA/black#6"),
        ("side", ""),
        ("bad", ""),
        ("wrong", "https://lichess.org/BBBBBBBB#6"),
        ("none", ""),
    ];
    // Each in a file of its own, since all are one position.
    for (id, url) in variants {
        let source = folder.file("a.csv", format!("{HEADER}{}", row(id, url)));
        let build = SuiteBuild {
            games: vec![games.clone()],
            histories: vec![side.clone()],
            ..of(&[&source])
        };
        let (manifest, puzzles) = folder.build(&build).expect("built");
        let (origin, mismatch) = match id {
            "game" => (Origin::Games, None),
            "side" => (Origin::SideFile, None),
            "bad" => (Origin::None, Some("history of its id does not fit")),
            "wrong" => (Origin::None, Some("game does not fit")),
            _ => (Origin::None, None),
        };
        assert_eq!(manifest.histories.get(&origin), Some(&1), "{id}");
        assert_eq!(puzzles[0].history().is_some(), origin != Origin::None, "{id}");
        let found = manifest.sources[0].history_mismatches.by_reason().keys().next().copied();
        assert_eq!(found, mismatch, "{id}");
        let required = SuiteBuild { require_history: true, ..build };
        assert_eq!(folder.build(&required).is_ok(), origin != Origin::None, "{id}");
        let [lines, games] = &manifest.history_files[..] else { panic!("two files") };
        assert_eq!((lines.read, lines.kept), (4, 2));
        assert_eq!(
            reasons(&lines.skipped),
            [("not a history", 1, vec![3]), ("second history of its id", 1, vec![4])]
        );
        assert_eq!(games.read, 5);
        assert_eq!(games.kept, u64::from(id == "game" || id == "wrong"));
        assert_eq!(reasons(&games.skipped).len(), 2);
    }
}

#[test]
fn the_pgn_column_is_a_history() {
    let folder = Folder::new();
    // As the puzzles of Ruoss et al. have it.
    let file = |pgn: &str| {
        let text = format!(
            "PuzzleId,Rating,PGN,Solution,FEN,Moves\n00MTG,669,{pgn},Qxf7#,{SCHOLAR},g8f6 h5f7\n"
        );
        folder.file("a.csv", text)
    };
    let (manifest, puzzles) =
        folder.build(&of(&[&file("1. e4 e5 2. Bc4 Nc6 3. Qh5")])).expect("built");
    assert_eq!(manifest.histories[&Origin::PgnColumn], 1);
    assert_eq!((puzzles[0].start.ply(), puzzles[0].rating), (6, Some(669)));
    for (pgn, problem) in
        [("1. e4 e5 2. Bc4", "no position of the game is \"r1bqkbnr"), ("1. e4 e5 2. Bc5", "Bc5")]
    {
        let (manifest, puzzles) = folder.build(&of(&[&file(pgn)])).expect("built");
        let mismatches = manifest.sources[0].history_mismatches.by_reason();
        let mismatch = &mismatches["PGN column does not fit"];
        assert_eq!((mismatch.count, mismatch.first_lines.as_slice()), (1, [2].as_slice()));
        assert!(mismatch.example.contains(problem), "{}", mismatch.example);
        assert_eq!(puzzles[0].history(), None);
    }
}

#[test]
fn acceptable_moves_are_computed_and_given_ones_kept() {
    let folder = Folder::new();
    let text = format!(
        "{HEADER}two,7k/8/8/8/8/8/1R6/R6K b - - 0 1,h8g8 h1g1 g8h8 b2b7 h8g8 a1a8,,,\n\
         quiet,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1b1,,,\n"
    );
    let csv = folder.file("a.csv", text);
    let epd = folder.file("t.epd", "7k/8/8/8/8/8/8/K7 w - - am Kb2; id \"test\";\n");
    let build = |budget| SuiteBuild { node_budget: budget, ..of(&[&csv, &epd]) };
    let acceptance = |budget| {
        let (manifest, puzzles) = folder.build(&build(budget)).expect("built");
        let found: Vec<_> = puzzles.iter().map(|puzzle| puzzle.acceptance).collect();
        (manifest.acceptable, found)
    };
    let (report, found) = acceptance(Some(1_000_000));
    let given = Some(Acceptance::Given);
    assert_eq!(found, [Some(Acceptance::Proved), Some(Acceptance::Marked), given]);
    assert_eq!(report.puzzles, [("given", 1), ("marked", 1), ("proved", 1)].into());
    assert_eq!(report.positions, 5);
    assert_eq!(
        acceptance(Some(1)).1,
        [Some(Acceptance::Unproved), Some(Acceptance::Marked), given]
    );
    assert_eq!(acceptance(None).1, [None, None, given]);
}

#[test]
fn malformed_rows_are_counted_or_refused() {
    let folder = Folder::new();
    let good = "good,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1b1,,,\n";
    let text = format!(
        "{HEADER}x,y\nmove,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1c1,,,\n{good}\
         fen,7k,h8g8 a1b1,,,\nshort,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8,,,\n\
         rated,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1b1,high,,\ncut,7k/8/8"
    );
    let source = folder.file("a.csv", &text);
    let (manifest, puzzles) = folder.build(&of(&[&source])).expect("built");
    assert_eq!(ids(&puzzles), ["good"]);
    assert_eq!(
        reasons(&manifest.sources[0].malformed),
        [
            ("cut-off file", 1, vec![8]),
            ("illegal move", 1, vec![3]),
            ("not a number", 1, vec![7]),
            ("not a position", 1, vec![5]),
            ("too few moves", 1, vec![6]),
            ("wrong number of fields", 1, vec![2]),
        ]
    );
    fs::remove_file(folder.path("out.csv")).expect("there");
    let strict = SuiteBuild { strict: true, ..of(&[&source]) };
    let error = folder.build(&strict).expect_err("malformed").to_string();
    assert!(error.ends_with("a.csv, line 2: expected 6 fields, found 2"), "{error}");
    // Nothing is left of a suite that was not built.
    let left: Vec<_> = fs::read_dir(folder.0.path()).expect("a folder").collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // Long enough that Zstandard, which compresses 128 KiB at a time, gives out some rows.
    let row = |number| good.replace("good", &format!("id{number}"));
    let long = format!("{HEADER}{}", (0..6000).map(row).collect::<String>());
    let damaged = zstd::encode_all(long.as_bytes(), 1).expect("compressed");
    let damaged = folder.file("d.csv.zst", &damaged[..damaged.len() - 5]);
    let (manifest, puzzles) = folder.build(&of(&[&damaged])).expect("built");
    assert_eq!(reasons(&manifest.sources[0].malformed)[0].0, "damaged file");
    assert!(!puzzles.is_empty());
    let strict = SuiteBuild { strict: true, ..of(&[&damaged]) };
    let error = folder.build(&strict).expect_err("damaged").to_string();
    assert!(error.contains("cannot be read on, damaged or cut off"), "{error}");
}

#[test]
fn suites_are_compressed_as_their_names_say() {
    let folder = Folder::new();
    let source = folder.file("a.csv", rows(50));
    let mut texts = Vec::new();
    for name in ["s.csv", "s2.csv.gz", "s3.csv.zst"] {
        let path = folder.path(name);
        of(&[&source]).write(&path, |_, _, _| {}).expect("built");
        let first = fs::read(&path).expect("written");
        of(&[&source]).write(&path, |_, _, _| {}).expect("built");
        assert_eq!(fs::read(&path).expect("written"), first, "the same bytes");
        let puzzles = PuzzleReader::open(&path).expect("a suite");
        texts.push(puzzles.map(|puzzle| puzzle.expect("a puzzle").to_row()).collect::<Vec<_>>());
    }
    assert!(texts[0].len() == 50 && texts[0] == texts[1] && texts[0] == texts[2]);
    assert!(folder.path("s2.manifest.json").exists());
    for (path, expected) in [
        ("a.csv", "a.manifest.json"),
        ("d/a.csv.gz", "d/a.manifest.json"),
        ("a.b.csv.zst", "a.b.manifest.json"),
        ("a", "a.manifest.json"),
    ] {
        assert_eq!(manifest_path(Path::new(path)), Path::new(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever the sources hold, every row is counted once and the suite can be read.
    #[test]
    fn any_rows_make_a_suite_or_an_error(
        lines in prop::collection::vec(prop::sample::select(vec![
            "a,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1b1,1500,mate,",
            "b,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8 a1b1,1500,mate,",
            "b,7k/8/8/8/8/8/8/1K6 b - - 0 1,h8g8 b1a1,900,\"a,b\",https://lichess.org/AAAAAAAA",
            "c,7k/8/8/8/8/8/P7/K7 b - - 0 1,h8g8 a1b1,,,",
            "\"", "", "x,y", ",,,,,", "d,7k/8/8/8/8/8/8/K7 b - - 0 1,h8g8,,,",
        ]), 0..12),
        count in prop::option::of(0_u64..4),
        end in any::<bool>(),
    ) {
        let folder = Folder::new();
        let text = format!("{HEADER}{}{}", lines.join("\n"), if end { "\n" } else { "" });
        let source = folder.file("a.csv", text);
        let sample = count.and_then(|count| sample(count, 3, Strata::None));
        match folder.build(&SuiteBuild { sample, ..of(&[&source]) }) {
            Ok((_, puzzles)) => {
                let mut names = ids(&puzzles);
                names.sort_unstable();
                names.dedup();
                prop_assert_eq!(names.len(), puzzles.len());
            }
            Err(SuiteBuildError::NothingLeft { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
