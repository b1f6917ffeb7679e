//! The page of a report.

mod head;
mod parts;
mod sections;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use crate::documents::Documents;
use crate::escape::escaped;
use crate::{StudyReport, Verdict, ink};

use self::sections::{Item, SECTIONS};

/// The whole page.
pub(crate) fn html(documents: &Documents, report: &StudyReport) -> String {
    let mut html = String::new();
    write(&mut html, documents, report).expect("a string");
    html
}

fn write(html: &mut String, documents: &Documents, report: &StudyReport) -> std::fmt::Result {
    let title = format!("Study of {}", documents.study.base_title);
    writeln!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{}{}</style>\n</head>\n<body>",
        escaped(&title),
        ink::variables(),
        include_str!("page/style.css")
    )?;
    html.push_str(&head::html(documents));
    writeln!(html, "<main>")?;
    findings(html, report)?;
    contents(html)?;
    for section in SECTIONS {
        writeln!(html, "<section id=\"{}\">\n<h2>{}</h2>", section.slug, section.title)?;
        for &item in section.items {
            match item {
                Item::Table(slug) => html.push_str(&parts::table(report, slug)),
                Item::Figure(slug) => html.push_str(&parts::figure(report, slug)),
                Item::Finding(slug) => html.push_str(&parts::finding(report, slug)),
            }
        }
        writeln!(html, "</section>")?;
    }
    writeln!(
        html,
        "</main>\n<footer><p>Made by {}. The paper is “Beyond Search-Imitation: Prior-Directed \
         Exploration for Searchless Chess” (arXiv 2608.27757); its numbers are of another network, \
         BT4-1024x15x32h, at its own scale. One run per cell: intervals tell the uncertainty of \
         measuring a network, not of training it.</p></footer>\n</body>\n</html>",
        escaped(&documents.study.program)
    )
}

/// All findings, to be seen at once.
fn findings(html: &mut String, report: &StudyReport) -> std::fmt::Result {
    let of = |verdict| report.findings.iter().filter(|finding| finding.verdict == verdict).count();
    writeln!(
        html,
        "<section id=\"findings\">\n<h2>Do the paper’s findings hold here?</h2>\n\
         <p class=\"tally\"><b>{}</b> hold, <b>{}</b> fail, <b>{}</b> undecided. Each is computed \
         from the measurements below; where intervals overlap nothing is claimed.</p>\n\
         <ul class=\"findings\">",
        of(Verdict::Holds),
        of(Verdict::Fails),
        of(Verdict::Undecided)
    )?;
    for finding in &report.findings {
        writeln!(
            html,
            "<li>{}<div><p class=\"claim\"><a href=\"#finding-{}\">{}</a></p><p>{}</p></div></li>",
            parts::badge(finding.verdict),
            finding.slug,
            escaped(finding.claim),
            escaped(&finding.sentence)
        )?;
    }
    writeln!(html, "</ul>\n</section>")
}

fn contents(html: &mut String) -> std::fmt::Result {
    writeln!(html, "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>")?;
    for section in SECTIONS {
        writeln!(html, "<li><a href=\"#{}\">{}</a></li>", section.slug, section.title)?;
    }
    writeln!(html, "</ol>\n</nav>")
}
