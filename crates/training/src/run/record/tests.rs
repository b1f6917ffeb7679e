use super::*;

fn record() -> RunConfig {
    RunConfig {
        program: "searchless 0.1.0".to_owned(),
        base: BaseRecord {
            file: "base.pb.gz".to_owned(),
            sha256: "ab".repeat(32),
            policy_head: "vanilla".to_owned(),
            value_head: "winner".to_owned(),
        },
        finetune: FinetuneConfig { seed: 17, ..FinetuneConfig::default() },
        resumed: Vec::new(),
    }
}

#[test]
fn settings_and_records_are_told_apart() {
    let text = toml::to_string(&record()).expect("TOML");
    assert_eq!(Settings::from_toml(&text), Ok(Settings::Record(record())));
    let plain = toml::to_string(&record().finetune).expect("TOML");
    assert_eq!(Settings::from_toml(&plain), Ok(Settings::Plain(record().finetune)));
    assert_eq!(Settings::from_toml(""), Ok(Settings::Plain(FinetuneConfig::default())));

    let check = |text: &str, expected: &str| {
        let error = Settings::from_toml(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&text.replace("steps = 2000", "steps = 0"), "steps = 0, expected at least 1");
    check(&text.replace("program", "programme"), "programme");
    check("[finetune]\nsteps = 3\n", "missing field");
    check("speed = 9\n", "unknown field `speed`");
}

#[test]
fn another_base_is_named_beside_the_recorded_one() {
    let recorded = record().base;
    let moved = BaseRecord { file: "elsewhere.pb".to_owned(), ..recorded.clone() };
    assert_eq!(recorded.check(&moved), Ok(()));
    let check = |given: BaseRecord, expected: &str| {
        assert_eq!(recorded.check(&given).expect_err("a difference").to_string(), expected);
    };
    let (ours, theirs) = (recorded.sha256.clone(), "cd".repeat(32));
    check(
        BaseRecord { sha256: theirs.clone(), ..recorded.clone() },
        &format!("the recorded run has the base's SHA-256 {ours}, given is {theirs}"),
    );
    check(
        BaseRecord { policy_head: "soft".to_owned(), ..recorded.clone() },
        "the recorded run has the base's policy head vanilla, given is soft",
    );
    check(
        BaseRecord { value_head: "q".to_owned(), ..recorded.clone() },
        "the recorded run has the base's value head winner, given is q",
    );
}

#[test]
fn another_program_is_noted_once() {
    let mut record = record();
    let programs = ["searchless 0.1.0", "searchless 0.2.0", "searchless 0.2.0", "searchless 0.1.0"];
    for (step, program) in (0..).zip(programs) {
        record.note_program(step, program.to_owned());
    }
    let noted: Vec<(u64, &str)> =
        record.resumed.iter().map(|noted| (noted.step, noted.program.as_str())).collect();
    assert_eq!(noted, [(1, "searchless 0.2.0"), (3, "searchless 0.1.0")]);
    let text = toml::to_string(&record).expect("TOML");
    assert_eq!(Settings::from_toml(&text), Ok(Settings::Record(record)));
}
