//! Whole runs, and single steps of real architectures, on the CPU engine.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use lc0::NetworkFile;
use lc0::random::Preset;
use network::Group;
use training::{
    FinetuneConfig, FinetuneError, FinetuneSummary, Finetuning, Progress, Rescue, RunConfig,
    StepMetrics, Timing, finetune,
};

#[path = "support/network.rs"]
mod support;
use support::{config, file, finetuning, load, trainer};

fn finish(directory: &Path, setup: Finetuning) -> Result<FinetuneSummary, FinetuneError> {
    finetune(directory, setup, &AtomicBool::new(false), |_| {})
}

fn metrics(directory: &Path) -> Vec<StepMetrics> {
    let text = fs::read_to_string(directory.join("metrics.jsonl")).expect("metrics.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

fn bits(parameters: &[f32]) -> Vec<u32> {
    parameters.iter().map(|parameter| parameter.to_bits()).collect()
}

#[test]
fn a_run_leaves_its_record_and_a_network_for_lc0() {
    let directory = tempfile::tempdir().expect("a directory");
    let setup = finetuning(Preset::TinyBt4, config());
    let base = setup.file.clone();
    let mut seen = Vec::new();
    let mut warm_start = 0;
    let summary =
        finetune(directory.path(), setup, &AtomicBool::new(false), |progress| match progress {
            Progress::WarmStart { .. } => warm_start += 1,
            Progress::Step(metrics) => seen.push(metrics.clone()),
        })
        .expect("a run");

    let path = directory.path().join("networks/step-000005.pb.gz");
    let expected = FinetuneSummary { steps: 5, stopped: false, network: Some(path.clone()) };
    assert_eq!(summary, expected);
    assert_eq!(metrics(directory.path()), seen);
    assert_eq!(seen.iter().map(|metrics| metrics.step).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(warm_start > 0);

    let text = fs::read_to_string(directory.path().join("config.toml")).expect("config.toml");
    let record: RunConfig = toml::from_str(&text).expect("a record");
    assert_eq!(record.finetune, config());
    assert_eq!(
        (record.base.sha256.as_str(), record.base.file.as_str()),
        (base.sha256(), "tiny-bt4.pb")
    );

    // The network is the average, to the rounding of the base's encoding.
    let mut same = trainer(Preset::TinyBt4, config());
    for _ in 0..5 {
        same.step().expect("a step");
    }
    let mut expected = base.clone();
    load(&base).store(&same.engine().state().average, &mut expected).expect("the same network");
    let written = NetworkFile::read(&path).expect("a network");
    assert_eq!(written.to_bytes(), expected.to_bytes());
    assert_ne!(written.to_bytes(), base.to_bytes());
}

#[test]
fn a_second_run_in_the_same_directory_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let short = || FinetuneConfig { steps: 1, ..config() };
    finish(directory.path(), finetuning(Preset::Smallest, short())).expect("a run");
    let before = metrics(directory.path());
    let refused = finish(directory.path(), finetuning(Preset::Smallest, short()));
    let message = refused.expect_err("a run is there").to_string();
    assert!(message.contains("already holds a run"), "{message}");
    assert_eq!(metrics(directory.path()), before);
}

#[test]
fn a_stopped_run_finishes_its_step_and_writes_the_network() {
    let directory = tempfile::tempdir().expect("a directory");
    let stop = AtomicBool::new(false);
    let setup = finetuning(Preset::Smallest, config());
    let summary = finetune(directory.path(), setup, &stop, |progress| {
        if matches!(progress, Progress::Step(metrics) if metrics.step == 3) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let path = directory.path().join("networks/step-000003.pb.gz");
    assert!(path.exists());
    let expected = FinetuneSummary { steps: 3, stopped: true, network: Some(path) };
    assert_eq!(summary.expect("a stopped run"), expected);
    assert_eq!(metrics(directory.path()).len(), 3);
}

#[test]
fn a_run_stopped_in_its_warm_start_has_no_network() {
    let directory = tempfile::tempdir().expect("a directory");
    let stop = AtomicBool::new(false);
    let setup = finetuning(Preset::Smallest, config());
    let summary = finetune(directory.path(), setup, &stop, |_| stop.store(true, Ordering::Relaxed));
    let expected = FinetuneSummary { steps: 0, stopped: true, network: None };
    assert_eq!(summary.expect("a stopped run"), expected);
    // It leaves nothing in the way of the same run.
    assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 0);
    let again = finetuning(Preset::Smallest, config());
    assert_eq!(finish(directory.path(), again).expect("a run").steps, 5);
}

#[test]
fn a_run_that_breaks_off_keeps_the_last_good_network() {
    let directory = tempfile::tempdir().expect("a directory");
    // The divergence has no slope at the first step; at the second, 1e300 is too much for it.
    let setup = finetuning(Preset::Smallest, FinetuneConfig { beta: 1e300, ..config() });
    let error = finish(directory.path(), setup).expect_err("a gradient out of range");
    let path = directory.path().join("networks/step-000001.pb.gz");
    let message = error.to_string();
    for part in ["step 2: the gradient of the policy logits of \"", "last good step is in"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(
        matches!(&error, FinetuneError::BrokenOff { rescue: Rescue::Saved(saved), .. } if *saved == path),
        "{error:?}"
    );
    NetworkFile::read(&path).expect("a network");
    assert_eq!(metrics(directory.path()).len(), 1);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut trainer = trainer(Preset::TinyBt4, FinetuneConfig { games: 40, ..config() });
            let step = |_| {
                let metrics = trainer.step().expect("a step");
                StepMetrics { timing: Timing::default(), ..metrics }
            };
            let metrics: Vec<StepMetrics> = (0..3).map(step).collect();
            let state = trainer.engine().state();
            (metrics, bits(&state.parameters), bits(&state.average))
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn every_trained_group_of_every_architecture_moves_in_one_step() {
    for preset in [
        Preset::TinyBt4,
        Preset::TinyT82,
        Preset::TowerAttention,
        Preset::TowerConvolution,
        Preset::TowerClassical,
    ] {
        let before = load(&file(preset));
        let mut trainer = trainer(preset, config());
        let first = trainer.step().expect("a step");
        let after = trainer.engine().state().parameters;
        let tensors = before.architecture.layout.tensors();
        for group in Group::ALL {
            let mut tensors = tensors.iter().filter(|tensor| tensor.group == group);
            let moved =
                tensors.any(|tensor| before.parameters[tensor.range()] != after[tensor.range()]);
            // No objective trains the moves-left head.
            assert_eq!(moved, group != Group::MovesLeftHead, "{}: {group:?}", preset.name());
        }
        assert_eq!(first.policy.forward_kl, 0.0, "{}", preset.name());
        let second = trainer.step().expect("a step");
        assert!(second.policy.forward_kl > 0.0, "{}: {second:?}", preset.name());
        assert!(second.policy.reverse_kl > 0.0, "{}: {second:?}", preset.name());
    }
}

#[test]
fn a_step_in_which_every_game_ends_has_no_successors_to_evaluate() {
    for preset in [Preset::TinyBt4, Preset::TowerClassical] {
        let all_end = FinetuneConfig { ply_cap: 1, warm_start_moves: 0, ..config() };
        let metrics = trainer(preset, all_end).step().expect("a step");
        assert_eq!(metrics.games.ply_cap, 6, "{}", preset.name());
    }
}
