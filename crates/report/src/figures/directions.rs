//! Figure 2: both directions of the KL on one policy.
//!
//! With advantages `A(a)` of the moves of a position and the base's policy `p`, the two optima over
//! all distributions `q` are, for one coefficient `beta`:
//!
//! - Reverse KL, `max E_q[A] - beta KL(q||p)`. With a multiplier for `sum q = 1` the derivative
//!   `A - beta (ln(q/p) + 1) - mu` is zero where `q = p exp(A/beta) / Z`.
//! - Forward KL, `max E_q[A] - beta KL(p||q)`. Here `KL(p||q) = const - sum p ln q`, so that the
//!   derivative `A + beta p/q - lambda` is zero where `q = beta p / (lambda - A)`. All are positive
//!   for `lambda > max A`, and their sum falls strictly from infinity to 0 as lambda grows, so that
//!   there is one lambda at which it is 1.
//!
//! As beta falls, reverse KL lets `q` of a bad move vanish exponentially in `1/beta`, forward KL
//! only linearly in beta: mode seeking against mass covering.

use super::axis::Axis;
use super::panel::{Mark, Panel};
use super::{Content, Figure, LegendEntry};
use crate::documents::{Documents, SuccessorMove};
use crate::ink::{Ink, Pen};
use crate::numbers::{coefficient, percent};

use study::Term;

/// Moves drawn.
const SHOWN: usize = 8;
/// Halvings of an interval, beyond the digits of a number.
const HALVINGS: usize = 200;

/// The optima of both directions at one coefficient.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Optima {
    pub(super) beta: f64,
    pub(super) reverse: Vec<f64>,
    pub(super) forward: Vec<f64>,
    /// Whether both put the same mass on the best move.
    pub(super) matched: bool,
}

/// `p exp(A/beta) / Z`.
pub(super) fn reverse_optimum(policy: &[f64], advantages: &[f64], beta: f64) -> Vec<f64> {
    let greatest = advantages.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = policy
        .iter()
        .zip(advantages)
        .map(|(p, advantage)| p * ((advantage - greatest) / beta).exp())
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// `beta p / (lambda - A)` with the lambda of which the sum is 1.
pub(super) fn forward_optimum(policy: &[f64], advantages: &[f64], beta: f64) -> Vec<f64> {
    let greatest = advantages.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let at = |above: f64| -> Vec<f64> {
        policy
            .iter()
            .zip(advantages)
            .map(|(p, advantage)| beta * p / (greatest + above - advantage))
            .collect()
    };
    // The sum is at most beta / (lambda - max A), hence below 1 at beta.
    let (mut low, mut high) = (0.0, beta);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if at(middle).iter().sum::<f64>() > 1.0 { low = middle } else { high = middle }
    }
    let optimum = at(high);
    let sum: f64 = optimum.iter().sum();
    optimum.into_iter().map(|q| q / sum).collect()
}

/// Both optima, at the coefficient at which they put the same mass on the best move; where there
/// is none, at the standard deviation of the advantages under the policy.
///
/// At large beta forward KL has more mass on the best move, unless the policy has it already, and
/// at small beta reverse KL; between, they cross.
pub(super) fn optima(policy: &[f64], advantages: &[f64]) -> Option<Optima> {
    let best =
        (0..policy.len()).max_by(|&one, &other| advantages[one].total_cmp(&advantages[other]))?;
    let mean: f64 = policy.iter().zip(advantages).map(|(p, advantage)| p * advantage).sum();
    let variance: f64 =
        policy.iter().zip(advantages).map(|(p, advantage)| p * (advantage - mean).powi(2)).sum();
    let deviation = variance.sqrt();
    if !(deviation > 1e-9 && policy[best] > 0.0) {
        return None;
    }
    let lead = |beta: f64| {
        reverse_optimum(policy, advantages, beta)[best]
            - forward_optimum(policy, advantages, beta)[best]
    };
    // Coefficients of a hundredth to a hundred deviations, from above.
    let grid = (0..=80).map(|step| deviation * 10f64.powf(2.0 - f64::from(step) / 20.0));
    let betas: Vec<f64> = grid.collect();
    let crossing = betas.windows(2).find(|pair| lead(pair[0]) < 0.0 && lead(pair[1]) >= 0.0);
    let (beta, matched) = match crossing {
        None => (deviation, false),
        Some(pair) => {
            let (mut high, mut low) = (pair[0], pair[1]);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(low, high);
                if lead(middle) < 0.0 { high = middle } else { low = middle }
            }
            (low, true)
        }
    };
    Some(Optima {
        beta,
        reverse: reverse_optimum(policy, advantages, beta),
        forward: forward_optimum(policy, advantages, beta),
        matched,
    })
}

