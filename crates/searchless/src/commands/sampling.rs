//! How moves are drawn, as arguments.

use evaluation::Sampling;

/// Which distributions of a network to look at.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Sampling")]
pub(super) struct SamplingArguments {
    /// Only moves drawn from the raw policy pi, at temperature 1 [default: both]
    #[arg(long, conflicts_with = "tempered")]
    raw: bool,
    /// Only moves drawn from the tempered policy mu, each position at the entropy of the network's
    /// own outcome, H(WDL) in nats [default: both]
    #[arg(long)]
    tempered: bool,
}

impl SamplingArguments {
    /// The distributions chosen, raw first.
    pub(super) fn chosen(self) -> &'static [Sampling] {
        match (self.raw, self.tempered) {
            (true, false) => &[Sampling::Raw],
            (false, true) => &[Sampling::Tempered],
            _ => &Sampling::ALL,
        }
    }
}
