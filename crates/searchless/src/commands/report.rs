//! `searchless report`: the report of a study.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use report::{StudyReport, Verdict};
use study::StudyDirectory;

/// Draws up the report of a study: HTML, with its tables and figures as files.
///
/// Reads what `searchless reproduce` has measured, shows it beside what the paper printed, and says
/// of each of the paper's findings whether it holds. What was not measured yet is shown as that.
/// The page needs no other file and no network; beside it are tables in Markdown and CSV, and
/// figures in SVG.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArguments {
    /// Directory of the study
    #[arg(value_name = "STUDY")]
    study: PathBuf,
    /// Directory of the report [default: STUDY/report]
    #[arg(long, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
}

impl ReportArguments {
    /// Writes the report and prints what it finds.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let directory = StudyDirectory::new(&self.study);
        let report = StudyReport::of(&directory)?;
        let out = self.out.unwrap_or_else(|| directory.report());
        report.write(&out).with_context(|| format!("writing the report to {}", out.display()))?;
        for finding in &report.findings {
            writeln!(output, "{:<9}  {}", finding.verdict, finding.claim)?;
            writeln!(output, "           {}", finding.sentence)?;
        }
        let of =
            |verdict| report.findings.iter().filter(|finding| finding.verdict == verdict).count();
        writeln!(
            output,
            "\n{} hold, {} fail, {} undecided",
            of(Verdict::Holds),
            of(Verdict::Fails),
            of(Verdict::Undecided)
        )?;
        let missing = report.missing();
        if !missing.is_empty() {
            writeln!(output, "not measured: {}", missing.join(", "))?;
        }
        writeln!(output, "{}", out.join("index.html").display())?;
        Ok(())
    }
}
