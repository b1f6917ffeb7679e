//! What the answers of several networks to one suite come to.

use chess::puzzle::Acceptance;
use evaluation::{
    Bootstrap, ByRule, Comparison, Group, Groups, PuzzleOutcome, Ranks, Rule, Tally, Trial,
};
use report::{Measurement, ResultsStore};

use super::MeasureArguments;
use super::measuring::ReadSuite;

/// A network and its measurements, one for each suite.
pub(super) struct MeasuredNetwork {
    pub(super) name: String,
    pub(super) sha256: String,
    pub(super) measurements: Vec<Measurement>,
}

/// The measures of all networks on one suite.
pub(super) struct SuiteResults<'a> {
    pub(super) suite: &'a ReadSuite,
    /// Positions in which the solver is to move.
    pub(super) positions: u64,
    /// Puzzles in which some mate could not be proved.
    pub(super) unproved: u64,
    /// In the order of the command.
    pub(super) networks: Vec<NetworkResults<'a>>,
    /// For each breakdown its groups and, in the order of the networks, their measures under the
    /// rule asked for.
    pub(super) breakdowns: Vec<BreakdownResults>,
}

/// The measures of a network.
pub(super) struct NetworkResults<'a> {
    pub(super) network: &'a MeasuredNetwork,
    pub(super) measures: ByRule<Measures>,
    /// Where it ranks the accepted moves.
    pub(super) ranks: Ranks,
}

/// The measures of all networks by group.
pub(super) struct BreakdownResults {
    pub(super) name: &'static str,
    pub(super) groups: Vec<(Group, Vec<Measures>)>,
}

/// The measures of a network on some puzzles under one rule.
pub(super) struct Measures {
    pub(super) tally: Tally,
    /// With the first network; absent for that one itself, and without puzzles.
    pub(super) comparison: Option<Comparison>,
}

impl Measures {
    /// The first of `all` is that of the reference.
    fn of_all(all: &[Vec<Trial>], bootstrap: Bootstrap) -> Vec<Measures> {
        let measures = |(number, trials): (usize, &Vec<Trial>)| Measures {
            tally: trials.iter().copied().collect(),
            comparison: (number > 0).then(|| Comparison::new(&all[0], trials, bootstrap)).flatten(),
        };
        all.iter().enumerate().map(measures).collect()
    }
}

impl<'a> SuiteResults<'a> {
    /// Folds what the store holds of suite `number`.
    pub(super) fn fold(
        suite: &'a ReadSuite,
        number: usize,
        networks: &'a [MeasuredNetwork],
        store: &ResultsStore,
        arguments: &MeasureArguments,
    ) -> anyhow::Result<Self> {
        let mut groups: Vec<Groups> = arguments.by.iter().map(|&by| Groups::new(by)).collect();
        let (mut positions, mut unproved) = (0, 0);
        let mut outcomes: Vec<Vec<PuzzleOutcome>> = Vec::new();
        let mut ranks = Vec::new();
        for network in networks {
            let (mut of_network, mut ranked) = (Vec::new(), Ranks::default());
            store.for_each(&network.measurements[number], Some(suite.puzzles), |record| {
                // What is said of puzzles is the same for all networks.
                if outcomes.is_empty() {
                    positions += record.answers.len() as u64;
                    unproved += u64::from(record.acceptance == Acceptance::Unproved);
                    groups.iter_mut().for_each(|groups| groups.add(&record.facts));
                }
                record.answers.iter().for_each(|answer| ranked.add(answer.accepted_rank));
                of_network.push(PuzzleOutcome::of(&record.answers));
            })?;
            outcomes.push(of_network);
            ranks.push(ranked);
        }

        let bootstrap = arguments.bootstrap();
        let trials = |rule: Rule, members: Option<&[u32]>| -> Vec<Vec<Trial>> {
            let of_network = |outcomes: &Vec<PuzzleOutcome>| match members {
                None => outcomes.iter().map(|outcome| outcome.trial(rule)).collect(),
                Some(members) => {
                    members.iter().map(|&place| outcomes[place as usize].trial(rule)).collect()
                }
            };
            outcomes.iter().map(of_network).collect()
        };
        let mut by_rule =
            ByRule::each(|rule| Measures::of_all(&trials(rule, None), bootstrap).into_iter());
        let networks = networks.iter().zip(ranks).map(|(network, ranks)| {
            let next = |measures: &mut std::vec::IntoIter<Measures>| {
                measures.next().expect("one for each network")
            };
            NetworkResults {
                network,
                measures: ByRule {
                    strict: next(&mut by_rule.strict),
                    immediate_mate: next(&mut by_rule.immediate_mate),
                    multi_solution: next(&mut by_rule.multi_solution),
                },
                ranks,
            }
        });
        let networks = networks.collect();
        let breakdown = |groups: &Groups| {
            let shown = groups.iter().filter(|(_, members)| members.len() >= arguments.least);
            let measured = shown.map(|(group, members)| {
                let trials = trials(arguments.rule, Some(members));
                (group.clone(), Measures::of_all(&trials, bootstrap))
            });
            BreakdownResults { name: groups.breakdown().name(), groups: measured.collect() }
        };
        let breakdowns = groups.iter().map(breakdown).collect();
        Ok(SuiteResults { suite, positions, unproved, networks, breakdowns })
    }
}
