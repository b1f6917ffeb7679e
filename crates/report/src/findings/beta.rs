//! The response of the error to the forward KL's coefficient.

use study::Variant;

use super::{Finding, Judgement, Verdict, not_measured};
use crate::documents::{Documents, Measures};
use crate::figures::beta_points;
use crate::names;
use crate::numbers::{coefficient, percent};

pub(super) fn finding(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents);
    Finding {
        slug: "beta",
        claim: "The error is least at a coefficient between the limits",
        verdict,
        sentence,
        paper: "The error falls from 6.15% (base) and 5.94% (no regulariser) to 5.13% at β = 10⁻² and \
                climbs again to 5.91% at β = 1 (forward KL, adaptive temperature).",
    }
}

fn judge(documents: &Documents) -> Judgement {
    let points = beta_points(documents);
    let [first, .., last] = &points.betas[..] else {
        return not_measured("beta-curve.jsonl at two coefficients or more");
    };
    let Some(base) = points.base.filter(|measures| measures.total > 0) else {
        return not_measured("the base in beta-curve.jsonl");
    };
    let error = |measures: &Measures| 1.0 - measures.accuracy.unwrap_or(f64::NAN);
    let Some(best) = points
        .betas
        .iter()
        .filter(|(_, measures)| measures.total > 0)
        .min_by(|(_, one), (_, other)| error(one).total_cmp(&error(other)))
    else {
        return not_measured("puzzles in beta-curve.jsonl");
    };
    let told = |measures: &Measures| {
        format!(
            "{}% ({} to {})",
            percent(error(measures), 2),
            percent(1.0 - measures.high, 2),
            percent(1.0 - measures.low, 2)
        )
    };
    let mut numbers = format!(
        "The error is least at β = {}, {}; {} errs on {}",
        coefficient(best.0),
        told(best.1),
        names::variant(Variant::Base),
        told(base)
    );
    for (beta, measures) in [first, last] {
        if *beta != best.0 {
            numbers += &format!(", β = {} on {}", coefficient(*beta), told(measures));
        }
    }
    if best.0 == first.0 || best.0 == last.0 {
        let end = "the least error is at an end of the range";
        return (Verdict::Fails, format!("{numbers}: {end}."));
    }
    // The error is below another where the accuracy is above it.
    let below = |other: &Measures| best.1.low > other.high;
    if below(base) && below(first.1) && below(last.1) {
        return (Verdict::Holds, format!("{numbers}."));
    }
    let end = "with overlapping intervals the least error cannot be told apart from all of them";
    (Verdict::Undecided, format!("{numbers}: {end}."))
}
