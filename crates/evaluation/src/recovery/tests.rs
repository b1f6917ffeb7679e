use chess::puzzle::Acceptance;

use super::*;
use crate::{Answer, ByRule, PuzzleFacts};

/// What a network says of a position: whether its move is right, its probability of the solution,
/// the solution's rank, its best move's probability and the second's, and wins.
type View = (bool, f64, u32, f64, f64, f64);

fn answer((right, mass, rank, best, second, win): View) -> Answer {
    let by_rule = |value: f64| ByRule::each(|_| value);
    Answer {
        ply: 0,
        marked: String::new(),
        acceptable: Vec::new(),
        played: String::new(),
        accepted: ByRule::each(|_| right),
        log_mass: by_rule(mass.ln()),
        marked_log_probability: mass.ln(),
        marked_rank: rank,
        accepted_rank: rank,
        played_probability: best,
        runner_up_probability: second,
        wdl: [win, 0.0, 1.0 - win],
    }
}

fn record(id: &str, rating: Option<u32>, views: &[View]) -> PuzzleRecord {
    PuzzleRecord {
        facts: PuzzleFacts {
            id: id.to_owned(),
            fen: String::new(),
            line: Vec::new(),
            rating,
            themes: Vec::new(),
            mate_depth: None,
        },
        acceptance: Acceptance::Marked,
        answers: views.iter().map(|&view| answer(view)).collect(),
    }
}

const RIGHT: View = (true, 0.7, 0, 0.7, 0.05, 0.9);

#[test]
fn positions_are_recovered_and_given_back_by_what_the_base_kept() {
    let mut recovery = Recovery::default();
    let puzzles: [(Option<u32>, [View; 2], [View; 2]); 4] = [
        // Gained: one position of two was wrong, the solution second with 0.2.
        (
            Some(2000),
            [RIGHT, (false, 0.2, 1, 0.3, 0.2, 0.5)],
            [RIGHT, (true, 0.6, 0, 0.6, 0.1, 0.6)],
        ),
        // Lost: the base led by 0.05.
        (
            Some(1000),
            [(true, 0.4, 0, 0.4, 0.35, 0.5), RIGHT],
            [(false, 0.3, 1, 0.5, 0.3, 0.5), RIGHT],
        ),
        // Unsolved, with one position recovered and one wrong on both sides.
        (
            None,
            [(false, 0.1, 3, 0.5, 0.2, 0.4), (false, 0.01, 20, 0.9, 0.05, 0.2)],
            [(true, 0.5, 0, 0.5, 0.2, 0.8), (false, 0.02, 9, 0.9, 0.05, 0.2)],
        ),
        (Some(1500), [RIGHT, RIGHT], [RIGHT, RIGHT]),
    ];
    for (rating, base, tuned) in puzzles {
        recovery.add(&record("x", rating, &base), &record("x", rating, &tuned));
    }

    let PuzzleChanges { gained, lost, kept, unsolved } = &recovery.puzzles;
    assert_eq!([gained, lost, kept, unsolved].map(|group| group.count), [1; 4]);
    assert_eq!(gained.mean_rating(), Some(2000.0));
    assert_eq!(unsolved.mean_rating(), None);
    assert_eq!((recovery.positions, recovery.base_wrong()), (8, 3));

    let rows = |bins: &Bins| -> Vec<(f64, u64, u64)> {
        bins.rows().map(|(start, _, count)| (start, count.total, count.happened)).collect()
    };
    assert_eq!(
        rows(&recovery.by_probability),
        [(0.0, 1, 0), (0.05, 1, 1), (0.15, 1, 1), (0.3, 0, 0)]
    );
    assert_eq!(
        rows(&recovery.by_lead),
        [(0.0, 1, 1), (0.1, 0, 0), (0.2, 0, 0), (0.4, 0, 0), (0.6, 4, 0)]
    );
    let ranks: Vec<_> =
        recovery.by_rank.iter().map(|(rank, count)| (*rank, count.total, count.happened)).collect();
    assert_eq!(ranks, [(2, 1, 1), (4, 1, 1), (6, 1, 0)]);

    let close = |found: Option<f64>, expected: f64| {
        let found = found.expect("positions");
        assert!((found - expected).abs() < 1e-12, "{found}, expected {expected}");
    };
    close(recovery.recovered.median(PositionChange::mass_moved), 0.4);
    close(recovery.recovered.median(PositionChange::gap), 0.25);
    close(recovery.recovered.retention(), (0.2f64 * 0.1).sqrt());
    close(recovery.recovered.mean(|change| change.tuned_q - change.base_q), 0.5);
    close(recovery.given_back.mean(PositionChange::mass_moved), -0.1);
    close(recovery.given_back.share(|change| change.tuned_rank == 1), 1.0);
    assert_eq!(Recovery::default().recovered.median(PositionChange::gap), None);
}

#[test]
fn exclusive_recoveries_are_those_of_one_network_alone() {
    let wrong = (false, 0.2, 1, 0.3, 0.2, 0.5);
    let mut exclusive = ExclusiveRecovery::default();
    for (id, base, first, second) in [
        ("both", wrong, RIGHT, RIGHT),
        ("first", (false, 0.25, 1, 0.3, 0.2, 0.5), RIGHT, wrong),
        ("other", (false, 0.05, 2, 0.3, 0.2, 0.5), RIGHT, wrong),
        ("second", wrong, wrong, RIGHT),
        ("none", wrong, wrong, wrong),
        ("base", RIGHT, wrong, RIGHT),
    ] {
        let [base, first, second] =
            [base, first, second].map(|view| record(id, Some(1000), &[RIGHT, view]));
        exclusive.add(&base, &first, &second);
    }
    assert_eq!(exclusive.shared.count, 1);
    assert_eq!(exclusive.first.ids, ["first", "other"]);
    assert_eq!(exclusive.second.ids, ["second"]);
    let median = exclusive.first.median_base_probability().expect("positions");
    assert!((median - 0.15).abs() < 1e-12);
    assert_eq!(exclusive.first.puzzles.mean_rating(), Some(1000.0));
}

#[test]
fn a_bin_holds_what_begins_at_it() {
    let mut bins = Bins::new(&[0.0, 0.5]);
    for quantity in [0.0, 0.499, 0.5, 1.0] {
        bins.add(quantity, quantity > 0.4);
    }
    let rows: Vec<_> = bins.rows().collect();
    assert_eq!(rows[0], (0.0, 0.5, GatedCount { total: 2, happened: 1 }));
    assert_eq!(rows[1], (0.5, 1.0, GatedCount { total: 2, happened: 2 }));
    assert_eq!(rows[1].2.rate(), Some(1.0));
    assert_eq!(GatedCount::default().rate(), None);
}
