use std::fs;

use super::*;
use crate::metrics::StepMetrics;
use crate::testing::{config, trainer};

fn read(path: &Path) -> Vec<StepMetrics> {
    let text = fs::read_to_string(path).expect("metrics.jsonl");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

#[test]
fn metrics_are_whole_lines_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("metrics.jsonl");
    let mut log = RunLog::open(&path, folder.path(), 0).expect("a log");
    let mut trainer = trainer(config());
    let mut written = Vec::new();
    for _ in 0..3 {
        let metrics = trainer.step().expect("a step");
        log.append(&metrics).expect("an open file");
        written.push(metrics);
        assert_eq!(read(&path), written);
    }
}

#[test]
fn what_comes_after_the_step_is_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("metrics.jsonl");
    let mut trainer = trainer(config());
    let steps: Vec<StepMetrics> = (0..4).map(|_| trainer.step().expect("a step")).collect();
    for (step, rest) in [(4, ""), (3, "{\"step\":5"), (3, "\n"), (1, "\u{0}\u{0}"), (0, "x")] {
        let mut log = RunLog::open(&path, folder.path(), 0).expect("a log");
        steps.iter().for_each(|metrics| log.append(metrics).expect("an open file"));
        let mut file = OpenOptions::new().append(true).open(&path).expect("metrics.jsonl");
        file.write_all(rest.as_bytes()).expect("written");
        let mut log = RunLog::open(&path, folder.path(), step).expect("a log");
        assert_eq!(read(&path), steps[..step as usize], "{rest}");
        for metrics in &steps[step as usize..] {
            log.append(metrics).expect("an open file");
        }
        assert_eq!(read(&path), steps);
    }
}

#[test]
fn missing_metrics_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("metrics.jsonl");
    let check = |text: &str, line: u64| {
        fs::write(&path, text).expect("written");
        let error = RunLog::open(&path, folder.path(), 2).expect_err(text).to_string();
        let expected = format!("metrics.jsonl, line {line}: expected the record of step {line}");
        assert!(error.contains(&expected) && error.contains("checkpoint is of step 2"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("left alone"), text);
    };
    check("", 1);
    check("{\"step\":2}\n{\"step\":3}\n", 1);
    check("{\"step\":1}\n{\"step\":2}", 2);
    check("{\"step\":1}\n\n{\"step\":2}\n", 2);
    check("{\"step\":1}\n[", 2);
}
