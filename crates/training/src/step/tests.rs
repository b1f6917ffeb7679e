use chess::{HistoryFill, InputFormat};
use network::EncodedPosition;

use super::*;
use crate::beta::{BetaSchedule, BetaScheduleKind};
use crate::config::{PlyCapOutcome, TemperatureSource};
use crate::objective::ExplorationTerm;
use crate::self_play::LiveGame;
use crate::testing::{LinearEngine, config, trainer};

/// Games at the initial position, each a draw after its first move.
fn one_ply() -> FinetuneConfig {
    FinetuneConfig { ply_cap: 1, warm_start_moves: 0, ..config() }
}

fn run(trainer: &mut Trainer, steps: u64) -> Vec<StepMetrics> {
    (0..steps).map(|_| trainer.step().expect("a step")).collect()
}

fn without_timing(metrics: Vec<StepMetrics>) -> Vec<StepMetrics> {
    let strip = |metrics| StepMetrics { timing: Timing::default(), ..metrics };
    metrics.into_iter().map(strip).collect()
}

#[test]
fn results_count_for_the_one_who_moved() {
    let check = |outcome, player, expected| assert_eq!(outcome_for(player, outcome), expected);
    check(Outcome::WhiteWins, Color::White, Wdl::WIN);
    check(Outcome::WhiteWins, Color::Black, Wdl::LOSS);
    check(Outcome::BlackWins, Color::White, Wdl::LOSS);
    check(Outcome::BlackWins, Color::Black, Wdl::WIN);
    check(Outcome::Draw, Color::White, Wdl::DRAW);
    check(Outcome::Draw, Color::Black, Wdl::DRAW);
}

/// Plays a line, and says what became of the game with its last move.
fn play_last(line: &str) -> (Trainer, Vec<Successor>) {
    play_last_of(
        FinetuneConfig { games: 1, warm_start_moves: 0, ..FinetuneConfig::default() },
        line,
    )
}

fn play_last_of(settings: FinetuneConfig, line: &str) -> (Trainer, Vec<Successor>) {
    let mut trainer = trainer(settings);
    let mut successors = Vec::new();
    for uci in line.split_whitespace() {
        let live = &trainer.games.games()[0];
        let wanted = live.game.parse_uci(uci).expect("a legal move");
        let action = live.position.moves.iter().position(|(_, legal)| *legal == wanted);
        successors = trainer.games.play(&[action.expect("a legal move")]).expect("encodable");
    }
    (trainer, successors)
}

/// What the moves that led to `successors` are worth.
fn label(trainer: &Trainer, successors: &[Successor]) -> Vec<Wdl> {
    let planes: Vec<Planes> = successors.iter().filter_map(Successor::planes).cloned().collect();
    let average = trainer.theta.evaluate_average(&planes);
    trainer.label(1, successors, &average).expect("labels")
}

#[test]
fn a_mate_is_a_win_for_either_colour_and_a_stalemate_is_a_draw() {
    let check = |line: &str, expected: Wdl| {
        let (trainer, successors) = play_last(line);
        assert!(matches!(successors[..], [Successor::Ended(_)]), "{line}");
        assert_eq!(label(&trainer, &successors), [expected], "{line}");
        // The game starts anew.
        assert_eq!(trainer.games.games()[0].game.ply(), 0);
    };
    check("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", Wdl::WIN);
    check("f2f3 e7e5 g2g4 d8h4", Wdl::WIN);
    // The shortest stalemate.
    check(
        "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 \
         f7g6 c8e6",
        Wdl::DRAW,
    );
    // The initial position for the third time, seen through the real history.
    check("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", Wdl::DRAW);
}

#[test]
fn a_live_successor_is_worth_the_averages_view_from_the_other_side() {
    let (trainer, successors) = play_last("e2e4 e7e5");
    let live = &trainer.games.games()[0];
    let outputs = trainer.theta.evaluate_average(std::slice::from_ref(&live.position.planes));
    let expected = outputs.value_of(0).expect("finite").outcome().flip();
    let targets = label(&trainer, &successors);
    assert_eq!(targets, [expected]);
    // A(s, a) = (1 - v_ema(s')) - v_theta(s).
    let value = ValueLogits::wdl([0.3, 0.1, -0.2]).expect("finite");
    let after = outputs.value_of(0).expect("finite").outcome().expected_score();
    let expected = (1.0 - after) - value.outcome().expected_score();
    assert!((advantage(&targets[0], &value) - expected).abs() < 1e-12);
}

