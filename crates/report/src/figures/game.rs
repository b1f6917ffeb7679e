//! Figure 3: the adaptive temperature as a game goes from open to decided.

use study::Term;

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{Documents, GameLine};
use crate::ink::{Ink, Pen};
use crate::numbers::decimal;

/// Moves drawn of a position.
const SHOWN: usize = 6;

const RAW_INK: Ink = Ink::Base;
const TEMPERED_INK: Ink = Ink::Term(Term::ForwardKl);

pub(super) fn figure(documents: &Documents) -> Figure {
    let lines: &[GameLine] = documents.game.as_deref().unwrap_or_default();
    let played: Vec<&GameLine> = lines.iter().filter(|line| line.moves.len() > 1).collect();
    let by_tau = |one: &&&GameLine, other: &&&GameLine| one.tau.total_cmp(&other.tau);
    let open = played.iter().max_by(by_tau);
    let decided = played.iter().min_by(by_tau);
    let (panels, caption) = match (open, decided) {
        (Some(open), Some(decided)) if played.len() > 1 => {
            let panels = vec![
                outcome(lines),
                temperatures(lines),
                policies("Open", open),
                policies("Decided", decided),
            ];
            let caption = format!(
                "One game, position by position: what the base expects of it, the adaptive temperature \
                 τ(s) = H(WDL(s)) and the entropies of π and of μ = softmax(log π / τ). Below, both \
                 policies where τ is greatest ({} nats, ply {}) and least ({} nats, ply {}).",
                decimal(open.tau, 2, false),
                open.ply,
                decimal(decided.tau, 2, false),
                decided.ply
            );
            (panels, caption)
        }
        _ => (Vec::new(), String::new()),
    };
    Figure {
        slug: "figure-03",
        name: "Figure 3",
        title: "The adaptive temperature along a game",
        caption,
        missing: if panels.is_empty() { vec!["game.jsonl"] } else { vec![] },
        content: Content::Panels { panels, legend: legend() },
    }
}

fn legend() -> Vec<LegendEntry> {
    vec![
        LegendEntry::line("White wins", Pen::solid(Ink::Term(Term::EntropyBonus))),
        LegendEntry::line("Draw", Pen::dashed(Ink::Muted)),
        LegendEntry::line("Black wins", Pen::solid(Ink::Text)),
        LegendEntry::line("τ", Pen::solid(Ink::Term(Term::None))),
        LegendEntry::line("π and its entropy", Pen::solid(RAW_INK)),
        LegendEntry::line("μ and its entropy", Pen::solid(TEMPERED_INK)),
    ]
}

fn plies(lines: &[GameLine]) -> Axis {
    Axis::linear("Ply", lines.iter().map(|line| f64::from(line.ply)))
}

fn outcome(lines: &[GameLine]) -> Panel {
    // The network speaks for the mover, the diagram for White.
    let white = |line: &GameLine| match line.side_to_move.as_str() {
        "black" => [line.wdl[2], line.wdl[1], line.wdl[0]],
        _ => line.wdl,
    };
    let curve = |which: usize, pen| Mark::Line {
        points: lines
            .iter()
            .map(|line| (f64::from(line.ply), 100.0 * white(line)[which]))
            .collect(),
        pen,
    };
    let marks = vec![
        curve(0, Pen::solid(Ink::Term(Term::EntropyBonus))),
        curve(1, Pen::dashed(Ink::Muted)),
        curve(2, Pen::solid(Ink::Text)),
    ];
    Panel::new("Expected outcome", plies(lines), Axis::between("Probability, %", 0.0, 100.0), marks)
}

fn temperatures(lines: &[GameLine]) -> Panel {
    let curve = |of: &dyn Fn(&GameLine) -> Option<f64>, pen| {
        let points =
            lines.iter().filter_map(|line| Some((f64::from(line.ply), of(line)?))).collect();
        Mark::Line { points, pen }
    };
    let marks = vec![
        curve(&|line| line.entropy_raw, Pen::solid(RAW_INK)),
        curve(&|line| line.entropy_tempered, Pen::solid(TEMPERED_INK)),
        curve(&|line| Some(line.tau), Pen::solid(Ink::Term(Term::None))),
    ];
    let values = lines
        .iter()
        .flat_map(|line| [Some(line.tau), line.entropy_raw, line.entropy_tempered])
        .flatten()
        .chain([0.0]);
    let y = Axis::linear("nats", values);
    Panel::new("Temperature and entropies", plies(lines), y, marks)
}

fn policies(what: &str, line: &GameLine) -> Panel {
    let moves = &line.moves[..line.moves.len().min(SHOWN)];
    let names: Vec<String> = moves.iter().map(|mv| mv.san.clone()).collect();
    let mut marks = Vec::new();
    for (place, mv) in moves.iter().enumerate() {
        for (number, (probability, ink)) in
            [(mv.raw, RAW_INK), (mv.tempered, TEMPERED_INK)].into_iter().enumerate()
        {
            let from = place as f64 - 0.38 + 0.38 * number as f64;
            let height = 100.0 * probability;
            marks.push(Mark::Bar { from, to: from + 0.36, height, interval: None, ink });
        }
    }
    let values = moves.iter().flat_map(|mv| [100.0 * mv.raw, 100.0 * mv.tempered]).chain([0.0]);
    let y = Axis::linear("Probability, %", values);
    let title = format!("{what}: ply {}, τ = {}", line.ply, decimal(line.tau, 2, false));
    Panel::new(title, Axis::categories("Move", &names), y, marks)
}
