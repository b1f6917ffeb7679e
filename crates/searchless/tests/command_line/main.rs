//! The binary, seen from outside: what each command prints, refuses and writes.

mod bench;
mod commands;
mod device;
mod errors;
mod evaluate;
mod finetune;
mod game;
mod reference;
mod resume;
mod support;
mod sweep;
mod train;
mod uci;
