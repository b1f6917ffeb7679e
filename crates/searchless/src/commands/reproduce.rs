//! `searchless reproduce`: the whole study of the paper, as steps that are done once.

mod materials;
mod speed;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use ::embedded::{BASE_NETWORK, OPENINGS};
use anyhow::{Context, bail, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use evaluation::coverage::Tabiya;
use study::{
    Ending, Facts, Given, GivenFile, GivenSuite, Plan, Request, Scale, StudyFiles, standings, table,
};

use self::materials::Materials;
use super::carrying_out::{CONSEQUENCE, CarryingOut};
use super::program_runner::ProgramRunner;
use super::runs::{INTERRUPTED, quoted, stop_on_interrupt};
use crate::device::DeviceArguments;
use crate::files::{EMBEDDED, is_embedded, write_embedded};

/// What is done, in what order, and what a budget changes.
const DETAILS: &str = "Steps: a sweep over the exploration terms, both temperatures and five \
coefficients, and four coefficients more for the curve; a control trained on puzzle solutions; the \
choice of each arm's coefficient; puzzles, mates and solution probability, coverage at four \
positions, policy shape; the argmax ladder, matches against the base, the ladder of sampled moves; \
recovery, calibration; the report.

Suites, in the folder of --suites: selection.csv, uniform.csv, hard.csv, mates.csv and pool.csv, \
also compressed (.gz, .zst); without one of them, the steps that need it are left out. Openings of \
matches are openings.pgn or openings.epd there (also .gz, .zst, .zip), or those of --openings; \
without them the base plays its own.

A budget makes all parts smaller, down to a fifth of their work (puzzles only where they take much \
of it); where that is not enough, parts are left out in this order: the four coefficients of the curve alone; 0.0001 and 1; the fourth move \
of trajectories; calibration; all coefficients but 0.01; policy shape; the sampled ladder; the third \
move of trajectories; the matches against the base. What was cut is printed, and stands in \
study.json.

Files: plan.json, the steps with their settings, which do not change once they are written; \
commands.sh, the same as commands for a shell; steps/, what is known of each step and what its \
program said; outdated/, runs that had to be done again.";

/// Does the paper's study: trains, measures, plays, and writes the report.
///
/// Every step is a command of this program, given in the study's directory. A step that is done is
/// not done again; one whose inputs have changed is, and all that depends on what it makes.
/// Interrupted or killed at any moment, the same command goes on and ends with the same tables.
#[derive(Debug, clap::Args)]
#[command(after_long_help = DETAILS)]
pub(crate) struct ReproduceArguments {
    /// How large the study is: small (some hours of a CPU) or paper (its own settings, for a large
    /// network and a GPU) [default: small, or what the study was begun as]
    #[arg(long, value_name = "SCALE", value_parser = scales())]
    scale: Option<Scale>,
    /// Lc0 network file of the base (.pb.gz, .pb, or `embedded`) [default: the embedded one]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Folder with the suites, or `embedded` [default: the embedded ones]
    #[arg(long, value_name = "DIRECTORY")]
    suites: Option<PathBuf>,
    /// Openings of matches: EPD or PGN, plain or compressed (.gz, .zst, .zip), or `embedded`
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Directory of the study
    #[arg(long, value_name = "DIRECTORY", default_value = "study")]
    out: PathBuf,
    /// About how long it may take, as in 20m, 3h or 1h30m; what does not fit is made smaller or left
    /// out
    #[arg(long, value_name = "TIME", value_parser = budget)]
    budget: Option<u64>,
    /// Seed of every run and measurement [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Print the steps, how they stand and about how long they take, and do nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    device: DeviceArguments,
}

impl ReproduceArguments {
    /// Plans, and does what is to do.
    pub(crate) fn run(
        mut self,
        threads: NonZeroUsize,
        output: &mut impl Write,
    ) -> anyhow::Result<()> {
        // Nothing is written to the study before it is begun.
        let carried = tempfile::tempdir()?;
        write_embedded(carried.path())?;
        self.name_carried_files(carried.path());
        let files = StudyFiles::new(&self.out);
        let out = self.out.display();
        let plan = match Plan::read(&files)? {
            Some(plan) => {
                self.check(&plan)?;
                plan
            }
            None => {
                ensure!(files.is_new()?, "{out} is not empty and holds no study (no plan.json)");
                self.plan(carried.path())?
            }
        };
        if self.dry_run {
            let standings = standings(&plan.steps, &files)?;
            return Ok(write!(output, "{}", table(&plan, &standings))?);
        }
        let lock = files.lock(|| {
            eprintln!(
                "a step that an earlier start has left behind still runs; waiting for its end"
            );
        })?;
        // Another process may have begun the study, and ended, since.
        let plan = match Plan::read(&files)? {
            Some(plan) => {
                self.check(&plan)?;
                plan
            }
            None => {
                plan.write(&files)?;
                plan
            }
        };
        let embedded = files.path(EMBEDDED);
        if !embedded.exists() && plan.request.uses(Path::new(EMBEDDED)) {
            write_embedded(&embedded)
                .with_context(|| format!("writing to {}", embedded.display()))?;
        }
        plan.prepare(&files)?;
        let stop = stop_on_interrupt(CONSEQUENCE)?;
        let mut runner = ProgramRunner::new(threads, &lock, &stop)?;
        let carrying_out = CarryingOut::new(&plan.steps, &files)?;
        if let Some(to_do) = carrying_out.to_do() {
            for cut in &plan.study.cuts {
                eprintln!("cut: {cut}");
            }
            eprintln!("{to_do}");
        }
        let ending = carrying_out.run(&mut runner)?;
        plan.write_commands(&files)?;
        match ending {
            Ending::Finished => writeln!(output, "finished; {}", results(&files))?,
            Ending::Interrupted => {
                writeln!(output, "to go on: {}", self.command())?;
                output.flush()?;
                std::process::exit(INTERRUPTED);
            }
        }
        Ok(())
    }

    /// Sees that the study that is there is the one that is asked for.
    fn check(&self, plan: &Plan) -> anyhow::Result<()> {
        let materials = Materials {
            network: self.network.as_deref(),
            suites: self.suites.as_deref(),
            openings: self.openings.as_deref(),
        };
        let device = self.device.words();
        let given = Given {
            scale: self.scale,
            seed: self.seed,
            base: materials.base_sha256()?,
            suites: materials.suites_sha256()?,
            openings: materials.openings_sha256()?,
            budget: self.budget,
            device: (!device.is_empty()).then_some(device),
        };
        if let Some(difference) = plan.request.difference(&given) {
            bail!("{} holds another study: {difference}; choose another --out", self.out.display());
        }
        Ok(())
    }

    /// Puts files in `carried`, which holds those of the program, where `embedded` stands for them.
    fn name_carried_files(&mut self, carried: &Path) {
        let network = carried.join(BASE_NETWORK.name);
        let openings = carried.join(OPENINGS.name);
        for (given, file) in [
            (&mut self.network, network.as_path()),
            (&mut self.suites, carried),
            (&mut self.openings, openings.as_path()),
        ] {
            if given.as_deref().is_some_and(is_embedded) {
                *given = Some(file.to_owned());
            }
        }
    }

    /// The plan of a new study; `carried` holds the files of the program.
    fn plan(&self, carried: &Path) -> anyhow::Result<Plan> {
        let scale = self.scale.unwrap_or(Scale::Small);
        if scale == Scale::Paper && (self.network.is_none() || self.suites.is_none()) {
            bail!("the paper's scale needs the paper's network and suites: --network and --suites");
        }
        let network = self.network.clone().unwrap_or_else(|| carried.join(BASE_NETWORK.name));
        let suites = self.suites.clone().unwrap_or_else(|| carried.to_owned());
        let materials = Materials {
            network: Some(&network),
            suites: Some(&suites),
            openings: self.openings.as_deref(),
        };
        // The study has its own copies of them.
        let lasting = |mut file: GivenFile| {
            if let Ok(name) = file.path.strip_prefix(carried) {
                file.path = Path::new(EMBEDDED).join(name);
            }
            file
        };
        let suites = materials.suites()?.into_iter();
        let request = Request {
            scale,
            seed: self.seed.unwrap_or(1),
            base: lasting(materials.base()?),
            suites: suites.map(|suite| GivenSuite { file: lasting(suite.file), ..suite }).collect(),
            openings: materials.openings()?.map(lasting),
            budget: self.budget,
            device: self.device.words(),
            engine: materials::engine(),
        };
        ensure!(
            i64::try_from(request.seed).is_ok(),
            "--seed {}: expected 0 to 2^63 - 1",
            request.seed
        );
        let forward_rate = speed::measure(&network, self.device)
            .with_context(|| format!("measuring how fast {} is", network.display()))?;
        let facts = Facts {
            program: format!("searchless {}", env!("CARGO_PKG_VERSION")),
            forward_rate,
            shown_position: Tabiya::NajdorfEnglishAttack.moves().to_owned(),
        };
        Ok(Plan::new(request, &facts))
    }

    /// The command that goes on with the study: all else is in its plan.
    fn command(&self) -> String {
        format!("searchless reproduce --out {}", quoted(&self.out))
    }
}

/// Where to look first.
fn results(files: &StudyFiles) -> String {
    let report = Path::new("report").join("index.html");
    if files.path(&report).exists() {
        format!("the report is {}", files.path(report).display())
    } else {
        format!("the measurements are in {}", files.path("measurements").display())
    }
}

fn scales() -> impl TypedValueParser<Value = Scale> {
    let names = Scale::ALL.map(Scale::key);
    PossibleValuesParser::new(names).map(|name| {
        Scale::ALL.into_iter().find(|scale| scale.key() == name).expect("a possible value")
    })
}

/// A time as an argument, in seconds: 90s, 20m, 1h30m.
fn budget(text: &str) -> Result<u64, String> {
    let expected =
        || format!("'{text}' is no time; expected hours, minutes or seconds as in 1h30m");
    let mut seconds: u64 = 0;
    let mut rest = text;
    let mut last = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).ok_or_else(expected)?;
        let number: u64 = rest[..digits].parse().map_err(|_| expected())?;
        let unit = match rest[digits..].chars().next() {
            Some('h') => 3_600,
            Some('m') => 60,
            Some('s') => 1,
            _ => return Err(expected()),
        };
        if unit >= last {
            return Err(expected());
        }
        last = unit;
        let part = number.checked_mul(unit).ok_or_else(expected)?;
        seconds = seconds.checked_add(part).ok_or_else(expected)?;
        rest = &rest[digits + 1..];
    }
    if seconds == 0 { Err(expected()) } else { Ok(seconds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_times() {
        let check = |text: &str, expected: Option<u64>| {
            assert_eq!(budget(text).ok(), expected, "{text}");
        };
        check("90s", Some(90));
        check("20m", Some(1_200));
        check("3h", Some(10_800));
        check("1h30m", Some(5_400));
        check("1h0m5s", Some(3_605));
        for text in ["", "20", "m", "0s", "20m1h", "1m1m", "-3h", "1.5h", "3d", "3h ", "é"] {
            check(text, None);
        }
        check("99999999999999999999h", None);
        check("9999999999999999999h", None);
    }
}
