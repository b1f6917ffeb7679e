//! Dissociation: puzzle accuracy and playing strength.

use study::{ArenaKind, SuiteRole, Variant};

use super::{Finding, Judgement, Verdict, not_measured};
use crate::documents::Documents;
use crate::names;
use crate::numbers::decimal;

/// A network's gains over the base on both axes, each with its 95% interval.
struct Gains {
    name: String,
    /// In percentage points: estimate, beginning, end.
    accuracy: (f64, f64, f64),
    /// In Elo: estimate, half of the interval's width.
    elo: (f64, f64),
}

pub(super) fn finding(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents);
    Finding {
        slug: "dissociation",
        claim: "Puzzle accuracy and playing strength dissociate",
        verdict,
        sentence,
        paper: "The puzzle-tuned control gains the most accuracy (+2.95 points) and loses 258 ± 9 \
                Elo; accuracy gains of self-play fall in a band of +0.15 to +1.05 points while \
                ratings go from −5.8 to +16.6 Elo.",
    }
}

fn judge(documents: &Documents) -> Judgement {
    let gains: Vec<Gains> =
        Variant::all().into_iter().filter_map(|variant| gains(documents, variant)).collect();
    if gains.is_empty() {
        return not_measured("accuracy on the uniform suite and a rating of the same network");
    }
    let better = |gains: &&Gains| gains.accuracy.1 > 0.0;
    let weaker = |gains: &&Gains| gains.elo.0 + gains.elo.1 < 0.0;
    let stronger = |gains: &&Gains| gains.elo.0 - gains.elo.1 > 0.0;
    let solved_more: Vec<&Gains> = gains.iter().filter(better).collect();
    // The clearest case: the most accuracy gained by a network that plays worse.
    let apart = solved_more
        .iter()
        .filter(|gains| weaker(gains))
        .max_by(|one, other| one.accuracy.0.total_cmp(&other.accuracy.0));
    if let Some(apart) = apart {
        let more = solved_more.iter().filter(|gains| stronger(gains)).count();
        return (
            Verdict::Holds,
            format!(
                "{} solves more and plays worse than the base: {}. Of the {} networks with a gain in \
                 accuracy beyond its interval, {more} are stronger than the base beyond theirs.",
                apart.name,
                apart.numbers(),
                solved_more.len()
            ),
        );
    }
    let Some(first) =
        solved_more.iter().max_by(|one, other| one.accuracy.0.total_cmp(&other.accuracy.0))
    else {
        return (
            Verdict::Undecided,
            format!(
                "None of {} networks gains accuracy beyond its interval, so that there is no gain to \
                 compare with strength.",
                gains.len()
            ),
        );
    };
    if solved_more.iter().all(stronger) {
        return (
            Verdict::Fails,
            format!(
                "Each of the {} networks that solve more is also stronger than the base; the greatest \
                 gain is that of {}: {}.",
                solved_more.len(),
                first.name,
                first.numbers()
            ),
        );
    }
    (
        Verdict::Undecided,
        format!(
            "{} gains the most accuracy: {}. No network that solves more is weaker than the base \
             beyond its interval; some cannot be told apart from it.",
            first.name,
            first.numbers()
        ),
    )
}

fn gains(documents: &Documents, variant: Variant) -> Option<Gains> {
    let measures = documents.evaluation_of(SuiteRole::Uniform, variant)?.measures()?;
    let (value, low, high) = measures.versus.as_ref()?.accuracy_difference.known()?;
    Some(Gains {
        name: names::variant(variant),
        accuracy: (100.0 * value, 100.0 * low, 100.0 * high),
        elo: documents.elo(ArenaKind::Argmax, variant)?,
    })
}

impl Gains {
    fn numbers(&self) -> String {
        let (value, low, high) = self.accuracy;
        let (elo, margin) = self.elo;
        format!(
            "{} percentage points ({} to {}) and {} ± {margin:.1} Elo",
            decimal(value, 2, true),
            decimal(low, 2, true),
            decimal(high, 2, true),
            decimal(elo, 1, true)
        )
    }
}
