//! Runs that survive: interrupted, killed, without room on the disk.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::support::{ATTENTION, CLASSICAL, Workspace};

/// Settings of a run of seconds that is saved at every step.
const SETTINGS: [&str; 10] = [
    "--games",
    "6",
    "--warm-start-moves",
    "2",
    "--learning-rate-factor",
    "100",
    "--seed",
    "3",
    "--checkpoint-every",
    "1",
];

fn finetune<'a>(out: &'a str, steps: &'a str) -> Vec<&'a str> {
    let start = ["finetune", "--network", ATTENTION, "--out", out, "--steps", steps];
    [&start[..], &SETTINGS].concat()
}

fn resume<'a>(run: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["finetune", "--resume", run], more].concat()
}

fn read(workspace: &Workspace, path: &str) -> Vec<u8> {
    fs::read(workspace.path().join(path)).expect(path)
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// Sees that two runs are the same to the bit: weights, average, optimiser, games and generators,
/// which are all in the checkpoint; the network; the metrics but for the timings.
fn assert_same(workspace: &Workspace, one: &str, other: &str, steps: u64) {
    for file in ["checkpoints/step-N.safetensors", "networks/step-N.pb.gz"] {
        let file = file.replace('N', &format!("{steps:06}"));
        let [one, other] = [one, other].map(|run| read(workspace, &format!("{run}/{file}")));
        assert!(one == other, "{file}");
    }
    let metrics = |run: &str| -> Vec<Value> {
        let text = read(workspace, &format!("{run}/metrics.jsonl"));
        let text = String::from_utf8(text).expect("text");
        let record = |line: &str| {
            let mut record: Value = serde_json::from_str(line).expect("a whole line");
            record.as_object_mut().expect("a record").remove("timing").expect("timings");
            record
        };
        text.lines().map(record).collect()
    };
    assert_eq!(metrics(one).len() as u64, steps);
    assert_eq!(metrics(one), metrics(other));
}

/// Starts the binary in the folder.
fn start(workspace: &Workspace, arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("searchless"))
        .current_dir(workspace.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

#[test]
fn a_finished_run_says_so_and_can_be_made_longer() {
    let workspace = Workspace::new();
    workspace.print(&finetune("whole", "5"), "");
    workspace.print(&finetune("run", "3"), "");
    let network = "run/networks/step-000003.pb.gz";
    let said = format!(
        "the run has already made its 3 steps; the network is {network}\n\
         for more steps: searchless finetune --resume run --steps N\n"
    );
    assert_eq!(workspace.print(&resume("run", &[]), ""), said);
    // A network that was lost, or not written any more, is written.
    let before = read(&workspace, network);
    fs::remove_file(workspace.path().join(network)).expect("removed");
    assert_eq!(workspace.print(&resume("run", &[]), ""), said);
    assert_eq!(read(&workspace, network), before);

    let output = workspace.run(&resume("run", &["--steps", "5", "--threads", "1"]), "");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.contains("going on after 3 steps"), "{errors}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.starts_with("finished 5 steps; the network is run/"), "{printed}");
    assert_same(&workspace, "whole", "run", 5);
    let config = |run: &str| read(&workspace, &format!("{run}/config.toml"));
    assert_eq!(config("run"), config("whole"));
}

#[test]
fn a_run_without_a_checkpoint_begins_anew() {
    let workspace = Workspace::new();
    workspace.print(&finetune("whole", "2"), "");
    // All that a process killed in the warm start, or at the first checkpoint, leaves.
    for left in ["", "metrics.jsonl", "checkpoints/.tmpAbC123"] {
        let run = workspace.path().join("run");
        fs::create_dir_all(run.join("checkpoints")).expect("a folder");
        fs::copy(workspace.path().join("whole/config.toml"), run.join("config.toml"))
            .expect("copied");
        if !left.is_empty() {
            fs::write(run.join(left), "{\"step\":").expect("written");
        }
        workspace.print(&resume("run", &[]), "");
        assert_same(&workspace, "whole", "run", 2);
        assert!(!run.join("checkpoints/.tmpAbC123").exists());
        fs::remove_dir_all(run).expect("removed");
    }
}

#[test]
fn a_base_that_moved_is_asked_for() {
    let workspace = Workspace::new();
    workspace.print(&finetune("whole", "3"), "");
    workspace.print(&finetune("run", "2"), "");
    let path = |name: &str| workspace.path().join(name);
    fs::rename(path(ATTENTION), path("moved.pb.gz")).expect("renamed");
    let error = workspace.refuse(&resume("run", &[]));
    let start = "error: the base of run is not where it was; --network says where it is: attention";
    assert!(error.starts_with(start), "{error}");
    let error = workspace.refuse(&resume("run", &["--network", CLASSICAL]));
    assert!(error.contains("the recorded run has the base's SHA-256"), "{error}");
    let more = ["--network", "moved.pb.gz", "--steps", "3"];
    workspace.print(&resume("run", &more), "");
    assert_same(&workspace, "whole", "run", 3);
    let printed = workspace.print(&resume("run", &more), "");
    let command = "searchless finetune --resume run --network moved.pb.gz --steps N\n";
    assert!(printed.ends_with(command), "{printed}");
}

#[test]
fn a_resumed_run_keeps_its_settings() {
    let workspace = Workspace::new();
    workspace.print(&finetune("run", "2"), "");
    let check = |more: &[&str], expected: &str| {
        let error = workspace.refuse(&resume("run", more));
        assert!(error.contains(expected), "{more:?}: {error}");
    };
    // Errors of the command line are more than one line.
    for option in [
        "--beta",
        "--games",
        "--seed",
        "--learning-rate-factor",
        "--config",
        "--out",
        "--history-fill",
        "--policy-head",
    ] {
        let value = match option {
            "--history-fill" => "no",
            "--policy-head" => "vanilla",
            _ => "1",
        };
        let error = workspace.refuse(&resume("run", &[option, value]));
        let refused = error.starts_with("error: the argument '--resume <DIRECTORY>' cannot be");
        assert!(refused && error.contains(option), "{error}");
    }
    check(&["--steps", "1"], "the run has made 2 steps, it cannot end after 1");
    check(&["--checkpoint-every", "0"], "saving.checkpoint_every = 0, expected");
    let error = workspace.refuse(&resume("nowhere", &[]));
    assert!(error.starts_with("error: nowhere holds no run (there is no config.toml)"), "{error}");
    let error = workspace.refuse(&["finetune", "--network", ATTENTION]);
    assert!(error.contains("--out <DIRECTORY>"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_run_in_use_is_refused_and_an_interrupted_one_goes_on() {
    let workspace = Workspace::new();
    // Far more steps than the test waits for.
    let mut run = start(&workspace, &finetune("run", "1000000"));
    let metrics = workspace.path().join("run/metrics.jsonl");
    let started = Instant::now();
    while lines(&metrics) < 2 {
        assert!(run.try_wait().expect("a process").is_none(), "the run ended by itself");
        assert!(started.elapsed() < Duration::from_secs(120), "no step in two minutes");
        std::thread::sleep(Duration::from_millis(5));
    }
    let error = workspace.refuse(&resume("run", &[]));
    assert_eq!(error, "error: run is in use by another process\n");
    let error = workspace.refuse(&finetune("run", "3"));
    assert!(error.starts_with("error: run already holds a run"), "{error}");

    let id = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let output = run.wait_with_output().expect("the run ends");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.ends_with("to go on: searchless finetune --resume run\n"), "{printed}");
    let made = lines(&metrics);
    let steps = (made + 2).to_string();
    workspace.print(&finetune("whole", &steps), "");
    workspace.print(&resume("run", &["--steps", &steps]), "");
    assert_same(&workspace, "whole", "run", made as u64 + 2);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_a_run_that_goes_on() {
    let workspace = Workspace::new();
    workspace.print(&finetune("whole", "4"), "");
    workspace.print(&finetune("run", "2"), "");
    let checkpoint = read(&workspace, "run/checkpoints/step-000002.safetensors");
    // No file may grow beyond a third of a checkpoint (two thirds where a shell counts in blocks
    // of a kilobyte), and a write beyond that is an error instead of a signal.
    let limit = (checkpoint.len() / 3 / 512).to_string();
    let script = "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"";
    let binary = assert_cmd::cargo::cargo_bin("searchless");
    let output = Command::new("sh")
        .current_dir(workspace.path())
        .args(["-c", script, &limit])
        .arg(binary)
        .args(resume("run", &["--steps", "4"]))
        .output()
        .expect("a shell");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let error = errors.lines().last().expect("an error");
    let start = "error: run/checkpoints/step-000003.safetensors: File too large (os error 27); ";
    assert!(error.starts_with(start), "{error}");
    let end = "the run can be resumed from its checkpoint of step 2";
    assert!(error.ends_with(end), "{error}");

    assert!(read(&workspace, "run/checkpoints/step-000002.safetensors") == checkpoint);
    let mut left: Vec<String> = fs::read_dir(workspace.path().join("run/checkpoints"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    left.sort();
    assert_eq!(left, ["step-000001.safetensors", "step-000002.safetensors"]);
    workspace.print(&resume("run", &[]), "");
    assert_same(&workspace, "whole", "run", 4);
}

/// Kills of processes by what they were doing.
#[derive(Debug, Default)]
struct Kills {
    /// Before the first step.
    before_first_step: usize,
    /// While a checkpoint was being written.
    in_checkpoint: usize,
    /// After a step and before its checkpoint.
    before_checkpoint: usize,
    elsewhere: usize,
}

impl Kills {
    fn total(&self) -> usize {
        self.before_first_step + self.in_checkpoint + self.before_checkpoint + self.elsewhere
    }

    /// Looks at what the process left.
    fn count(&mut self, run: &Path) {
        let checkpoints = names(&run.join("checkpoints"));
        let step = |name: &String| name.strip_prefix("step-")?.split('.').next()?.parse().ok();
        let last: Option<usize> = checkpoints.iter().filter_map(step).max();
        let steps = lines(&run.join("metrics.jsonl"));
        *if checkpoints.iter().any(|name| name.starts_with(".tmp")) {
            &mut self.in_checkpoint
        } else if steps == 0 {
            &mut self.before_first_step
        } else if last < Some(steps) {
            &mut self.before_checkpoint
        } else {
            &mut self.elsewhere
        } += 1;
    }
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
    // Files may disappear while we look.
    entries.filter_map(Result::ok).map(name).collect()
}

#[cfg(unix)]
#[test]
fn a_run_killed_at_any_instant_is_the_run_it_would_have_been() {
    const STEPS: u64 = 12;
    const KILLS: usize = 24;
    let workspace = Workspace::new();
    let steps = STEPS.to_string();
    let started = Instant::now();
    workspace.print(&finetune("whole", &steps), "");
    let whole = started.elapsed();

    let mut generator = ChaCha8Rng::seed_from_u64(9);
    let mut kills = Kills::default();
    for number in 0.. {
        let name = format!("killed-{number}");
        let run = workspace.path().join(&name);
        loop {
            let arguments = match run.join("config.toml").exists() {
                true => resume(&name, &[]),
                false => finetune(&name, &steps),
            };
            let mut process = start(&workspace, &arguments);
            if kills.total() < KILLS {
                let share = f64::from(generator.next_u32()) / f64::from(u32::MAX);
                std::thread::sleep(whole.mul_f64(0.5 * share));
                // Every other time, the next instant at which a checkpoint is being written.
                while kills.total() % 2 == 1
                    && process.try_wait().expect("a process").is_none()
                    && !names(&run.join("checkpoints")).iter().any(|name| name.starts_with(".tmp"))
                {
                }
                process.kill().expect("a process of ours");
            }
            let output = process.wait_with_output().expect("the process ends");
            if output.status.success() {
                break;
            }
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), None, "{errors}");
            kills.count(&run);
        }
        assert_same(&workspace, "whole", &name, STEPS);
        if kills.total() >= KILLS {
            break;
        }
    }
    eprintln!("{kills:?}");
    assert!(kills.in_checkpoint >= 3, "{kills:?}");
}
