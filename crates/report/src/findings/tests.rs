use study::{ArenaKind, SelfPlayTemperature, SuiteRole, Term, Variant};

use super::*;
use crate::documents::{EvaluationLine, Measures, PairedDifference, RateBin};

fn documents() -> Documents {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory = fixtures::write_study(folder.path()).expect("written");
    Documents::read(&directory).expect("a study")
}

/// The verdict and the sentence of a finding after a change of the documents.
fn judged(slug: &str, change: impl FnOnce(&mut Documents)) -> (Verdict, String) {
    let mut documents = documents();
    change(&mut documents);
    let finding = Finding::all(&documents).into_iter().find(|finding| finding.slug == slug);
    let finding = finding.expect("a finding");
    (finding.verdict, finding.sentence)
}

fn check(slug: &str, change: impl FnOnce(&mut Documents), verdict: Verdict, parts: &[&str]) {
    let (found, sentence) = judged(slug, change);
    assert_eq!(found, verdict, "{slug}: {sentence}");
    for part in parts {
        assert!(sentence.contains(part), "{part}: {sentence}");
    }
}

fn arm(term: Term, temperature: SelfPlayTemperature) -> Variant {
    Variant::SelfPlay { term, temperature }
}

/// Sets the draws of a network, by both policies, at the positions that pass.
fn set_draws(
    documents: &mut Documents,
    variant: Variant,
    at: impl Fn(&str) -> bool,
    draws: Option<u64>,
) {
    let network = documents.arm(variant).expect("an arm").network.clone();
    for line in documents.coverage.iter_mut().flatten() {
        if std::path::Path::new(&line.network) == network && at(&line.position) {
            line.draws_95 = draws;
        }
    }
}

#[test]
fn coverage() {
    use SelfPlayTemperature::{Adaptive, One};
    let forward = |temperature| arm(Term::ForwardKl, temperature);
    check("coverage", |_| {}, Verdict::Holds, &["In all 8 cases", "μ: 700, 1,400 and 15,000"]);
    let unbounded = |documents: &mut Documents| set_draws(documents, Variant::Base, |_| true, None);
    check("coverage", unbounded, Verdict::Holds, &["more than 10¹⁵"]);
    check(
        "coverage",
        |documents| set_draws(documents, forward(Adaptive), |at| at == "initial", Some(700)),
        Verdict::Fails,
        &["holds in 7 of 8 cases", "base: Initial position, μ: 700, 700 and "],
    );
    check(
        "coverage",
        |documents| set_draws(documents, forward(One), |at| at == "ruy-lopez", Some(90_000)),
        Verdict::Fails,
        &["holds in 7 of 8 cases", "Ruy Lopez, main line, raw"],
    );
    check(
        "coverage",
        |of| of.coverage = None,
        Verdict::Undecided,
        &["Not measured: coverage.json"],
    );
    check("coverage", |of| of.selection = None, Verdict::Undecided, &["Not measured"]);
}

#[test]
fn collapse() {
    let share = |documents: &mut Documents, regularised: bool, share: f64| {
        let free: Vec<String> = SelfPlayTemperature::ALL
            .into_iter()
            .filter_map(|at| documents.arm(arm(Term::None, at)))
            .map(|arm| arm.network.display().to_string())
            .collect();
        for line in documents.coverage.iter_mut().flatten() {
            if free.contains(&line.network) != regularised {
                line.likeliest.probability = share;
            }
        }
    };
    check("collapse", |_| {}, Verdict::Holds, &["97.0% and 97.0%", "at most 4.0%"]);
    check("collapse", |of| share(of, false, 0.3), Verdict::Fails, &["are the narrowest"]);
    check("collapse", |of| share(of, false, 0.03), Verdict::Fails, &["not even the narrowest"]);
    check("collapse", |of| share(of, true, 0.7), Verdict::Fails, &["collapse as well"]);
    check("collapse", |of| of.coverage = None, Verdict::Undecided, &["Not measured"]);
}

fn measures(documents: &mut Documents, role: SuiteRole, variant: Variant) -> &mut Measures {
    let network = documents.arm(variant).expect("an arm").network.clone();
    let lines = documents.evaluations.get_mut(&role).expect("measured");
    let line = lines.iter_mut().find(|line| std::path::Path::new(&line.network) == network);
    line.expect("a line").rules.get_mut(EvaluationLine::RULE).expect("the rule")
}

fn between(low: f64, high: f64) -> PairedDifference {
    PairedDifference { value: Some(f64::midpoint(low, high)), low: Some(low), high: Some(high) }
}

#[test]
fn retention() {
    let rows: [([f64; 2], [f64; 2], Verdict, &str); 7] = [
        ([1.1, 1.3], [0.8, 0.9], Verdict::Holds, "1.20 (1.10 to 1.30)"),
        ([0.8, 0.9], [1.1, 1.3], Verdict::Fails, "the other way round"),
        ([0.8, 0.9], [0.5, 0.7], Verdict::Fails, "less than the base"),
        ([1.3, 1.5], [1.1, 1.2], Verdict::Fails, "drops nothing either"),
        ([1.1, 1.3], [0.9, 1.2], Verdict::Undecided, "the two cannot be told apart"),
        ([0.95, 1.3], [0.8, 0.9], Verdict::Undecided, "told apart from the base"),
        ([1.2, 1.3], [0.9, 1.1], Verdict::Undecided, "told apart from the base"),
    ];
    for (forward, reverse, verdict, part) in rows {
        let change = |documents: &mut Documents| {
            for (term, [low, high]) in [(Term::ForwardKl, forward), (Term::ReverseKl, reverse)] {
                let variant = arm(term, SelfPlayTemperature::Adaptive);
                let versus = &mut measures(documents, SuiteRole::Hard, variant).versus;
                versus.as_mut().expect("compared").geometric_ratio = between(low, high);
            }
        };
        check("retention", change, verdict, &[part]);
    }
    let removed = |documents: &mut Documents| {
        documents.evaluations.remove(&SuiteRole::Hard);
    };
    check("retention", removed, Verdict::Undecided, &["Not measured: the hard suite"]);
}

