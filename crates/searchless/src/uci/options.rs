//! The options that a GUI can set.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use chess::HistoryFill;
use network::{HeadSelection, PolicyHeadName, ValueHeadName};
use policy::Temperature;

use crate::arguments::{HISTORY_FILLS, history_fill};
use crate::device::DeviceArguments;
use crate::files::EMBEDDED;

/// Most threads, lines and the largest seed that can be set: what a GUI's spin box takes.
const MAXIMUM_THREADS: usize = 1024;
const MAXIMUM_LINES: usize = 500;
const MAXIMUM_SEED: u64 = i32::MAX as u64;

/// An option by its name in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionName {
    /// The network's file.
    WeightsFile,
    /// Threads that compute.
    Threads,
    /// Temperature of sampling; 0 plays the most probable move.
    Temperature,
    /// Seed of sampling.
    Seed,
    /// The policy head of files that have several.
    PolicyHead,
    /// The value head of files that have several.
    ValueHead,
    /// What stands before the first position of a game.
    HistoryFill,
    /// How many moves are shown.
    MultiPv,
    /// Castling is printed as king takes rook.
    Chess960,
    /// Win, draw and loss are shown.
    ShowWdl,
}

/// What the options are set to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// See [`OptionName::WeightsFile`].
    pub(crate) weights_file: Option<PathBuf>,
    /// See [`OptionName::Threads`].
    pub(crate) threads: NonZeroUsize,
    /// See [`OptionName::Temperature`].
    pub(crate) temperature: Temperature,
    /// See [`OptionName::Seed`].
    pub(crate) seed: u64,
    /// See [`OptionName::PolicyHead`] and [`OptionName::ValueHead`].
    pub(crate) heads: HeadSelection,
    /// See [`OptionName::HistoryFill`].
    pub(crate) history_fill: HistoryFill,
    /// What computes; not an option of the protocol.
    pub(crate) device: DeviceArguments,
    /// See [`OptionName::MultiPv`].
    pub(crate) lines: usize,
    /// See [`OptionName::Chess960`].
    pub(crate) chess960: bool,
    /// See [`OptionName::ShowWdl`].
    pub(crate) show_wdl: bool,
}

/// An option that cannot be set so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OptionError {
    /// There is no such option.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The value is none that the option takes.
    #[error("option {name} cannot be '{value}'; expected {expected}")]
    Value {
        /// Name of the option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        expected: String,
    },
}

impl OptionName {
    const ALL: [OptionName; 10] = [
        OptionName::WeightsFile,
        OptionName::Threads,
        OptionName::Temperature,
        OptionName::Seed,
        OptionName::PolicyHead,
        OptionName::ValueHead,
        OptionName::HistoryFill,
        OptionName::MultiPv,
        OptionName::Chess960,
        OptionName::ShowWdl,
    ];

    fn name(self) -> &'static str {
        match self {
            OptionName::WeightsFile => "WeightsFile",
            OptionName::Threads => "Threads",
            OptionName::Temperature => "Temperature",
            OptionName::Seed => "Seed",
            OptionName::PolicyHead => "PolicyHead",
            OptionName::ValueHead => "ValueHead",
            OptionName::HistoryFill => "HistoryFill",
            OptionName::MultiPv => "MultiPV",
            OptionName::Chess960 => "UCI_Chess960",
            OptionName::ShowWdl => "UCI_ShowWDL",
        }
    }

    /// The option of that name; the protocol ignores case.
    fn find(name: &str) -> Option<OptionName> {
        OptionName::ALL.into_iter().find(|option| option.name().eq_ignore_ascii_case(name))
    }
}

impl Options {
    /// The defaults: `threads` threads, the most probable move, the network within the program.
    pub(crate) fn new(threads: NonZeroUsize) -> Options {
        Options {
            weights_file: Some(EMBEDDED.into()),
            threads,
            temperature: Temperature::ZERO,
            seed: 0,
            heads: HeadSelection::default(),
            history_fill: HistoryFill::default(),
            device: DeviceArguments::default(),
            lines: 1,
            chess960: false,
            show_wdl: false,
        }
    }

