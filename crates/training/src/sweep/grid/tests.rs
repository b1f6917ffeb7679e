use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::objective::ExplorationTerm;

fn sweep(text: &str) -> Sweep {
    Sweep::from_toml(text, &[]).expect(text)
}

fn names(sweep: &Sweep) -> Vec<&str> {
    sweep.cells().iter().map(|cell| cell.name.as_str()).collect()
}

#[test]
fn the_papers_matrix_has_its_cells() {
    let sweep = sweep(
        "preset = \"small\"\nsteps = 30\n[grid]\n\
         exploration = [\"forward_kl\", \"reverse_kl\", \"entropy_bonus\", \"none\"]\n\
         temperature = [\"one\", \"adaptive\"]\nbeta = [1e-4, 1e-3, 1e-2, 1e-1, 1]\n",
    );
    let cells = sweep.cells();
    // Table 6 has six rows of five, and the two runs without a regulariser.
    assert_eq!(cells.len(), 32);
    assert_eq!(
        names(&sweep)[..6],
        [
            "forward_kl-one-beta=0.0001",
            "forward_kl-one-beta=0.001",
            "forward_kl-one-beta=0.01",
            "forward_kl-one-beta=0.1",
            "forward_kl-one-beta=1",
            "forward_kl-adaptive-beta=0.0001",
        ]
    );
    assert_eq!(names(&sweep)[30..], ["none-one", "none-adaptive"]);
    assert_eq!(cells[30].values, [Some("none".to_owned()), Some("one".to_owned()), None]);
    // Where beta has no effect it is what the settings say, not a value of the grid.
    assert_eq!(cells[30].config.beta, sweep.settings().beta);
    assert_eq!(
        (cells[4].config.beta, cells[4].config.steps, cells[4].config.games),
        (1.0, 30, 128)
    );
}

#[test]
fn the_order_is_that_of_the_file() {
    let check = |grid: &str, expected: &[&str]| {
        assert_eq!(names(&sweep(&format!("[grid]\n{grid}"))), expected, "{grid}");
    };
    check("seed = [2, 1]\ngames = [4]", &["seed=2-games=4", "seed=1-games=4"]);
    check("games = [4, 8]\nbeta = [1]", &["games=4-beta=1", "games=8-beta=1"]);
    check(
        "optimiser.beta1 = [0.5]\nbeta = [0.1]\n[grid.learning_rates]\nbackbone = [1e-5, 1e-4]",
        &[
            "optimiser.beta1=0.5-beta=0.1-learning_rates.backbone=1e-5",
            "optimiser.beta1=0.5-beta=0.1-learning_rates.backbone=0.0001",
        ],
    );
    check("\"optimiser.beta1\" = [0.5]", &["optimiser.beta1=0.5"]);
    check("opening_book.file = [\"a.epd\"]", &["opening_book.file=a.epd"]);
    check(
        "references = [[], [{ file = \"a.pb\" }]]",
        &["references=", "references=file_a.pb_policy_head_vanilla_weight_1.0"],
    );
}

