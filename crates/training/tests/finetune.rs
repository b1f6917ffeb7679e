//! Whole runs, and single steps of real architectures, on the CPU engine.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use lc0::NetworkFile;
use lc0::random::Preset;
use network::Group;
use training::{
    FinetuneConfig, Finetuning, Progress, Rescue, ResumeError, RunConfig, RunDirectory, RunError,
    RunSummary, SavingConfig, StepMetrics, Timing, finetune, resume,
};

#[path = "support/network.rs"]
mod support;
use support::{config, file, finetuning, load, trainer};

fn finish(directory: &Path, setup: Finetuning) -> Result<RunSummary, RunError> {
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
            Progress::Damaged(_) | Progress::Resumed { .. } => panic!("{progress:?}"),
        })
        .expect("a run");

    let path = directory.path().join("networks/step-000005.pb.gz");
    let expected =
        RunSummary { steps: 5, new_steps: 5, stopped: false, network: Some(path.clone()) };
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
    let expected = RunSummary { steps: 3, new_steps: 3, stopped: true, network: Some(path) };
    assert_eq!(summary.expect("a stopped run"), expected);
    assert_eq!(metrics(directory.path()).len(), 3);
}

/// The files of a run that must not depend on interruptions, and its metrics without the timings.
fn results(directory: &Path, steps: u64) -> (Vec<u8>, Vec<u8>, Vec<StepMetrics>) {
    let read = |name: String| fs::read(directory.join(name)).expect("a file");
    let without_timing = |metrics| StepMetrics { timing: Timing::default(), ..metrics };
    (
        read(format!("checkpoints/step-{steps:06}.safetensors")),
        read(format!("networks/step-{steps:06}.pb.gz")),
        metrics(directory).into_iter().map(without_timing).collect(),
    )
}

/// Goes on with a run and stops it once `enough`.
fn go_on(
    directory: &Path,
    config: FinetuneConfig,
    enough: impl Fn(Progress<'_>) -> bool,
) -> Result<RunSummary, RunError> {
    let stop = AtomicBool::new(false);
    let run = RunDirectory::open(directory).expect("a run");
    resume(run, finetuning(Preset::Smallest, config), &stop, |progress| {
        if enough(progress) {
            stop.store(true, Ordering::Relaxed);
        }
    })
}

#[test]
fn a_run_stopped_in_its_warm_start_goes_on_from_there() {
    let whole = tempfile::tempdir().expect("a directory");
    finish(whole.path(), finetuning(Preset::Smallest, config())).expect("a run");
    let directory = tempfile::tempdir().expect("a directory");
    let stop = AtomicBool::new(false);
    let setup = finetuning(Preset::Smallest, config());
    let left = |progress: &Progress<'_>| match progress {
        Progress::WarmStart { plies_left } => Some(*plies_left),
        _ => None,
    };
    let mut first = None;
    let summary = finetune(directory.path(), setup, &stop, |progress| {
        first = left(&progress);
        stop.store(true, Ordering::Relaxed);
    });
    let expected = RunSummary { steps: 0, new_steps: 0, stopped: true, network: None };
    assert_eq!(summary.expect("a stopped run"), expected);
    let first = first.expect("a warm start");
    assert!(first >= 2);
    // A ply at a time.
    for expected in (0..first).rev() {
        let check = |progress: Progress<'_>| match left(&progress) {
            Some(plies) => {
                assert_eq!(plies, expected);
                true
            }
            None => false,
        };
        let summary = go_on(directory.path(), config(), check).expect("a stopped run");
        assert_eq!(summary.steps, 0);
    }
    let summary = go_on(directory.path(), config(), |progress| {
        assert_eq!(left(&progress), None);
        false
    });
    assert_eq!(summary.expect("a run").steps, 5);
    assert_eq!(results(directory.path(), 5), results(whole.path(), 5));
}

#[test]
fn a_run_stopped_after_every_step_is_the_same_run() {
    let whole = tempfile::tempdir().expect("a directory");
    finish(whole.path(), finetuning(Preset::Smallest, config())).expect("a run");
    let directory = tempfile::tempdir().expect("a directory");
    let stop = AtomicBool::new(true);
    finetune(directory.path(), finetuning(Preset::Smallest, config()), &stop, |_| {})
        .expect("a stopped run");
    for step in 1..=5 {
        let stepped = |progress: Progress<'_>| matches!(progress, Progress::Step(_));
        let summary = go_on(directory.path(), config(), stepped).expect("a stopped run");
        assert_eq!((summary.steps, summary.new_steps, summary.stopped), (step, 1, step < 5));
        let name = |step| format!("checkpoints/step-{step:06}.safetensors");
        let there = |step| directory.path().join(name(step)).exists();
        // The last two are kept.
        let kept: Vec<u64> = (0..=step).filter(|&step| there(step)).collect();
        assert_eq!(kept, [step - 1, step]);
    }
    assert_eq!(results(directory.path(), 5), results(whole.path(), 5));

    // A finished run has nothing left to do, until it is made longer.
    let before = fs::read_dir(directory.path().join("tensorboard")).expect("a folder").count();
    let summary = go_on(directory.path(), config(), |_| false).expect("a finished run");
    assert_eq!((summary.steps, summary.new_steps, summary.stopped), (5, 0, false));
    let after = fs::read_dir(directory.path().join("tensorboard")).expect("a folder").count();
    assert_eq!(before, after);
    let longer = FinetuneConfig { steps: 7, ..config() };
    go_on(directory.path(), longer.clone(), |_| false).expect("a longer run");
    let whole = tempfile::tempdir().expect("a directory");
    finish(whole.path(), finetuning(Preset::Smallest, longer.clone())).expect("a run");
    assert_eq!(results(directory.path(), 7), results(whole.path(), 7));
    let text = fs::read_to_string(directory.path().join("config.toml")).expect("config.toml");
    assert_eq!(toml::from_str::<RunConfig>(&text).expect("a record").finetune, longer);
}