#[test]
fn the_four_promotions_have_gradients_of_their_own() {
    for fen in ["8/P6k/8/8/8/8/8/K7 w - - 0 1", "k7/8/8/8/8/8/p6K/8 b - - 0 1"] {
        let game = Game::from_fen(fen).expect("a position");
        let position = EncodedPosition::new(&game, InputFormat::Classical112, HistoryFill::FenOnly)
            .expect("encodable");
        let indices: Vec<MoveIndex> = position.moves.iter().map(|(index, _)| *index).collect();
        let gradient: Vec<f64> = (1..=indices.len()).map(|entry| entry as f64).collect();
        let mut row = vec![0.0; MoveIndex::COUNT];
        gradients::scatter(&indices, &gradient, &mut row);
        let promotions: Vec<f32> = position
            .moves
            .iter()
            .filter(|(_, legal)| legal.promotion().is_some())
            .map(|(index, _)| row[index.get()])
            .collect();
        assert_eq!(promotions.len(), 4, "{fen}");
        // Each entry once, none lost or folded into another.
        let mut entries: Vec<f32> = row.into_iter().filter(|&entry| entry != 0.0).collect();
        entries.sort_by(f32::total_cmp);
        assert_eq!(entries, (1..=indices.len()).map(|entry| entry as f32).collect::<Vec<_>>());
    }
}

#[test]
fn the_policy_starts_at_the_base_and_leaves_it() {
    for exploration in ExplorationTerm::ALL {
        let mut trainer = trainer(FinetuneConfig { exploration, ..config() });
        let metrics = run(&mut trainer, 6);
        assert_eq!((metrics[0].policy.forward_kl, metrics[0].policy.reverse_kl), (0.0, 0.0));
        assert!(metrics[5].policy.forward_kl > 1e-6, "{exploration:?}: {:?}", metrics[5]);
        assert!(metrics[5].policy.reverse_kl > 1e-6, "{exploration:?}: {:?}", metrics[5]);
    }
}

#[test]
fn a_strong_anchor_holds_the_policy_at_the_base() {
    for exploration in [ExplorationTerm::ForwardKl, ExplorationTerm::ReverseKl] {
        let drift = |beta| {
            let mut settings = FinetuneConfig { exploration, beta, ..config() };
            settings.learning_rates.policy_head = 0.2;
            run(&mut trainer(settings), 200).last().expect("steps").policy.forward_kl
        };
        let (free, held) = (drift(0.0), drift(3.0));
        assert!(held < 0.02 * free, "{exploration:?}: {held} against {free}");
    }
}

#[test]
fn at_temperature_one_sampler_and_trainer_agree_to_the_bit() {
    let mut trainer = trainer(FinetuneConfig { temperature: SamplingTemperature::One, ..config() });
    for metrics in run(&mut trainer, 10) {
        assert_eq!((metrics.importance.mean, metrics.importance.capped), (1.0, 0.0));
        assert_eq!(metrics.policy.largest_sampling_gap, 0.0);
        assert_eq!((metrics.temperature.minimum, metrics.temperature.maximum), (1.0, 1.0));
    }
}

#[test]
fn the_adaptive_temperature_is_the_averages_outcome_entropy() {
    let mut trainer = trainer(config());
    for metrics in run(&mut trainer, 10) {
        let tau = metrics.temperature;
        assert!(0.0 <= tau.minimum && tau.minimum < tau.median, "{tau:?}");
        assert!(tau.median < tau.maximum && tau.maximum <= 3f64.ln(), "{tau:?}");
        assert!((0.0..1.0).contains(&metrics.importance.mean), "{metrics:?}");
        assert_eq!(metrics.policy.largest_sampling_gap, 0.0);
    }
    // In the initial position, by hand.
    let mut trainer = crate::testing::trainer(one_ply());
    let planes = trainer.games.planes();
    let outcome =
        trainer.theta.evaluate_average(&planes[..1]).value_of(0).expect("finite").outcome();
    let metrics = trainer.step().expect("a step");
    assert_eq!(metrics.temperature.minimum, outcome.entropy());
    assert_eq!(metrics.temperature.maximum, outcome.entropy());
}

