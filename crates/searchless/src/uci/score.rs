//! Outcome probabilities as the scores that GUIs understand.

use policy::Wdl;

/// Lc0's centipawn score of a value `q` in `[-1, 1]`: `90 tan(1.5637541897 q)`.
///
/// A convention of display, the same as lc0's `score_type` "centipawn", so that the two can be
/// compared in one GUI: about 141 q near 0 and 12,780 at 1.
pub(crate) fn centipawns(q: f64) -> i32 {
    // |q| <= 1 keeps the argument below pi/2, so the tangent is finite and far inside i32.
    (90.0 * (1.563_754_189_7 * q.clamp(-1.0, 1.0)).tan()).round() as i32
}

/// Win, draw and loss in thousandths that sum to exactly 1000.
///
/// Rounded down, the thousandths left over going to those that lost most by it.
pub(crate) fn per_mille(outcome: &Wdl) -> [u32; 3] {
    let exact = outcome.probabilities().map(|probability| probability * 1000.0);
    let mut rounded = exact.map(|value| value.floor() as u32);
    let mut by_loss = [0, 1, 2];
    by_loss.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = 1000u32.saturating_sub(rounded.iter().sum());
    for &index in by_loss.iter().take(missing as usize) {
        rounded[index] += 1;
    }
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawn_rows() {
        for (q, expected) in [
            (0.0, 0),
            (0.1, 14),
            (-0.1, -14),
            (0.5, 89),
            (0.9, 546),
            (1.0, 12_780),
            (-1.0, -12_780),
        ] {
            assert_eq!(centipawns(q), expected, "{q}");
        }
    }

    #[test]
    fn thousandths_sum_to_a_thousand() {
        let check = |[win, draw, loss]: [f64; 3], expected: [u32; 3]| {
            let outcome = Wdl::new(win, draw, loss).expect("a distribution");
            assert_eq!(per_mille(&outcome), expected);
        };
        check([1.0, 0.0, 0.0], [1000, 0, 0]);
        check([0.5, 0.25, 0.25], [500, 250, 250]);
        check([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], [334, 333, 333]);
        check([0.3336, 0.3337, 0.3327], [333, 334, 333]);
        check([0.9999, 0.00005, 0.00005], [1000, 0, 0]);
    }
}