pub(super) fn figure(documents: &Documents) -> Figure {
    let drawn = documents.directions.as_ref().and_then(|document| {
        let moves: Vec<&SuccessorMove> =
            document.moves.iter().filter(|mv| mv.probability > 0.0).collect();
        let sum: f64 = moves.iter().map(|mv| mv.probability).sum();
        let policy: Vec<f64> = moves.iter().map(|mv| mv.probability / sum).collect();
        let advantages: Vec<f64> = moves.iter().map(|mv| mv.value - document.value).collect();
        let optima = optima(&policy, &advantages)?;
        Some((document, moves, policy, advantages, optima))
    });
    let legend = vec![
        LegendEntry::bar("Base policy p", Ink::Base),
        LegendEntry::bar("Optimum with reverse KL", Ink::Term(Term::ReverseKl)),
        LegendEntry::bar("Optimum with forward KL", Ink::Term(Term::ForwardKl)),
    ];
    let (panels, caption) = match drawn {
        None => (Vec::new(), String::new()),
        Some((document, moves, policy, advantages, optima)) => {
            let shown = shown(&policy, &optima);
            let names: Vec<String> = shown.iter().map(|&place| moves[place].san.clone()).collect();
            let rule = if optima.matched {
                "chosen so that both optima put the same mass on the best move"
            } else {
                "the standard deviation of the advantages under p"
            };
            // What is left of the move that lost the most.
            let least = |optimum: &[f64]| {
                optimum.iter().zip(&policy).map(|(q, p)| q / p).fold(f64::INFINITY, f64::min)
            };
            let left = |fraction: f64| match fraction {
                fraction if fraction < 0.001 => "less than 0.1%".to_owned(),
                fraction => format!("{}%", percent(fraction, 1)),
            };
            let caption = format!(
                "One real position ({}), the base's policy p and its verdicts A(a) = (1 − v(s′)) − v(s). \
                 The optimum of E_q[A] − β KL(q‖p) seeks the mode, that of E_q[A] − β KL(p‖q) covers the \
                 mass; β = {} for both, {rule}. The move that loses the most keeps {} of its probability \
                 with reverse KL and {} with forward KL.",
                document.fen,
                coefficient((optima.beta * 1e4).round() / 1e4),
                left(least(&optima.reverse)),
                left(least(&optima.forward)),
            );
            let panels = vec![
                distributions(&names, &shown, &policy, &optima),
                verdicts(&names, &shown, &advantages),
                kept(&names, &shown, &policy, &optima),
            ];
            (panels, caption)
        }
    };
    let missing = match (&documents.directions, panels.is_empty()) {
        (None, _) => vec!["directions.json"],
        (Some(_), true) => vec!["directions.json of a position where the moves' verdicts differ"],
        _ => vec![],
    };
    Figure {
        slug: "figure-02",
        name: "Figure 2",
        title: "The two directions of the KL on one policy",
        caption,
        missing,
        content: Content::Panels { panels, legend },
    }
}

/// The moves that matter to any of the three, in the order of the policy.
fn shown(policy: &[f64], optima: &Optima) -> Vec<usize> {
    let weight = |place: usize| policy[place].max(optima.reverse[place]).max(optima.forward[place]);
    let mut places: Vec<usize> = (0..policy.len()).collect();
    places.sort_by(|&one, &other| weight(other).total_cmp(&weight(one)));
    places.truncate(SHOWN);
    places.sort_by(|&one, &other| policy[other].total_cmp(&policy[one]));
    places
}

fn distributions(names: &[String], shown: &[usize], policy: &[f64], optima: &Optima) -> Panel {
    let mut marks = Vec::new();
    let mut bounds = vec![0.0];
    for (number, (of, ink)) in [
        (policy, Ink::Base),
        (&optima.reverse, Ink::Term(Term::ReverseKl)),
        (&optima.forward, Ink::Term(Term::ForwardKl)),
    ]
    .into_iter()
    .enumerate()
    {
        for (place, &mv) in shown.iter().enumerate() {
            let from = place as f64 - 0.39 + 0.26 * number as f64;
            let height = 100.0 * of[mv];
            bounds.push(height);
            marks.push(Mark::Bar { from, to: from + 0.24, height, interval: None, ink });
        }
    }
    let x = Axis::categories("Move", names);
    Panel::new("Policies", x, Axis::linear("Probability, %", bounds), marks)
}

/// What the optima leave of each move, on a scale on which vanishing can be seen.
fn kept(names: &[String], shown: &[usize], policy: &[f64], optima: &Optima) -> Panel {
    let mut marks = Vec::new();
    let mut bounds = vec![1.0];
    for (of, term, aside) in
        [(&optima.reverse, Term::ReverseKl, -0.09), (&optima.forward, Term::ForwardKl, 0.09)]
    {
        for (place, &mv) in shown.iter().enumerate() {
            // What has vanished beyond the digits of a number is drawn at the axis's end.
            let ratio = (of[mv] / policy[mv]).max(1e-6);
            bounds.push(ratio);
            marks.push(Mark::Dot {
                at: (place as f64 + aside, ratio),
                across: Some((1.0, ratio)),
                along: None,
                pen: Pen::solid(Ink::Term(term)),
            });
        }
    }
    marks.push(Mark::Rule { height: 1.0, pen: Pen::solid(Ink::Base) });
    let y = Axis::logarithmic("Optimum over base policy", bounds);
    Panel::new("What is left of each move", Axis::categories("Move", names), y, marks)
}

fn verdicts(names: &[String], shown: &[usize], advantages: &[f64]) -> Panel {
    let mut bounds = vec![0.0];
    let mut marks: Vec<Mark> = Vec::new();
    for (place, &mv) in shown.iter().enumerate() {
        let height = advantages[mv];
        bounds.push(height);
        let (from, to) = (place as f64 - 0.3, place as f64 + 0.3);
        marks.push(Mark::Bar { from, to, height, interval: None, ink: Ink::Base });
    }
    marks.push(Mark::Rule { height: 0.0, pen: Pen::solid(Ink::Muted) });
    let x = Axis::categories("Move", names);
    Panel::new("The base's verdicts", x, Axis::linear("Advantage A", bounds), marks)
}
