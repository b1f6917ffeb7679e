//! A trained network beside its base, on puzzles.

use std::io::Write;
use std::path::{Path, PathBuf};

use chess::HistoryFill;
use evaluation::Suite;
use network::HeadSelection;

use super::quoted;
use crate::commands::puzzles::{ScoringArguments, table};
use crate::device::DeviceArguments;
use crate::loading::load_evaluator;

/// What base and result are scored on at the end of a run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ComparisonArguments {
    /// Puzzles to score the base and the tuned network on at the end
    #[arg(long, value_name = "FILE", help_heading = "Puzzles")]
    suite: Option<PathBuf>,
    #[command(flatten)]
    scoring: ScoringArguments,
}

/// A suite that can be scored.
pub(crate) struct Comparison {
    suite: Suite,
    scoring: ScoringArguments,
}

impl ComparisonArguments {
    /// Opens the suite where one is given, and sees whether it can be scored.
    pub(crate) fn open(&self) -> anyhow::Result<Option<Comparison>> {
        let Some(suite) = self.suite.as_ref().map(Suite::open).transpose()? else {
            return Ok(None);
        };
        self.scoring.check(&suite)?;
        Ok(Some(Comparison { suite, scoring: self.scoring }))
    }

    /// The arguments as they were given, as words of a command.
    pub(crate) fn words(&self) -> Vec<String> {
        let Some(suite) = &self.suite else { return Vec::new() };
        [vec!["--suite".to_owned(), quoted(suite)], self.scoring.words()].concat()
    }
}

impl Comparison {
    /// Scores both networks.
    pub(crate) fn compare(
        &self,
        networks: [&Path; 2],
        heads: HeadSelection,
        fill: HistoryFill,
        device: DeviceArguments,
        output: &mut impl Write,
    ) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        for path in networks {
            let network = load_evaluator(path, heads, fill, device)?;
            let name = path.display().to_string();
            rows.push(self.scoring.score(&name, &network.evaluator, &self.suite)?);
        }
        write!(output, "\n{}", table(&self.suite, self.scoring.rule(), &rows))?;
        Ok(())
    }

    /// Says the command that would score them.
    pub(crate) fn tell_how(
        &self,
        base: &Path,
        tuned: &Path,
        output: &mut impl Write,
    ) -> anyhow::Result<()> {
        let (base, tuned) = (base.display(), tuned.display());
        let suite = self.suite.path().display();
        writeln!(output, "to compare: searchless puzzles {base} {tuned} --suite {suite}")?;
        Ok(())
    }
}