#[test]
fn the_online_temperature_is_the_trained_networks_outcome_entropy() {
    let temperature_source = TemperatureSource::Online;
    let mut engine = LinearEngine::new(5);
    let base = engine.clone();
    // Were the average asked for the temperature, it would stop the run.
    let online = ValueLogits::wdl([0.0; 3]).expect("finite").outcome().entropy();
    engine.parameters[LinearEngine::row(MoveIndex::COUNT)..].fill(0.0);
    engine.average.fill(f32::NAN);
    let trainer = |temperature_source| {
        let settings = FinetuneConfig { temperature_source, ..one_ply() };
        Trainer::new(settings, Box::new(engine.clone()), Arc::new(base.clone())).expect("settings")
    };
    // Every game ends with its first move, so that no label needs the average either.
    let metrics = trainer(temperature_source).step().expect("a step");
    assert_eq!((metrics.temperature.minimum, metrics.temperature.maximum), (online, online));
    assert!(trainer(TemperatureSource::Average).step().is_err());
}

#[test]
fn a_game_cut_off_at_the_cap_is_labelled_as_one_that_goes_on() {
    let ply_cap_outcome = PlyCapOutcome::Bootstrap;
    let settings = || FinetuneConfig { games: 1, ..one_ply() };
    let play = |settings| {
        let mut trainer = trainer(settings);
        let successors = trainer.games.play(&[7]).expect("encodable");
        (label(&trainer, &successors), trainer)
    };
    // What the move is worth in a game without a near cap.
    let (goes_on, _) = play(FinetuneConfig { ply_cap: 99, ..settings() });
    let (cut_off, trainer) = play(FinetuneConfig { ply_cap_outcome, ..settings() });
    assert_eq!(cut_off, goes_on);
    assert_ne!(cut_off, [Wdl::DRAW]);
    assert_eq!(trainer.games.games()[0].game.ply(), 0);
    let (drawn, _) = play(settings());
    assert_eq!(drawn, [Wdl::DRAW]);

    let mut trainer = self::trainer(FinetuneConfig { ply_cap_outcome, ..one_ply() });
    let games = trainer.step().expect("a step").games;
    assert_eq!((games.finished, games.ply_cap, games.cut_off, games.draws), (12, 12, 12, 0));
}

