use super::*;

/// A study on three suites.
pub(crate) fn request(scale: Scale, budget: Option<u64>) -> Request {
    let file = |name: &str| GivenFile {
        path: PathBuf::from("/given").join(name),
        title: name.to_owned(),
        sha256: crate::files::sha256(name.as_bytes()),
    };
    let suites = [
        (SuiteRole::Selection, 10_000),
        (SuiteRole::Uniform, 100_000),
        (SuiteRole::Hard, 20_000),
        (SuiteRole::Mates, 84_465),
        (SuiteRole::Pool, 300_000),
    ];
    let suite = |(role, puzzles): (SuiteRole, u64)| {
        let file = file(&format!("{}.csv.zst", role.key()));
        GivenSuite { role, file, puzzles }
    };
    Request {
        scale,
        seed: 1,
        base: file("t3.pb.gz"),
        suites: suites.map(suite).to_vec(),
        openings: None,
        budget,
        device: Vec::new(),
        engine: None,
    }
}

#[test]
fn another_study_is_told_from_this_one() {
    let request = request(Scale::Small, Some(1_200));
    let check = |given: Given, expected: &str| {
        assert_eq!(request.difference(&given).unwrap_or_default(), expected);
    };
    check(Given::default(), "");
    let suites: Vec<(SuiteRole, String)> =
        request.suites.iter().rev().map(|suite| (suite.role, suite.file.sha256.clone())).collect();
    let same = Given {
        scale: Some(Scale::Small),
        seed: Some(1),
        base: Some(request.base.sha256.clone()),
        suites: Some(suites.clone()),
        openings: None,
        budget: Some(1_200),
        device: Some(Vec::new()),
    };
    check(same.clone(), "");
    check(Given { scale: Some(Scale::Paper), ..same.clone() }, "its scale is small, not paper");
    check(Given { seed: Some(2), ..same.clone() }, "its seed is 1, not 2");
    check(Given { budget: Some(60), ..same.clone() }, "its budget is 1200 s, not 60 s");
    let base = Given { base: Some("ab".to_owned()), ..same.clone() };
    check(base, &format!("its base network's SHA-256 is {}, not ab", request.base.sha256));
    let openings = Given { openings: Some("ab".to_owned()), ..same.clone() };
    check(openings, "its openings' SHA-256 is the base's own, not ab");
    let device = vec!["--device".to_owned(), "cuda:0".to_owned()];
    let device = Given { device: Some(device), ..same.clone() };
    check(device, "its device is the processor, not --device cuda:0");
    let fewer = Given { suites: Some(suites[1..].to_vec()), ..same };
    assert!(request.difference(&fewer).expect("fewer").starts_with("its suites' SHA-256 is hard "));
}
