//! Why there are no ratings.

/// Groups that a message names.
const GROUPS_SHOWN: usize = 4;
/// Players of a group that a message names.
const PLAYERS_SHOWN: usize = 3;

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RatingError {
    /// There are no games.
    #[error("there are no games to rate")]
    NoGames,
    /// Players fall into groups that never met, the ratings of which cannot be compared.
    #[error(
        "the players fall into {} groups that never met, and ratings compare only within a group: {}",
        groups.len(),
        named(groups)
    )]
    Disconnected {
        /// The names in each group, sorted; the largest group first.
        groups: Vec<Vec<String>>,
    },
    /// The player to whom the ratings are anchored did not play.
    #[error("the ratings cannot be anchored to \"{name}\", who plays no game")]
    UnknownAnchor {
        /// The player's name.
        name: String,
    },
    /// The draw parameter is to be fitted, and no game was won.
    #[error("the draw parameter cannot be fitted to games all of which were drawn")]
    OnlyDraws,
    /// Both parameters are to be fitted, and only one colour won games.
    #[error(
        "advantage and draw parameter cannot both be fitted to games of which White or Black won \
         none"
    )]
    OneColour,
    /// The most probable ratings are not finite, or too far to be found.
    #[error(
        "the ratings have not converged after {iterations} iterations (the last one changed them \
         by {change:e}); without a prior a player who only won or lost has none, and parameters \
         cannot be fitted where no weaker player ever won"
    )]
    NotConverged {
        /// Iterations made.
        iterations: usize,
        /// The largest relative change in the last one.
        change: f64,
    },
    /// A setting outside of its range.
    #[error("{setting} cannot be {value}")]
    Setting {
        /// What is set.
        setting: &'static str,
        /// The value that it cannot have.
        value: f64,
    },
    /// More players than a covariance matrix is computed for.
    #[error("{players} players are too many: at most {limit} can be rated together")]
    TooManyPlayers {
        /// Players.
        players: usize,
        /// The most.
        limit: usize,
    },
}

/// The first groups and their first players, in words.
fn named(groups: &[Vec<String>]) -> String {
    let list = |group: &Vec<String>| {
        let shown: Vec<String> =
            group.iter().take(PLAYERS_SHOWN).map(|name| format!("\"{name}\"")).collect();
        let more = group.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", shown.join(", "))
    };
    let mut text: Vec<String> = groups.iter().take(GROUPS_SHOWN).map(list).collect();
    if groups.len() > GROUPS_SHOWN {
        text.push(format!("{} more groups", groups.len() - GROUPS_SHOWN));
    }
    text.join("; ")
}
