use super::*;
use crate::config::FinetuneConfig;
use crate::run::{BaseRecord, Resumption};

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
        resumed: Vec::new(),
    }
}

#[test]
fn the_record_is_complete_and_read_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("runs/first");
    let mut run = RunDirectory::create(&path, record()).expect("a new run");
    assert_eq!(run.path(), path);
    assert_eq!(run.network_path(2_000), path.join("networks/step-002000.pb.gz"));
    let text = fs::read_to_string(path.join(CONFIG)).expect("config.toml");
    assert_eq!(toml::from_str::<RunConfig>(&text).expect("TOML"), record());
    for key in ["program", "sha256", "seed = 17", "beta1", "warm_start_moves", "final_block"] {
        assert!(text.contains(key), "{key} is not in\n{text}");
    }
    assert!(!text.contains("resumed"), "{text}");

    let resumed = vec![Resumption { step: 3, program: "searchless 0.2.0".to_owned() }];
    let changed = RunConfig { resumed, ..record() };
    run.set_record(changed.clone()).expect("written");
    drop(run);
    assert_eq!(RunDirectory::open(&path).expect("the run").record(), &changed);
}

#[test]
fn a_directory_with_a_run_is_refused_and_left_alone() {
    for occupied in [CONFIG, METRICS, CHECKPOINTS, NETWORKS, TENSORBOARD] {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join(occupied), "precious").expect("a file");
        let error = RunDirectory::create(directory.path(), record()).expect_err("a run is there");
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
    let message = RunDirectory::create(&path, record()).expect_err("a file is there").to_string();
    let expected = format!("{} is a file, expected a directory or a new name", path.display());
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(fs::read_to_string(&path).expect("still there"), "precious");
}

#[test]
fn other_files_may_be_in_the_directory() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("notes.txt"), "why this run").expect("a file");
    // All that a process killed at its first instants leaves.
    fs::write(directory.path().join(LOCK), "").expect("a file");
    fs::write(directory.path().join(".tmpa1B2c3"), "prog").expect("a file");
    RunDirectory::create(directory.path(), record()).expect("no run is there");
    assert!(!directory.path().join(".tmpa1B2c3").exists());
}

#[test]
fn a_run_belongs_to_one_process() {
    let directory = tempfile::tempdir().expect("a directory");
    let run = RunDirectory::create(directory.path(), record()).expect("a new run");
    let refused = || RunDirectory::open(directory.path()).map(drop);
    let in_use = format!("{} is in use by another process", directory.path().display());
    assert_eq!(refused().expect_err("in use").to_string(), in_use);
    drop(run);
    let run = RunDirectory::open(directory.path()).expect("the run");
    assert_eq!(refused().expect_err("in use").to_string(), in_use);
    assert_eq!(run.record(), &record());
}

#[test]
fn opening_removes_what_a_killed_process_left() {
    let directory = tempfile::tempdir().expect("a directory");
    drop(RunDirectory::create(directory.path(), record()).expect("a new run"));
    let strays = [".tmpa1B2c3", "checkpoints/.tmpa1B2c3", "networks/.tmpa1B2c3"];
    for stray in strays {
        fs::write(directory.path().join(stray), "half").expect("a file");
    }
    fs::remove_dir(directory.path().join(TENSORBOARD)).expect("a folder");
    RunDirectory::open(directory.path()).expect("the run");
    assert!(strays.iter().all(|stray| !directory.path().join(stray).exists()));
    assert!(directory.path().join(TENSORBOARD).is_dir());
}

#[test]
fn directories_without_a_run_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let check = |expected: &str| {
        let error = RunDirectory::open(directory.path()).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("holds no run (there is no config.toml)");
    fs::write(directory.path().join(CONFIG), "steps = 3\n").expect("a file");
    check("config.toml: settings without the record of a run");
    let text = toml::to_string(&record()).expect("TOML");
    fs::write(directory.path().join(CONFIG), "steps = \n").expect("a file");
    check("config.toml: TOML parse error");
    fs::write(directory.path().join(CONFIG), text.replace("beta1", "beta_1")).expect("a file");
    check("unknown key `optimiser.beta_1`; did you mean `optimiser.beta1`?");
    let steps = text.replace("steps = 2000", "steps = 0");
    fs::write(directory.path().join(CONFIG), steps).expect("a file");
    check("steps = 0, expected a whole number of at least 1");
}

#[test]
fn a_race_for_the_directory_has_one_winner() {
    let directory = tempfile::tempdir().expect("a directory");
    let run = RunDirectory::create(directory.path(), record()).expect("a new run");
    let error = run.write_record(Existing::Keep).expect_err("it is there");
    assert!(matches!(error, RunDirectoryError::Occupied { file: CONFIG, .. }), "{error}");
}
