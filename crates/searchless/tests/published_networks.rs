//! Published networks through the main job: fine-tune, and score base and tuned network.

use assert_cmd::Command;
use serde_json::Value;

const STEPS: usize = 100;

/// A hundred steps of 64 games, and the table at their end.
fn check(network: &str, learning_rate_factor: &str) {
    let Some(network) = fixtures::reference(&format!("nets/{network}")) else { return };
    let Some(suite) = fixtures::reference("puzzles/lichess_uniform_100k.csv.zst") else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let steps = STEPS.to_string();
    let assertion = Command::new(assert_cmd::cargo::cargo_bin!("searchless"))
        .arg("finetune")
        .arg("--network")
        .arg(&network)
        .args(["--steps", &steps, "--games", "64", "--beta", "0.01", "--seed", "1"])
        .args(["--warmup-steps", "10", "--learning-rate-factor", learning_rate_factor])
        .arg("--suite")
        .arg(&suite)
        .args(["--limit", "500", "--out"])
        .arg(&run)
        .assert()
        .success();
    let printed = String::from_utf8(assertion.get_output().stdout.clone()).unwrap();

    let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let metrics: Vec<Value> =
        metrics.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(metrics.len(), STEPS);
    for (step, metrics) in metrics.iter().enumerate() {
        for term in ["total", "policy_gradient", "exploration", "value"] {
            let value = metrics["loss"][term].as_f64();
            assert!(value.is_some_and(f64::is_finite), "step {step}: {term} is {value:?}");
        }
        let kl = metrics["policy"]["forward_kl"].as_f64().unwrap();
        assert!((0.0..1.0).contains(&kl), "step {step}: KL(base||pi) is {kl}");
        assert_eq!(kl == 0.0, step == 0, "step {step}: KL(base||pi) is {kl}");
    }

    let tuned = run.join("networks").join(format!("step-{STEPS:06}.pb.gz"));
    for network in [&network, &tuned] {
        let name = network.display().to_string();
        let row = printed.lines().find(|line| line.starts_with(&name));
        assert!(row.is_some_and(|row| row.contains("/ 500")), "{name} in:\n{printed}");
    }
    assert!(printed.contains("lichess_uniform_100k.csv.zst"), "{printed}");
}

#[test]
fn maia_is_fine_tuned_and_scored() {
    check("maia-1100.pb.gz", "10");
}

#[test]
fn a_transformer_is_fine_tuned_and_scored() {
    check("bt4tiny.pb.gz", "30");
}
