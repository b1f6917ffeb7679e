//! How long a large pool takes: 34 players, 138,600 games.
//!
//! `cargo bench -p arena`

use std::hint::black_box;

use arena::rating::{Parameter, Results, Settings, rate};
use chess::Outcome;
use criterion::{Criterion, criterion_group, criterion_main};

const PLAYERS: usize = 34;
const GAMES: usize = 138_600;

/// Games of every player against every other, the stronger the later in the list.
fn results() -> Results {
    let mut results = Results::new();
    let mut state = 1u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for game in 0..GAMES {
        let (white, shift) = (game % PLAYERS, 1 + random(PLAYERS as u64 - 1) as usize);
        let black = (white + shift) % PLAYERS;
        let outcome = match random(100) as i64 - (white as i64 - black as i64) {
            ..38 => Outcome::WhiteWins,
            38..68 => Outcome::Draw,
            _ => Outcome::BlackWins,
        };
        let name = |player: usize| format!("player {player}");
        results.add(&name(white), &name(black), outcome).expect("two players");
    }
    results
}

fn rating(criterion: &mut Criterion) {
    let results = results();
    let fixed = Settings::default();
    let fitted =
        Settings { advantage: Parameter::Fitted, draw: Parameter::Fitted, ..Settings::default() };
    let mut group = criterion.benchmark_group("34 players, 138,600 games");
    for (name, settings) in [("fixed parameters", fixed), ("fitted parameters", fitted)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let ratings = rate(black_box(&results), &settings).expect("ratings");
                black_box(ratings.comparisons().expect("few players").superiorities())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rating);
criterion_main!(benches);
