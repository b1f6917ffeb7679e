use std::fs;

use serde_json::json;

use super::*;

const DEMONSTRATION: Demonstration = Demonstration { seed: 1, steps: 2, games: 3, match_games: 4 };

fn measures(solved: u64, difference: Option<[f64; 3]>) -> serde_json::Value {
    let estimate = |[value, low, high]: [f64; 3]| json!({"value": value, "low": low, "high": high});
    let accuracy = solved as f64 / 100.0;
    json!({
        "total": 100, "solved": solved, "accuracy": accuracy, "low": accuracy - 0.1,
        "high": accuracy + 0.1, "geometric_mean": 0.25, "arithmetic_mean": 0.5,
        "versus": difference.map(|difference| json!({
            "accuracy_difference": estimate(difference),
            "geometric_ratio": estimate([1.5, 1.25, 1.75]),
        })),
    })
}

/// A demonstration's measurements, with this change of the first tuned network's accuracy.
fn comparison(difference: [f64; 3]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let files = StudyFiles::new(folder.path());
    let write = |path: std::path::PathBuf, text: String| {
        let path = files.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    let networks = DEMONSTRATION.networks();
    let mut lines = String::new();
    for (number, suite) in [50, 20].into_iter().enumerate() {
        for (place, (_, network)) in networks.iter().enumerate() {
            let difference = (place > 0).then_some(difference);
            let line = json!({
                "network": network, "puzzles": 100, "unproved": 0, "reference": null,
                "rules": {"multi-solution": measures(suite + place as u64, difference)},
                "rule": "multi-solution", "by": {},
            });
            lines += &format!("{line}\n");
        }
        assert!(number < 2);
    }
    write(Demonstration::puzzles(), lines);
    let coverage =
        networks.iter().zip([Some(1000), Some(800), Some(10)]).map(|((_, network), draws)| {
            let line = json!({
                "network": network, "position": "initial", "depth": 4, "sampling": "raw",
                "sequences": 197281, "draws_95": draws,
                "likeliest": {"moves": ["e2e4"], "probability": 0.5},
            });
            format!("{line}\n")
        });
    write(Demonstration::coverage(), coverage.collect());
    let player = |name: &str, elo: f64| json!({"name": name, "elo": elo, "games": 8});
    let direct = |name: &str| json!({"player": name, "opponent": "base", "wins": 2, "draws": 1, "losses": 1, "los": 0.7});
    let difference = |name: &str, elo: f64| json!({"player": name, "opponent": "base", "elo": elo, "margin": 12.3});
    let ratings = json!({
        "games": 12, "confidence": 0.95,
        "players": [player("forward_kl", 20.0), player("base", 0.0), player("none", -5.0)],
        "differences": [difference("forward_kl", 20.0), difference("none", -5.0)],
        "direct": [direct("forward_kl"), direct("none")],
    });
    write(Demonstration::ratings(), ratings.to_string());
    Comparison::read(&DEMONSTRATION, &files).expect("all is there").to_string()
}

#[test]
fn networks_stand_side_by_side() {
    insta::assert_snapshot!(comparison([0.05, 0.01, 0.09]));
}

#[test]
fn a_change_within_its_interval_is_none() {
    let text = comparison([0.02, -0.01, 0.05]);
    let told = text.contains(
        "a change of +2.0 points on puzzles (-1.0 to +5.0), which cannot be told from none",
    );
    assert!(told, "{text}");
    assert!(!comparison([0.05, 0.01, 0.09]).contains("cannot be told"));
}
