//! How hard a puzzle is, for want of people who try it.

/// Index at one node.
const BASE: f64 = 200.0;
/// What a doubling of the nodes adds.
const PER_DOUBLING: f64 = 150.0;
/// The ends of the scale.
const RANGE: (f64, f64) = (400.0, 3200.0);

/// An index of difficulty on a scale like that of ratings, so that bins of ratings put puzzles in
/// order of difficulty:
///
/// ```text
/// 200 + 150 log2(nodes), between 400 and 3200
/// ```
///
/// where `nodes` are those after which the engine had found the solver's moves and kept them,
/// summed over the line. It says how much an engine has to search, not what people find hard: it is
/// no rating, and not to be compared with one.
pub fn difficulty(nodes: u64) -> u32 {
    let index = BASE + PER_DOUBLING * (nodes.max(1) as f64).log2();
    index.clamp(RANGE.0, RANGE.1).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubling_adds_a_constant() {
        let check = |nodes: u64, expected: u32| assert_eq!(difficulty(nodes), expected, "{nodes}");
        check(0, 400);
        check(1, 400);
        check(64, 1100);
        check(128, 1250);
        check(1 << 16, 2600);
        check(1 << 30, 3200);
        check(u64::MAX, 3200);
    }
}