    /// Sets an option from what a GUI says, and tells which it was.
    ///
    /// # Errors
    ///
    /// Where there is no such option, or it does not take such a value; nothing is changed then.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<OptionName, OptionError> {
        let option = OptionName::find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let refuse = |expected: String| OptionError::Value {
            name: option.name(),
            value: value.to_owned(),
            expected,
        };
        match option {
            OptionName::WeightsFile => {
                let none = value.is_empty() || value == "<empty>";
                self.weights_file = (!none).then(|| PathBuf::from(value));
            }
            OptionName::Threads => {
                let threads = within(value, 1, MAXIMUM_THREADS as u64).map_err(refuse)?;
                self.threads = NonZeroUsize::new(threads as usize).expect("at least 1");
            }
            OptionName::Temperature => {
                let number = value.parse().ok().map(Temperature::new).and_then(Result::ok);
                self.temperature =
                    number.ok_or_else(|| refuse("a number of at least 0".to_owned()))?;
            }
            OptionName::Seed => self.seed = within(value, 0, MAXIMUM_SEED).map_err(refuse)?,
            OptionName::PolicyHead => {
                self.heads.policy = value.parse().map_err(|_| {
                    refuse(PolicyHeadName::ALL.map(PolicyHeadName::name).join(", "))
                })?;
            }
            OptionName::ValueHead => {
                self.heads.value = value
                    .parse()
                    .map_err(|_| refuse(ValueHeadName::ALL.map(ValueHeadName::name).join(", ")))?;
            }
            OptionName::HistoryFill => {
                self.history_fill = history_fill(value)
                    .ok_or_else(|| refuse(HISTORY_FILLS.map(|(name, _)| name).join(", ")))?;
            }
            OptionName::MultiPv => {
                self.lines = within(value, 1, MAXIMUM_LINES as u64).map_err(refuse)? as usize;
            }
            OptionName::Chess960 => self.chess960 = truth(value).map_err(refuse)?,
            OptionName::ShowWdl => self.show_wdl = truth(value).map_err(refuse)?,
        }
        Ok(option)
    }

    /// The `option` lines that answer `uci`, with what is set now as the defaults.
    pub(crate) fn declarations(&self) -> Vec<String> {
        OptionName::ALL.map(|option| self.declaration(option)).into()
    }

    fn declaration(&self, option: OptionName) -> String {
        let body = match option {
            OptionName::WeightsFile => {
                let path = self.weights_file.as_ref().map(|path| path.display().to_string());
                format!("string default {}", path.as_deref().unwrap_or("<empty>"))
            }
            OptionName::Threads => spin(self.threads.get() as u64, 1, MAXIMUM_THREADS as u64),
            // The protocol has no type for fractions.
            OptionName::Temperature => format!("string default {}", self.temperature.get()),
            OptionName::Seed => spin(self.seed, 0, MAXIMUM_SEED),
            OptionName::PolicyHead => {
                combo(self.heads.policy.name(), &PolicyHeadName::ALL.map(PolicyHeadName::name))
            }
            OptionName::ValueHead => {
                combo(self.heads.value.name(), &ValueHeadName::ALL.map(ValueHeadName::name))
            }
            OptionName::HistoryFill => {
                let now = HISTORY_FILLS.iter().find(|(_, fill)| *fill == self.history_fill);
                let (name, _) = now.expect("every fill has a name");
                combo(name, &HISTORY_FILLS.map(|(name, _)| name))
            }
            OptionName::MultiPv => spin(self.lines as u64, 1, MAXIMUM_LINES as u64),
            OptionName::Chess960 => format!("check default {}", self.chess960),
            OptionName::ShowWdl => format!("check default {}", self.show_wdl),
        };
        format!("option name {} type {body}", option.name())
    }
}

fn spin(default: u64, minimum: u64, maximum: u64) -> String {
    format!("spin default {default} min {minimum} max {maximum}")
}

fn combo(default: &str, values: &[&str]) -> String {
    format!("combo default {default} var {}", values.join(" var "))
}

