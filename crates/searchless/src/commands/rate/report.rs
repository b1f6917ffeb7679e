//! What is known of a pool, as it is printed in JSON.

use arena::rating::{
    Anchor, EloEstimate, IntervalMethod, Pentanomial, Ratings, Settings, Sprt, Verdict,
};
use serde::Serialize;

use super::games::Games;

/// Ratings and comparisons. Elo are BayesElo's unless a field's name says another scale.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) files: Vec<String>,
    pub(super) games: u64,
    pub(super) skipped: Vec<SkippedReport>,
    /// Whose Elo this is.
    pub(super) scale: String,
    pub(super) intervals: String,
    pub(super) confidence: f64,
    pub(super) fitted: bool,
    pub(super) advantage: f64,
    pub(super) drawelo: f64,
    /// The strongest first.
    pub(super) players: Vec<PlayerReport>,
    /// Likelihoods that the row's player is stronger than the column's; null on the diagonal.
    pub(super) los: Vec<Vec<Option<f64>>>,
    /// Of every pair of players, the stronger first.
    pub(super) differences: Vec<DifferenceReport>,
    pub(super) direct: Vec<DirectReport>,
    pub(super) sprt: Option<SprtReport>,
}

/// Games that were not rated.
#[derive(Debug, Serialize)]
pub(super) struct SkippedReport {
    pub(super) reason: &'static str,
    pub(super) count: u64,
    pub(super) first: Vec<String>,
    pub(super) example: Option<String>,
}

/// A player.
#[derive(Debug, Serialize)]
pub(super) struct PlayerReport {
    pub(super) name: String,
    pub(super) elo: f64,
    pub(super) plus: f64,
    pub(super) minus: f64,
    pub(super) games: u64,
    /// Points per game.
    pub(super) score: f64,
    /// Mean rating of the opponents.
    pub(super) oppo: f64,
    /// Draws per game.
    pub(super) draws: f64,
}

/// A difference, with half of the width of its interval.
#[derive(Debug, Serialize)]
pub(super) struct DifferenceReport {
    pub(super) player: String,
    pub(super) opponent: String,
    pub(super) elo: f64,
    pub(super) margin: f64,
    pub(super) los: f64,
}

/// A direct record, without a model.
#[derive(Debug, Serialize)]
pub(super) struct DirectReport {
    pub(super) player: String,
    pub(super) opponent: String,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) score: f64,
    pub(super) los: f64,
    pub(super) logistic_elo: Option<Estimate>,
    pub(super) pairs: Option<PairsReport>,
}

/// Pairs of games with colours reversed.
#[derive(Debug, Serialize)]
pub(super) struct PairsReport {
    /// By points: 0, 1/2, 1, 3/2, 2.
    pub(super) pentanomial: [u64; 5],
    pub(super) unpaired_games: u64,
    pub(super) los: Option<f64>,
    pub(super) logistic_elo: Option<Estimate>,
    pub(super) normalised_elo: Option<Estimate>,
}

/// An estimate with its interval; null stands for what is infinite.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Estimate {
    pub(super) elo: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// A sequential test.
#[derive(Debug, Serialize)]
pub(super) struct SprtReport {
    pub(super) player: String,
    pub(super) opponent: String,
    pub(super) normalised_elo0: f64,
    pub(super) normalised_elo1: f64,
    pub(super) llr: Option<f64>,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) verdict: &'static str,
}

