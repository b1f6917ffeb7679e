//! Lc0's files: networks and training data.
//!
//! A network is a protocol-buffer message, [`proto::Net`], usually compressed with gzip. It holds
//! named tensors ([`proto::Layer`]) without shapes, and a few markers that say how to combine them
//! (LC0_FORMAT section 1). This crate knows names, encodings and element counts; it knows neither
//! the rules of chess nor how a network is evaluated.
//!
//! [`NetworkFile`] is the way in: it reads hostile input within bounded memory, gives every layer
//! by its path (`encoder.0.mha.q_w`), and writes a file back with everything that was not replaced
//! kept byte for byte, fields unknown to this crate included. [`random`] makes networks of random
//! weights; [`training_data`] reads and writes what self-play recorded of positions.

pub mod describe;
pub mod layer;
mod network_file;
pub mod proto;
pub mod random;
pub mod training_data;

pub use describe::Description;
pub use layer::LayerError;
pub use network_file::{MAXIMUM_SIZE, NetworkFile, NetworkFileError};
