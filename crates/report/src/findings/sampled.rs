//! Sampled play: the adaptive temperature, and concentration.

use study::{SelfPlayTemperature, Term, Variant};

use super::{Finding, Judgement, Verdict, listed, not_measured};
use crate::documents::{Configuration, Documents, RAW, TEMPERED};
use crate::numbers::decimal;

pub(super) fn finding(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents);
    Finding {
        slug: "sampled",
        claim: "With drawn moves every adaptive arm outranks its twin at temperature 1",
        verdict,
        sentence,
        paper: "Every adaptive arm outranks its τ ≡ 1 twin (by 11, 119, 72 and 101 Elo), and tempering \
                lifts the base by 361 ± 29 Elo: under sampling, strength reads out concentration.",
    }
}

fn judge(documents: &Documents) -> Judgement {
    let elo = |variant, sampling| {
        documents.sampled_elo(Configuration { arm: documents.arm(variant)?, sampling })
    };
    let mut told = Vec::new();
    let mut verdicts = Vec::new();
    let mut add = |name: &str, lead: f64, margin: f64| {
        told.push(format!("{name} {} ± {margin:.0}", decimal(lead, 0, true)));
        verdicts.push(if lead - margin > 0.0 {
            Verdict::Holds
        } else if lead + margin < 0.0 {
            Verdict::Fails
        } else {
            Verdict::Undecided
        });
    };
    if let Some((lead, margin)) = elo(Variant::Base, TEMPERED) {
        add("the base", lead, margin);
    }
    for term in Term::ALL {
        let variant = |temperature| Variant::SelfPlay { term, temperature };
        let (adaptive, one) =
            (variant(SelfPlayTemperature::Adaptive), variant(SelfPlayTemperature::One));
        if let Some((lead, margin)) = documents.sampled_lead(
            documents.arm(adaptive).map(|arm| Configuration { arm, sampling: TEMPERED }),
            documents.arm(one).map(|arm| Configuration { arm, sampling: RAW }),
        ) {
            add(&term.title().to_lowercase().replace("kl", "KL"), lead, margin);
        }
    }
    if verdicts.is_empty() {
        return not_measured("rate-sampled.json with both temperatures of an arm");
    }
    let numbers = format!("Lead of the adaptive temperature in Elo: {}", listed(&told));
    let failing = verdicts.iter().filter(|verdict| **verdict == Verdict::Fails).count();
    let open = verdicts.iter().filter(|verdict| **verdict == Verdict::Undecided).count();
    match (failing, open) {
        (0, 0) => (Verdict::Holds, format!("{numbers}.")),
        (0, open) => (
            Verdict::Undecided,
            format!("{numbers}; {open} of {} cannot be told apart from zero.", verdicts.len()),
        ),
        (failing, _) => (
            Verdict::Fails,
            format!("{numbers}; {failing} of {} play worse with it.", verdicts.len()),
        ),
    }
}
