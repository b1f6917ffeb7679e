use std::fs;
use std::path::Path;

use study::{StudyDirectory, SuiteRole, Variant};
use tempfile::TempDir;

use super::*;

fn written() -> (TempDir, StudyDirectory) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = fixtures::write_study(folder.path()).expect("written");
    (folder, directory)
}

#[test]
fn a_whole_study_is_read() {
    let (_folder, directory) = written();
    let documents = Documents::read(&directory).expect("a study");
    assert_eq!(documents.configurations().len(), 10);
    assert_eq!(documents.metrics.len(), 8);
    assert_eq!(documents.evaluations.len(), 4);
    let base = documents.evaluation_of(SuiteRole::Hard, Variant::Base).expect("measured");
    assert_eq!(base.measures().map(|measures| measures.total), Some(2000));
    assert!(documents.evaluation(SuiteRole::Hard, Path::new("nowhere")).is_none());
}

#[test]
fn what_is_not_there_is_not_measured() {
    let (_folder, directory) = written();
    fs::remove_dir_all(directory.measurement("").as_path()).expect("removed");
    fs::remove_file(directory.selection()).expect("removed");
    let documents = Documents::read(&directory).expect("a study");
    assert!(documents.evaluations.is_empty() && documents.metrics.is_empty());
    assert!(documents.coverage.is_none() && documents.recovery.is_none());
    fs::remove_file(directory.description()).expect("removed");
    let error = Documents::read(&directory).expect_err("no study").to_string();
    assert!(error.contains("study.json"), "{error}");
}

#[test]
fn damage_is_an_error_with_file_and_line() {
    let (_folder, directory) = written();
    let check = |path: &Path, damage: fn(&str) -> String, expected: &[&str]| {
        let whole = fs::read_to_string(path).expect("text");
        fs::write(path, damage(&whole)).expect("written");
        let error = Documents::read(&directory).expect_err("damaged").to_string();
        fs::write(path, &whole).expect("written");
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        for part in expected {
            assert!(error.contains(part), "{error}");
        }
    };
    let second_cut = |text: &str| {
        let second = text.find('\n').expect("lines") + 1;
        format!("{}{{\"network\":\n", &text[..second])
    };
    check(&directory.evaluation(SuiteRole::Hard), second_cut, &["line 2: "]);
    check(
        &directory.shape(),
        |text| text.replacen("\"positions\"", "\"x\"", 1),
        &["line 1: missing field `positions`"],
    );
    let negative = |text: &str| text.replacen("\"base_wrong\": 6840", "\"base_wrong\": -1", 1);
    check(&directory.recovery(), negative, &["line ", "invalid value: integer `-1`"]);
    check(
        &directory.coverage_curves(),
        |text| text.replacen(",1,0.", ",1,7.", 1),
        &["line ", "coverage 7."],
    );
    check(
        &directory.coverage_curves(),
        |text| text.replacen("draws", "drawn", 1),
        &["line 2", "draws"],
    );
    let no_position = |text: &str| text.replacen("\"fen\": \"r1bqk", "\"fen\": \"r1bqq", 1);
    check(&directory.recovery(), no_position, &["line ", "FEN"]);
    let documents = Documents::read(&directory).expect("a study");
    let arm = documents.arm(Variant::all()[1]).expect("an arm");
    let metrics = directory.metrics(arm).expect("a run");
    check(
        &metrics,
        |text| text.replacen("\"entropy\"", "\"entropie\"", 1),
        &["line 1: missing field"],
    );
}

#[test]
fn a_run_under_way_may_be_in_the_middle_of_a_line() {
    let (_folder, directory) = written();
    let documents = Documents::read(&directory).expect("a study");
    let variant = Variant::all()[1];
    let metrics = directory.metrics(documents.arm(variant).expect("an arm")).expect("a run");
    let whole = fs::read_to_string(&metrics).expect("text");
    fs::write(&metrics, format!("{whole}{{\"step\": 40")).expect("written");
    let documents = Documents::read(&directory).expect("a study");
    assert_eq!(documents.metrics[&variant].len(), 400);
}

#[test]
fn differences_and_records_turn_round() {
    let ratings: RatingsDocument = serde_json::from_str(
        r#"{"games": 10, "confidence": 0.95, "players": [],
            "differences": [{"player": "a", "opponent": "b", "elo": 12.5, "margin": 3.0}],
            "direct": [{"player": "a", "opponent": "b", "wins": 5, "draws": 3, "losses": 2,
                        "los": 0.9}]}"#,
    )
    .expect("ratings");
    assert_eq!(ratings.difference("a", "b"), Some((12.5, 3.0)));
    assert_eq!(ratings.difference("b", "a"), Some((-12.5, 3.0)));
    assert_eq!(ratings.difference("a", "c"), None);
    let record = ratings.record("b", "a").expect("a record");
    assert_eq!((record.wins, record.draws, record.losses), (2, 3, 5));
    assert!((record.los - 0.1).abs() < 1e-12);
}
