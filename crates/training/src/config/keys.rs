//! The one list of all keys: for messages, for the printed configuration and for `--help`.

/// A key of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name, with its table: `optimiser.beta1`.
    pub path: &'static str,
    /// What it means, in one line.
    pub help: &'static str,
    /// What may be given.
    pub expected: &'static str,
}

/// A table of the configuration and what it is for.
pub(super) const TABLES: &[(&str, &str)] = &[
    ("beta_schedule", "How beta goes over the run"),
    ("learning_rates", "Peak learning rates by group of parameters"),
    ("optimiser", "AdamW without weight decay"),
    ("saving", "When the run is saved, which does not change its results"),
    ("opening_book", "Where games start; the initial position without this table"),
    ("references", "A further reference network; the table may be given several times"),
];

/// All keys, in the order in which they are printed: those of no table first.
pub const KEYS: &[Key] = &[
    key("seed", "Seed of all randomness", "a whole number, 0 to 2^63 - 1"),
    key("steps", "Optimiser steps", "a whole number of at least 1"),
    key(
        "games",
        "Games played in parallel, of each of which a step consumes one move",
        "a whole number, 1 to 65536",
    ),
    key(
        "exploration",
        "Exploration term R",
        "\"none\", \"forward_kl\", \"reverse_kl\" or \"entropy_bonus\"",
    ),
    key("beta", "Weight of the exploration term at the first step", NOT_NEGATIVE),
    key("base_weight", "Weight of the base in the mixture of references", NOT_NEGATIVE),
    key(
        "temperature",
        "Sampling temperature: 1, or the entropy of the outcome in each position",
        "\"one\" or \"adaptive\"",
    ),
    key(
        "temperature_source",
        "Value head that sets the adaptive temperature",
        "\"average\" or \"online\"",
    ),
    key("ply_cap", "Plies after which a game is over", "a whole number, 1 to 10000"),
    key(
        "ply_cap_outcome",
        "A game at the cap is a draw, or cut off and its last move labelled as any other",
        "\"draw\" or \"bootstrap\"",
    ),
    key("value_coefficient", "Weight c_v of the value loss", NOT_NEGATIVE),
    key(
        "value_weighting",
        "Whether the importance weight rho weighs the value loss",
        "\"rho\" or \"unweighted\"",
    ),
    key(
        "value_anchor",
        "Weight, within the value loss, of the divergence from the base's value head",
        NOT_NEGATIVE,
    ),
    key("ema_decay", "Decay of the moving average of the weights", DECAY),
    key(
        "warmup_steps",
        "Steps of linear warm-up of the learning rates",
        "a whole number of at least 0",
    ),
    key(
        "warm_start_moves",
        "Each first game is played ahead by 0 to this many full moves, drawn at random",
        "a whole number, 0 to 1000",
    ),
    key(
        "history_fill",
        "What the network sees before a game's first position",
        "\"fen_only\", \"no\" or \"always\"",
    ),
    key(
        "beta_schedule.kind",
        "Beta stays, goes to final_beta by step, or shrinks as the policy leaves the base",
        "\"constant\", \"linear\" or \"drift\"",
    ),
    key(
        "beta_schedule.final_beta",
        "What beta goes to, or the least that drift leaves of it",
        NOT_NEGATIVE,
    ),
    key(
        "beta_schedule.steps",
        "Steps of the linear schedule; 0 for all of the run",
        "a whole number of at least 0",
    ),
    key(
        "beta_schedule.drift_target",
        "Average KL(base||pi), in nats, from which beta shrinks in proportion",
        "a finite number above 0",
    ),
    key(
        "beta_schedule.drift_decay",
        "Decay of that average from step to step",
        "at least 0 and below 1",
    ),
    key("learning_rates.backbone", "Everything that is in no other group", RATE),
    key("learning_rates.final_block", "The last encoder or residual block", RATE),
    key("learning_rates.policy_head", "The policy head", RATE),
    key("learning_rates.value_head", "The value head", RATE),
    key("optimiser.beta1", "Decay of the gradient's average", DECAY),
    key("optimiser.beta2", "Decay of the squared gradient's average", DECAY),
    key(
        "optimiser.epsilon",
        "Added to the root of the squared gradient's average",
        "above 0 and at most 1, in single precision",
    ),
    key(
        "saving.checkpoint_every",
        "Steps between two checkpoints, and plies in the warm start",
        "a whole number, 1 to 2^63 - 1",
    ),
    key(
        "saving.keep_checkpoints",
        "Checkpoints to keep, the newest ones",
        "a whole number, 1 to 1000000",
    ),
    key(
        "saving.network_every",
        "Steps between two networks for lc0; 0 writes one at the end only",
        "a whole number, 0 to 2^63 - 1",
    ),
    key("opening_book.file", "EPD or PGN, plain, .gz, .zst or .zip", "the path of a file"),
    key("opening_book.sha256", "SHA-256 of the file; recorded by a run", SHA256),
    key("references.file", "Lc0 network file of the base's input format", "the path of a file"),
    key("references.weight", "Weight in the mixture, beside base_weight", NOT_NEGATIVE),
    key(
        "references.policy_head",
        "Policy head, where the file has several",
        "the name of a policy head",
    ),
    key("references.sha256", "SHA-256 of the file; recorded by a run", SHA256),
];

const NOT_NEGATIVE: &str = "a finite number of at least 0";
const DECAY: &str = "at least 0 and below 1, in single precision";
const RATE: &str = "a number, 0 to 1";
const SHA256: &str = "64 hexadecimal digits";

const fn key(path: &'static str, help: &'static str, expected: &'static str) -> Key {
    Key { path, help, expected }
}

/// The key of that name.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

/// Whether a table has that name.
pub(crate) fn is_table(path: &str) -> bool {
    TABLES.iter().any(|(name, _)| *name == path)
}

/// The key whose name is most like `unknown`, with or without its table, if it is like it at all.
pub(super) fn nearest(unknown: &str) -> Option<&'static str> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let distance = |key: &&Key| {
        let whole = strsim::damerau_levenshtein(key.path, unknown);
        (strsim::damerau_levenshtein(&last(key.path), &last(unknown)).min(whole), whole)
    };
    let nearest = KEYS.iter().min_by_key(distance)?;
    // Half of the letters changed is another word.
    (2 * distance(&nearest).0 <= last(unknown).chars().count()).then_some(nearest.path)
}
