//! Table 5: sampled play and the shape of policies.

use study::{ArenaKind, Variant};

use super::{Cell, Number, Row, Table, build};
use crate::documents::{Configuration, Documents, RAW};
use crate::paper::{TABLE5, Table5Row};

pub(super) fn table(documents: &Documents) -> Table {
    let mut missing = Vec::new();
    if !documents.ratings.contains_key(&ArenaKind::Sampled) {
        missing.push("rate-sampled.json");
    }
    if documents.shape.is_none() {
        missing.push("shape.json");
    }
    Table {
        slug: "table-5",
        name: "Table 5",
        title: "Sampled play and the shape of the policies".to_owned(),
        caption: "Each network plays by the policy of its self-play: π at temperature 1 (raw) or μ \
                  at the adaptive temperature. Elo over the raw base in a closed round-robin of \
                  drawn moves, with the 95% interval of the difference. The other columns are means \
                  over the positions that each player reaches, in nats where they are entropies or \
                  divergences; intervals are 1.96 standard errors over games. cov₅ is the mass on \
                  the base's five most probable moves. KL(base‖p) of a tempered policy grows as 1/τ \
                  where the value head is certain, so that few positions can make its mean. Which \
                  positions are reached, and hence every mean, depends on the player."
            .to_owned(),
        stub: vec!["Configuration", "Sampling"],
        columns: ["Elo", "H(p)", "KL(base‖p)", "KL(p‖base)", "cov₅"].map(str::to_owned).into(),
        rows: TABLE5.iter().map(|printed| row(documents, printed)).collect(),
        in_paper: true,
        missing,
    }
}

fn row(documents: &Documents, printed: &Table5Row) -> Row {
    let Table5Row { variant, sampling, .. } = *printed;
    let configuration = documents.arm(variant).map(|arm| Configuration { arm, sampling });
    let base = variant == Variant::Base && sampling == RAW;
    let elo = if base {
        documents.ratings.get(&ArenaKind::Sampled).map(|_| Number::new(0.0, 0))
    } else {
        configuration
            .and_then(|at| documents.sampled_elo(at))
            .map(|(elo, margin)| Number::new(elo, 0).signed().within(elo - margin, elo + margin))
    };
    let played = configuration.and_then(|at| documents.shape_of(at)).map(|line| &line.played);
    let means = played
        .map(|played| [played.entropy, played.forward_kl, played.reverse_kl, played.top_five]);
    let mut here = vec![Cell::number(elo)];
    here.extend((0..4).map(|column| {
        Cell::number(means.map(|means| {
            let mut number = build::mean(means[column], 2);
            // The base does not differ from itself, by definition and not by measurement.
            if base && matches!(column, 1 | 2) {
                number.interval = None;
            }
            number
        }))
    }));
    let mut paper = vec![Cell::Text(printed.elo.to_string())];
    paper.extend(printed.shape.iter().map(|value| Cell::Text(value.to_string())));
    let [term, temperature] = &build::stub(variant)[..] else { unreachable!("two headings") };
    let title = match variant {
        Variant::Base => term.clone(),
        _ => format!("{term}, {temperature}"),
    };
    Row { stub: vec![title, if sampling == RAW { "raw" } else { "μ" }.to_owned()], here, paper }
}
