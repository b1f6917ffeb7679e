//! Speed of the mate solver on single positions of Lichess's puzzles, in nodes per second.
//!
//! `cargo bench -p chess --bench mate [-- FILTER]`; whole suites: the example `mate_suite`.

use std::hint::black_box;

use chess::Game;
use chess::mate::{MateSearch, MateSolver};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Puzzle, position, moves asked for, and the moves of the mate, if there is one.
const POSITIONS: [(&str, &str, u8, Option<u8>); 8] = [
    ("SY0Dr", "4r1k1/p1b2ppp/1pp5/3p4/3P1n2/1N1B1P1q/PPPQ1P2/4R1K1 w - - 0 25", 1, Some(1)),
    ("q8upM", "r4knr/1bpp1p2/p4P1p/1pb3B1/6Q1/1P6/2qN1PPP/4RRK1 w - - 0 17", 2, Some(2)),
    ("KIcpS", "7k/4p2p/3p4/pp4N1/qn1PQ2P/P1r5/1KPR1PP1/7R b - - 4 26", 3, Some(3)),
    ("D5mpP", "1k1r1b1r/pp6/8/6p1/4R3/1Q3p2/PPP2R1p/2B4K b - - 0 25", 3, Some(3)),
    ("8mloX", "6k1/5pp1/1p4p1/3p4/1PqB4/2P2PnP/r5P1/2Q1R1K1 w - - 3 33", 4, Some(4)),
    ("12b30", "3r1r1k/1Qp3pp/p1p5/4R3/8/8/PPq2PPP/5RK1 b - - 0 21", 4, Some(4)),
    ("y0ld9", "8/8/8/3rk3/2p1N3/5KP1/5P1P/R4b2 b - - 3 44", 3, None),
    ("Soy9h", "r3k3/pp2npp1/3p4/3q4/1P6/PQ2P3/1B1K1p2/2R2B1r w q - 0 27", 3, None),
];

fn solve(criterion: &mut Criterion) {
    let mut solver = MateSolver::new(u64::MAX);
    let mut group = criterion.benchmark_group("mate");
    for (puzzle, fen, asked, expected) in POSITIONS {
        let game = Game::from_fen(fen).expect("a position");
        let (moves, nodes) = match solver.solve(game.position(), asked) {
            MateSearch::Mate(mate) => (Some(mate.moves), mate.nodes),
            MateSearch::NoMate { nodes } => (None, nodes),
            MateSearch::Unproved { .. } => unreachable!("the budget has no end"),
        };
        assert_eq!(moves, expected, "{puzzle}");
        group.throughput(Throughput::Elements(nodes));
        let name = if moves.is_some() { "mate in" } else { "no mate within" };
        group.bench_with_input(
            BenchmarkId::new(puzzle, format!("{name} {asked}")),
            &game,
            |bencher, game| bencher.iter(|| solver.solve(black_box(game.position()), asked)),
        );
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
