//! Coverage: the forward KL between the reverse KL and the base.

use study::{SelfPlayTemperature, Term, Variant};

use super::{Finding, Judgement, Verdict, not_measured};
use crate::documents::{Configuration, CoverageLine, Documents, RAW, TEMPERED};
use crate::names;
use crate::numbers::count;

/// Draws that cover 95%, at one position by one kind of policy.
struct Order {
    place: String,
    /// Of reverse KL, forward KL and base; none is more than 10^15.
    draws: [Option<u64>; 3],
}

pub(super) fn finding(documents: &Documents) -> Finding {
    let (verdict, sentence) = judge(documents);
    Finding {
        slug: "coverage",
        claim: "Forward KL keeps coverage between reverse KL and the base",
        verdict,
        sentence,
        paper: "95% of the depth-4 mass from the initial position takes about 700 draws with reverse \
                KL, 1,400 with forward KL and 15,000 with the base through μ (640, 1,600 and 22,000 \
                raw); the order is the same at three tabiyas.",
    }
}

fn judge(documents: &Documents) -> Judgement {
    let Some(lines) = &documents.coverage else { return not_measured("coverage.json") };
    let orders: Vec<Order> = names::positions(lines)
        .into_iter()
        .flat_map(|position| {
            SelfPlayTemperature::ALL
                .into_iter()
                .filter_map(move |temperature| order(documents, position, temperature))
        })
        .collect();
    if orders.is_empty() {
        return not_measured("coverage of reverse KL, forward KL and base by the same policy");
    }
    let (kept, broken): (Vec<&Order>, Vec<&Order>) = orders.iter().partition(|order| order.holds());
    let told = |order: &Order| {
        let [reverse, forward, base] = order.draws.map(draws);
        format!("{}: {reverse}, {forward} and {base}", order.place)
    };
    const NUMBERS: &str = "Draws with reverse KL, forward KL and the base:";
    let cases = orders.len();
    let all = if cases == 1 {
        "In the one case measured".to_owned()
    } else {
        format!("In all {cases} cases")
    };
    if broken.is_empty() {
        return (
            Verdict::Holds,
            format!(
                "{all} reverse KL is narrower than forward KL and forward KL narrower than the base. \
                 {NUMBERS} {}.",
                told(kept[0])
            ),
        );
    }
    let broken: Vec<String> = broken.into_iter().map(told).collect();
    let sentence = format!(
        "The order holds in {} of {cases} cases. {NUMBERS} {}.",
        kept.len(),
        broken.join("; ")
    );
    (Verdict::Fails, sentence)
}

fn order(documents: &Documents, position: &str, temperature: SelfPlayTemperature) -> Option<Order> {
    let sampling = match temperature {
        SelfPlayTemperature::Adaptive => TEMPERED,
        SelfPlayTemperature::One => RAW,
    };
    let line = |variant: Variant| -> Option<&CoverageLine> {
        let arm = documents.arm(variant)?;
        documents.coverage_of(Configuration { arm, sampling }, position)
    };
    let arm = |term| line(Variant::SelfPlay { term, temperature });
    let draws = [arm(Term::ReverseKl)?, arm(Term::ForwardKl)?, line(Variant::Base)?]
        .map(|line| line.draws_95);
    Some(Order {
        place: format!("{}, {}", names::position(position), names::sampling(sampling)),
        draws,
    })
}

impl Order {
    fn holds(&self) -> bool {
        let [reverse, forward, base] = self.draws.map(|draws| draws.unwrap_or(u64::MAX));
        reverse < forward && forward < base
    }
}

/// Draws in words.
pub(super) fn draws(number: Option<u64>) -> String {
    number.map_or_else(|| "more than 10¹⁵".to_owned(), count)
}
