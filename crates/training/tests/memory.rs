//! A long run needs no more memory than a short one. Alone in its process: other tests would
//! be measured with it.

#![cfg(target_os = "linux")]

use lc0::random::Preset;
use training::FinetuneConfig;

#[path = "support/network.rs"]
#[expect(dead_code, reason = "shared with the tests of whole runs")]
mod support;

/// Resident memory in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("VmRSS");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).expect("a number")
}

#[test]
fn resident_memory_is_flat_over_a_thousand_steps() {
    // Games of 8 plies at most: a thousand of them fill the openings' windows in 800 steps.
    let config = FinetuneConfig { games: 10, ply_cap: 8, ..support::config() };
    let mut trainer = support::trainer(Preset::Smallest, config);
    for _ in 0..800 {
        trainer.step().expect("a step");
    }
    let before = resident();
    for _ in 0..1_000 {
        trainer.step().expect("a step");
    }
    let grown = resident().saturating_sub(before);
    // The policy logits of a single position a step would be 7,258 KiB.
    assert!(grown < 1_024, "{grown} KiB more after 1,000 steps");
}