impl Report {
    /// The report; `versus` is the player against whom direct records are given.
    pub(super) fn new(
        games: &Games,
        settings: &Settings,
        ratings: &Ratings,
        versus: Option<&str>,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<Report> {
        let names: Vec<&str> =
            ratings.players().iter().map(|player| player.name.as_str()).collect();
        let comparisons = ratings.comparisons()?;
        let los = (0..names.len()).map(|row| {
            let of = |column| (row != column).then(|| comparisons.superiority(row, column));
            (0..names.len()).map(of).collect()
        });
        let pairs =
            (0..names.len()).flat_map(|first| (first + 1..names.len()).map(move |s| (first, s)));
        let differences = pairs.map(|(first, second)| {
            let difference = comparisons.difference(first, second);
            DifferenceReport {
                player: names[first].to_owned(),
                opponent: names[second].to_owned(),
                elo: difference.elo,
                margin: difference.margin,
                los: comparisons.superiority(first, second),
            }
        });
        let others = names.iter().filter(|name| Some(**name) != versus);
        let direct = versus.map_or_else(Vec::new, |versus| {
            let confidence = settings.confidence;
            others.filter_map(|name| direct(games, name, versus, confidence)).collect()
        });
        let skipped = games.skipped().by_reason().map(|(reason, places)| SkippedReport {
            reason,
            count: places.count,
            first: places.first.clone(),
            example: places.example.clone(),
        });
        Ok(Report {
            files: games.files().to_vec(),
            games: games.results().games(),
            skipped: skipped.collect(),
            scale: scale(&settings.anchor),
            intervals: intervals(settings.intervals).to_owned(),
            confidence: settings.confidence,
            fitted: settings.draw == arena::rating::Parameter::Fitted,
            advantage: ratings.model().advantage,
            drawelo: ratings.model().draw,
            players: players(ratings),
            los: los.collect(),
            differences: differences.collect(),
            sprt: sprt.and_then(|sprt| direct.first().map(|direct| tested(sprt, direct))),
            direct,
        })
    }
}

fn players(ratings: &Ratings) -> Vec<PlayerReport> {
    let player = |player: &arena::rating::PlayerRating| PlayerReport {
        name: player.name.clone(),
        elo: player.elo,
        plus: player.plus,
        minus: player.minus,
        games: player.score.games(),
        score: player.score.mean().expect("rated players have games"),
        oppo: player.opponents_elo,
        draws: player.score.draws as f64 / player.score.games() as f64,
    };
    ratings.players().iter().map(player).collect()
}

fn scale(anchor: &Anchor) -> String {
    let anchor = match anchor {
        Anchor::Mean(elo) => format!("a mean of {elo}"),
        Anchor::Player { name, elo } => format!("{name} = {elo}"),
    };
    format!(
        "BayesElo ratings within this pool, anchored to {anchor}; not comparable with FIDE or CCRL \
         ratings"
    )
}

fn intervals(method: IntervalMethod) -> &'static str {
    match method {
        IntervalMethod::Exact => "exact",
        IntervalMethod::Covariance => "covariance",
    }
}

/// The record of a player against another one; none where they did not meet.
fn direct(games: &Games, player: &str, opponent: &str, confidence: f64) -> Option<DirectReport> {
    let score = games.results().direct(player, opponent);
    let (pentanomial, unpaired_games) = games.pairs(player, opponent);
    let pairs = (pentanomial.count() > 0).then(|| PairsReport {
        pentanomial: pentanomial.pairs,
        unpaired_games,
        los: pentanomial.superiority(),
        logistic_elo: pentanomial.logistic_elo(confidence).map(Estimate::from),
        normalised_elo: pentanomial.normalised_elo(confidence).map(Estimate::from),
    });
    Some(DirectReport {
        player: player.to_owned(),
        opponent: opponent.to_owned(),
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
        score: score.mean()?,
        los: score.superiority(),
        logistic_elo: score.logistic_elo(confidence).map(Estimate::from),
        pairs,
    })
}

fn tested(sprt: Sprt, direct: &DirectReport) -> SprtReport {
    let pairs = direct.pairs.as_ref().map(|pairs| pairs.pentanomial).unwrap_or_default();
    let llr = sprt.log_likelihood_ratio(&Pentanomial { pairs });
    SprtReport {
        player: direct.player.clone(),
        opponent: direct.opponent.clone(),
        normalised_elo0: sprt.elo0(),
        normalised_elo1: sprt.elo1(),
        llr,
        lower: sprt.lower(),
        upper: sprt.upper(),
        verdict: match llr.map(|llr| sprt.verdict(llr)) {
            Some(Verdict::AcceptsH0) => "H0 is accepted",
            Some(Verdict::AcceptsH1) => "H1 is accepted",
            Some(Verdict::Continues) => "more games are needed",
            None => "the pairs do not differ enough for a test",
        },
    }
}

impl From<EloEstimate> for Estimate {
    fn from(EloEstimate { elo, low, high }: EloEstimate) -> Estimate {
        Estimate { elo, low, high }
    }
}
