//! Collapse: self-play without a regulariser, on a single line of play.

use study::{SelfPlayTemperature, Term, Variant};

use super::{Finding, Judgement, Verdict, not_measured};
use crate::documents::{Configuration, CoverageLine, Documents, RAW, TEMPERED};
use crate::names;
use crate::numbers::percent;

/// A policy has collapsed when one line of play holds more than this.
const COLLAPSED: f64 = 0.5;

pub(super) fn finding(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents);
    Finding {
        slug: "collapse",
        claim: "Without a regulariser self-play collapses onto one line",
        verdict,
        sentence,
        paper: "Without a regulariser a single opening line carries 99.9% of the mass at either \
                temperature; every regulariser prevents that.",
    }
}

fn judge(documents: &Documents) -> Judgement {
    let line = |term, temperature| -> Option<&CoverageLine> {
        let arm = documents.arm(Variant::SelfPlay { term, temperature })?;
        let sampling = match temperature {
            SelfPlayTemperature::Adaptive => TEMPERED,
            SelfPlayTemperature::One => RAW,
        };
        documents.coverage_of(Configuration { arm, sampling }, names::INITIAL)
    };
    let of = |term: Term| -> Vec<f64> {
        let lines = SelfPlayTemperature::ALL.into_iter().filter_map(|at| line(term, at));
        lines.map(|line| line.likeliest.probability).collect()
    };
    let free = of(Term::None);
    let held: Vec<f64> =
        [Term::EntropyBonus, Term::ReverseKl, Term::ForwardKl].into_iter().flat_map(of).collect();
    if free.is_empty() || held.is_empty() {
        return not_measured("coverage at the initial position with and without a regulariser");
    }
    let least = free.iter().copied().fold(f64::INFINITY, f64::min);
    let most_held = held.iter().copied().fold(0.0, f64::max);
    let shares: Vec<String> = free.iter().map(|&share| format!("{}%", percent(share, 1))).collect();
    let start = format!(
        "Without a regulariser the most probable line from the initial position holds {} of the \
         mass; with one, at most {}%",
        super::listed(&shares),
        percent(most_held, 1)
    );
    if least > COLLAPSED && most_held <= COLLAPSED {
        return (Verdict::Holds, format!("{start}."));
    }
    if least > COLLAPSED {
        let end = "so that regularised runs collapse as well";
        return (Verdict::Fails, format!("{start}, {end}."));
    }
    let narrowest = if least > most_held {
        "the runs without are the narrowest, but no line holds more than half in all of them"
    } else {
        "they are not even the narrowest"
    };
    (Verdict::Fails, format!("{start}: {narrowest}."))
}
