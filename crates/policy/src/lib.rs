//! Probability over legal moves and over game outcomes.
//!
//! A network gives one `f32` logit per legal move and either three or one for the outcome. From
//! there on everything in this crate is `f64` and, where a product or a ratio of probabilities is
//! meant, in log space: a move with probability `e^-900` still has a finite log-probability, a
//! finite divergence and a finite gradient.
//!
//! - [`MovePolicy`]: a distribution over the legal moves of one position.
//! - [`forward_kl`], [`reverse_kl`], [`kl_to_uniform`]: the exploration terms, as exact sums.
//! - [`gradient`]: their gradients with respect to the policy's logits, in closed form.
//! - [`Wdl`] and [`ValueLogits`]: the outcome as a probability, and as a value head states it, with
//!   its losses and their gradients.
//! - [`adaptive_temperature`] and [`importance_weight`]: the behaviour policy of self-play.
//!
//! Nothing here knows chess: a move is its index in the position's list of legal moves.
//!
//! Infinite divergences are values, not errors; but a NaN never leaves this crate, because
//! non-finite inputs are refused where they enter.

mod behaviour;
mod divergence;
mod error;
mod expectation;
pub mod gradient;
mod move_policy;
mod temperature;
mod value_logits;
mod wdl;

pub use behaviour::{adaptive_temperature, importance_weight};
pub use divergence::{forward_kl, kl_to_uniform, reverse_kl};
pub use error::PolicyError;
pub use move_policy::MovePolicy;
pub use temperature::Temperature;
pub use value_logits::ValueLogits;
pub use wdl::Wdl;
