//! Colours of figures and boards, on paper and on a screen in light or dark.
//!
//! A file of a figure has the colours of paper. Within a page each colour becomes a variable of
//! its style sheet, so that the same picture follows the reader's preference.

use std::fmt::Write as _;

use plotters::style::RGBColor;
use study::{SelfPlayTemperature, Term, Variant};

/// What a colour stands for. The colours of terms are told apart with any colour vision (after
/// Okabe and Ito), and differ in lightness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Words and axes.
    Text,
    /// What stands back.
    Muted,
    /// Lines of a grid.
    Grid,
    /// The ground.
    Paper,
    /// The base.
    Base,
    /// A term.
    Term(Term),
    /// The puzzle-tuned control.
    PuzzleTuned,
}

/// A colour and whether lines of it are dashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pen {
    pub(crate) ink: Ink,
    pub(crate) dashed: bool,
}

impl Ink {
    /// All.
    pub(crate) const ALL: [Ink; 10] = [
        Ink::Text,
        Ink::Muted,
        Ink::Grid,
        Ink::Paper,
        Ink::Base,
        Ink::Term(Term::None),
        Ink::Term(Term::EntropyBonus),
        Ink::Term(Term::ReverseKl),
        Ink::Term(Term::ForwardKl),
        Ink::PuzzleTuned,
    ];

    /// On paper and in light; all are even numbers (see [`dashes`]).
    fn light(self) -> u32 {
        match self {
            Ink::Text => 0x1b_1f_24,
            Ink::Muted => 0x5f_68_74,
            Ink::Grid => 0xe1_e4_e8,
            Ink::Paper => 0xff_ff_fe,
            Ink::Base => 0x76_7d_86,
            Ink::Term(Term::None) => 0xc9_4f_00,
            Ink::Term(Term::EntropyBonus) => 0xd0_96_00,
            Ink::Term(Term::ReverseKl) => 0x00_9a_70,
            Ink::Term(Term::ForwardKl) => 0x00_66_b0,
            Ink::PuzzleTuned => 0xa8_40_96,
        }
    }

    fn dark(self) -> u32 {
        match self {
            Ink::Text => 0xe6_e8_eb,
            Ink::Muted => 0x9a_a4_b0,
            Ink::Grid => 0x33_3a_44,
            Ink::Paper => 0x16_19_1e,
            Ink::Base => 0xa9_b1_ba,
            Ink::Term(Term::None) => 0xff_8a_45,
            Ink::Term(Term::EntropyBonus) => 0xf2_bf_3a,
            Ink::Term(Term::ReverseKl) => 0x3c_cf_a2,
            Ink::Term(Term::ForwardKl) => 0x5f_b4_f5,
            Ink::PuzzleTuned => 0xe0_90_d2,
        }
    }

    /// Its variable in the style sheet.
    fn variable(self) -> &'static str {
        match self {
            Ink::Text => "--text",
            Ink::Muted => "--muted",
            Ink::Grid => "--grid",
            Ink::Paper => "--paper",
            Ink::Base => "--base",
            Ink::Term(Term::None) => "--none",
            Ink::Term(Term::EntropyBonus) => "--entropy-bonus",
            Ink::Term(Term::ReverseKl) => "--reverse-kl",
            Ink::Term(Term::ForwardKl) => "--forward-kl",
            Ink::PuzzleTuned => "--puzzle-tuned",
        }
    }

    /// As SVG has it: `#1B1F24`.
    pub(crate) fn hex(self) -> String {
        format!("#{:06X}", self.light())
    }

    /// As the style sheet has it: `var(--text)`.
    pub(crate) fn style(self) -> String {
        format!("var({})", self.variable())
    }

    /// For plotting.
    pub(crate) fn rgb(self) -> RGBColor {
        let [_, red, green, blue] = self.light().to_be_bytes();
        RGBColor(red, green, blue)
    }
}

impl Pen {
    /// Lines without gaps.
    pub(crate) fn solid(ink: Ink) -> Pen {
        Pen { ink, dashed: false }
    }

