use super::*;
use crate::beta::BetaScheduleKind;

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
        for (temperature, temperature_source, ply_cap_outcome, value_weighting, kind) in [
            (
                SamplingTemperature::One,
                TemperatureSource::Online,
                PlyCapOutcome::Bootstrap,
                ValueWeighting::Unweighted,
                BetaScheduleKind::Linear,
            ),
            (
                SamplingTemperature::Adaptive,
                TemperatureSource::Average,
                PlyCapOutcome::Draw,
                ValueWeighting::Rho,
                BetaScheduleKind::Drift,
            ),
        ] {
            for history_fill in [HistoryFill::FenOnly, HistoryFill::No, HistoryFill::Always] {
                config = FinetuneConfig {
                    exploration,
                    temperature,
                    temperature_source,
                    ply_cap_outcome,
                    value_weighting,
                    history_fill,
                    beta_schedule: BetaSchedule { kind, ..BetaSchedule::default() },
                    ..config
                };
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
    check("seed = 1.5", &["line 1: seed = 1.5, expected a whole number, 0 to 2^63 - 1"]);
    check(
        "\nsteps = \"many\"",
        &["line 2: steps = \"many\", expected a whole number of at least 1"],
    );
    check("ply_cap = 5000000000", &["line 1: ply_cap = 5000000000, expected a whole number"]);
    check("learning_rates = 3", &["line 1: learning_rates = 3, expected a table of keys"]);
    check("[optimiser]\nbeta1 = [0.9]", &["line 2: optimiser.beta1 = [0.9], expected at least 0"]);
    check("[seed]\nvalue = 3", &["line 1: seed = { value = 3 }, expected a whole number"]);
    check("seed = 3\nseed = 4", &["line 2", "duplicate key"]);
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
    check("temperature = 1.0", &["line 1: temperature = 1.0, expected \"one\" or \"adaptive\""]);
    check("temperature_source = \"ema\"", &["\"average\" or \"online\""]);
    check("ply_cap_outcome = \"loss\"", &["\"draw\" or \"bootstrap\""]);
    check("value_weighting = true", &["\"rho\" or \"unweighted\""]);
    check("value_anchor = -0.1", &["value_anchor = -0.1, expected a finite number"]);
    check("base_weight = -1", &["base_weight = -1, expected a finite number"]);
    check("history_fill = \"sometimes\"", &["sometimes", "fen_only"]);
    check("[beta_schedule]\nkind = \"cosine\"", &["\"constant\", \"linear\" or \"drift\""]);
    check("[beta_schedule]\nfinal_beta = -1", &["beta_schedule.final_beta = -1"]);
    check("[beta_schedule]\ndrift_target = 0", &["beta_schedule.drift_target = 0", "above 0"]);
    check("[beta_schedule]\ndrift_decay = 1", &["beta_schedule.drift_decay = 1", "below 1"]);
    check("[opening_book]\n", &["opening_book.file = \"\", expected the path of a file"]);
    check("[opening_book]\nfile = 3", &["line 2: opening_book.file = 3, expected the path"]);
    check(
        "[opening_book]\nfile = \"a\"\nsha256 = \"12\"",
        &["opening_book.sha256 = \"12\", expected 64 hexadecimal digits"],
    );
    check("[[references]]\n", &["references.file = \"\", expected the path of a file"]);
    let reference = "[[references]]\nfile = \"a.pb\"\n";
    check(&format!("{reference}weight = -1"), &["references.weight = -1"]);
    check(&format!("{reference}weight = \"2\""), &["line 1: references.weight = \"2\""]);
    check(&format!("{reference}policy_head = \"best\""), &["references.policy_head = \"best\""]);
    check(
        &format!("{reference}wieght = 2"),
        &["`references.wieght`; did you mean `references.weight`?"],
    );
    check(
        &format!("base_weight = 0\n{reference}weight = 0"),
        &["base_weight = 0, expected above 0"],
    );
    check("references = 3", &["references = 3, expected a table"]);
    check("preset = \"large\"", &["no preset \"large\", expected paper, release or small"]);
}

#[test]
fn an_unknown_key_is_answered_with_the_nearest() {
    let check = |text: &str, expected: &str| {
        let error = FinetuneConfig::from_toml(text).expect_err(text).to_string();
        assert_eq!(error, expected, "{text}");
    };
    check("ema_decy = 0.9", "line 1: unknown key `ema_decy`; did you mean `ema_decay`?");
    check("game = 12", "line 1: unknown key `game`; did you mean `games`?");
    check(
        "steps = 3\n[optimiser]\nbeta3 = 0.1",
        "line 3: unknown key `optimiser.beta3`; did you mean `optimiser.beta1`?",
    );
    // In the wrong table, or in none.
    check("epsilon = 1e-8", "line 1: unknown key `epsilon`; did you mean `optimiser.epsilon`?");
    check(
        "[learning_rates]\nwarmup_step = 3",
        "line 2: unknown key `learning_rates.warmup_step`; did you mean `warmup_steps`?",
    );
    check("[optimizer]\nbeta1 = 0.9", "line 1: unknown key `optimizer`");
    check("tournament = 1", "line 1: unknown key `tournament`");
}

#[test]
fn single_keys_are_set_by_name() {
    let set = |argument: &str| {
        let mut builder = ConfigBuilder::new(Preset::Paper);
        builder.assign(argument).and_then(|()| builder.finish())
    };
    let paper = FinetuneConfig::default;
    let check = |argument: &str, expected: FinetuneConfig| {
        assert_eq!(set(argument), Ok(expected), "{argument}");
    };
    check("steps=7", FinetuneConfig { steps: 7, ..paper() });
    check(" beta = 1", FinetuneConfig { beta: 1.0, ..paper() });
    let exploration = ExplorationTerm::ReverseKl;
    check("exploration=reverse_kl", FinetuneConfig { exploration, ..paper() });
    check("exploration=\"reverse_kl\"", FinetuneConfig { exploration, ..paper() });
    let optimiser = OptimiserConstants { beta1: 0.5, ..OptimiserConstants::default() };
    check("optimiser.beta1=0.5", FinetuneConfig { optimiser, ..paper() });
    check("optimiser={ beta1 = 0.5 }", FinetuneConfig { optimiser, ..paper() });
    let book = OpeningBookConfig { file: "books/a b.epd".to_owned(), sha256: None };
    check(
        "opening_book.file=books/a b.epd",
        FinetuneConfig { opening_book: Some(book), ..paper() },
    );
    let reference =
        ReferenceConfig { file: "b.pb".to_owned(), weight: 2.0, ..ReferenceConfig::default() };
    let references = vec![reference];
    check("references=[{file=\"b.pb\", weight=2}]", FinetuneConfig { references, ..paper() });

    let refused = |argument: &str, expected: &str| {
        assert_eq!(set(argument).expect_err(argument).to_string(), expected);
    };
    refused("steps", "\"steps\", expected KEY=VALUE");
    refused("steps=x", "steps = \"x\", expected a whole number of at least 1");
    refused("steps=1\nseed=2", "steps = \"1\\nseed=2\", expected a whole number of at least 1");
    refused("stops=1", "unknown key `stops`; did you mean `steps`?");
    refused(
        "references.weight=1",
        "references.weight is a key of a list, which is set as a whole: \
         references=[{file=\"a.pb.gz\", weight=1}]",
    );
}

#[test]
fn a_file_may_name_the_preset_that_it_changes() {
    let small = Preset::Small.config();
    let text = "preset = \"small\"\nsteps = 9\n[learning_rates]\nbackbone = 0.5\n";
    let learning_rates = PeakLearningRates { backbone: 0.5, ..small.learning_rates };
    let expected = FinetuneConfig { steps: 9, learning_rates, ..small };
    assert_eq!(FinetuneConfig::from_toml(text), Ok(expected));
}

#[test]
fn presets_are_valid_and_have_names() {
    assert_eq!(Preset::default().config(), FinetuneConfig::default());
    for preset in Preset::ALL {
        assert_eq!(preset.config().validate(), Ok(()), "{preset}");
        assert_eq!(preset.name().parse(), Ok(preset));
    }
    let release = Preset::Release.config();
    let expected = FinetuneConfig {
        temperature_source: TemperatureSource::Online,
        ply_cap_outcome: PlyCapOutcome::Bootstrap,
        value_anchor: 0.1,
        ..FinetuneConfig::default()
    };
    assert_eq!(release, expected);
}

/// Every optional table is there.
fn full() -> FinetuneConfig {
    let sha256 = Some("ab".repeat(32));
    let reference = |file: &str, weight| ReferenceConfig {
        file: file.to_owned(),
        weight,
        policy_head: "soft".to_owned(),
        sha256: sha256.clone(),
    };
    FinetuneConfig {
        seed: 17,
        opening_book: Some(OpeningBookConfig { file: "a.epd".to_owned(), sha256: sha256.clone() }),
        references: vec![reference("a.pb", 0.5), reference("b.pb", 1e-3)],
        ..Preset::Release.config()
    }
}

#[test]
fn every_key_has_a_line_of_its_own() {
    let table = toml::Table::try_from(full()).expect("TOML");
    let mut found = Vec::new();
    for (name, value) in &table {
        match value {
            toml::Value::Table(inner) => {
                found.extend(inner.keys().map(|key| format!("{name}.{key}")));
            }
            toml::Value::Array(items) => {
                let inner = items[0].as_table().expect("a table");
                found.extend(inner.keys().map(|key| format!("{name}.{key}")));
            }
            _ => found.push(name.clone()),
        }
    }
    let mut listed: Vec<String> = KEYS.iter().map(|key| key.path.to_owned()).collect();
    listed.sort();
    found.sort();
    assert_eq!(found, listed);
    for key in KEYS {
        assert!(key.help.len() <= 90 && !key.help.ends_with('.'), "{key:?}");
    }
}

#[test]
fn the_printed_configuration_is_read_back() {
    for config in Preset::ALL.map(Preset::config).into_iter().chain([full()]) {
        let text = config.to_commented_toml();
        assert_eq!(FinetuneConfig::from_toml(&text), Ok(config), "{text}");
        for key in KEYS {
            let name = key.path.rsplit('.').next().expect("a name");
            let line = format!("# {}: {}\n", key.help, key.expected);
            let (_, after) = text.split_once(&line).expect(key.path);
            let after = after.trim_start_matches("# ");
            assert!(after.starts_with(&format!("{name} = ")), "{}: {after}", key.path);
        }
    }
    // What is a comment can be made a setting by taking the mark away.
    let text = FinetuneConfig::default().to_commented_toml();
    let text = text.replace("# [opening_book]", "[opening_book]").replacen(
        "# file = \"\"",
        "file = \"a\"",
        1,
    );
    let book = FinetuneConfig::from_toml(&text).expect("a configuration").opening_book;
    assert_eq!(book.map(|book| book.file).as_deref(), Some("a"));
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
