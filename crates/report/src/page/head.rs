//! What was studied.

use std::fmt::Write as _;

use study::{Scale, SuiteRole, Variant};

use crate::documents::Documents;
use crate::escape::escaped;
use crate::names;
use crate::numbers::{coefficient, count};

/// Letters of a sum that tell files apart at a glance.
const SHORT_SUM: usize = 12;

/// The head of the page.
pub(super) fn html(documents: &Documents) -> String {
    let mut html = String::new();
    write(&mut html, documents).expect("a string");
    html
}

fn write(html: &mut String, documents: &Documents) -> std::fmt::Result {
    let study = &documents.study;
    let scale = match study.scale {
        Scale::Small => "small",
        Scale::Paper => "the paper’s",
    };
    writeln!(
        html,
        "<header>\n<p class=\"kicker\">Searchless study</p>\n<h1>{}</h1>\n<dl class=\"facts\">",
        escaped(&study.base_title)
    )?;
    let mut fact =
        |name: &str, value: &str| writeln!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    fact("Base network", &sum(&study.base_sha256))?;
    fact("Scale", scale)?;
    fact("Steps of a run", &count(study.steps))?;
    fact("Games side by side", &count(study.games))?;
    fact("Seed", &study.seed.to_string())?;
    fact("Runs of the sweep", &study.cells.len().to_string())?;
    writeln!(html, "</dl>")?;
    suites(html, documents)?;
    networks(html, documents)?;
    if !study.cuts.is_empty() {
        writeln!(html, "<div class=\"cuts\"><h2>What was cut</h2><ul>")?;
        for cut in &study.cuts {
            writeln!(html, "<li>{}</li>", escaped(cut))?;
        }
        writeln!(html, "</ul></div>")?;
    }
    writeln!(html, "</header>")
}

fn sum(sha256: &str) -> String {
    let short: String = sha256.chars().take(SHORT_SUM).collect();
    format!("<code title=\"SHA-256 {}\">{}</code>", escaped(sha256), escaped(&short))
}

fn suites(html: &mut String, documents: &Documents) -> std::fmt::Result {
    writeln!(
        html,
        "<details open>\n<summary>Suites</summary>\n<div class=\"scroll\"><table class=\"plain\">\n\
         <thead><tr><th scope=\"col\">For</th><th scope=\"col\">File</th><th scope=\"col\">SHA-256</th>\
         <th scope=\"col\" class=\"number\">Puzzles</th></tr></thead>\n<tbody>"
    )?;
    for suite in &documents.study.suites {
        let role = match suite.role {
            SuiteRole::Selection => "selection of coefficients",
            SuiteRole::Uniform => "accuracy",
            SuiteRole::Hard => "accuracy, rated 2400 or more",
            SuiteRole::Mates => "forced mates",
            SuiteRole::Pool => "training of the puzzle-tuned control",
        };
        let file = suite.path.file_name().unwrap_or(suite.path.as_os_str()).to_string_lossy();
        let measured = documents
            .evaluations
            .get(&suite.role)
            .and_then(|lines| lines.first())
            .map(|line| line.puzzles);
        let puzzles = match (measured, suite.limit) {
            (Some(measured), _) => count(measured),
            (None, Some(limit)) => format!("the first {}", count(limit)),
            (None, None) => "all".to_owned(),
        };
        writeln!(
            html,
            "<tr><td>{role}</td><td>{}</td><td>{}</td><td class=\"number\">{puzzles}</td></tr>",
            escaped(&file),
            sum(&suite.sha256)
        )?;
    }
    writeln!(html, "</tbody></table></div>\n</details>")
}

fn networks(html: &mut String, documents: &Documents) -> std::fmt::Result {
    let Some(selection) = &documents.selection else {
        return writeln!(
            html,
            "<p class=\"note\">No coefficients are selected yet: run <code>searchless reproduce</code> \
             on this study to make <code>selection.json</code>.</p>"
        );
    };
    writeln!(
        html,
        "<details>\n<summary>Networks</summary>\n<div class=\"scroll\"><table class=\"plain\">\n\
         <thead><tr><th scope=\"col\">Network</th><th scope=\"col\">β</th><th scope=\"col\">File</th>\
         </tr></thead>\n<tbody>"
    )?;
    for variant in Variant::all() {
        let Some(arm) = selection.arm(variant) else { continue };
        let beta = arm.beta.map_or("–".to_owned(), coefficient);
        writeln!(
            html,
            "<tr><td>{}</td><td>{beta}</td><td><code>{}</code></td></tr>",
            names::variant(variant),
            escaped(&arm.network.to_string_lossy())
        )?;
    }
    writeln!(html, "</tbody></table></div>\n</details>")
}
