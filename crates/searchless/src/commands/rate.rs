//! `searchless rate`: ratings of players from the games of PGN files.

mod games;
mod report;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use arena::rating::{Anchor, IntervalMethod, Parameter, Ratings, Settings, Sprt, rate};
use clap::ValueEnum;

use self::games::Games;
use self::report::Report;

/// Rates players by their games, as BayesElo does.
///
/// The ratings are those under which the results are most probable in R. Coulom's model of a game,
/// with an advantage of the first move and a parameter for draws. They compare the players of this
/// pool with each other, and with nobody else. Games that have no result or no players, or whose
/// tags cannot be read, are counted with their lines; moves are not looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct RateArguments {
    /// Games in PGN, plain or compressed (.gz, .zst)
    #[arg(value_name = "PGN", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Fit the advantage of the first move and the draw parameter to the games
    #[arg(long, conflicts_with_all = ["advantage", "draw_elo"], help_heading = "Model")]
    fit: bool,
    /// Advantage of the first move
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 32.8,
        allow_negative_numbers = true,
        help_heading = "Model"
    )]
    advantage: f64,
    /// Draw parameter: the difference at which the stronger side wins half of its games
    #[arg(long, value_name = "ELO", default_value_t = 97.3, help_heading = "Model")]
    draw_elo: f64,
    /// Virtual draws that keep a player finite who only won or lost
    #[arg(long, value_name = "N", default_value_t = 2.0, help_heading = "Model")]
    prior: f64,
    /// Where the iterations stop; BayesElo stops at 1e-5, a few hundredths of an Elo short
    #[arg(long, value_name = "CHANGE", default_value_t = 1e-11, help_heading = "Model")]
    tolerance: f64,
    /// What the ratings are anchored to: a player's rating, or with ELO alone the mean of all
    #[arg(long, value_name = "[NAME=]ELO", default_value = "0", value_parser = anchor, allow_negative_numbers = true, help_heading = "Model")]
    anchor: Anchor,
    /// How the intervals of the ratings are computed
    #[arg(
        long,
        value_enum,
        value_name = "METHOD",
        default_value = "exact",
        help_heading = "Intervals"
    )]
    intervals: Intervals,
    /// Probability of the intervals
    #[arg(long, value_name = "P", default_value_t = 0.95, help_heading = "Intervals")]
    confidence: f64,
    /// Print the likelihoods of superiority
    #[arg(long, help_heading = "Comparisons")]
    los: bool,
    /// Print the differences of all pairs of players, with the intervals of the differences
    #[arg(long, help_heading = "Comparisons")]
    differences: bool,
    /// Print each player's direct record against NAME; of two players it is always printed
    #[arg(long, value_name = "NAME", help_heading = "Comparisons")]
    versus: Option<String>,
    /// Test H0 against H1 on the pairs of games of two players: hypotheses in normalised Elo, and
    /// the probabilities of false positives and negatives
    #[arg(long, value_name = "H0,H1,ALPHA,BETA", value_parser = sprt, allow_hyphen_values = true, help_heading = "Comparisons")]
    sprt: Option<Sprt>,
}

/// How intervals are computed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Intervals {
    /// From the likelihood along each rating
    Exact,
    /// From the covariance of all ratings
    Covariance,
}

impl RateArguments {
    /// Reads, rates and prints.
    pub(crate) fn run(self, output: &mut impl Write) -> anyhow::Result<()> {
        let games = Games::read(&self.files)?;
        let settings = self.settings();
        let ratings = match rate(games.results(), &settings) {
            Ok(ratings) => ratings,
            // Why there are no games is worth saying.
            Err(error) if games.skipped().count() > 0 => {
                bail!("{error} ({})", games.skipped().in_a_line())
            }
            Err(error) => return Err(error.into()),
        };
        let versus = self.versus(&ratings)?;
        let report = Report::new(&games, &settings, &ratings, versus.as_deref(), self.sprt)?;
        if self.json {
            writeln!(output, "{}", serde_json::to_string(&report)?)?;
        } else {
            write!(output, "{}", table::text(&report, self.los, self.differences))?;
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        let parameter = |elo| if self.fit { Parameter::Fitted } else { Parameter::Fixed(elo) };
        Settings {
            advantage: parameter(self.advantage),
            draw: parameter(self.draw_elo),
            prior_draws: self.prior,
            intervals: match self.intervals {
                Intervals::Exact => IntervalMethod::Exact,
                Intervals::Covariance => IntervalMethod::Covariance,
            },
            confidence: self.confidence,
            tolerance: self.tolerance,
            anchor: self.anchor.clone(),
        }
    }

    /// The player against whom direct records are printed, if any.
    fn versus(&self, ratings: &Ratings) -> anyhow::Result<Option<String>> {
        let players = ratings.players();
        if self.sprt.is_some() && players.len() != 2 {
            bail!("--sprt tests two players, the games have {}", players.len());
        }
        match &self.versus {
            Some(name) if players.iter().any(|player| player.name == *name) => {
                Ok(Some(name.clone()))
            }
            Some(name) => bail!("--versus: \"{name}\" plays no game"),
            // The names' order, so that the sign of a difference does not change between reports.
            None if players.len() == 2 => {
                Ok(players.iter().map(|player| &player.name).min().cloned())
            }
            None => Ok(None),
        }
    }
}

/// Rates the games of a match as the command does that is given nothing but their file.
pub(super) fn of_match(games: &Path, output: &mut impl Write) -> anyhow::Result<()> {
    let games = Games::read(&[games.to_owned()])?;
    let settings = Settings::default();
    let ratings = rate(games.results(), &settings)?;
    let report = Report::new(&games, &settings, &ratings, None, None)?;
    write!(output, "{}", table::text(&report, true, false))?;
    Ok(())
}

/// An anchor as an argument; a name may contain "=".
fn anchor(text: &str) -> Result<Anchor, String> {
    let (name, elo) = match text.rsplit_once('=') {
        Some((name, elo)) => (Some(name), elo),
        None => (None, text),
    };
    let elo = elo.parse().map_err(|_| format!("'{elo}' is not a number; expected [NAME=]ELO"))?;
    Ok(match name {
        Some(name) => Anchor::Player { name: name.to_owned(), elo },
        None => Anchor::Mean(elo),
    })
}

/// A test as an argument.
fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    let Ok([elo0, elo1, alpha, beta]) = numbers.as_deref() else {
        return Err("expected four numbers: H0,H1,ALPHA,BETA".to_owned());
    };
    Sprt::new(*elo0, *elo1, *alpha, *beta).map_err(|error| error.to_string())
}
