use std::fmt;

use super::InstructionSet;
use crate::simd::bfloat16::PairUnit;

/// What the operands of matrix products are rounded to. Everything else is `f32`: parameters,
/// activations, sums, and the attention of heads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Nothing: 24 significant bits.
    #[default]
    Float32,
    /// bfloat16: 8 significant bits. See [the kernels](super#bfloat16).
    Bfloat16,
}

/// How matrix products are computed: a precision, and instructions of this processor for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arithmetic {
    set: InstructionSet,
    operands: Operands,
}

/// The form in which products read their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    /// `f32`.
    Exact,
    /// `f32` that bfloat16 can represent.
    Rounded,
    /// Pairs of bfloat16, for instructions made for them.
    Pairs(PairUnit),
}

impl Arithmetic {
    /// The fastest arithmetic of a precision.
    pub fn detect(precision: Precision) -> Self {
        Self::available(precision)[0]
    }

    /// All that this processor has for a precision, the fastest first.
    pub fn available(precision: Precision) -> Vec<Self> {
        let sets = InstructionSet::available().into_iter();
        match precision {
            Precision::Float32 => sets.map(Self::from).collect(),
            Precision::Bfloat16 => {
                let set = InstructionSet::detect();
                let (quick, slow): (Vec<_>, Vec<_>) =
                    PairUnit::available().into_iter().partition(|unit| unit.outpaces_f32());
                let pairs = |unit| Self { set, operands: Operands::Pairs(unit) };
                let mut rounded = sets.map(|set| Self { set, operands: Operands::Rounded });
                let quick = quick.into_iter().map(pairs).chain(rounded.next());
                quick.chain(slow.into_iter().map(pairs)).chain(rounded).collect()
            }
        }
    }

    /// What operands are rounded to.
    pub fn precision(self) -> Precision {
        match self.operands {
            Operands::Exact => Precision::Float32,
            Operands::Rounded | Operands::Pairs(_) => Precision::Bfloat16,
        }
    }

    /// The instructions of all computations but products.
    pub fn instruction_set(self) -> InstructionSet {
        self.set
    }

    pub(super) fn operands(self) -> Operands {
        self.operands
    }
}

impl From<InstructionSet> for Arithmetic {
    /// Products of `f32`.
    fn from(set: InstructionSet) -> Self {
        Self { set, operands: Operands::Exact }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operands {
            Operands::Exact => write!(formatter, "{}", self.set),
            Operands::Rounded => write!(formatter, "bfloat16 in {}", self.set),
            Operands::Pairs(unit) => write!(formatter, "bfloat16 in {unit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_for_pairs_come_first_only_where_they_are_quicker() {
        let all = Arithmetic::available(Precision::Bfloat16);
        let units: Vec<_> = PairUnit::available();
        let pairs = |arithmetic: &&Arithmetic| matches!(arithmetic.operands, Operands::Pairs(_));
        assert_eq!(all.iter().filter(pairs).count(), units.len());
        assert_eq!(all.len(), units.len() + InstructionSet::available().len());
        let leading = all.iter().take_while(pairs);
        let quick = units.iter().filter(|unit| unit.outpaces_f32());
        assert_eq!(leading.count(), quick.count());
    }
}
