//! What changed, as JSON.

use evaluation::recovery::{
    Bins, ExclusiveGroup, ExclusiveRecovery, GatedCount, PositionChange, PositionGroup,
    PuzzleGroup, Recovery,
};
use lc0::NetworkFile;
use serde::Serialize;

use super::boards::RecoveredPosition;
use crate::commands::evaluate::measuring::ReadSuite;

/// All of a comparison. Means and medians are null where there is nothing to take them of.
#[derive(Debug, Serialize)]
struct Document<'a> {
    suite: String,
    suite_sha256: &'a str,
    puzzles: u64,
    rule: &'static str,
    base: &'a str,
    base_sha256: &'a str,
    tuned: Vec<TunedLine<'a>>,
    /// Null for one tuned network.
    exclusive: Option<ExclusiveLine<'a>>,
    /// Recovered positions of the highest ratings; with two networks those that one alone recovers.
    boards: Vec<BoardLine<'a>>,
}

#[derive(Debug, Serialize)]
struct TunedLine<'a> {
    network: &'a str,
    network_sha256: &'a str,
    positions: u64,
    base_wrong: u64,
    puzzles: PuzzlesLine,
    /// Recovered, by the base's probability of the solution.
    by_probability: Vec<BinLine>,
    /// Recovered, by the base's rank of the solution, from 2; the deepest has no end.
    by_rank: Vec<BinLine>,
    /// Given back, by the base's lead of its best move over the second.
    by_lead: Vec<BinLine>,
    recovered: PositionsLine,
    unrecovered: PositionsLine,
    given_back: PositionsLine,
}

#[derive(Debug, Serialize)]
struct PuzzlesLine {
    gained: GroupLine,
    given_back: GroupLine,
    both: GroupLine,
    neither: GroupLine,
}

#[derive(Debug, Serialize)]
struct GroupLine {
    count: u64,
    mean_rating: Option<f64>,
}

/// With the Wilson 95% interval of the rate.
#[derive(Debug, Serialize)]
struct BinLine {
    from: f64,
    to: Option<f64>,
    total: u64,
    happened: u64,
    rate: Option<f64>,
    low: f64,
    high: f64,
}

#[derive(Debug, Serialize)]
struct PositionsLine {
    count: usize,
    /// The base's probability of the solution, geometric mean.
    retention: Option<f64>,
    /// Lead of the base's move over the solution.
    median_gap: Option<f64>,
    mean_mass_moved: Option<f64>,
    median_mass_moved: Option<f64>,
    /// Share of positions where the solution is second for the tuned network.
    solution_second: Option<f64>,
    median_base_q: Option<f64>,
    median_tuned_q: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ExclusiveLine<'a> {
    shared: GroupLine,
    alone: Vec<AloneLine<'a>>,
}

#[derive(Debug, Serialize)]
struct AloneLine<'a> {
    network: &'a str,
    count: u64,
    mean_rating: Option<f64>,
    median_base_probability: Option<f64>,
    ids: &'a [String],
}

#[derive(Debug, Serialize)]
struct BoardLine<'a> {
    /// The network that recovers it.
    network: &'a str,
    #[serde(flatten)]
    position: &'a RecoveredPosition,
}

/// The document: names and files are those of the base and the tuned networks, each of which has
/// one recovery.
pub(super) fn document(
    names: &[String],
    files: &[NetworkFile],
    suite: &ReadSuite,
    recoveries: &[Recovery],
    exclusive: Option<&ExclusiveRecovery>,
    boards: &[RecoveredPosition],
) -> serde_json::Result<String> {
    let tuned = names.iter().zip(files).skip(1).zip(recoveries);
    let document = Document {
        suite: suite.suite.path().display().to_string(),
        suite_sha256: suite.suite.sha256(),
        puzzles: suite.puzzles,
        rule: evaluation::Rule::MultiSolution.name(),
        base: &names[0],
        base_sha256: files[0].sha256(),
        tuned: tuned.map(|((name, file), recovery)| line(name, file, recovery)).collect(),
        exclusive: exclusive.map(|exclusive| ExclusiveLine {
            shared: group(&exclusive.shared),
            alone: names[1..]
                .iter()
                .zip([&exclusive.first, &exclusive.second])
                .map(|(name, group)| alone(name, group))
                .collect(),
        }),
        boards: boards
            .iter()
            .map(|position| BoardLine { network: &names[position.network()], position })
            .collect(),
    };
    serde_json::to_string(&document)
}

fn line<'a>(network: &'a str, file: &'a NetworkFile, recovery: &Recovery) -> TunedLine<'a> {
    let puzzles = &recovery.puzzles;
    let ranks = recovery.by_rank.iter().map(|(&rank, &count)| {
        let from = f64::from(rank);
        bin(from, (rank < Recovery::DEEPEST_RANK).then_some(from), count)
    });
    TunedLine {
        network,
        network_sha256: file.sha256(),
        positions: recovery.positions,
        base_wrong: recovery.base_wrong(),
        puzzles: PuzzlesLine {
            gained: group(&puzzles.gained),
            given_back: group(&puzzles.lost),
            both: group(&puzzles.kept),
            neither: group(&puzzles.unsolved),
        },
        by_probability: bins(&recovery.by_probability),
        by_rank: ranks.collect(),
        by_lead: bins(&recovery.by_lead),
        recovered: positions(&recovery.recovered),
        unrecovered: positions(&recovery.unrecovered),
        given_back: positions(&recovery.given_back),
    }
}

fn bins(bins: &Bins) -> Vec<BinLine> {
    bins.rows().map(|(from, to, count)| bin(from, Some(to), count)).collect()
}

fn bin(from: f64, to: Option<f64>, count: GatedCount) -> BinLine {
    let interval = count.interval();
    BinLine {
        from,
        to,
        total: count.total,
        happened: count.happened,
        rate: count.rate(),
        low: interval.low,
        high: interval.high,
    }
}

fn group(group: &PuzzleGroup) -> GroupLine {
    GroupLine { count: group.count, mean_rating: group.mean_rating() }
}

fn positions(group: &PositionGroup) -> PositionsLine {
    PositionsLine {
        count: group.count(),
        retention: group.retention(),
        median_gap: group.median(PositionChange::gap),
        mean_mass_moved: group.mean(PositionChange::mass_moved),
        median_mass_moved: group.median(PositionChange::mass_moved),
        solution_second: group.share(|change| change.tuned_rank == 1),
        median_base_q: group.median(|change| change.base_q),
        median_tuned_q: group.median(|change| change.tuned_q),
    }
}

fn alone<'a>(network: &'a str, group: &'a ExclusiveGroup) -> AloneLine<'a> {
    AloneLine {
        network,
        count: group.puzzles.count,
        mean_rating: group.puzzles.mean_rating(),
        median_base_probability: group.median_base_probability(),
        ids: &group.ids,
    }
}
