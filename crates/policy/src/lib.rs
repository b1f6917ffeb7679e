//! Probability over legal moves and over game outcomes.