    /// Dashed lines.
    pub(crate) fn dashed(ink: Ink) -> Pen {
        Pen { ink, dashed: true }
    }

    /// Of a variant: a colour for each term, solid for the adaptive temperature.
    pub(crate) fn of(variant: Variant) -> Pen {
        match variant {
            Variant::Base => Pen::solid(Ink::Base),
            Variant::PuzzleTuned => Pen::solid(Ink::PuzzleTuned),
            Variant::SelfPlay { term, temperature } => {
                Pen { ink: Ink::Term(term), dashed: temperature == SelfPlayTemperature::One }
            }
        }
    }

    /// For plotting: a dashed line has the last bit set, which [`dashes`] finds again.
    pub(crate) fn rgb(self) -> RGBColor {
        let RGBColor(red, green, blue) = self.ink.rgb();
        RGBColor(red, green, blue | u8::from(self.dashed))
    }
}

/// Dashes lines whose colour says so. The plotting library knows no dashes in SVG: it would draw
/// each as an element of its own.
pub(crate) fn dashes(mut svg: String, pattern: &str) -> String {
    for ink in Ink::ALL {
        let marked = format!("stroke=\"#{:06X}\"", ink.light() | 1);
        if svg.contains(&marked) {
            let dashed = format!("stroke=\"{}\" stroke-dasharray=\"{pattern}\"", ink.hex());
            svg = svg.replace(&marked, &dashed);
        }
    }
    svg
}

/// A picture with the style sheet's colours instead of paper's.
pub(crate) fn adapted(mut svg: String) -> String {
    for ink in Ink::ALL {
        svg = svg.replace(&format!("\"{}\"", ink.hex()), &format!("\"{}\"", ink.style()));
    }
    svg
}

/// The style sheet's variables, in light, in dark and in print.
pub(crate) fn variables() -> String {
    let block = |of: fn(Ink) -> u32| {
        Ink::ALL.iter().fold(String::new(), |mut text, &ink| {
            write!(text, "{}:#{:06x};", ink.variable(), of(ink)).expect("a string");
            text
        })
    };
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n\
         @media print{{:root{{color-scheme:light;{light}}}}}\n",
        light = block(Ink::light),
        dark = block(Ink::dark)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_told_apart_and_found_again() {
        let mut seen = Vec::new();
        for ink in Ink::ALL {
            assert_eq!(ink.light() % 2, 0, "{ink:?}: the last bit says whether a line is dashed");
            seen.push(ink.light());
            seen.push(ink.light() | 1);
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 2 * Ink::ALL.len());
    }

    #[test]
    fn words_have_contrast_in_both_schemes() {
        let luminance = |colour: u32| {
            let [_, channels @ ..] = colour.to_be_bytes();
            let linear = channels.map(|channel| {
                let part = f64::from(channel) / 255.0;
                if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        };
        let contrast = |one: u32, other: u32| {
            let (one, other) = (luminance(one), luminance(other));
            (one.max(other) + 0.05) / (one.min(other) + 0.05)
        };
        for of in [Ink::light, Ink::dark] {
            assert!(contrast(of(Ink::Text), of(Ink::Paper)) > 12.0);
            assert!(contrast(of(Ink::Muted), of(Ink::Paper)) > 4.5);
            for term in Term::ALL {
                assert!(contrast(of(Ink::Term(term)), of(Ink::Paper)) > 2.5, "{term:?}");
            }
        }
    }

    #[test]
    fn dashes_are_drawn_and_colours_adapted() {
        let pen = Pen::dashed(Ink::Base);
        let RGBColor(red, green, blue) = pen.rgb();
        let svg = format!("<line stroke=\"#{red:02X}{green:02X}{blue:02X}\"/>");
        let dashed = dashes(svg, "6 4");
        assert_eq!(dashed, "<line stroke=\"#767D86\" stroke-dasharray=\"6 4\"/>");
        assert_eq!(adapted(dashed), "<line stroke=\"var(--base)\" stroke-dasharray=\"6 4\"/>");
        assert!(variables().contains("--forward-kl:#0066b0;"));
    }
}
