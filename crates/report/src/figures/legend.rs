//! What colours and lines stand for.

use plotters::coord::Shift;
use plotters::prelude::{Circle, DrawingArea, PathElement, Rectangle, SVGBackend, Text};
use plotters::style::{Color as _, IntoFont as _, IntoTextStyle as _, ShapeStyle};

use super::panel::{SCALE, SvgError, hollow, stroke};
use crate::escape::escaped;
use crate::ink::{Ink, Pen};

/// An entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LegendEntry {
    pub(crate) label: String,
    pub(crate) pen: Pen,
    pub(crate) sign: Sign,
}

/// How something is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Line,
    Dot,
    Bar,
}

/// Height of a row.
const ROW: i32 = 19;
/// Length of a sign.
const SIGN: i32 = 26;
/// Beginning of the first column.
const LEFT: i32 = 14;

impl LegendEntry {
    pub(crate) fn line(label: impl Into<String>, pen: Pen) -> LegendEntry {
        LegendEntry { label: label.into(), pen, sign: Sign::Line }
    }

    pub(crate) fn dot(label: impl Into<String>, pen: Pen) -> LegendEntry {
        LegendEntry { label: label.into(), pen, sign: Sign::Dot }
    }

    pub(crate) fn bar(label: impl Into<String>, ink: Ink) -> LegendEntry {
        LegendEntry { label: label.into(), pen: Pen::solid(ink), sign: Sign::Bar }
    }
}

/// Columns that labels leave room for.
fn columns(entries: &[LegendEntry], width: u32) -> usize {
    let longest = entries.iter().map(|entry| entry.label.chars().count()).max().unwrap_or(0);
    // A letter is about 7 wide.
    let column = f64::from(SIGN + 20) + 7.0 * longest as f64;
    ((f64::from(width) / column).floor() as usize).clamp(1, 3)
}

/// Height of a legend within a picture of `width`.
pub(crate) fn height(entries: &[LegendEntry], width: u32) -> u32 {
    if entries.is_empty() {
        return 0;
    }
    let rows = entries.len().div_ceil(columns(entries, width));
    rows as u32 * ROW as u32 + 8
}

/// Draws a legend.
pub(crate) fn draw(
    entries: &[LegendEntry],
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    width: u32,
) -> Result<(), SvgError> {
    let columns = columns(entries, width);
    let rows = entries.len().div_ceil(columns);
    let ink = Ink::Text.rgb();
    let style = ("sans-serif", 16 * SCALE).into_font().into_text_style(area).color(&ink);
    for (number, entry) in entries.iter().enumerate() {
        let (column, row) = (number / rows.max(1), number % rows.max(1));
        let x = (LEFT + column as i32 * (width as i32 / columns as i32)) * SCALE;
        let y = (row as i32 * ROW + ROW / 2) * SCALE;
        let middle = x + SIGN * SCALE / 2;
        match entry.sign {
            Sign::Line => area.draw(&PathElement::new(
                vec![(x, y), (x + SIGN * SCALE, y)],
                stroke(entry.pen, 2.0),
            ))?,
            Sign::Dot => {
                area.draw(&PathElement::new(
                    vec![(middle, y - 6 * SCALE), (middle, y + 6 * SCALE)],
                    stroke(Pen::solid(entry.pen.ink), 1.5),
                ))?;
                dot(area, (middle, y), entry.pen)?;
            }
            Sign::Bar => area.draw(&Rectangle::new(
                [(middle - 6 * SCALE, y - 5 * SCALE), (middle + 6 * SCALE, y + 5 * SCALE)],
                entry.pen.ink.rgb().filled(),
            ))?,
        }
        area.draw(&Text::new(
            entry.label.clone(),
            (x + (SIGN + 7) * SCALE, y - 5 * SCALE),
            style.clone(),
        ))?;
    }
    Ok(())
}

fn dot(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    at: (i32, i32),
    pen: Pen,
) -> Result<(), SvgError> {
    let styles: Vec<ShapeStyle> = hollow(pen);
    styles.into_iter().try_for_each(|style| area.draw(&Circle::new(at, 4 * SCALE, style)))?;
    Ok(())
}

/// The legend as an element of a page.
pub(crate) fn html(entries: &[LegendEntry]) -> String {
    let items: String = entries
        .iter()
        .map(|entry| {
            let colour = entry.pen.ink.style();
            let dashes = if entry.pen.dashed { " stroke-dasharray=\"5 3.5\"" } else { "" };
            let sign = match entry.sign {
                Sign::Line => format!(
                    "<line x1=\"0\" y1=\"6\" x2=\"26\" y2=\"6\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
                ),
                Sign::Dot => {
                    let fill = if entry.pen.dashed { "var(--paper)" } else { &colour };
                    format!(
                        "<line x1=\"13\" y1=\"0\" x2=\"13\" y2=\"12\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
                         <circle cx=\"13\" cy=\"6\" r=\"3.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
                    )
                }
                Sign::Bar => format!(
                    "<rect x=\"7\" y=\"1\" width=\"12\" height=\"10\" fill=\"{colour}\"/>"
                ),
            };
            format!(
                "<li><svg width=\"26\" height=\"12\" viewBox=\"0 0 26 12\" aria-hidden=\"true\">{sign}</svg>{}</li>\n",
                escaped(&entry.label)
            )
        })
        .collect();
    format!("<ul class=\"legend\">\n{items}</ul>\n")
}