#[test]
fn keys_without_effect_are_one_cell() {
    let check = |grid: &str, expected: &[&str]| {
        assert_eq!(names(&sweep(&format!("[grid]\n{grid}"))), expected, "{grid}");
    };
    let terms = "exploration = [\"none\", \"forward_kl\"]\n";
    check(&format!("beta = [1, 2]\n{terms}"), &["none", "beta=1-forward_kl", "beta=2-forward_kl"]);
    check(
        &format!("{terms}beta_schedule.kind = [\"linear\", \"drift\"]"),
        &["none", "forward_kl-beta_schedule.kind=linear", "forward_kl-beta_schedule.kind=drift"],
    );
    check(
        "temperature = [\"one\", \"adaptive\"]\ntemperature_source = [\"average\", \"online\"]",
        &["one", "adaptive-temperature_source=average", "adaptive-temperature_source=online"],
    );
    // The seed has an effect on everything.
    check(
        "exploration = [\"none\"]\nbeta = [1, 2]\nseed = [1, 2]",
        &["none-seed=1", "none-seed=2"],
    );
    // Without further references the base is all of the prior, whatever its weight.
    check("base_weight = [1, 2]", &["all"]);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let check = |text: &str, expected: &str| {
        let error = Sweep::from_toml(text, &[]).expect_err(text).to_string();
        assert_eq!(error, expected, "{text}");
    };
    check("steps = 3", "there is no table [grid], expected keys with lists of values");
    check("grid = 3", "there is no table [grid], expected keys with lists of values");
    check("[grid]", "there is no table [grid], expected keys with lists of values");
    check("step = 3\n[grid]\nbeta = [1]", "line 1: unknown key `step`; did you mean `steps`?");
    check("[grid]\nbeat = [1]", "line 2: unknown key `beat`; did you mean `beta`?");
    check(
        "[grid]\noptimiser.beta3 = [1]",
        "line 2: unknown key `optimiser.beta3`; did you mean `optimiser.beta1`?",
    );
    check("[grid]\n\nbeta = []", "line 3: grid.beta = [], expected a list of at least one value");
    check("[grid]\nbeta = 1.0", "line 2: grid.beta = 1.0, expected a list of at least one value");
    check(
        "[grid]\nbeta = [1, \"x\"]",
        "line 2: beta = \"x\", expected a finite number of at least 0",
    );
    check(
        "[grid]\nseed = [1]\nbeta = [1, -1]",
        "cell seed=1-beta=-1: beta = -1, expected a finite number of at least 0",
    );
    check(
        "[grid]\nbeta = [nan]",
        "cell beta=NaN: beta = NaN, expected a finite number of at least 0",
    );
    check("[grid]\nbeta = [1, 1.0]", "line 2: grid.beta has the value 1.0 twice");
    check("[grid]\nseed = [1, 2, 1]", "line 2: grid.seed has the value 1 twice");
    check(
        "[grid]\noptimiser = [{ beta1 = 0.5 }]\n\"optimiser.beta1\" = [0.1]",
        "grid.optimiser.beta1 is a part of grid.optimiser; give one of them",
    );
    check("[grid]\npreset = [\"small\"]", "line 2: unknown key `preset`");
    let many = |count: usize| format!("{:?}", (1..=count).collect::<Vec<_>>());
    let grid = |seeds, games| format!("[grid]\nseed = {}\ngames = {}", many(seeds), many(games));
    check(&grid(241, 17), "the grid has more than 4096 cells");
    assert_eq!(sweep(&grid(256, 16)).cells().len(), MAXIMUM_CELLS);
}

#[test]
fn assignments_change_the_settings_and_not_the_grid() {
    let text = "games = 4\nbeta = 3\n[grid]\nbeta = [1]";
    let assignments = ["games=8".to_owned(), "beta=2".to_owned()];
    let sweep = Sweep::from_toml(text, &assignments).expect("a sweep");
    let config = &sweep.cells()[0].config;
    assert_eq!((config.games, config.beta, sweep.settings().beta), (8, 1.0, 2.0));
}

proptest! {
    #[test]
    fn the_expansion_is_complete_and_has_no_duplicates(
        betas in prop::collection::hash_set(0u32..50, 1..5),
        seeds in prop::collection::hash_set(0u32..50, 1..5),
        terms in prop::sample::subsequence(ExplorationTerm::ALL.to_vec(), 1..=4),
        is_beta_first: bool,
    ) {
        let list = |numbers: &HashSet<u32>| format!("{:?}", numbers.iter().collect::<Vec<_>>());
        let axes = [format!("beta = {}", list(&betas)), format!("seed = {}", list(&seeds))];
        let axes = if is_beta_first { axes.join("\n") } else { format!("{}\n{}", axes[1], axes[0]) };
        let terms_text = toml::Value::try_from(&terms).expect("a list");
        let sweep = sweep(&format!("[grid]\n{axes}\nexploration = {terms_text}\n"));
        for &seed in &seeds {
            for &term in &terms {
                let wanted: Vec<f64> = match term {
                    ExplorationTerm::None => vec![sweep.settings().beta],
                    _ => betas.iter().map(|&beta| beta.into()).collect(),
                };
                for beta in wanted {
                    let expected = FinetuneConfig {
                        seed: seed.into(),
                        exploration: term,
                        beta,
                        ..FinetuneConfig::default()
                    };
                    let found = sweep.cells().iter().filter(|cell| cell.config == expected);
                    prop_assert_eq!(found.count(), 1);
                }
            }
        }
        let with_beta = terms.iter().filter(|term| **term != ExplorationTerm::None).count();
        let without = terms.len() - with_beta;
        prop_assert_eq!(sweep.cells().len(), seeds.len() * (with_beta * betas.len() + without));
        let names: HashSet<&str> = names(&sweep).into_iter().collect();
        prop_assert_eq!(names.len(), sweep.cells().len());
        // A record's grid expands to the same.
        let again = Sweep::expand(sweep.settings().clone(), sweep.axes().to_vec());
        prop_assert_eq!(again.expect("a sweep"), sweep);
    }
}
