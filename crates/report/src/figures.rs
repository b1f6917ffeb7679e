//! The figures of a report.

mod axis;
mod beta;
mod boards;
mod calibration;
mod coverage;
mod directions;
mod game;
mod legend;
mod mates;
mod panel;
mod recovery;
mod retention;
mod tactics;
#[cfg(test)]
mod tests;
mod training;

use crate::documents::Documents;
use crate::ink;

pub(crate) use beta::beta_points;
pub(crate) use boards::{BoardPicture, verdict};
pub(crate) use legend::{LegendEntry, html as legend_html};
pub(crate) use panel::Panel;

/// A figure: one or several pictures under one caption.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its name in file names: `figure-05`.
    pub slug: &'static str,
    /// Its name for people: `Figure 5`.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// How to read it.
    pub caption: String,
    /// Files of measurements that are not there.
    pub missing: Vec<&'static str>,
    pub(crate) content: Content,
}

/// What a figure shows.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Diagrams that share a legend.
    Panels { panels: Vec<Panel>, legend: Vec<LegendEntry> },
    /// Boards.
    Boards(Vec<BoardPicture>),
}

/// A picture as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its name without a directory: `figure-05.svg`.
    pub file: String,
    /// A whole SVG document.
    pub svg: String,
}

impl Figure {
    /// All figures, the paper's first.
    pub fn all(documents: &Documents) -> Vec<Figure> {
        vec![
            mates::figure(documents),
            directions::figure(documents),
            game::figure(documents),
            beta::figure(documents),
            retention::figure(documents),
            coverage::initial(documents),
            recovery::figure(documents),
            boards::figure(documents),
            coverage::tabiyas(documents),
            tactics::figure(documents),
            training::policies(documents),
            training::openings(documents),
            calibration::figure(documents),
        ]
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        match &self.content {
            Content::Panels { panels, .. } => panels.is_empty(),
            Content::Boards(boards) => boards.is_empty(),
        }
    }

    /// Its pictures, each for itself.
    pub fn pictures(&self) -> Vec<Picture> {
        let many = match &self.content {
            Content::Panels { panels, .. } => panels.len() > 1,
            Content::Boards(_) => true,
        };
        let file = |number: usize| {
            if many {
                // Letters, as panels are named in print.
                let letter = char::from(b'a' + u8::try_from(number % 26).expect("below 26"));
                let round = if number < 26 { String::new() } else { (number / 26).to_string() };
                format!("{}{letter}{round}.svg", self.slug)
            } else {
                format!("{}.svg", self.slug)
            }
        };
        let svgs: Vec<String> = match &self.content {
            Content::Panels { panels, legend } => {
                panels.iter().map(|panel| panel.svg(legend)).collect()
            }
            Content::Boards(boards) => boards.iter().map(BoardPicture::svg).collect(),
        };
        svgs.into_iter()
            .enumerate()
            .map(|(number, svg)| Picture { file: file(number), svg })
            .collect()
    }
}

/// A picture as an element of a page: its colours are the page's, its width that of its place.
pub(crate) fn inline(svg: &str) -> String {
    ink::adapted(svg.to_owned())
}