/// A whole number from `minimum` to `maximum`, or what was expected.
fn within(value: &str, minimum: u64, maximum: u64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| (minimum..=maximum).contains(number));
    number.ok_or_else(|| format!("a whole number from {minimum} to {maximum}"))
}

fn truth(value: &str) -> Result<bool, String> {
    value.to_ascii_lowercase().parse().map_err(|_| "true or false".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options::new(NonZeroUsize::MIN)
    }

    #[test]
    fn every_option_can_be_set() {
        let mut options = options();
        for (name, value, option) in [
            ("WeightsFile", "/my nets/a.pb.gz", OptionName::WeightsFile),
            ("threads", "3", OptionName::Threads),
            ("Temperature", "0.5", OptionName::Temperature),
            ("SEED", "7", OptionName::Seed),
            ("PolicyHead", "optimistic", OptionName::PolicyHead),
            ("ValueHead", "st", OptionName::ValueHead),
            ("HistoryFill", "no", OptionName::HistoryFill),
            ("multipv", "5", OptionName::MultiPv),
            ("UCI_Chess960", "true", OptionName::Chess960),
            ("UCI_ShowWDL", "True", OptionName::ShowWdl),
        ] {
            assert_eq!(options.set(name, value), Ok(option), "{name}");
        }
        let expected = Options {
            weights_file: Some("/my nets/a.pb.gz".into()),
            threads: NonZeroUsize::new(3).expect("positive"),
            temperature: Temperature::new(0.5).expect("positive"),
            seed: 7,
            heads: HeadSelection {
                policy: PolicyHeadName::Optimistic,
                value: ValueHeadName::ShortTerm,
            },
            history_fill: HistoryFill::No,
            device: DeviceArguments::default(),
            lines: 5,
            chess960: true,
            show_wdl: true,
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn an_empty_path_is_no_network() {
        for value in ["", "<empty>"] {
            let mut options = options();
            options.set("WeightsFile", "a.pb.gz").expect("a path");
            options.set("WeightsFile", value).expect("none");
            assert_eq!(options.weights_file, None);
        }
    }

    #[test]
    fn wrong_settings_change_nothing() {
        let check = |name: &str, value: &str, expected: &str| {
            let mut options = options();
            let error = options.set(name, value).expect_err(name);
            assert_eq!(error.to_string(), expected);
            assert_eq!(options, self::options());
        };
        check("Hash", "16", "no option 'Hash'");
        let threads = "option Threads cannot be '0'; expected a whole number from 1 to 1024";
        check("Threads", "0", threads);
        let temperature = "option Temperature cannot be '-1'; expected a number of at least 0";
        check("temperature", "-1", temperature);
        check("Temperature", "nan", &temperature.replace("-1", "nan"));
        let seed = "option Seed cannot be '-1'; expected a whole number from 0 to 2147483647";
        check("Seed", "-1", seed);
        let head = "option PolicyHead cannot be 'best'; \
                    expected vanilla, optimistic, soft, opponent";
        check("PolicyHead", "best", head);
        check("ValueHead", "x", "option ValueHead cannot be 'x'; expected winner, q, st");
        let fill = "option HistoryFill cannot be 'x'; expected fen_only, no, always";
        check("HistoryFill", "x", fill);
        let wdl = "option UCI_ShowWDL cannot be 'yes'; expected true or false";
        check("UCI_ShowWDL", "yes", wdl);
    }

    #[test]
    fn a_declaration_says_what_is_set() {
        let mut options = options();
        options.set("WeightsFile", "/nets/a.pb.gz").expect("a path");
        options.set("HistoryFill", "always").expect("a fill");
        let declarations = options.declarations();
        let fill = "option name HistoryFill type combo default always \
                    var fen_only var no var always";
        assert!(declarations.contains(&fill.to_owned()), "{declarations:?}");
        let file = "option name WeightsFile type string default /nets/a.pb.gz";
        assert!(declarations.contains(&file.to_owned()), "{declarations:?}");
    }
}
