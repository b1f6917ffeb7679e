use std::fs;
use std::path::PathBuf;

use lc0::random::{Preset, random_network};
use native::NativeTrainer;
use network::Network;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::config::{PeakLearningRates, SavingConfig};
use crate::supervised::TrainingData;

const HEADER: &str = "PuzzleId,FEN,Moves\n";
/// Seven samples.
const POOL: &str = "promo,6k1/1P3ppp/8/8/8/8/8/6K1 b - - 0 1,g8h8 b7b8q
castl,4k3/7p/8/8/8/8/7P/4K2R b K - 0 1,h7h6 e1g1
black,8/8/8/8/8/k7/4p3/6K1 w - - 0 1,g1g2 e2e1n g2f1 e1c2
queen,1k1r3r/ppp5/3p1p1b/8/4P3/1N3Q2/2P2PPq/R5RK w - - 0 23,h1h2 h6f4
mate,8/8/8/8/8/k7/8/K6R w - - 0 1,a1b1 a3b3 b1a1 b3c2
";

/// A folder with files to learn from and the run's place in it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Self { folder };
        place.write_pool(POOL);
        fs::write(place.path("suite.csv"), format!("{HEADER}{}\n", line("castl"))).expect("a file");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_pool(&self, rows: &str) {
        fs::write(self.path("pool.csv"), format!("{HEADER}{rows}x,y,z\n")).expect("a file");
    }

    fn config(&self) -> SupervisedConfig {
        let data = TrainingData::Puzzles {
            files: vec![self.path("pool.csv")],
            exclude: vec![self.path("suite.csv")],
        };
        SupervisedConfig {
            seed: 5,
            steps: 6,
            batch: 3,
            warmup_steps: 2,
            final_rate: 0.5,
            ema_decay: 0.5,
            shuffle_buffer: 4,
            learning_rates: PeakLearningRates {
                backbone: 1e-3,
                final_block: 1e-3,
                policy_head: 1e-3,
                value_head: 1e-3,
            },
            saving: SavingConfig { checkpoint_every: 2, ..SavingConfig::default() },
            ..SupervisedConfig::new(data)
        }
    }

    /// A run of steps in the folder `name`, stopped once `enough`.
    fn train(
        &self,
        name: &str,
        config: SupervisedConfig,
        enough: impl Fn(SupervisedProgress<'_>) -> bool,
    ) -> Result<SupervisedSummary, RunError> {
        let stop = AtomicBool::new(false);
        let observe = |progress: SupervisedProgress<'_>| {
            if enough(progress) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        train(&self.path(name), supervision(config), &stop, observe)
    }

    /// Goes on with it, in the same way.
    fn resume(
        &self,
        name: &str,
        config: SupervisedConfig,
        enough: impl Fn(SupervisedProgress<'_>) -> bool,
    ) -> Result<SupervisedSummary, RunError> {
        let stop = AtomicBool::new(false);
        let directory = SupervisedDirectory::open(&self.path(name)).expect("a run");
        resume(directory, supervision(config), &stop, |progress| {
            if enough(progress) {
                stop.store(true, Ordering::Relaxed);
            }
        })
    }

    /// Checkpoint, network and metrics after so many steps, but for the speeds.
    fn results(&self, name: &str, steps: u64) -> (Vec<u8>, Vec<u8>, Vec<SupervisedMetrics>) {
        let read = |file: String| fs::read(self.path(name).join(file)).expect("a file");
        let metrics = String::from_utf8(read("metrics.jsonl".to_owned())).expect("text");
        let metrics = metrics.lines().map(|line| {
            let metrics: SupervisedMetrics = serde_json::from_str(line).expect("a record");
            SupervisedMetrics { positions_per_second: 0.0, ..metrics }
        });
        (
            read(format!("checkpoints/step-{steps:06}.safetensors")),
            read(format!("networks/step-{steps:06}.pb.gz")),
            metrics.collect(),
        )
    }
}

fn line(id: &str) -> &'static str {
    POOL.lines().find(|line| line.starts_with(id)).expect("a puzzle")
}

fn supervision(config: SupervisedConfig) -> Supervision {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let net = random_network(&Preset::Smallest.specification(), &mut generator);
    let file = NetworkFile::new("smallest.pb", net).expect("a network");
    let heads = HeadSelection::default();
    let network = Network::load(&file, heads).expect("a network");
    let theta = Box::new(NativeTrainer::new(network));
    Supervision { config, file, heads, theta, program: "searchless test".to_owned() }
}

fn never(_: SupervisedProgress<'_>) -> bool {
    false
}

#[test]
fn a_run_leaves_its_record_its_metrics_and_what_it_read() {
    let place = Place::new();
    let rounds = std::cell::Cell::new(0);
    let summary = place.train("run", place.config(), |progress| {
        if let SupervisedProgress::FirstRound(counts) = progress {
            assert_eq!((counts.epochs, counts.samples, counts.excluded), (1, 6, 1));
            rounds.set(rounds.get() + 1);
        }
        false
    });
    let summary = summary.expect("a run");
    assert_eq!(rounds.get(), 1);
    let network = Some(place.path("run/networks/step-000006.pb.gz"));
    assert_eq!(summary.run, RunSummary { steps: 6, new_steps: 6, stopped: false, network });
    let counts = summary.data.expect("files were read");
    assert_eq!((counts.samples, counts.excluded), (6, 1));
    // 18 samples drawn of 6, and a buffer of 4.
    assert_eq!(counts.epochs, 3);
    assert_eq!(counts.skipped["rows are no puzzles"].0, 1);

    let text = fs::read_to_string(place.path("run/config.toml")).expect("config.toml");
    let record: SupervisedRecord = toml::from_str(&text).expect("a record");
    assert_eq!(record.train, place.config());
    assert_eq!(record.base.file, "smallest.pb");
    let (_, network, metrics) = place.results("run", 6);
    let steps: Vec<u64> = metrics.iter().map(|metrics| metrics.step).collect();
    assert_eq!(steps, [1, 2, 3, 4, 5, 6]);
    assert_ne!(network, supervision(place.config()).file.to_bytes());
    assert_eq!(fs::read_dir(place.path("run/tensorboard")).expect("a folder").count(), 1);
}