#[test]
fn a_mate_on_the_last_ply_before_the_cap_is_a_mate() {
    for ply_cap_outcome in [PlyCapOutcome::Draw, PlyCapOutcome::Bootstrap] {
        let settings = FinetuneConfig {
            games: 1,
            warm_start_moves: 0,
            ply_cap: 4,
            ply_cap_outcome,
            ..config()
        };
        let (trainer, successors) = play_last_of(settings, "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(label(&trainer, &successors), [Wdl::WIN]);
    }
}

#[test]
fn the_value_anchor_holds_the_value_head_at_the_bases() {
    for exploration in [ExplorationTerm::ForwardKl, ExplorationTerm::ReverseKl] {
        let drift = |value_anchor| {
            let settings = FinetuneConfig { exploration, value_anchor, ..config() };
            run(&mut trainer(settings), 100).last().expect("steps").loss.value_anchor
        };
        let (free, held) = (drift(0.0), drift(20.0));
        assert!(held < 0.5 * free, "{exploration:?}: {held} against {free}");
    }
}

#[test]
fn beta_follows_its_schedule() {
    let betas = |beta_schedule| {
        let settings = FinetuneConfig { beta: 0.5, steps: 6, beta_schedule, ..config() };
        let losses = run(&mut trainer(settings), 6).into_iter();
        losses.map(|metrics| (metrics.loss, metrics.policy.forward_kl)).collect::<Vec<_>>()
    };
    let schedule = BetaSchedule { final_beta: 0.25, ..BetaSchedule::default() };
    let linear = BetaSchedule { kind: BetaScheduleKind::Linear, ..schedule };
    let found: Vec<f64> = betas(linear).iter().map(|(loss, _)| loss.beta).collect();
    for (found, expected) in found.iter().zip([0.5, 0.45, 0.4, 0.35, 0.3, 0.25]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    // By hand from what is logged.
    let (drift_target, drift_decay) = (1e-6, 0.5);
    let drift =
        BetaSchedule { kind: BetaScheduleKind::Drift, drift_target, drift_decay, ..schedule };
    let (mut sum, mut weight) = (0.0, 0.0);
    let mut shrunk = 0;
    for (loss, divergence) in betas(drift) {
        let mean: f64 = if weight > 0.0 { sum / weight } else { 0.0 };
        assert!((loss.drift - mean).abs() < 1e-15, "{loss:?}");
        let left = if mean > drift_target { drift_target / mean } else { 1.0 };
        assert!((loss.beta - (0.25 + 0.25 * left)).abs() < 1e-12, "{loss:?}");
        assert!((loss.exploration_weighted - loss.beta * loss.exploration).abs() < 1e-15);
        shrunk += u32::from(left < 1.0);
        sum = 0.5 * sum + 0.5 * divergence;
        weight = 0.5 * weight + 0.5;
    }
    // The policy is the base at the first step, and known to have left it from the third on.
    assert_eq!(shrunk, 4);
}

#[test]
fn an_engine_whose_passes_differ_is_seen_at_every_temperature() {
    for temperature in [SamplingTemperature::One, SamplingTemperature::Adaptive] {
        let settings = FinetuneConfig { temperature, ..one_ply() };
        let engine = LinearEngine::new(5);
        let drifting = Box::new(engine.clone().with_evaluation_scaled(0.5));
        let mut drifting = Trainer::new(settings, drifting, Arc::new(engine)).expect("settings");
        // By hand in the initial position: softmax(z) against softmax(z/2).
        let live = &drifting.games.games()[0];
        let outputs = drifting.base.evaluate(std::slice::from_ref(&live.position.planes));
        let logits = live.logits(&outputs, 0);
        let at = |temperature| MovePolicy::from_logits(&logits, temperature).expect("finite");
        let pi = at(Temperature::ONE).probabilities();
        let half = at(Temperature::new(2.0).expect("a temperature")).probabilities();
        let expected = pi.iter().zip(&half).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let found = drifting.step().expect("a step").policy.largest_sampling_gap;
        assert!(expected > 1e-3 && (found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

#[test]
fn the_metrics_add_up() {
    let settings = FinetuneConfig { value_anchor: 0.5, ..config() };
    for metrics in run(&mut trainer(settings), 12) {
        let loss = metrics.loss;
        let parts = loss.policy_gradient
            + loss.exploration_weighted
            + loss.value_weighted
            + loss.value_anchor_weighted;
        assert!((loss.total - parts).abs() < 1e-12, "{loss:?}");
        assert!((loss.exploration_weighted - 0.01 * loss.exploration).abs() < 1e-15);
        assert!(loss.value_weighted <= 0.2 * loss.value);
        assert!((loss.value_anchor_weighted - 0.1 * loss.value_anchor).abs() < 1e-15);
        assert_eq!(loss.value_anchor > 0.0, metrics.step > 1);
        assert_eq!(loss.beta, 0.01);
        assert!(metrics.advantage.mean.abs() <= metrics.advantage.mean_absolute);
        let games = metrics.games;
        assert_eq!(games.finished, games.white_wins + games.black_wins + games.draws);
        assert_eq!(games.cut_off, 0);
        let rules = games.checkmate
            + games.stalemate
            + games.insufficient_material
            + games.threefold_repetition
            + games.fifty_move_rule
            + games.ply_cap;
        assert_eq!(games.finished, rules);
        let timing = metrics.timing;
        let phases = timing.forward + timing.play + timing.label + timing.backward;
        assert!(timing.positions_per_second > 0.0 && timing.outside_engine > 0.0);
        // Only the metrics come after the last phase.
        assert!(12.0 / timing.positions_per_second >= phases, "{timing:?}");
    }
}

#[test]
fn a_cap_of_one_ply_draws_every_game_at_once() {
    let mut trainer = trainer(one_ply());
    let value = trainer.theta.evaluate(&trainer.games.planes()).value_of(0).expect("finite");
    let metrics = trainer.step().expect("a step");
    assert_eq!((metrics.games.finished, metrics.games.draws, metrics.games.ply_cap), (12, 12, 12));
    assert_eq!(metrics.games.mean_plies, Some(1.0));
    assert_eq!(metrics.games.mean_plies_under_way, 0.0);
    assert!((metrics.advantage.mean - advantage(&Wdl::DRAW, &value)).abs() < 1e-12);
    assert!((metrics.loss.value - value.cross_entropy(&Wdl::DRAW)).abs() < 1e-12);
    assert_eq!(metrics.openings.first_move.games, 12);
    assert_eq!(metrics.openings.four_plies.games, 0);
    assert_eq!(metrics.warmup_factor, 0.25);
}

#[test]
fn the_loss_is_a_mean_over_the_batch() {
    // All games stand at the initial position and end in a draw, so that the value head's
    // gradient is the same in each; at temperature 1 so is rho.
    let value_head = |games| {
        let temperature = SamplingTemperature::One;
        let mut trainer = trainer(FinetuneConfig { games, temperature, ..one_ply() });
        trainer.step().expect("a step");
        trainer.theta.state().parameters[LinearEngine::bias(MoveIndex::COUNT)..].to_vec()
    };
    let (one, many) = (value_head(1), value_head(64));
    for (one, many) in one.iter().zip(&many) {
        assert!((one - many).abs() < 1e-5, "{one} {many}");
    }
    let before = LinearEngine::new(5).parameters[LinearEngine::bias(MoveIndex::COUNT)..].to_vec();
    assert_ne!(one, before);
}

#[test]
fn the_average_follows_the_trained_weights() {
    let mut trainer = trainer(config());
    let before = LinearEngine::new(5).parameters;
    trainer.step().expect("a step");
    let state = trainer.theta.state();
    assert_ne!(state.parameters, before);
    for ((before, after), average) in before.iter().zip(&state.parameters).zip(&state.average) {
        assert!((average - (0.9 * before + 0.1 * after)).abs() < 1e-6);
    }
}

fn bits(parameters: &[f32]) -> Vec<u32> {
    parameters.iter().map(|parameter| parameter.to_bits()).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut trainer = trainer(config());
            let metrics = without_timing(run(&mut trainer, 20));
            let state = trainer.theta.state();
            (metrics, bits(&state.parameters), bits(&state.average))
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn another_seed_plays_other_games() {
    let plays = |seed| {
        let mut trainer = trainer(FinetuneConfig { seed, ..config() });
        while trainer.play_warm_start_ply().expect("a ply") {}
        let moves = |live: &LiveGame| live.game.moves().to_vec();
        trainer.games.games().iter().map(moves).collect::<Vec<_>>()
    };
    assert_eq!(plays(1), plays(1));
    assert_ne!(plays(1), plays(2));
}

#[test]
fn a_games_moves_do_not_depend_on_the_games_beside_it() {
    let plays = |games| {
        // No updates, as these do depend on all games.
        let mut settings = FinetuneConfig { games, ..config() };
        (settings.learning_rates.policy_head, settings.learning_rates.value_head) = (0.0, 0.0);
        let mut trainer = trainer(settings);
        run(&mut trainer, 10);
        let moves = |live: &LiveGame| live.game.moves().to_vec();
        trainer.games.games()[..4].iter().map(moves).collect::<Vec<_>>()
    };
    assert_eq!(plays(4), plays(9));
}

#[test]
fn the_warm_start_puts_games_out_of_phase() {
    let mut trainer =
        trainer(FinetuneConfig { games: 200, ply_cap: 512, warm_start_moves: 3, ..config() });
    let drawn: Vec<u32> = trainer.games.games().iter().map(|live| live.warm_start_plies).collect();
    for plies in [0, 2, 4, 6] {
        // 50 expected, standard deviation 6.
        let games = drawn.iter().filter(|&&drawn| drawn == plies).count();
        assert!((25..75).contains(&games), "{games} of 200 games with {plies} plies");
    }
    let mut left = vec![trainer.warm_start_plies_left()];
    while trainer.play_warm_start_ply().expect("a ply") {
        left.push(trainer.warm_start_plies_left());
    }
    assert_eq!(left, [6, 5, 4, 3, 2, 1, 0]);
    for (live, drawn) in trainer.games.games().iter().zip(drawn) {
        assert_eq!(live.game.ply(), drawn);
    }
    // Openings are those of the steps, not of the warm start.
    assert_eq!(trainer.openings.metrics().first_move.games, 0);
}

#[test]
fn without_a_warm_start_all_games_are_at_the_initial_position() {
    let mut trainer = trainer(FinetuneConfig { warm_start_moves: 0, ..config() });
    assert!(!trainer.play_warm_start_ply().expect("no ply"));
    assert!(trainer.games.games().iter().all(|live| live.game.ply() == 0));
}

#[test]
fn games_that_end_in_the_warm_start_begin_anew() {
    let mut trainer =
        trainer(FinetuneConfig { ply_cap: 5, warm_start_moves: 10, games: 30, ..config() });
    let drawn: Vec<u32> = trainer.games.games().iter().map(|live| live.warm_start_plies).collect();
    while trainer.play_warm_start_ply().expect("a ply") {}
    for (live, drawn) in trainer.games.games().iter().zip(drawn) {
        assert_eq!(live.game.ply(), drawn % 5);
    }
}

/// Runs until the first error, which must leave the weights as they are.
fn failure(mut trainer: Trainer) -> TrainingError {
    for _ in 0..50 {
        let before = bits(&trainer.theta.state().parameters);
        if let Err(error) = trainer.step() {
            assert_eq!(bits(&trainer.theta.state().parameters), before);
            return error;
        }
    }
    panic!("50 steps without an error");
}

#[test]
fn the_first_number_that_is_not_finite_stops_the_run() {
    let initial = Game::new();
    let fen = initial.fen();
    let position = EncodedPosition::new(&initial, InputFormat::Classical112, HistoryFill::FenOnly)
        .expect("encodable");
    let legal = LinearEngine::bias(position.moves[7].0.get());
    let value = LinearEngine::bias(MoveIndex::COUNT + 1);
    let good = LinearEngine::new(5);
    let check = |theta: &LinearEngine, base: &LinearEngine, temperature, parts: &[&str]| {
        let settings = FinetuneConfig { temperature, warm_start_moves: 0, ..config() };
        let trainer = Trainer::new(settings, Box::new(theta.clone()), Arc::new(base.clone()));
        let message = failure(trainer.expect("valid settings")).to_string();
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
    };
    use SamplingTemperature::{Adaptive, One};

    let mut broken = good.clone();
    broken.parameters[legal] = f32::NAN;
    let at_start = ["step 1", fen.as_str(), "logit 7 is NaN"];
    check(&broken, &good, One, &[&at_start[..], &["trained network's policy"]].concat());
    check(&good, &broken, One, &[&at_start[..], &["base's policy"]].concat());

    let mut broken = good.clone();
    broken.parameters[value] = f32::INFINITY;
    check(&broken, &good, One, &["step 1", &fen, "trained network's value", "logit 1 is inf"]);
    check(&good, &broken, One, &["step 1", &fen, "base's value", "logit 1 is inf"]);
    let mut broken = good.clone();
    broken.average[value] = f32::NEG_INFINITY;
    check(&broken, &good, Adaptive, &["step 1", &fen, "average's value", "logit 1 is -inf"]);
    // Without tau the average is first asked for the successors.
    check(&broken, &good, One, &["step 1", " b KQkq - 0 1", "average's value"]);
}

#[test]
fn a_warm_start_that_is_not_finite_says_so() {
    let mut base = LinearEngine::new(5);
    base.parameters[LinearEngine::bias(MoveIndex::COUNT)] = f32::NAN;
    let trainer = Trainer::new(config(), Box::new(LinearEngine::new(5)), Arc::new(base));
    let message = failure(trainer.expect("valid settings")).to_string();
    assert!(message.contains("warm start: the base's value of \""), "{message}");
}

#[test]
fn a_gradient_beyond_single_precision_stops_the_run() {
    // At the first step the divergence has no slope; then 1e300 is too much for it.
    let error = failure(trainer(FinetuneConfig { beta: 1e300, ..config() }));
    match &error {
        TrainingError::NonFiniteLoss { step: 2, term, fen, .. } => {
            assert_eq!(*term, "gradient of the policy logits");
            Game::from_fen(fen).expect("a position");
        }
        _ => panic!("{error}"),
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let engine = LinearEngine::new(5);
    let settings = FinetuneConfig { games: 0, ..config() };
    let refused = Trainer::new(settings, Box::new(engine.clone()), Arc::new(engine));
    assert!(matches!(refused, Err(TrainingError::Config(_))));
}

#[test]
fn networks_that_read_positions_differently_are_refused() {
    let engine = LinearEngine::new(5);
    let base = engine.clone().with_input_format(InputFormat::CastlingPlane);
    let refused = Trainer::new(config(), Box::new(engine), Arc::new(base));
    assert!(matches!(refused, Err(TrainingError::InputFormats { theta: 1, base: 2 })));
}
