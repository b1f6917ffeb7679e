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
    check(
        &text.replace("steps = 2000", "steps = 0"),
        "steps = 0, expected a whole number of at least 1",
    );
    check(&text.replace("program", "programme"), "programme");
    check("[finetune]\nsteps = 3\n", "missing field");
    check("speed = 9\n", "line 1: unknown key `speed`; did you mean `seed`?");
}

#[test]
fn a_record_from_before_the_switches_means_what_it_meant() {
    let sum = "ab".repeat(32);
    let text = format!(
        "program = \"searchless 0.1.0\"\n\n[base]\nfile = \"base.pb.gz\"\nsha256 = \"{sum}\"\n\
         policy_head = \"vanilla\"\nvalue_head = \"winner\"\n\n[finetune]\nseed = 17\nsteps = 2000\n\
         games = 1024\nexploration = \"forward_kl\"\nbeta = 0.01\ntemperature = \"adaptive\"\n\
         ply_cap = 512\nvalue_coefficient = 0.2\nema_decay = 0.995\nwarmup_steps = 200\n\
         warm_start_moves = 60\nhistory_fill = \"fen_only\"\n\n[finetune.learning_rates]\n\
         backbone = 3e-6\nfinal_block = 0.00001\npolicy_head = 0.00001\nvalue_head = 0.00003\n\n\
         [finetune.optimiser]\nbeta1 = 0.9\nbeta2 = 0.98\nepsilon = 1e-8\n"
    );
    assert_eq!(Settings::from_toml(&text), Ok(Settings::Record(record())));
    assert_eq!(toml::from_str::<RunConfig>(&text), Ok(record()));
    let misspelt = text.replace("ema_decay", "ema_decy");
    let error = Settings::from_toml(&misspelt).expect_err("a misspelt key").to_string();
    assert_eq!(error, "line 18: unknown key `ema_decy`; did you mean `ema_decay`?");
}

#[test]
fn sources_come_one_over_the_other() {
    let layered = |text: &str, preset, assignments: &[&str]| {
        let assignments: Vec<String> = assignments.iter().map(|&one| one.to_owned()).collect();
        Settings::layered(Some(text), preset, &assignments)
    };
    let check = |text, preset, assignments: &[&str], expected: FinetuneConfig| {
        assert_eq!(layered(text, preset, assignments), Ok(Settings::Plain(expected)), "{text}");
    };
    let small = Preset::Small.config();
    check("", None, &[], FinetuneConfig::default());
    check("", Some(Preset::Small), &[], small.clone());
    check("preset = \"small\"", Some(Preset::Paper), &[], FinetuneConfig::default());
    let expected = FinetuneConfig { games: 5, steps: 7, seed: 4, ..small };
    let text = "preset = \"small\"\ngames = 5\nsteps = 6\n";
    check(text, None, &["steps=1", "seed=4", "steps=7"], expected);

    let text = toml::to_string(&record()).expect("TOML");
    let mut changed = record();
    changed.finetune.beta = 0.5;
    assert_eq!(layered(&text, None, &["beta=0.5"]), Ok(Settings::Record(changed)));
    let refused = layered(&text, Some(Preset::Small), &[]).expect_err("a complete record");
    assert!(refused.to_string().contains("the preset small would change nothing"), "{refused}");
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