#[test]
fn a_run_stopped_after_every_step_is_the_same_run() {
    let place = Place::new();
    place.train("whole", place.config(), never).expect("a run");
    let stepped =
        |progress: SupervisedProgress<'_>| matches!(progress, SupervisedProgress::Step(_));
    place.train("run", place.config(), stepped).expect("a stopped run");
    for step in 2..=6 {
        let drawn = std::cell::RefCell::new(Vec::new());
        let summary = place.resume("run", place.config(), |progress| {
            if let SupervisedProgress::Replay { drawn: so_far, samples } = progress {
                drawn.borrow_mut().push((so_far, samples));
            }
            stepped(progress)
        });
        let SupervisedSummary { run, data } = summary.expect("a stopped run");
        assert_eq!((run.steps, run.new_steps, run.stopped), (step, 1, step < 6));
        assert_eq!(data.expect("files were read").excluded, 1);
        let expected: Vec<_> = (1..step).map(|made| (3 * made, 3 * (step - 1))).collect();
        assert_eq!(drawn.into_inner(), expected);
    }
    assert_eq!(place.results("run", 6), place.results("whole", 6));

    // A finished run reads nothing, until it is made longer.
    place.write_pool("");
    let finished = place.resume("run", place.config(), never).expect("a finished run");
    assert_eq!((finished.run.new_steps, finished.data), (0, None));
    place.write_pool(POOL);
    // Constant rates do not depend on the run's length.
    let constant = |steps| SupervisedConfig { steps, final_rate: 1.0, ..place.config() };
    place.train("short", constant(3), never).expect("a run");
    place.resume("short", constant(7), never).expect("a longer run");
    place.train("long", constant(7), never).expect("a run");
    assert_eq!(place.results("short", 7), place.results("long", 7));
}

#[test]
fn a_run_stopped_while_it_reads_again_is_as_it_was() {
    let place = Place::new();
    place.train("whole", place.config(), never).expect("a run");
    let third = |progress: SupervisedProgress<'_>| match progress {
        SupervisedProgress::Step(metrics) => metrics.step == 3,
        _ => false,
    };
    place.train("run", place.config(), third).expect("a stopped run");
    let replay = |progress: SupervisedProgress<'_>| {
        matches!(progress, SupervisedProgress::Replay { drawn: 3, .. })
    };
    let summary = place.resume("run", place.config(), replay).expect("a stopped run").run;
    assert_eq!((summary.steps, summary.new_steps, summary.stopped), (3, 0, true));
    place.resume("run", place.config(), never).expect("a run");
    assert_eq!(place.results("run", 6), place.results("whole", 6));
}

#[test]
fn what_would_be_another_run_is_refused() {
    let place = Place::new();
    let longer = SupervisedConfig { steps: 8, ..place.config() };
    place.train("run", place.config(), never).expect("a run");
    let before = place.results("run", 6);
    let check = |config: SupervisedConfig, expected: &str| {
        let error = place.resume("run", config, never).expect_err(expected);
        assert!(matches!(error, RunError::Resume(_)), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(place.results("run", 6), before);
    };
    let other = SupervisedConfig { seed: 9, ..longer.clone() };
    check(other, "the settings are not those of the run");
    let shorter = SupervisedConfig { steps: 5, ..place.config() };
    check(shorter, "has made 6 steps, it cannot end after 5");
    place.write_pool(&POOL.replace("b7b8q", "b7b8r"));
    check(longer.clone(), "the files no longer give the 18 samples");
    place.write_pool("");
    check(longer.clone(), "no sample in ");
    fs::remove_file(place.path("pool.csv")).expect("removed");
    check(longer, "pool.csv: cannot be opened");
}

#[test]
fn what_cannot_begin_leaves_no_directory() {
    let place = Place::new();
    let check = |config: SupervisedConfig, expected: &str| {
        let error = place.train("run", config, never).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!place.path("run").exists());
    };
    check(SupervisedConfig { batch: 0, ..place.config() }, "batch = 0, expected");
    place.write_pool(&format!("{}\n", line("castl")));
    check(place.config(), "1 puzzles are excluded; 1 rows are no puzzles, the first: ");
    fs::remove_file(place.path("suite.csv")).expect("removed");
    check(place.config(), "suite.csv: cannot be opened");
}

#[test]
fn a_run_without_files_breaks_off_and_goes_on() {
    let place = Place::new();
    place.train("whole", place.config(), never).expect("a run");
    // The thread that reads ahead is at most 1,024 samples ahead: more than 500 batches of 3.
    let long = SupervisedConfig { steps: 1_000, ..place.config() };
    let error = place.train("run", long, |progress| {
        if matches!(progress, SupervisedProgress::Step(metrics) if metrics.step == 2) {
            fs::remove_file(place.path("pool.csv")).expect("removed");
        }
        false
    });
    let error = error.expect_err("no file").to_string();
    assert!(error.contains("pool.csv: cannot be opened"), "{error}");
    assert!(error.contains("the run can be resumed from its checkpoint of step "), "{error}");
    assert!(error.contains("the network of the last good step is in "), "{error}");
}
