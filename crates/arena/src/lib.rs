//! Who is stronger: ratings of players from the games that they played against each other.

pub mod rating;
