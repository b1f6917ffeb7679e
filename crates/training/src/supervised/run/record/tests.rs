use super::*;
use crate::run::{RunConfig, Settings};
use crate::{FinetuneConfig, RunDirectory, RunDirectoryError};

fn data(file: &str) -> TrainingData {
    TrainingData::Puzzles { files: vec![file.into()], exclude: vec!["suite.csv".into()] }
}

fn base() -> BaseRecord {
    BaseRecord {
        file: "base.pb.gz".to_owned(),
        sha256: "ab".repeat(32),
        policy_head: "vanilla".to_owned(),
        value_head: "winner".to_owned(),
    }
}

fn record() -> SupervisedRecord {
    SupervisedRecord {
        program: "searchless 0.1.0".to_owned(),
        base: base(),
        train: SupervisedConfig { seed: 17, ..SupervisedConfig::new(data("pool.csv")) },
        resumed: vec![Resumption { step: 3, program: "searchless 0.2.0".to_owned() }],
    }
}

/// The record of a run of self-play.
fn finetuning() -> RunConfig {
    RunConfig {
        program: "searchless 0.1.0".to_owned(),
        base: base(),
        finetune: FinetuneConfig::default(),
        resumed: Vec::new(),
    }
}

#[test]
fn settings_and_records_are_told_apart() {
    let text = toml::to_string(&record()).expect("TOML");
    let read = |text: &str| SupervisedSettings::from_toml(text, None);
    assert_eq!(read(&text), Ok(SupervisedSettings::Record(record())));
    let plain = toml::to_string(&record().train).expect("TOML");
    assert_eq!(read(&plain), Ok(SupervisedSettings::Plain(record().train)));
    let files = "[data.puzzles]\nfiles = [\"pool.csv\"]\nexclude = [\"suite.csv\"]\n";
    let defaults = SupervisedConfig::new(data("pool.csv"));
    assert_eq!(read(files), Ok(SupervisedSettings::Plain(defaults)));

    let check = |text: &str, expected: &str| {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("", "missing field `data`");
    check(&format!("speed = 9\n{files}"), "TOML parse error at line 1, column 1");
    check(&format!("speed = 9\n{files}"), "unknown field `speed`");
    check(&format!("{files}[saving]\nevery = 1\n"), "unknown field `every`");
    check(&format!("batch = 0\n{files}"), "batch = 0, expected 1 to 65536");
    check(&format!("{files}[saving]\ncheckpoint_every = 0\n"), "saving.checkpoint_every = 0");
    check("[data.puzzles]\nfiles = []\n", "data.puzzles.files = [], expected at least one file");
    check("[data.puzzles]\nfiles = 1\n", "invalid type: integer `1`");
    check("[data]\n", "data");
    check(&text.replace("program", "programme"), "programme");
    check("[train]\nseed = 1\n", "missing field");
}

#[test]
fn given_files_take_the_place_of_those_of_the_text() {
    let given = TrainingData::Chunks { files: vec!["chunks".into()], result_ratio: 0.5 };
    let read = |text: &str| SupervisedSettings::from_toml(text, Some(&given));
    let expected = SupervisedConfig { steps: 7, ..SupervisedConfig::new(given.clone()) };
    assert_eq!(read("steps = 7\n"), Ok(SupervisedSettings::Plain(expected)));
    let text = toml::to_string(&record()).expect("TOML");
    let mut expected = record();
    expected.train.data = given.clone();
    assert_eq!(read(&text), Ok(SupervisedSettings::Record(expected)));
    assert!(read("speed = 1\n").expect_err("unknown").to_string().contains("unknown field"));
}

#[test]
fn a_run_of_another_kind_is_named() {
    let ours = toml::to_string(&record()).expect("TOML");
    let theirs = toml::to_string(&finetuning()).expect("TOML");
    let error = SupervisedSettings::from_toml(&theirs, None).expect_err("self-play");
    assert_eq!(error, ConfigError::OtherRun { command: "finetune" });
    let error = Settings::from_toml(&ours).expect_err("supervised");
    assert_eq!(error, ConfigError::OtherRun { command: "train" });
    assert!(error.to_string().ends_with("that of searchless train"), "{error}");

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    drop(RunDirectory::create(path, finetuning()).expect("a run"));
    let error = crate::supervised::SupervisedDirectory::open(path).expect_err("self-play");
    assert!(matches!(error, RunDirectoryError::OtherRun { .. }), "{error}");
    let command = format!("to go on with it: searchless finetune --resume {}", path.display());
    assert!(error.to_string().ends_with(&command), "{error}");
    std::fs::write(path.join("config.toml"), ours).expect("written");
    let error = RunDirectory::open(path).expect_err("supervised").to_string();
    assert!(error.contains("to go on with it: searchless train --resume "), "{error}");
    let run = crate::supervised::SupervisedDirectory::open(path).expect("a run");
    assert_eq!(run.record(), &record());
}

#[test]
fn another_program_is_noted_once() {
    let mut record = record();
    for (step, program) in [(4, "searchless 0.2.0"), (5, "searchless 0.3.0")] {
        record.note_program(step, program.to_owned());
    }
    let noted: Vec<u64> = record.resumed.iter().map(|noted| noted.step).collect();
    assert_eq!(noted, [3, 5]);
}