#[test]
fn saving_changes_no_results() {
    let run = |saving| {
        let directory = tempfile::tempdir().expect("a directory");
        let setup = finetuning(Preset::Smallest, FinetuneConfig { saving, ..config() });
        finish(directory.path(), setup).expect("a run");
        directory
    };
    let seldom = run(SavingConfig::default());
    let often = run(SavingConfig { checkpoint_every: 2, keep_checkpoints: 1, network_every: 2 });
    assert_eq!(results(seldom.path(), 5), results(often.path(), 5));
    let names = |directory: &tempfile::TempDir, folder: &str| {
        let entries = fs::read_dir(directory.path().join(folder)).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
            .collect();
        names.sort();
        names
    };
    let checkpoints = ["step-000000.safetensors", "step-000005.safetensors"];
    assert_eq!(names(&seldom, "checkpoints"), checkpoints);
    assert_eq!(names(&often, "checkpoints"), checkpoints[1..]);
    assert_eq!(names(&seldom, "networks"), ["step-000005.pb.gz"]);
    let networks = ["step-000002.pb.gz", "step-000004.pb.gz", "step-000005.pb.gz"];
    assert_eq!(names(&often, "networks"), networks);
}

#[test]
fn what_would_be_another_run_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    finish(directory.path(), finetuning(Preset::Smallest, config())).expect("a run");
    let before = results(directory.path(), 5);
    let check = |preset, config, expected: &str| {
        let run = RunDirectory::open(directory.path()).expect("a run");
        let refused = resume(run, finetuning(preset, config), &AtomicBool::new(false), |_| {});
        let error = refused.expect_err(expected);
        assert!(matches!(error, RunError::Resume(_)), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(results(directory.path(), 5), before);
    };
    check(Preset::TinyBt4, config(), "has the base's SHA-256");
    let other = FinetuneConfig { seed: 9, ..config() };
    check(Preset::Smallest, other, "the settings are not those of the run");
    let shorter = FinetuneConfig { steps: 4, ..config() };
    check(Preset::Smallest, shorter, "has made 5 steps, it cannot end after 4");
    // Without its metrics a checkpoint is not the whole of a run.
    let path = directory.path().join("metrics.jsonl");
    let text = fs::read_to_string(&path).expect("metrics.jsonl");
    let longer = FinetuneConfig { steps: 6, ..config() };
    let cut = text.lines().take(4).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(&path, cut).expect("written");
    let error = go_on(directory.path(), longer, |_| false).expect_err("a step is missing");
    assert!(error.to_string().contains("metrics.jsonl, line 5"), "{error}");
}

#[test]
fn a_damaged_checkpoint_is_said_and_passed_over() {
    let directory = tempfile::tempdir().expect("a directory");
    let saving = SavingConfig { checkpoint_every: 1, ..SavingConfig::default() };
    let config = FinetuneConfig { saving, ..config() };
    finish(directory.path(), finetuning(Preset::Smallest, config.clone())).expect("a run");
    let whole = results(directory.path(), 5);
    let damage = |step: u64| {
        let path = directory.path().join(format!("checkpoints/step-{step:06}.safetensors"));
        let mut bytes = fs::read(&path).expect("a checkpoint");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).expect("written");
        path.display().to_string()
    };
    let last = damage(5);
    let said = std::cell::RefCell::new(Vec::new());
    let hear = |progress: Progress<'_>| {
        match progress {
            Progress::Damaged(error) => said.borrow_mut().push(error.to_string()),
            Progress::Resumed { steps } => said.borrow_mut().push(steps.to_string()),
            Progress::WarmStart { .. } | Progress::Step(_) => {}
        }
        false
    };
    assert_eq!(go_on(directory.path(), config.clone(), hear).expect("a run").new_steps, 1);
    assert!(said.borrow()[0].starts_with(&format!("{last}: damaged or cut off")), "{said:?}");
    assert_eq!(said.borrow()[1], "4");
    assert_eq!(results(directory.path(), 5), whole);

    damage(4);
    damage(5);
    let error = go_on(directory.path(), config, |_| false).expect_err("no checkpoint is whole");
    assert!(matches!(error, RunError::Resume(ResumeError::Checkpoint(_))), "{error:?}");
    assert!(error.to_string().starts_with(&last), "{error}");
}

#[test]
fn a_run_that_breaks_off_keeps_the_last_good_network() {
    let directory = tempfile::tempdir().expect("a directory");
    // The divergence has no slope at the first step; at the second, 1e300 is too much for it.
    let setup = finetuning(Preset::Smallest, FinetuneConfig { beta: 1e300, ..config() });
    let error = finish(directory.path(), setup).expect_err("a gradient out of range");
    let path = directory.path().join("networks/step-000001.pb.gz");
    let message = error.to_string();
    let checkpoint = "the run can be resumed from its checkpoint of step 0";
    for part in
        ["step 2: the gradient of the policy logits of \"", "last good step is in", checkpoint]
    {
        assert!(message.contains(part), "{message}");
    }
    assert!(
        matches!(&error, RunError::BrokenOff { rescue: Rescue::Saved(saved), .. } if *saved == path),
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
