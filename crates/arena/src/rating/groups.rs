//! Which players are linked by games, directly or through others.

use super::error::RatingError;
use super::pool::Pool;

/// Refuses a pool of players some of whom are not linked.
pub(super) fn check(pool: &Pool) -> Result<(), RatingError> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut seen = vec![false; pool.names.len()];
    for first in 0..pool.names.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&player) = group.get(next) {
            for opponent in &pool.opponents[player] {
                if !std::mem::replace(&mut seen[opponent.player], true) {
                    group.push(opponent.player);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        groups.push(group.into_iter().map(|player| pool.names[player].clone()).collect());
    }
    if groups.len() == 1 {
        return Ok(());
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    Err(RatingError::Disconnected { groups })
}
