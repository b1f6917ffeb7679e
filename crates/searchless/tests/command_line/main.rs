//! The binary, seen from outside: what each command prints, refuses and writes.

mod arena;
mod bench;
mod calibration;
mod commands;
mod coverage;
mod device;
mod embedded;
mod errors;
mod evaluate;
mod finetune;
mod game;
mod label;
mod mine;
mod rate;
mod recovery;
mod reference;
mod report;
mod reproduce;
mod resume;
mod shape;
mod suite;
mod support;
mod sweep;
mod train;
mod uci;
