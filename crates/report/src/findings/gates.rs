//! Gates: what is recovered of the base's failures, and what is given back.

use super::{Finding, Judgement, Verdict, not_measured};
use crate::documents::{Documents, RateBin, TunedRecovery};
use crate::names;
use crate::numbers::{count, percent};

pub(super) fn recovery(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents, |tuned| {
        let [first, .., last] = &tuned.by_probability[..] else { return None };
        let told = |bin: &RateBin| format!("{}% of {} positions", rate(bin), count(bin.total));
        let to = first.to.map_or(String::new(), |to| format!(" below {to}"));
        let sentence = format!(
            "{} recovers {} where the base keeps{to} on the solution, {} from {} on",
            names::network(documents, &tuned.network),
            told(first),
            told(last),
            last.from
        );
        Some((compare(first, last), sentence))
    });
    Finding {
        slug: "recovery",
        claim: "Recovery is gated by the base's probability of the solution",
        verdict,
        sentence,
        paper: "None of 390 positions below 0.05 is recovered by either KL, about 4% in 0.05 to 0.15, \
                21 to 22% in 0.15 to 0.3, and about 41% above 0.3.",
    }
}

pub(super) fn give_back(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents, |tuned| {
        let [first, .., last] = &tuned.by_lead[..] else { return None };
        let told = |bin: &RateBin| {
            format!("{} of {} positions ({}%)", count(bin.happened), count(bin.total), rate(bin))
        };
        let to = first.to.map_or(String::new(), |to| format!(" below {to}"));
        let sentence = format!(
            "{} gives back {} where the base's lead is above {}, {} where it is{to}",
            names::network(documents, &tuned.network),
            told(last),
            last.from,
            told(first)
        );
        Some((compare(last, first), sentence))
    });
    Finding {
        slug: "give-back",
        claim: "Give-back is gated from above by the base's lead",
        verdict,
        sentence,
        paper: "Of more than 200,000 positions where the base's move leads by over 0.6, neither KL \
                gives back one.",
    }
}

/// Judges each tuned network; holds where it does for all.
fn judge(documents: &Documents, of: impl Fn(&TunedRecovery) -> Option<Judgement>) -> Judgement {
    let Some(document) = &documents.recovery else { return not_measured("recovery.json") };
    let judged: Vec<Judgement> = document.tuned.iter().filter_map(of).collect();
    let verdicts: Vec<Verdict> = judged.iter().map(|(verdict, _)| *verdict).collect();
    if verdicts.is_empty() {
        return not_measured("rates of a tuned network in recovery.json");
    }
    let verdict = if verdicts.contains(&Verdict::Fails) {
        Verdict::Fails
    } else if verdicts.contains(&Verdict::Undecided) {
        Verdict::Undecided
    } else {
        Verdict::Holds
    };
    let sentences: Vec<String> = judged.into_iter().map(|(_, sentence)| sentence).collect();
    let end = match verdict {
        Verdict::Undecided => "; with their Wilson 95% intervals these rates cannot be told apart",
        Verdict::Fails => "; at least one rate does not fall as the gate would have it",
        Verdict::Holds => "",
    };
    (verdict, format!("{}{end}.", sentences.join("; ")))
}

/// Whether something happens less often in `closed` than in `open`, beyond both intervals.
fn compare(closed: &RateBin, open: &RateBin) -> Verdict {
    if closed.total == 0 || open.total == 0 {
        Verdict::Undecided
    } else if closed.high < open.low {
        Verdict::Holds
    } else if open.high < closed.low {
        Verdict::Fails
    } else {
        Verdict::Undecided
    }
}

fn rate(bin: &RateBin) -> String {
    if bin.total == 0 {
        "–".to_owned()
    } else {
        percent(bin.happened as f64 / bin.total as f64, 1)
    }
}
