//! Arguments that several commands share.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chess::HistoryFill;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use network::{HeadSelection, PolicyHeadName, ValueHeadName};

/// The fills of a short history by lc0's names for them.
pub(crate) const HISTORY_FILLS: [(&str, HistoryFill); 3] =
    [("fen_only", HistoryFill::FenOnly), ("no", HistoryFill::No), ("always", HistoryFill::Always)];

/// The fill of that name.
pub(crate) fn history_fill(name: &str) -> Option<HistoryFill> {
    HISTORY_FILLS.into_iter().find(|(known, _)| *known == name).map(|(_, fill)| fill)
}

/// The name of a fill.
pub(crate) fn history_fill_name(fill: HistoryFill) -> &'static str {
    let known = HISTORY_FILLS.into_iter().find(|(_, known)| *known == fill);
    known.expect("every fill has a name").0
}

/// How a network is to be used.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Network")]
pub(crate) struct HeadArguments {
    /// Policy head, where the file has several
    #[arg(long, value_name = "HEAD", default_value = "vanilla", value_parser = policy_heads())]
    pub(crate) policy_head: PolicyHeadName,
    /// Value head, where the file has several
    #[arg(long, value_name = "HEAD", default_value = "winner", value_parser = value_heads())]
    pub(crate) value_head: ValueHeadName,
    /// What the network is shown before the first position known: its repetition unless that is
    /// the standard start, nothing, or always its repetition [default: fen_only]
    #[arg(long, value_name = "FILL", value_parser = history_fills())]
    pub(crate) history_fill: Option<HistoryFill>,
}

impl HeadArguments {
    /// The fill chosen, else lc0's default.
    pub(crate) fn fill(self) -> HistoryFill {
        self.history_fill.unwrap_or_default()
    }

    /// The arguments as they were given, as words of a command.
    pub(crate) fn words(self) -> Vec<String> {
        let default = HeadSelection::default();
        let mut words = Vec::new();
        if self.policy_head != default.policy {
            words.extend(["--policy-head".to_owned(), self.policy_head.to_string()]);
        }
        if self.value_head != default.value {
            words.extend(["--value-head".to_owned(), self.value_head.to_string()]);
        }
        if let Some(fill) = self.history_fill {
            words.extend(["--history-fill".to_owned(), history_fill_name(fill).to_owned()]);
        }
        words
    }

    /// The heads chosen.
    pub(crate) fn selection(self) -> HeadSelection {
        HeadSelection { policy: self.policy_head, value: self.value_head }
    }
}

/// A network file as the only input of a command.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct NetworkArgument {
    /// Lc0 network file (.pb.gz, .pb, or `embedded`)
    #[arg(value_name = "NETWORK")]
    pub(crate) network: PathBuf,
}

/// Threads that compute.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ThreadArguments {
    /// Threads that compute [default: one per core]; results do not depend on their number
    #[arg(long, global = true, value_name = "N", help_heading = "Computation")]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl ThreadArguments {
    /// The number given, else the machine's cores.
    pub(crate) fn count(self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(cores)
    }
}

fn policy_heads() -> impl TypedValueParser<Value = PolicyHeadName> {
    PossibleValuesParser::new(PolicyHeadName::ALL.map(PolicyHeadName::name))
        .map(|name| name.parse().expect("a possible value"))
}

fn value_heads() -> impl TypedValueParser<Value = ValueHeadName> {
    PossibleValuesParser::new(ValueHeadName::ALL.map(ValueHeadName::name))
        .map(|name| name.parse().expect("a possible value"))
}

fn history_fills() -> impl TypedValueParser<Value = HistoryFill> {
    PossibleValuesParser::new(HISTORY_FILLS.map(|(name, _)| name))
        .map(|name| history_fill(&name).expect("a possible value"))
}
