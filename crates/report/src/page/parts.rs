//! Tables, figures and findings as elements of the page.

use std::fmt::Write as _;

use crate::escape::escaped;
use crate::figures::{BoardPicture, Content, inline, legend_html, verdict};
use crate::numbers::percent;
use crate::{Figure, StudyReport, Verdict};

/// A verdict, by word, sign and colour.
pub(super) fn badge(verdict: Verdict) -> String {
    let (class, sign) = match verdict {
        Verdict::Holds => ("holds", "✓"),
        Verdict::Fails => ("fails", "✗"),
        Verdict::Undecided => ("undecided", "?"),
    };
    format!(
        "<span class=\"badge {class}\"><span aria-hidden=\"true\">{sign}</span> {verdict}</span>"
    )
}

/// A note in the place of what was not measured.
fn missing(files: &[&str], nothing: bool) -> String {
    if files.is_empty() {
        return String::new();
    }
    let files: Vec<String> =
        files.iter().map(|file| format!("<code>{}</code>", escaped(file))).collect();
    let what = if nothing { "Not measured" } else { "Not all is measured" };
    format!(
        "<p class=\"note\">{what}: run <code>searchless reproduce</code> on this study to make {}.</p>\n",
        files.join(", ")
    )
}

/// A table by its name.
pub(super) fn table(report: &StudyReport, slug: &str) -> String {
    let table = report.tables.iter().find(|table| table.slug == slug).expect("a table");
    let name = if table.name == table.title || !table.in_paper {
        String::new()
    } else {
        format!("<b>{}.</b> ", table.name)
    };
    let body = if table.is_empty() {
        String::new()
    } else {
        format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n",
            escaped(table.name),
            table.html()
        )
    };
    format!(
        "<figure class=\"table\" id=\"{slug}\">\n<h3>{name}{}</h3>\n{}{body}\
         <figcaption>{}</figcaption>\n</figure>\n",
        escaped(&table.title),
        missing(&table.missing, table.is_empty()),
        escaped(&table.caption)
    )
}

/// A figure by its name.
pub(super) fn figure(report: &StudyReport, slug: &str) -> String {
    let figure = report.figures.iter().find(|figure| figure.slug == slug).expect("a figure");
    let mut html = String::new();
    write_figure(&mut html, figure).expect("a string");
    html
}

fn write_figure(html: &mut String, figure: &Figure) -> std::fmt::Result {
    let name = if figure.name.starts_with("Figure") {
        format!("<b>{}.</b> ", figure.name)
    } else {
        String::new()
    };
    // A table may have the same name.
    writeln!(
        html,
        "<figure id=\"{}-drawn\">\n<h3>{name}{}</h3>\n{}",
        figure.slug,
        escaped(figure.title),
        missing(&figure.missing, figure.is_empty())
    )?;
    match &figure.content {
        Content::Panels { panels, legend } if !panels.is_empty() => {
            html.push_str(&legend_html(legend));
            let class = match panels.len() {
                1 => "panels single",
                2 | 4 => "panels pairs",
                _ => "panels",
            };
            writeln!(html, "<div class=\"{class}\">")?;
            for panel in panels {
                writeln!(html, "<div class=\"panel\">{}</div>", inline(&panel.svg(&[])))?;
            }
            writeln!(html, "</div>")?;
        }
        Content::Panels { .. } => {}
        Content::Boards(boards) if boards.is_empty() && figure.missing.is_empty() => {
            writeln!(html, "<p class=\"note\">No puzzle is recovered by one network alone.</p>")?;
        }
        Content::Boards(boards) => {
            writeln!(html, "<div class=\"boards\">")?;
            for board in boards {
                write_board(html, board)?;
            }
            writeln!(html, "</div>")?;
        }
    }
    if !figure.is_empty() {
        writeln!(html, "<figcaption>{}</figcaption>", escaped(&figure.caption))?;
    }
    writeln!(html, "</figure>")
}

fn write_board(html: &mut String, board: &BoardPicture) -> std::fmt::Result {
    writeln!(
        html,
        "<div class=\"board\">\n{}<p class=\"subtitle\">{}</p>\n<div class=\"scroll\">\n\
         <table class=\"candidates\">\n<thead><tr><th></th>",
        inline(&board.board.clone().titled(&board.title).svg()),
        escaped(&board.subtitle)
    )?;
    for network in &board.networks {
        write!(html, "<th colspan=\"2\" scope=\"colgroup\">{}</th>", escaped(network))?;
    }
    if board.engine {
        write!(html, "<th rowspan=\"2\" scope=\"col\">Engine</th>")?;
    }
    write!(html, "</tr><tr><th scope=\"col\">Move</th>")?;
    for _ in &board.networks {
        write!(html, "<th scope=\"col\">p, %</th><th scope=\"col\">v, %</th>")?;
    }
    writeln!(html, "</tr></thead>\n<tbody>")?;
    for candidate in &board.candidates {
        let (class, sign) = if candidate.solves { (" class=\"solves\"", " ✓") } else { ("", "") };
        write!(html, "<tr{class}><th scope=\"row\">{}{sign}</th>", escaped(&candidate.san))?;
        for opinion in &candidate.networks {
            let (p, v) = (percent(opinion.probability, 1), percent(opinion.value, 0));
            write!(html, "<td>{p}</td><td>{v}</td>")?;
        }
        if board.engine {
            let said = verdict(candidate).unwrap_or_else(|| "–".to_owned());
            write!(html, "<td>{}</td>", escaped(&said))?;
        }
        writeln!(html, "</tr>")?;
    }
    writeln!(html, "</tbody>\n</table>\n</div>\n</div>")
}

/// A finding by its name, beside what it is computed from.
pub(super) fn finding(report: &StudyReport, slug: &str) -> String {
    let finding = report.findings.iter().find(|finding| finding.slug == slug).expect("a finding");
    format!(
        "<aside class=\"finding\" id=\"finding-{slug}\">\n<p class=\"claim\">{} {}</p>\n\
         <p>{}</p>\n<p class=\"paper\">Paper: {}</p>\n</aside>\n",
        badge(finding.verdict),
        escaped(finding.claim),
        escaped(&finding.sentence),
        escaped(finding.paper)
    )
}
