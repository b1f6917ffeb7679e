//! The normal distribution.

/// The probability that a standard normal variable is below `x`.
pub(super) fn below(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The deviation that a standard normal variable exceeds, in one direction or the other, with
/// probability `1 - confidence`: 1.96 for 0.95.
pub(super) fn two_sided(confidence: f64) -> f64 {
    let tail = (1.0 - confidence) / 2.0;
    // No tail of an f64 is beyond 40 deviations.
    let (mut low, mut high) = (0.0, 40.0);
    loop {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if below(-middle) > tail { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_tables() {
        let check = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 1e-14, "{found:e}, expected {expected:e}");
        };
        check(below(1.0), 0.841_344_746_068_542_9);
        check(below(-2.0), 0.022_750_131_948_179_21);
        check(below(-6.0), 9.865_876_450_376_98e-10);
        check(two_sided(0.95), 1.959_963_984_540_054);
    }
}
