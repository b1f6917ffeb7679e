//! Tables as HTML, Markdown and CSV.

use std::fmt::Write as _;

use super::{Against, Cell, Number, Table};
use crate::escape::escaped;

impl Table {
    /// The table's element, without its caption.
    pub fn html(&self) -> String {
        let mut html = String::new();
        self.write_html(&mut html).expect("a string");
        html
    }

    fn write_html(&self, html: &mut String) -> std::fmt::Result {
        let spans = if self.in_paper { " rowspan=\"2\"" } else { "" };
        write!(html, "<table class=\"data\">\n<thead>\n<tr>")?;
        for heading in &self.stub {
            write!(html, "<th class=\"stub\" scope=\"col\"{spans}>{}</th>", escaped(heading))?;
        }
        for heading in &self.columns {
            let span =
                if self.in_paper { " colspan=\"2\" scope=\"colgroup\"" } else { " scope=\"col\"" };
            write!(html, "<th{span}>{}</th>", escaped(heading))?;
        }
        writeln!(html, "</tr>")?;
        if self.in_paper {
            write!(html, "<tr class=\"whose\">")?;
            for _ in &self.columns {
                write!(
                    html,
                    "<th scope=\"col\">here</th><th scope=\"col\" class=\"paper\">paper</th>"
                )?;
            }
            writeln!(html, "</tr>")?;
        }
        writeln!(html, "</thead>\n<tbody>")?;
        let mut previous: Option<&str> = None;
        for row in &self.rows {
            let first = row.stub.first().map(String::as_str);
            // As in the paper, a term is named once for its rows.
            let repeated = self.stub.len() > 1 && previous == first;
            previous = first;
            write!(html, "<tr{}>", if repeated { "" } else { " class=\"group\"" })?;
            for (place, heading) in row.stub.iter().enumerate() {
                let class = if place == 0 && repeated { "stub repeated" } else { "stub" };
                write!(html, "<th class=\"{class}\" scope=\"row\">{}</th>", escaped(heading))?;
            }
            for (column, cell) in row.here.iter().enumerate() {
                write_cell(html, cell)?;
                if let Some(printed) = row.paper.get(column) {
                    let text = plain(printed);
                    write!(html, "<td class=\"paper\">{}</td>", escaped(&text))?;
                }
            }
            writeln!(html, "</tr>")?;
        }
        writeln!(html, "</tbody>\n</table>")
    }

    /// As a table of GitHub's Markdown, under its title, with its caption.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}: {}\n\n", self.name, self.title);
        let mut headings: Vec<String> =
            self.stub.iter().map(|&heading| heading.to_owned()).collect();
        for column in &self.columns {
            headings.push(column.clone());
            if self.in_paper {
                headings.push(format!("{column} (paper)"));
            }
        }
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| markdown_escaped(cell)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        text += &line(&headings);
        let rules =
            (0..headings.len()).map(|place| if place < self.stub.len() { "---" } else { "---:" });
        text += &format!("| {} |\n", rules.collect::<Vec<_>>().join(" | "));
        for row in &self.rows {
            let mut cells = row.stub.clone();
            for (column, cell) in row.here.iter().enumerate() {
                cells.push(marked(cell));
                cells.extend(row.paper.get(column).map(plain));
            }
            text += &line(&cells);
        }
        text + "\n" + &markdown_escaped(&self.caption) + "\n"
    }

    /// As CSV: numbers with the digits of a table's, intervals in columns of their own.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut headings: Vec<String> =
            self.stub.iter().map(|&heading| heading.to_owned()).collect();
        for column in &self.columns {
            headings.extend([
                column.clone(),
                format!("{column}, interval from"),
                format!("{column}, interval to"),
                format!("{column}, in parentheses"),
            ]);
            if self.in_paper {
                headings.push(format!("{column}, paper"));
            }
        }
        writer.write_record(&headings).expect("memory");
        for row in &self.rows {
            let mut fields = row.stub.clone();
            for (column, cell) in row.here.iter().enumerate() {
                fields.extend(fields_of(cell));
                fields.extend(row.paper.get(column).map(|printed| match printed {
                    Cell::Blank => String::new(),
                    printed => plain(printed),
                }));
            }
            writer.write_record(&fields).expect("memory");
        }
        String::from_utf8(writer.into_inner().expect("memory")).expect("text")
    }
}

fn write_cell(html: &mut String, cell: &Cell) -> std::fmt::Result {
    match cell {
        Cell::Number(number) => {
            let mut classes = Vec::new();
            if number.best {
                classes.push("best");
            }
            match number.against_base {
                Some(Against::Above) => classes.push("above"),
                Some(Against::Below) => classes.push("below"),
                None => {}
            }
            write!(html, "<td class=\"{}\">{}", classes.join(" "), escaped(&number.text()))?;
            if let Some(interval) = number.interval_text() {
                write!(html, "<span class=\"interval\">{}</span>", escaped(&interval))?;
            }
            write!(html, "</td>")
        }
        Cell::Text(text) => write!(html, "<td>{}</td>", escaped(text)),
        Cell::Blank => write!(html, "<td class=\"blank\">–</td>"),
        Cell::NotMeasured => write!(html, "<td class=\"missing\">not measured</td>"),
    }
}

/// The words of a cell without its marks.
fn plain(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) => match number.interval_text() {
            Some(interval) => format!("{} ({interval})", number.text()),
            None => number.text(),
        },
        Cell::Text(text) => text.clone(),
        Cell::Blank => "–".to_owned(),
        Cell::NotMeasured => "not measured".to_owned(),
    }
}

/// The words of a cell with its marks, for Markdown.
fn marked(cell: &Cell) -> String {
    let text = plain(cell);
    let Cell::Number(Number { best, against_base, .. }) = cell else { return text };
    let text = if *best { format!("**{text}**") } else { text };
    match against_base {
        Some(Against::Above) => format!("{text} ▲"),
        Some(Against::Below) => format!("{text} ▼"),
        None => text,
    }
}

/// Value, interval and what stands in parentheses.
fn fields_of(cell: &Cell) -> [String; 4] {
    let empty = String::new;
    match cell {
        Cell::Number(number) => {
            let digits = |value: f64| {
                let decimals = number.decimals;
                if value.is_finite() { format!("{value:.decimals$}") } else { "inf".to_owned() }
            };
            let (low, high) = number
                .interval
                .map_or((empty(), empty()), |(low, high)| (digits(low), digits(high)));
            [digits(number.value), low, high, number.aside.map_or_else(empty, digits)]
        }
        Cell::Text(text) => [text.clone(), empty(), empty(), empty()],
        Cell::Blank => [empty(), empty(), empty(), empty()],
        Cell::NotMeasured => ["not measured".to_owned(), empty(), empty(), empty()],
    }
}

/// Text within a table of Markdown: no bars, no lines, no HTML.
fn markdown_escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' => out += "\\|",
            '<' => out += "&lt;",
            '&' => out += "&amp;",
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}
