use super::*;

#[test]
fn the_default_is_the_papers_table() {
    let config = FinetuneConfig::default();
    assert_eq!(config.validate(), Ok(()));
    assert_eq!((config.steps, config.games, config.ply_cap), (2_000, 1_024, 512));
    assert_eq!((config.beta, config.value_coefficient, config.ema_decay), (0.01, 0.2, 0.995));
    let rates = LearningRates::from(config.learning_rates);
    assert_eq!(
        (rates.backbone, rates.final_block, rates.policy_head, rates.value_head),
        (3e-6, 1e-5, 1e-5, 3e-5)
    );
    let optimiser = AdamW::from(config.optimiser);
    assert_eq!((optimiser.beta1, optimiser.beta2, optimiser.epsilon), (0.9, 0.98, 1e-8));
}

#[test]
fn a_written_configuration_is_read_back() {
    let mut config = FinetuneConfig { seed: i64::MAX as u64, ..FinetuneConfig::default() };
    for exploration in ExplorationTerm::ALL {
        for temperature in [SamplingTemperature::One, SamplingTemperature::Adaptive] {
            for history_fill in [HistoryFill::FenOnly, HistoryFill::No, HistoryFill::Always] {
                config = FinetuneConfig { exploration, temperature, history_fill, ..config };
                let text = toml::to_string(&config).expect("TOML");
                assert_eq!(FinetuneConfig::from_toml(&text), Ok(config.clone()), "{text}");
            }
        }
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    let text = "games = 64\nexploration = \"reverse_kl\"\n[learning_rates]\nbackbone = 1e-4\n";
    let expected = FinetuneConfig {
        games: 64,
        exploration: ExplorationTerm::ReverseKl,
        learning_rates: PeakLearningRates { backbone: 1e-4, ..PeakLearningRates::default() },
        ..FinetuneConfig::default()
    };
    assert_eq!(FinetuneConfig::from_toml(text), Ok(expected));
    assert_eq!(FinetuneConfig::from_toml(""), Ok(FinetuneConfig::default()));
}

#[test]
fn errors_name_the_key_the_value_and_what_is_expected() {
    let check = |text: &str, parts: &[&str]| {
        let error = FinetuneConfig::from_toml(text).expect_err(text).to_string();
        for part in parts {
            assert!(error.contains(part), "{text}: {error}");
        }
    };
    check("seed = -1", &["line 1", "-1"]);
    check("steps = 0", &["steps = 0", "at least 1"]);
    check("games = 0", &["games = 0", "1 to 65536"]);
    check("games = 65537", &["games = 65537"]);
    check("beta = -0.5", &["beta = -0.5", "at least 0"]);
    check("beta = nan", &["beta = NaN"]);
    check("beta = inf", &["beta = inf"]);
    check("ply_cap = 0", &["ply_cap = 0", "1 to 10000"]);
    check("value_coefficient = nan", &["value_coefficient = NaN"]);
    check("ema_decay = 1.0", &["ema_decay = 1", "below 1"]);
    // 1 in single precision.
    check("ema_decay = 0.99999999999", &["ema_decay = 0.99999999999"]);
    check("warm_start_moves = 1001", &["warm_start_moves = 1001", "0 to 1000"]);
    check("[learning_rates]\nbackbone = -1e-6", &["learning_rates.backbone = -0.000001"]);
    check("[learning_rates]\nvalue_head = 2.0", &["learning_rates.value_head = 2"]);
    check("[learning_rates]\npolicy_head = nan", &["learning_rates.policy_head = NaN"]);
    check("[optimiser]\nbeta1 = 1.0", &["optimiser.beta1 = 1"]);
    check("[optimiser]\nbeta2 = -0.1", &["optimiser.beta2 = -0.1"]);
    // 0 in single precision.
    check("[optimiser]\nepsilon = 1e-60", &["optimiser.epsilon", "above 0"]);
    check("[saving]\ncheckpoint_every = 0", &["saving.checkpoint_every = 0", "1 to"]);
    check("[saving]\nkeep_checkpoints = 0", &["saving.keep_checkpoints = 0", "1 to 1000000"]);
    check("[saving]\nnetwork_every = -1", &["line 2", "-1"]);
    check("exploration = \"forward-kl\"", &["line 1", "forward_kl", "entropy_bonus"]);
    check("temperature = 1.0", &["line 1"]);
    check("history_fill = \"sometimes\"", &["sometimes", "fen_only"]);
    check("game = 12", &["unknown field", "game"]);
    check("[optimiser]\nweight_decay = 0.1", &["unknown field", "weight_decay"]);
}

#[test]
fn a_seed_beyond_toml_is_refused_before_it_cannot_be_written() {
    let config = FinetuneConfig { seed: 1 << 63, ..FinetuneConfig::default() };
    assert!(matches!(config.validate(), Err(ConfigError::OutOfRange { key: "seed", .. })));
}

#[test]
fn saving_is_due_by_multiples() {
    let check = |checkpoint_every, network_every, count, due: (bool, bool)| {
        let saving = SavingConfig { checkpoint_every, network_every, ..SavingConfig::default() };
        assert_eq!((saving.is_checkpoint_due(count), saving.is_network_due(count)), due, "{count}");
    };
    check(1, 0, 1, (true, false));
    check(3, 2, 1, (false, false));
    check(3, 2, 2, (false, true));
    check(3, 2, 3, (true, false));
    check(3, 2, 6, (true, true));
}

#[test]
fn the_warm_up_is_linear_to_the_peak() {
    let config = FinetuneConfig::default();
    for (step, expected) in [(1, 0.005), (100, 0.5), (200, 1.0), (201, 1.0), (2_000, 1.0)] {
        assert_eq!(config.warmup_factor(step), expected, "step {step}");
    }
    let without = FinetuneConfig { warmup_steps: 0, ..config };
    assert_eq!(without.warmup_factor(1), 1.0);
}
