use super::*;
use crate::config::FinetuneConfig;
use crate::run::BaseRecord;
use crate::testing;

fn record() -> RunConfig {
    RunConfig {
        program: "searchless 0.1.0".to_owned(),
        base: BaseRecord {
            file: "base.pb.gz".to_owned(),
            sha256: "ab".repeat(32),
            policy_head: "vanilla".to_owned(),
            value_head: "winner".to_owned(),
        },
        finetune: FinetuneConfig { seed: 17, ..FinetuneConfig::default() },
    }
}

#[test]
fn the_record_is_complete_and_read_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("runs/first");
    let run = RunDirectory::create(&path, &record()).expect("a new run");
    assert_eq!(run.path(), path);
    assert_eq!(run.network_path(2_000), path.join("networks/step-002000.pb.gz"));
    let text = fs::read_to_string(path.join(CONFIG)).expect("config.toml");
    assert_eq!(toml::from_str::<RunConfig>(&text).expect("TOML"), record());
    for key in ["program", "sha256", "seed = 17", "beta1", "warm_start_moves", "final_block"] {
        assert!(text.contains(key), "{key} is not in\n{text}");
    }
}

#[test]
fn metrics_are_whole_lines_at_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut run = RunDirectory::create(directory.path(), &record()).expect("a new run");
    let mut trainer = testing::trainer(testing::config());
    let mut written = Vec::new();
    for _ in 0..3 {
        let metrics = trainer.step().expect("a step");
        run.append(&metrics).expect("an open file");
        written.push(metrics);
        let text = fs::read_to_string(directory.path().join(METRICS)).expect("metrics.jsonl");
        assert!(text.ends_with('\n'));
        let read: Vec<StepMetrics> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(read, written);
    }
}

#[test]
fn a_directory_with_a_run_is_refused_and_left_alone() {
    for occupied in [CONFIG, METRICS, NETWORKS] {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join(occupied), "precious").expect("a file");
        let error = RunDirectory::create(directory.path(), &record()).expect_err("a run is there");
        let message = error.to_string();
        assert!(message.contains(occupied) && message.contains("already holds a run"), "{message}");
        let found = fs::read_to_string(directory.path().join(occupied)).expect("still there");
        assert_eq!(found, "precious");
        assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 1);
    }
}

#[test]
fn a_file_in_the_directorys_place_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("run");
    fs::write(&path, "precious").expect("a file");
    let message = RunDirectory::prepare(&path).expect_err("a file is there").to_string();
    let expected = format!("{} is a file, expected a directory or a new name", path.display());
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(fs::read_to_string(&path).expect("still there"), "precious");
}

#[test]
fn preparing_leaves_nothing_but_the_directory() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("runs/first");
    RunDirectory::prepare(&path).expect("a new directory");
    assert_eq!(fs::read_dir(&path).expect("a directory").count(), 0);
}

#[test]
fn other_files_may_be_in_the_directory() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("notes.txt"), "why this run").expect("a file");
    RunDirectory::create(directory.path(), &record()).expect("no run is there");
}

#[test]
fn a_race_for_the_directory_has_one_winner() {
    let directory = tempfile::tempdir().expect("a directory");
    write_new(directory.path(), CONFIG, "first").expect("a new file");
    let error = write_new(directory.path(), CONFIG, "second").expect_err("it is there");
    assert!(matches!(error, RunDirectoryError::Occupied { file: CONFIG, .. }), "{error}");
    let found = fs::read_to_string(directory.path().join(CONFIG)).expect("config.toml");
    assert_eq!(found, "first");
}
