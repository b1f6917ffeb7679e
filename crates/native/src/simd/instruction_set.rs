use std::fmt;
use std::sync::OnceLock;

#[cfg(target_arch = "aarch64")]
use super::neon;
use super::{Kernel, portable};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// A set of vector instructions that this processor is known to have.
///
/// Kernels give the same bits on every set, so the choice only decides their speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSet(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl InstructionSet {
    /// Plain Rust: runs anywhere and is the reference for the others, but many times slower.
    pub const PORTABLE: InstructionSet = InstructionSet(Kind::Portable);

    /// The fastest set of this processor.
    pub fn detect() -> InstructionSet {
        static DETECTED: OnceLock<InstructionSet> = OnceLock::new();
        *DETECTED.get_or_init(|| InstructionSet::available()[0])
    }

    /// All sets of this processor, the fastest first.
    pub fn available() -> Vec<InstructionSet> {
        let mut sets = vector_sets();
        sets.push(InstructionSet::PORTABLE);
        sets
    }

    #[cfg(target_arch = "x86_64")]
    fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
    }

    /// Whether the processor has AVX-512 with what comes with it on every desktop and server.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn has_avx512() -> bool {
        InstructionSet::has_avx2()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    }

    /// Runs a kernel compiled for this set.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `vector_sets` alone makes this value, after it has seen the features.
            Kind::Avx512 => unsafe { avx512::run(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Kind::Avx2 => unsafe { avx2::run(kernel) },
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => neon::run(kernel),
            Kind::Portable => portable::run(kernel),
        }
    }
}

/// The sets of vector instructions, the fastest first.
#[cfg(target_arch = "x86_64")]
fn vector_sets() -> Vec<InstructionSet> {
    let mut sets = Vec::new();
    if InstructionSet::has_avx512() {
        sets.push(InstructionSet(Kind::Avx512));
    }
    if InstructionSet::has_avx2() {
        sets.push(InstructionSet(Kind::Avx2));
    }
    sets
}

/// The sets of vector instructions, the fastest first.
#[cfg(target_arch = "aarch64")]
fn vector_sets() -> Vec<InstructionSet> {
    vec![InstructionSet(Kind::Neon)]
}

/// The sets of vector instructions, the fastest first.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn vector_sets() -> Vec<InstructionSet> {
    Vec::new()
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "NEON",
            Kind::Portable => "portable",
        })
    }
}
