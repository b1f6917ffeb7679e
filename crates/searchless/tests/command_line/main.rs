//! The binary, seen from outside: what each command prints, refuses and writes.

mod bench;
mod calibration;
mod commands;
mod coverage;
mod device;
mod errors;
mod finetune;
mod game;
mod reference;
mod resume;
mod shape;
mod support;
mod sweep;
mod train;
mod uci;
