use study::StudyDirectory;

use super::directions::{forward_optimum, optima, reverse_optimum};
use super::training::{smoothed, thinned};
use super::*;

fn synthetic() -> Documents {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let directory: StudyDirectory = fixtures::write_study(folder.path()).expect("written");
    Documents::read(&directory).expect("a study")
}

#[test]
fn every_figure_is_drawn_and_is_well_formed() {
    let figures = Figure::all(&synthetic());
    assert_eq!(figures.len(), 13);
    let mut files: Vec<String> = Vec::new();
    for figure in &figures {
        assert!(!figure.is_empty() && figure.missing.is_empty(), "{}", figure.slug);
        for Picture { file, svg } in figure.pictures() {
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{file}");
            assert!(svg.contains("viewBox=") && !svg.contains("NaN"), "{file}");
            let (opened, closed) = (svg.matches("<text").count(), svg.matches("</text>").count());
            assert_eq!(opened, closed, "{file}");
            assert!(opened > 2, "{file} says something");
            files.push(file);
        }
    }
    let count = files.len();
    files.sort_unstable();
    files.dedup();
    assert_eq!(files.len(), count, "each has a name of its own");
}

#[test]
fn nothing_is_drawn_of_what_was_not_measured() {
    let documents = synthetic();
    let documents = Documents {
        selection: None,
        evaluations: std::collections::BTreeMap::new(),
        beta_curve: None,
        coverage: None,
        curves: None,
        shape: None,
        calibration: None,
        recovery: None,
        ratings: std::collections::BTreeMap::new(),
        metrics: std::collections::BTreeMap::new(),
        game: None,
        directions: None,
        study: documents.study,
    };
    for figure in Figure::all(&documents) {
        assert!(figure.is_empty() && !figure.missing.is_empty(), "{}", figure.slug);
        assert!(figure.pictures().is_empty(), "{}", figure.slug);
    }
}

#[test]
fn intervals_are_drawn_where_they_exist() {
    for figure in Figure::all(&synthetic()) {
        let Content::Panels { panels, .. } = &figure.content else { continue };
        let with_intervals = panels.iter().flat_map(|panel| &panel.marks).any(|mark| {
            matches!(
                mark,
                panel::Mark::Dot { across: Some(_), .. }
                    | panel::Mark::Bar { interval: Some(_), .. }
            )
        });
        let exact = ["figure-03", "figure-07", "figure-10", "training-curves"];
        let exact = exact.contains(&figure.slug) || figure.slug == "opening-diversity-curves";
        assert_eq!(with_intervals, !exact, "{}", figure.slug);
    }
}

#[test]
fn colours_follow_the_page() {
    for figure in Figure::all(&synthetic()) {
        for Picture { file, svg } in figure.pictures() {
            let inline = inline(&svg);
            assert!(inline.contains("var(--text)") && inline.contains("var(--paper)"), "{file}");
            assert!(!inline.contains("#1B1F24") && !inline.contains("#FFFFFE"), "{file}");
        }
    }
}

#[test]
fn both_optima_are_where_nothing_can_be_gained() {
    let policy = [0.5, 0.3, 0.15, 0.05];
    let advantages = [0.0, -0.2, 0.3, -0.5];
    let beta = 0.2;
    let reverse = |q: &[f64]| -> f64 {
        let gain: f64 = q.iter().zip(advantages).map(|(q, advantage)| q * advantage).sum();
        gain - beta * q.iter().zip(policy).map(|(q, p)| q * (q / p).ln()).sum::<f64>()
    };
    let forward = |q: &[f64]| -> f64 {
        let gain: f64 = q.iter().zip(advantages).map(|(q, advantage)| q * advantage).sum();
        gain - beta * q.iter().zip(policy).map(|(q, p)| p * (p / q).ln()).sum::<f64>()
    };
    let check = |optimum: Vec<f64>, objective: &dyn Fn(&[f64]) -> f64| {
        assert!((optimum.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{optimum:?}");
        let best = objective(&optimum);
        for from in 0..4 {
            for to in (0..4).filter(|to| *to != from) {
                let mut moved = optimum.clone();
                let step = 1e-3 * moved[from];
                moved[from] -= step;
                moved[to] += step;
                assert!(objective(&moved) < best, "{from} to {to}");
            }
        }
    };
    check(reverse_optimum(&policy, &advantages, beta), &reverse);
    check(forward_optimum(&policy, &advantages, beta), &forward);
}

#[test]
fn the_optima_agree_on_the_best_move_and_not_on_the_worst() {
    let policy = [0.5, 0.3, 0.15, 0.05];
    let advantages = [0.0, -0.2, 0.3, -0.5];
    let optima = optima(&policy, &advantages).expect("advantages differ");
    assert!(optima.matched);
    assert!((optima.reverse[2] - optima.forward[2]).abs() < 1e-9);
    assert!(optima.forward[3] > 3.0 * optima.reverse[3], "{optima:?}");
    assert_eq!(super::directions::optima(&policy, &[0.1; 4]), None);
}

#[test]
fn smoothing_keeps_lines_and_ends() {
    let line: Vec<(f64, f64)> = (0..50).map(|x| (f64::from(x), 3.0 * f64::from(x))).collect();
    for window in [1, 5, 49] {
        for ((x, y), (_, expected)) in smoothed(&line, window).into_iter().zip(&line) {
            assert!((y - expected).abs() < 1e-9, "{window} at {x}");
        }
    }
    assert_eq!(smoothed(&[], 5), []);
    let long: Vec<(f64, f64)> = (0..2000).map(|x| (f64::from(x), 0.0)).collect();
    let thin = thinned(long);
    assert_eq!(thin.len(), 150);
    assert_eq!((thin[0].0, thin[149].0), (0.0, 1999.0));
}