#[test]
fn dissociation() {
    let elo = |documents: &mut Documents, variant: Variant, elo: f64| {
        let ratings = documents.ratings.get_mut(&ArenaKind::Argmax).expect("measured");
        for found in &mut ratings.differences {
            if found.player == variant.key() && found.opponent == "base" {
                found.elo = elo;
            } else if found.player == "base" && found.opponent == variant.key() {
                found.elo = -elo;
            }
        }
    };
    check(
        "dissociation",
        |_| {},
        Verdict::Holds,
        &["Puzzle-tuned control solves more", "−258.0 ± 8.3"],
    );
    check(
        "dissociation",
        |documents| elo(documents, Variant::PuzzleTuned, 3.0),
        Verdict::Undecided,
        &["gains the most accuracy", "cannot be told apart"],
    );
    check(
        "dissociation",
        |documents| Variant::all()[1..].iter().for_each(|&variant| elo(documents, variant, 40.0)),
        Verdict::Fails,
        &["Each of the 9 networks"],
    );
    check(
        "dissociation",
        |documents| {
            for variant in &Variant::all()[1..] {
                let versus = &mut measures(documents, SuiteRole::Uniform, *variant).versus;
                versus.as_mut().expect("compared").accuracy_difference = between(-0.01, 0.02);
            }
        },
        Verdict::Undecided,
        &["None of 9 networks gains accuracy"],
    );
    let removed = |documents: &mut Documents| {
        documents.ratings.remove(&ArenaKind::Argmax);
    };
    check("dissociation", removed, Verdict::Undecided, &["Not measured"]);
}

#[test]
fn gates() {
    let bin = |from: f64, total: u64, happened: u64, low: f64, high: f64| RateBin {
        from,
        to: Some(from + 0.1),
        total,
        happened,
        low,
        high,
    };
    let low = bin(0.0, 100, 1, 0.0, 0.05);
    let high = bin(0.6, 100, 40, 0.3, 0.5);
    let wide = bin(0.6, 2, 1, 0.02, 0.98);
    let empty = bin(0.6, 0, 0, 0.0, 1.0);
    let check_bins = |bins: [RateBin; 2], recovery: Verdict, give_back: Verdict, part: &str| {
        for (slug, verdict) in [("recovery", recovery), ("give-back", give_back)] {
            let change = |documents: &mut Documents| {
                for tuned in &mut documents.recovery.as_mut().expect("measured").tuned {
                    tuned.by_probability = bins.to_vec();
                    tuned.by_lead = bins.to_vec();
                }
            };
            check(slug, change, verdict, &[part]);
        }
    };
    check("recovery", |_| {}, Verdict::Holds, &["0.0% of 390", "41.0% of 2,208"]);
    check("give-back", |_| {}, Verdict::Holds, &["0 of 200,899 positions", "280 of 4,000"]);
    check_bins([low, high], Verdict::Holds, Verdict::Fails, "1.0%");
    check_bins([high, low], Verdict::Fails, Verdict::Holds, "40.0%");
    check_bins([low, wide], Verdict::Undecided, Verdict::Undecided, "cannot be told apart");
    check_bins([low, empty], Verdict::Undecided, Verdict::Undecided, "cannot be told apart");
    check(
        "recovery",
        |of| of.recovery = None,
        Verdict::Undecided,
        &["Not measured: recovery.json"],
    );
}

#[test]
fn beta() {
    check("beta", |_| {}, Verdict::Holds, &["least at β = 10⁻²"]);
    check(
        "beta",
        |documents| {
            for line in documents.beta_curve.iter_mut().flatten() {
                let measures = line.rules.get_mut(EvaluationLine::RULE).expect("the rule");
                (measures.low, measures.high) = (0.9, 0.99);
            }
        },
        Verdict::Undecided,
        &["cannot be told apart"],
    );
    check(
        "beta",
        |documents| {
            for line in documents.beta_curve.iter_mut().flatten() {
                if line.network.contains("beta=1/") {
                    let measures = line.rules.get_mut(EvaluationLine::RULE).expect("the rule");
                    measures.accuracy = Some(0.99);
                }
            }
        },
        Verdict::Fails,
        &["at an end of the range"],
    );
    check("beta", |of| of.beta_curve = None, Verdict::Undecided, &["Not measured"]);
}

#[test]
fn sampled() {
    let leads = |documents: &mut Documents, elo: f64| {
        let ratings = documents.ratings.get_mut(&ArenaKind::Sampled).expect("measured");
        for found in &mut ratings.differences {
            found.elo = elo;
        }
    };
    check(
        "sampled",
        |_| {},
        Verdict::Undecided,
        &["no regulariser +11 ± 30", "1 of 5 cannot be told"],
    );
    let strong = |documents: &mut Documents| {
        let ratings = documents.ratings.get_mut(&ArenaKind::Sampled).expect("measured");
        ratings.differences.iter_mut().for_each(|found| found.margin = 5.0);
    };
    check("sampled", strong, Verdict::Holds, &["the base +361 ± 5"]);
    check("sampled", |of| leads(of, -90.0), Verdict::Fails, &["play worse with it"]);
    let removed = |documents: &mut Documents| {
        documents.ratings.remove(&ArenaKind::Sampled);
    };
    check("sampled", removed, Verdict::Undecided, &["Not measured: rate-sampled.json"]);
}
