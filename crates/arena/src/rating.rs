//! Ratings from results.
//!
//! [`rate`] computes what the program `bayeselo` by Rémi Coulom does: the ratings under which the
//! results of a pool of players are most probable, with intervals and likelihoods of superiority.
//! Two players can be compared without a model, by their [`Score`] against each other or, where
//! each opening was played twice with colours reversed, by the [`Pentanomial`] of their pairs,
//! which an [`Sprt`] tests against two hypotheses.
//!
//! Three scales of Elo occur, and every number says which is its own: BayesElo's within a pool;
//! *logistic* Elo, 400 log10(s / (1 - s)) of a score s; and *normalised* Elo, which measures the
//! score in its standard deviations.
//!
//! ```
//! use arena::rating::{Results, Settings, rate};
//! use chess::Outcome;
//!
//! let mut results = Results::new();
//! for outcome in [Outcome::WhiteWins, Outcome::WhiteWins, Outcome::Draw] {
//!     results.add("new", "old", outcome)?;
//!     results.add("old", "new", Outcome::Draw)?;
//! }
//! let ratings = rate(&results, &Settings::default())?;
//! assert_eq!(ratings.players()[0].name, "new");
//! assert!(ratings.players()[0].elo > 0.0);
//! assert!(ratings.comparisons()?.superiority(0, 1) > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comparisons;
mod error;
mod fit;
mod groups;
mod interval;
mod model;
mod normal;
mod pairing;
mod pentanomial;
mod pool;
mod ratings;
mod results;
mod score;
mod settings;
mod sprt;
#[cfg(test)]
mod tests;

pub use comparisons::{Comparisons, Difference};
pub use error::RatingError;
pub use model::Model;
pub use pairing::{PairedGame, pair_up};
pub use pentanomial::Pentanomial;
pub use ratings::{PlayerRating, Ratings, rate};
pub use results::{Results, SamePlayerError};
pub use score::{EloEstimate, Score};
pub use settings::{Anchor, IntervalMethod, Parameter, Settings};
pub use sprt::{Sprt, SprtError, Verdict};
