//! Terms of an expectation, with the convention that an impossible outcome contributes nothing.

/// `probability * value`, and 0 where the probability is 0, whatever the value: the limit that
/// `0 ln 0 = 0` stands for.
pub(crate) fn weighted(probability: f64, value: f64) -> f64 {
    if probability == 0.0 { 0.0 } else { probability * value }
}

/// `-sum p ln p` in nats, in `[0, ln n]`, from the n values of `ln p`.
pub(crate) fn entropy(log_probabilities: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = log_probabilities.len() as f64;
    let sum: f64 = log_probabilities.map(|log_p| weighted(log_p.exp(), -log_p)).sum();
    // No term is negative; only rounding can cross the bound from above. `abs` makes the -0.0 of
    // a certain outcome 0.0.
    sum.min(count.ln()).abs()
}
