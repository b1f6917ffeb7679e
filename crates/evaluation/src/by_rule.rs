//! One of something for each rule.

use std::ops::Index;

use crate::Rule;

/// What holds under each of the three rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByRule<T> {
    /// Of [`Rule::Strict`].
    pub strict: T,
    /// Of [`Rule::ImmediateMate`].
    pub immediate_mate: T,
    /// Of [`Rule::MultiSolution`].
    pub multi_solution: T,
}

impl<T> ByRule<T> {
    /// Computes one for each rule.
    pub fn each(mut compute: impl FnMut(Rule) -> T) -> ByRule<T> {
        ByRule {
            strict: compute(Rule::Strict),
            immediate_mate: compute(Rule::ImmediateMate),
            multi_solution: compute(Rule::MultiSolution),
        }
    }
}

impl<T> Index<Rule> for ByRule<T> {
    type Output = T;

    fn index(&self, rule: Rule) -> &T {
        match rule {
            Rule::Strict => &self.strict,
            Rule::ImmediateMate => &self.immediate_mate,
            Rule::MultiSolution => &self.multi_solution,
        }
    }
}
