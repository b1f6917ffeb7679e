use super::*;

fn config() -> SupervisedConfig {
    SupervisedConfig::new(TrainingData::Chunks { files: vec!["chunks".into()], result_ratio: 0.5 })
}

#[test]
fn rates_rise_and_fall() {
    let config = SupervisedConfig { steps: 110, warmup_steps: 10, final_rate: 0.2, ..config() };
    for (step, expected) in
        [(1, 0.1), (5, 0.5), (10, 1.0), (35, 0.8828), (60, 0.6), (110, 0.2), (200, 0.2)]
    {
        let factor = config.rate_factor(step);
        assert!((factor - expected).abs() < 1e-4, "step {step}: {factor}");
    }
    let constant = SupervisedConfig { warmup_steps: 0, final_rate: 1.0, ..config };
    assert!([1, 50, 110].iter().all(|&step| constant.rate_factor(step) == 1.0));
}

#[test]
fn a_configuration_comes_back_from_its_file() {
    for data in [
        TrainingData::Chunks { files: vec!["a".into(), "b.tar".into()], result_ratio: 0.25 },
        TrainingData::Puzzles { files: vec!["pool.csv".into()], exclude: vec!["suite.csv".into()] },
    ] {
        let config = SupervisedConfig { seed: 7, final_rate: 0.1, ..SupervisedConfig::new(data) };
        let text = toml::to_string(&config).expect("TOML");
        assert_eq!(toml::from_str::<SupervisedConfig>(&text).expect("a configuration"), config);
    }
}
