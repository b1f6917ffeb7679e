//! Retention: solution probability on hard puzzles, by the direction of the KL.

use study::{SelfPlayTemperature, SuiteRole, Term, Variant};

use super::{Finding, Judgement, Verdict, not_measured};
use crate::documents::{Documents, Measures};

pub(super) fn finding(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents);
    Finding {
        slug: "retention",
        claim: "Forward KL keeps hard solutions that reverse KL drops",
        verdict,
        sentence,
        paper: "On puzzles rated 2400 or more the geometric-mean solution probability is 0.236 with \
                forward KL, 0.199 with the base and 0.178 with reverse KL (adaptive temperature).",
    }
}

fn judge(documents: &Documents) -> Judgement {
    let measures = |term| -> Option<&Measures> {
        let temperature = SelfPlayTemperature::Adaptive;
        documents
            .evaluation_of(SuiteRole::Hard, Variant::SelfPlay { term, temperature })?
            .measures()
    };
    let ratio = |term| {
        let measures = measures(term)?;
        let ratio = measures.versus.as_ref()?.geometric_ratio.known()?;
        Some((measures.geometric_mean?, ratio))
    };
    let (Some((forward_mean, forward)), Some((reverse_mean, reverse))) =
        (ratio(Term::ForwardKl), ratio(Term::ReverseKl))
    else {
        return not_measured("the hard suite with forward KL and reverse KL, adaptive temperature");
    };
    let told = |(ratio, low, high): (f64, f64, f64)| format!("{ratio:.2} ({low:.2} to {high:.2})");
    let numbers = format!(
        "On the hard suite forward KL keeps {forward_mean:.3}, {} times the base's solution \
         probability, reverse KL {reverse_mean:.3}, {} times",
        told(forward),
        told(reverse)
    );
    let (forward_above, forward_below) = (forward.1 > 1.0, forward.2 < 1.0);
    let reverse_below = reverse.2 < 1.0;
    // Both ratios are to the same base, so that their order is that of the two networks.
    let parted = forward.1 > reverse.2;
    let crossed = forward.2 < reverse.1;
    if crossed {
        return (Verdict::Fails, format!("{numbers}: the order is the other way round."));
    }
    if forward_below && parted {
        let end = "forward KL keeps more than reverse KL, but less than the base";
        return (Verdict::Fails, format!("{numbers}: {end}."));
    }
    if parted && forward_above && reverse_below {
        return (Verdict::Holds, format!("{numbers}."));
    }
    if parted && reverse.1 > 1.0 {
        let end = "forward KL keeps more than reverse KL, but reverse KL drops nothing either";
        return (Verdict::Fails, format!("{numbers}: {end}."));
    }
    let end = if parted {
        "forward KL keeps more than reverse KL, but one of them cannot be told apart from the base"
    } else {
        "the two cannot be told apart"
    };
    (Verdict::Undecided, format!("{numbers}: {end}."))
}
