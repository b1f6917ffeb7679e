//! What networks, policies and positions are called in a report.

use std::path::Path;

use study::{SelfPlayTemperature, Variant};

use crate::documents::{Configuration, CoverageLine, Documents, RAW};

/// Name by which measurements of coverage know the initial position.
pub(crate) const INITIAL: &str = "initial";

/// `Forward KL, adaptive`.
pub(crate) fn variant(variant: Variant) -> String {
    match variant {
        Variant::Base => "Frozen base".to_owned(),
        Variant::PuzzleTuned => "Puzzle-tuned control".to_owned(),
        Variant::SelfPlay { term, temperature } => {
            let temperature = match temperature {
                SelfPlayTemperature::Adaptive => "adaptive",
                SelfPlayTemperature::One => "τ ≡ 1",
            };
            format!("{}, {temperature}", term.title())
        }
    }
}

/// The variant for which a network stands, else the network's own name.
pub(crate) fn network(documents: &Documents, name: &str) -> String {
    let arms = documents.selection.iter().flat_map(|selection| &selection.arms);
    let found = arms.into_iter().find(|arm| arm.network == Path::new(name));
    found.map_or_else(|| name.to_owned(), |arm| variant(arm.variant))
}

/// `Frozen base, raw`, `Forward KL, adaptive`.
pub(crate) fn configuration(at: Configuration<'_>) -> String {
    match at.arm.variant {
        Variant::Base => format!("{}, {}", variant(Variant::Base), sampling(at.sampling)),
        other => variant(other),
    }
}

/// `raw` or `μ`.
pub(crate) fn sampling(name: &str) -> &str {
    if name == RAW { "raw" } else { "μ" }
}

/// A position's name in words.
pub(crate) fn position(name: &str) -> String {
    match name {
        INITIAL => "Initial position".to_owned(),
        "ruy-lopez" => "Ruy Lopez, main line".to_owned(),
        "najdorf-english-attack" => "Sicilian Najdorf, English Attack".to_owned(),
        "qgd-tartakower" => "Queen's Gambit Declined, Tartakower".to_owned(),
        other => other.to_owned(),
    }
}

/// The positions at which coverage was measured, in the order of the file.
pub(crate) fn positions(lines: &[CoverageLine]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for line in lines {
        if !names.contains(&line.position.as_str()) {
            names.push(&line.position);
        }
    }
    names
}
