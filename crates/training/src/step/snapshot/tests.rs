use super::*;
use crate::config::FinetuneConfig;
use crate::metrics::{StepMetrics, Timing};
use crate::testing::{config, trainer};

fn step(trainer: &mut Trainer) -> StepMetrics {
    StepMetrics { timing: Timing::default(), ..trainer.step().expect("a step") }
}

/// A new trainer that goes on from the other's state, by way of JSON.
fn resumed(trainer: &Trainer) -> Trainer {
    let text = serde_json::to_string(&trainer.snapshot()).expect("JSON");
    let snapshot = serde_json::from_str(&text).expect("a snapshot");
    let mut resumed = crate::testing::trainer(trainer.config.clone());
    resumed.restore(snapshot, &trainer.theta.state()).expect("a state");
    assert_eq!(resumed.snapshot(), trainer.snapshot());
    resumed
}

#[test]
fn a_restored_trainer_goes_on_as_if_never_stopped() {
    let mut uninterrupted = trainer(config());
    let mut restored = resumed(&uninterrupted);
    // In every ply of the warm start, and after every step.
    while uninterrupted.play_warm_start_ply().expect("a ply") {
        restored = resumed(&restored);
        assert!(restored.play_warm_start_ply().expect("a ply"));
        assert_eq!(restored.snapshot(), uninterrupted.snapshot());
    }
    for _ in 0..30 {
        restored = resumed(&restored);
        assert_eq!(step(&mut restored), step(&mut uninterrupted));
        assert_eq!(restored.snapshot(), uninterrupted.snapshot());
        assert_eq!(restored.theta.state(), uninterrupted.theta.state());
    }
    assert!(uninterrupted.openings.metrics().eight_plies.games > 0);
}

#[test]
fn snapshots_that_cannot_be_are_refused() {
    let mut made = trainer(config());
    for _ in 0..3 {
        step(&mut made);
    }
    let state = made.theta.state();
    let json = serde_json::to_value(made.snapshot()).expect("JSON");
    let check = |change: &dyn Fn(&mut serde_json::Value), expected: &str| {
        let mut changed = json.clone();
        change(&mut changed);
        // By way of text, as numbers of 128 bits only live there.
        let read: Result<TrainerSnapshot, _> = serde_json::from_str(&changed.to_string());
        let error = match read {
            Err(error) => error.to_string(),
            Ok(snapshot) => {
                let mut other = trainer(config());
                other.restore(snapshot, &state).expect_err(expected).to_string()
            }
        };
        assert!(error.contains(expected), "{error}");
    };
    check(
        &|json| {
            json["games"].as_array_mut().expect("games").pop();
        },
        "11 games, expected 12",
    );
    check(&|json| json["games"][3]["moves"] = "e2e5".into(), "game 3: move \"e2e5\" at ply 1");
    check(&|json| json["games"][1]["moves"] = "e2e4  e7e5".into(), "game 1: move \"\" at ply 2");
    check(&|json| json["games"][0]["start"] = "8/8".into(), "game 0: FEN \"8/8\"");
    check(&|json| json["games"][2]["moves"] = "f2f3 e7e5 g2g4 d8h4".into(), "game 2: it is over");
    check(&|json| json["games"][5]["warm_start_plies"] = 13.into(), "13 plies of warm start");
    check(&|json| json["games"][5]["warm_start_plies"] = (-1).into(), "-1");
    check(&|json| json["openings"]["first_move"] = vec![""].into(), "opening \"\"");
    check(&|json| json["openings"]["four_plies"] = vec!["e2e4"].into(), "expected 4 moves");
    check(&|json| json["later"] = 1.into(), "unknown field `later`");
    check(&|json| json["games"][0]["later"] = 1.into(), "unknown field `later`");
    check(&|json| json["steps"] = "x".into(), "invalid type");
}

#[test]
fn games_may_start_anywhere() {
    let mut made = trainer(FinetuneConfig { games: 1, warm_start_moves: 0, ..config() });
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 30";
    let mut json = serde_json::to_value(made.snapshot()).expect("JSON");
    json["games"][0]["start"] = fen.into();
    json["games"][0]["moves"] = "e8g8 e1c1".into();
    let snapshot: TrainerSnapshot = serde_json::from_str(&json.to_string()).expect("a snapshot");
    let state = made.theta.state();
    made.restore(snapshot.clone(), &state).expect("a state");
    assert_eq!(made.games.games()[0].game.start_fen(), fen);
    assert_eq!(made.snapshot(), snapshot);
}
