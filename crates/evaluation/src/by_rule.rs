//! One of something for each rule.

/// What holds under each of the three rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByRule<T> {
    /// Where the marked move only is accepted.
    pub strict: T,
    /// Where any move that mates at once is accepted too.
    pub immediate_mate: T,
    /// Where any move that mates as fast as the marked line is accepted too.
    pub multi_solution: T,
}

impl<T> ByRule<T> {
    /// The same computed from each.
    pub fn map<U>(&self, mut compute: impl FnMut(&T) -> U) -> ByRule<U> {
        ByRule {
            strict: compute(&self.strict),
            immediate_mate: compute(&self.immediate_mate),
            multi_solution: compute(&self.multi_solution),
        }
    }
}
